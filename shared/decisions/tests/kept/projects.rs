use decisions::projects::*;
use model::{Error, Result};
use ports::degraded::Partial;
use ports::{Index, Publisher, Trail};
use serde_json::{Value, json};
use testing::{Corpus, FakeContext};
use wire::decisions::{DecisionReply, DecisionStatus};

const REPORT: &str = "# Pump seal\n\n## Measurement\n\nThe carbon seal lasted 900 hours.\n\n## Cost\n\nA carbon seal costs EUR 40.\n";

/// Ann's project over one document.
struct Site {
    context: FakeContext,
    corpus: Corpus,
    project: String,
}

impl Site {
    fn new() -> Site {
        pollster::block_on(async {
            let (mut context, corpus) =
                (FakeContext::default(), Corpus::of(&[("seal.md", REPORT)]).await);
            let profile =
                json!({"name": "Pump 🚰 محطة", "domain": "water", "standards": ["ISO 9906"]});
            let project = context.project(&corpus, profile).await;
            Site { context, corpus, project }
        })
    }

    fn passages(&self) -> Vec<model::document::Passage> {
        let grant = ports::scope::Grant::unchecked(&[ports::scope::Scope::Global]);
        let document = model::document::document_id(&ports::scope::Scope::Global, "seal.md");
        let index: &dyn Index = &self.corpus.index;
        let mut passages = pollster::block_on(index.documents(&grant, &[document], &[])).unwrap();
        passages.sort_by_key(|passage| passage.position);
        passages
    }

    fn decide(&mut self, new: Value) -> Result<wire::decisions::Decided> {
        pollster::block_on(self.context.decide(&self.corpus, &self.project, new))
    }

    fn move_decision(&mut self, id: &str, wanted: Value) -> Result<DecisionReply> {
        self.context.tick();
        let wanted = serde_json::from_value(wanted).unwrap();
        let project_context = self.context.project_context(&self.corpus);
        pollster::block_on(move_decision(&project_context, &self.project, id, wanted))
            .map(|partial| partial.reply)
    }

    fn trail(&self, as_of: Option<&str>) -> Result<wire::trail::TrailPage> {
        let project_context = self.context.project_context(&self.corpus);
        pollster::block_on(trail(&project_context, &self.project, &Page::default(), as_of))
    }

    fn related(&self, decision: &str) -> Vec<(String, DecisionStatus)> {
        let wanted = serde_json::from_value(json!({"decision": decision})).unwrap();
        let project_context = self.context.project_context(&self.corpus);
        let found = pollster::block_on(related(&project_context, &self.project, wanted)).unwrap();
        found.decisions.into_iter().map(|decision| (decision.decision, decision.status)).collect()
    }

    fn count(&self) -> usize {
        let span = ports::Span::default();
        let found = self.context.projects.decisions(&self.project, &span, 100);
        pollster::block_on(found).unwrap().len()
    }
}

fn seal() -> Value {
    json!({"decision": "Use carbon seals", "rationale": "They last longest.", "alternatives": ["rubber", "carbon"]})
}

#[test]
fn a_decision_quotes_its_sources_as_they_are_now() {
    let mut site = Site::new();
    let passage = site.passages().swap_remove(0);
    let mut new = seal();
    new["sources"] = json!([{"passage_id": passage.id, "relevance": 0.8}]);
    let decided = site.decide(new).unwrap();
    assert_eq!(
        (&decided.sources[0].quote, &decided.sources[0].hash),
        (&passage.text, &passage.hash())
    );
    let Site { context, corpus, project } = &site;
    let project_context = context.project_context(corpus);
    let reply = decision(&project_context, project, &decided.decision.decision_id);
    assert_eq!(pollster::block_on(reply).unwrap().decided, decided);
}

#[test]
fn a_source_that_cannot_be_read_is_refused_and_nothing_written() {
    let mut site = Site::new();
    let mut new = seal();
    new["sources"] =
        json!([{"passage_id": "00000000-0000-0000-0000-000000000007", "relevance": 1}]);
    let refused = site.decide(new).unwrap_err().to_string();
    assert!(refused.starts_with("invalid `sources[0].passage_id`"), "{refused}");
    assert_eq!(site.count(), 0);
}

