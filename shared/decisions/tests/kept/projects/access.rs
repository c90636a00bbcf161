//! Tests who may do what, and how often.

use super::*;

#[test]
fn the_same_key_gives_the_same_answer_once() {
    let mut site = Site::new();
    let send = |site: &mut Site, body: &Value| {
        site.context.tick();
        let bytes = body.to_string().into_bytes();
        let once = Once { route: "POST x", key: Some("k1"), body: &bytes };
        let new = serde_json::from_value(body.clone()).unwrap();
        let project_context = site.context.project_context(&site.corpus);
        pollster::block_on(decide(&project_context, &site.project, &once, new))
            .map(|partial| partial.reply.decided)
    };
    let first = send(&mut site, &seal()).unwrap();
    assert_eq!(send(&mut site, &seal()).unwrap(), first);
    let mut other = seal();
    other["rationale"] = json!("Another one.");
    let refused = send(&mut site, &other).unwrap_err().to_string();
    assert!(refused.starts_with("conflict on `Idempotency-Key`"), "{refused}");
    assert_eq!(site.count(), 1);
    site.context.stamp.time += jiff::SignedDuration::from_hours(25);
    assert_ne!(send(&mut site, &other).unwrap().decision.decision_id, first.decision.decision_id);
}

#[test]
fn a_stranger_a_member_and_the_owner_see_and_do_what_is_theirs() {
    let mut site = Site::new();
    let project = site.project.clone();
    let project_context = site.context.project_context(&site.corpus);
    pollster::block_on(invite(&project_context, &project, "bob|🦀")).unwrap();
    assert!(matches!(
        pollster::block_on(remove_member(&project_context, &project, "ann")),
        Err(Error::Conflict { .. })
    ));
    site.context.caller.sub = "bob|🦀".into();
    let project_context = site.context.project_context(&site.corpus);
    let invited = pollster::block_on(invitations(&project_context)).unwrap().invitations;
    assert_eq!((invited[0].id.as_str(), invited[0].by.as_str()), (project.as_str(), "ann"));
    let early = pollster::block_on(show(&project_context, &project)).unwrap_err();
    assert_eq!(early.to_string(), format!("no project named `{project}`"));
    pollster::block_on(join(&project_context, &project)).unwrap();
    assert_eq!(pollster::block_on(show(&project_context, &project)).unwrap().members.len(), 2);
    assert_eq!(
        pollster::block_on(list(&project_context, &Page::default())).unwrap().projects.len(),
        1
    );
    assert!(matches!(
        pollster::block_on(invite(&project_context, &project, "eve")),
        Err(Error::Denied { .. })
    ));
    site.context.caller.sub = "eve".into();
    let project_context = site.context.project_context(&site.corpus);
    let refused = pollster::block_on(show(&project_context, &project)).unwrap_err();
    assert_eq!(refused.to_string(), format!("no project named `{project}`"));
    assert!(
        pollster::block_on(list(&project_context, &Page::default())).unwrap().projects.is_empty()
    );
}

#[test]
fn a_member_leaves_and_the_owner_stays() {
    let mut site = Site::new();
    let project = site.project.clone();
    let project_context = site.context.project_context(&site.corpus);
    pollster::block_on(invite(&project_context, &project, "bob")).unwrap();
    let owner = pollster::block_on(remove_member(&project_context, &project, "me"));
    assert!(matches!(owner, Err(Error::Conflict { field: "user", .. })));
    site.context.caller.sub = "bob".into();
    let project_context = site.context.project_context(&site.corpus);
    pollster::block_on(join(&project_context, &project)).unwrap();
    pollster::block_on(remove_member(&project_context, &project, "me")).unwrap();
    let again = pollster::block_on(remove_member(&project_context, &project, "me"));
    assert!(matches!(again, Err(Error::Missing { kind: "project", .. })));
    assert!(pollster::block_on(show(&project_context, &project)).is_err());
}

#[test]
fn what_its_author_alone_may_read_is_quoted_only_if_it_is_shared() {
    let mut site = Site::new();
    let own = ports::scope::Scope::User("ann".into());
    let document = model::document::document_id(&own, "note.md");
    pollster::block_on(async {
        let note = b"# Note\n\nThe carbon seal is brittle.\n";
        let upload = site.corpus.announce_in(&own, "note.md", "01A", note).await;
        site.corpus.ingest(&upload).await.unwrap();
    });
    let mut new = seal();
    new["knowledge"] = json!(["user"]);
    let passage = model::document::passage_id(document, "01A", 0);
    new["sources"] = json!([{"passage_id": passage, "relevance": 1}]);
    let refused = site.decide(new.clone()).unwrap_err().to_string();
    assert!(refused.contains("share") && refused.contains("note.md"), "{refused}");
    assert_eq!(site.count(), 0);
    new["share"] = json!(true);
    assert!(site.decide(new).unwrap().sources[0].quote.contains("brittle"));
}
