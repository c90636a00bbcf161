//! Tests what a digest's message says, and to whom it goes.

use jiff::Timestamp;
use wire::decisions::DecisionStatus;

use super::*;
use crate::receive::tests::route;

fn digest() -> Digest {
    let time = |text: &str| text.parse::<Timestamp>().unwrap();
    let line = |decision: &str| DigestLine {
        decision_id: "01D".into(),
        decision: decision.into(),
        status: DecisionStatus::Accepted,
    };
    Digest {
        project_id: "01JPROJECT0000000000000001".into(),
        name: "Pump & <valve>".into(),
        from: time("2026-11-16T00:00:00Z"),
        to: time("2026-11-23T00:00:00Z"),
        made_at: time("2026-11-23T06:00:00Z"),
        new_decisions: ["One", "Two", "Three", "Four"].map(line).into(),
        accepted: Vec::new(),
        rejected: Vec::new(),
        superseded: Vec::new(),
        unsupported: Vec::new(),
        needs_review: vec![line("Old one")],
        knowledge_gaps: Vec::new(),
        status_moves: Vec::new(),
        questions: 1,
        left_out: 0,
    }
}

#[test]
fn a_digest_goes_where_a_route_wants_digests() {
    let more = "project = \"01JC00000000000000000000PR\"\n\
        [[messages]]\nto = \"slack\"\naddress = \"cases\"\n\
        [[messages]]\nto = \"slack\"\naddress = \"slack\"\nevents = [\"opened\", \"digest\"]\n\
        [[messages]]\nto = \"webhook\"\naddress = \"hook\"\nkey = \"k\"\nevents = [\"digest\"]\n";
    let route = route(more);
    let digest = digest();
    let messages = digest_messages(&route, &digest);
    let keys: Vec<&str> = messages.iter().map(|message| message.key.as_str()).collect();
    let period = digest.period();
    assert_eq!(keys, [format!("digest.{period}.slack"), format!("digest.{period}.hook")]);
    assert_eq!(
        messages[0].body["text"],
        "*Digest of Pump &amp; &lt;valve&gt;, 16 November 2026 to 23 November 2026*\n\
         New decisions: One; Two; Three; 1 more\n\
         To review, what they rest on changed: Old one\n\
         1 question asked. `plumbline project digest 01JPROJECT0000000000000001` shows all."
    );
    assert_eq!(messages[1].body["type"], "project.digest");
    assert_eq!(messages[1].body["data"]["digest"]["name"], "Pump & <valve>");
}
