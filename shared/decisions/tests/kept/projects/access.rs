//! Who may do what, and how often.

use super::*;

#[test]
fn the_same_key_gives_the_same_answer_once() {
    let mut site = Site::new();
    let send = |site: &mut Site, body: &Value| {
        site.desk.tick();
        let bytes = body.to_string().into_bytes();
        let once = Once { route: "POST x", key: Some("k1"), body: &bytes };
        let new = serde_json::from_value(body.clone()).unwrap();
        let office = site.desk.office(&site.corpus);
        pollster::block_on(decide(&office, &site.project, &once, new))
            .map(|partial| partial.reply.decided)
    };
    let first = send(&mut site, &seal()).unwrap();
    assert_eq!(send(&mut site, &seal()).unwrap(), first);
    let mut other = seal();
    other["rationale"] = json!("Another one.");
    let refused = send(&mut site, &other).unwrap_err().to_string();
    assert!(refused.starts_with("conflict on `Idempotency-Key`"), "{refused}");
    assert_eq!(site.count(), 1);
    site.desk.stamp.time += jiff::SignedDuration::from_hours(25);
    assert_ne!(send(&mut site, &other).unwrap().decision.decision_id, first.decision.decision_id);
}

#[test]
fn a_stranger_a_member_and_the_owner_see_and_do_what_is_theirs() {
    let mut site = Site::new();
    let project = site.project.clone();
    let office = site.desk.office(&site.corpus);
    pollster::block_on(admit(&office, &project, "bob|🦀")).unwrap();
    assert!(matches!(
        pollster::block_on(remove_member(&office, &project, "ann")),
        Err(Error::Conflict { .. })
    ));
    site.desk.caller.sub = "bob|🦀".into();
    let office = site.desk.office(&site.corpus);
    assert_eq!(pollster::block_on(show(&office, &project)).unwrap().members.len(), 2);
    assert_eq!(pollster::block_on(list(&office, &Page::default())).unwrap().projects.len(), 1);
    assert!(matches!(
        pollster::block_on(admit(&office, &project, "eve")),
        Err(Error::Denied { .. })
    ));
    site.desk.caller.sub = "eve".into();
    let office = site.desk.office(&site.corpus);
    let refused = pollster::block_on(show(&office, &project)).unwrap_err();
    assert_eq!(refused.to_string(), format!("no project named `{project}`"));
    assert!(pollster::block_on(list(&office, &Page::default())).unwrap().projects.is_empty());
}