#[test]
fn superseding_writes_both_sides_and_only_what_holds_is_superseded() {
    let mut site = Site::new();
    let old = site.decide(seal()).unwrap().decision.decision_id;
    let mut new =
        json!({"decision": "Use ceramic seals", "rationale": "Carbon wears.", "supersedes": old});
    let by = site.decide(new.clone()).unwrap().decision.decision_id;
    let trail = site.trail(None).unwrap();
    let entries = serde_json::to_value(&trail.entries).unwrap();
    assert_eq!(
        (&entries[0]["supersedes"], &entries[1]["superseded_by"]),
        (&json!(old), &json!(by))
    );
    assert_eq!(entries[1]["status"], "superseded");
    let again = site.decide(new.clone()).unwrap_err().to_string();
    let expected = format!(
        "conflict on `supersedes`: only an accepted decision can be superseded, and `{old}` is superseded"
    );
    assert_eq!(again, expected);
    new["supersedes"] = json!(by);
    new["status"] = json!("proposed");
    assert!(matches!(site.decide(new), Err(Error::Invalid { .. })));
    let next = ports::trail::ulid_at(site.context.stamp.time + jiff::SignedDuration::from_secs(1));
    let decision = json!({"decision": "x", "rationale": "y", "supersedes": next});
    let refused = site.decide(decision).unwrap_err().to_string();
    assert_eq!(refused, "invalid `supersedes`: must not be the decision itself");
    assert_eq!(site.count(), 2);
}

#[test]
fn a_proposal_is_decided_later_and_takes_its_place_then() {
    let mut site = Site::new();
    let old = site.decide(seal()).unwrap().decision.decision_id;
    let mut proposal = seal();
    proposal["decision"] = json!("Use steel seals");
    proposal["status"] = json!("proposed");
    let decision_id = site.decide(proposal).unwrap().decision.decision_id;
    let stale = json!({"to": "accepted", "version": 7});
    let refused = site.move_decision(&decision_id, stale).unwrap_err().to_string();
    assert_eq!(refused, "conflict on `version`: it is at version 1, and the change is of 7");
    let accepted =
        json!({"to": "accepted", "version": 1, "reason": "the test passed", "supersedes": old});
    let reply = site.move_decision(&decision_id, accepted).unwrap();
    assert_eq!(reply.decided.decision.supersedes, Some(old.clone()));
    let trail = site.trail(None).unwrap();
    let statuses = serde_json::to_value(&trail.entries).unwrap();
    assert_eq!(
        (&statuses[0]["status"], &statuses[1]["status"]),
        (&json!("accepted"), &json!("superseded"))
    );
    let back = json!({"to": "rejected", "version": 2});
    let refused = site.move_decision(&decision_id, back).unwrap_err().to_string();
    assert_eq!(refused, "conflict on `to`: a decision cannot go from accepted to rejected");
}

#[test]
fn what_stands_in_a_line_is_put_into_no_other_and_a_proposal_did_not_supersede_before() {
    let mut site = Site::new();
    let first = site.decide(seal()).unwrap().decision.decision_id;
    let mut proposal = seal();
    proposal["status"] = json!("proposed");
    let decision = site.decide(proposal).unwrap().decision;
    let before = site.context.stamp.time.to_string();
    let accepted = json!({"to": "accepted", "version": 1, "supersedes": first});
    site.move_decision(&decision.decision_id, accepted).unwrap();
    let was = serde_json::to_value(site.trail(Some(&before)).unwrap().entries).unwrap();
    assert_eq!((&was[0]["status"], was[0].get("supersedes")), (&json!("proposed"), None));
    assert_eq!(was[1]["status"], "accepted");
    let other = site.decide(seal()).unwrap().decision.decision_id;
    let again = json!({"to": "accepted", "version": 2, "supersedes": other});
    let refused = site.move_decision(&decision.decision_id, again).unwrap_err();
    assert!(matches!(refused, Error::Conflict { .. }), "{refused}");
}

#[test]
fn a_page_has_as_much_as_an_answer_can_hold() {
    let mut site = Site::new();
    for _ in 0..80 {
        let mut new = seal();
        new["rationale"] = json!("\u{1F6B0}".repeat(10_000));
        site.decide(new).unwrap();
    }
    let project_context = site.context.project_context(&site.corpus);
    let (mut seen, mut cursor) = (0, None);
    loop {
        let page = Page { limit: Some("100"), cursor: cursor.as_deref() };
        let reply =
            pollster::block_on(trail(&project_context, &site.project, &page, None)).unwrap();
        seen += reply.entries.len();
        assert!(serde_json::to_vec(&reply).unwrap().len() < 5_000_000);
        cursor = reply.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, 80);
}

