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
    pollster::block_on(admit(&project_context, &project, "bob|🦀")).unwrap();
    assert!(matches!(
        pollster::block_on(remove_member(&project_context, &project, "ann")),
        Err(Error::Conflict { .. })
    ));
    site.context.caller.sub = "bob|🦀".into();
    let project_context = site.context.project_context(&site.corpus);
    assert_eq!(pollster::block_on(show(&project_context, &project)).unwrap().members.len(), 2);
    assert_eq!(
        pollster::block_on(list(&project_context, &Page::default())).unwrap().projects.len(),
        1
    );
    assert!(matches!(
        pollster::block_on(admit(&project_context, &project, "eve")),
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