#[test]
fn the_trail_is_told_as_it_was() {
    let mut site = Site::new();
    let old = site.decide(seal()).unwrap().decision;
    let then = site.context.stamp.time.to_string();
    site.decide(json!({"decision": "Use ceramic", "rationale": "It wears less.", "supersedes": old.decision_id})).unwrap();
    let trail = site.trail(Some(&then)).unwrap();
    let entries = serde_json::to_value(&trail.entries).unwrap();
    assert_eq!((entries.as_array().unwrap().len(), &entries[0]["status"]), (1, &json!("accepted")));
    assert_eq!(entries[0].get("superseded_by"), None);
    let future = site.trail(Some("2126-11-20T18:00:00Z")).unwrap_err().to_string();
    assert!(future.starts_with("invalid `as_of`: must not be after now"), "{future}");
    assert!(site.trail(Some("yesterday")).is_err());
    let before = site.trail(Some("2020-01-01T00:00:00Z")).unwrap();
    assert!(before.entries.is_empty());
}

#[test]
fn earlier_decisions_are_found_however_they_stand_now() {
    let mut site = Site::new();
    let old = site.decide(seal()).unwrap().decision.decision_id;
    let new =
        json!({"decision": "Use ceramic seals", "rationale": "Carbon wears.", "supersedes": old});
    site.decide(new).unwrap();
    let found = site.related("seals of carbon or ceramic");
    assert!(found.contains(&("Use carbon seals".into(), DecisionStatus::Superseded)), "{found:?}");
    assert!(found.contains(&("Use ceramic seals".into(), DecisionStatus::Accepted)), "{found:?}");
    assert_eq!(site.related("paint the fence"), []);
}

#[test]
fn a_change_that_comes_before_the_last_one_is_refused() {
    let mut site = Site::new();
    let mut proposal = seal();
    proposal["status"] = json!("proposed");
    let decision_id = site.decide(proposal).unwrap().decision.decision_id;
    site.context.stamp = testing::stamp("2026-11-20T17:00:00Z");
    let refused = site.move_decision(&decision_id, json!({"to": "accepted", "version": 1}));
    assert!(matches!(refused, Err(Error::Conflict { .. })));
    let project_context = site.context.project_context(&site.corpus);
    let wanted = serde_json::from_value(json!({"to": "active", "version": 1})).unwrap();
    let refused =
        pollster::block_on(move_status(&project_context, &site.project, wanted)).unwrap_err();
    assert!(refused.to_string().contains("our clock says"), "{refused}");
}

#[test]
fn bad_decisions_are_refused_by_field() {
    let mut site = Site::new();
    let cases = [
        ("rationale", json!(""), "must have 1 to 10000 characters"),
        ("rationale", json!("x".repeat(300 * 1024)), "must have 1 to 10000 characters"),
        ("decision", json!(" \n "), "must have 1 to 500 characters"),
        ("decision", json!("two\nlines"), "must be one line"),
        ("decision", json!("bell\u{7}"), "must not hold the control character U+0007"),
        ("alternatives", json!(vec!["a"; 101]), "must have at most 100 entries"),
        ("alternatives", json!(["a", ""]), "must have 1 to 500 characters"),
        (
            "sources",
            json!([{"passage_id": uuid::Uuid::nil(), "relevance": 1.5}]),
            "must be between 0 and 1",
        ),
        ("decided_at", json!("2126-01-01T00:00:00Z"), "must not be after now"),
        ("status", json!("superseded"), "must be proposed, accepted or rejected"),
    ];
    for (field, value, reason) in cases {
        let mut new = seal();
        new[field] = value;
        let refused = site.decide(new).unwrap_err();
        let message = refused.to_string();
        assert!(matches!(refused, Error::Invalid { .. }), "{message}");
        assert!(message.contains(field) && message.contains(reason), "{field}: {message}");
    }
    assert_eq!(site.count(), 0);
}

#[test]
fn a_decision_is_no_larger_than_its_item_may_be() {
    let mut site = Site::new();
    let mut new = seal();
    let wide = |number: usize| format!("{number}{}", "\u{1F4A7}".repeat(490));
    new["alternatives"] = json!((0..100).map(wide).collect::<Vec<_>>());
    new["rationale"] = json!("\u{1F4A7}".repeat(10_000));
    let message = site.decide(new).map(drop).unwrap_err().to_string();
    assert!(message.contains("`alternatives`") && message.contains("at most 200000"), "{message}");
}

mod access;
mod away;
mod service;
