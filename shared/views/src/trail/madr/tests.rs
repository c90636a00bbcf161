use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value;

use super::super::sample::{decided, stale};
use super::*;
use wire::decisions::SuccessionLink;

#[test]
fn an_accepted_decision_reads_as_a_record() {
    insta::assert_snapshot!(madr(&decided("A"), &[]), @r#"
    ---
    status: "accepted"
    date: 2026-03-02
    decision-makers:
      - "ada"
    ---

    # Use material A

    ## Context and Problem Statement

    Decided on 2026-03-01, recorded on 2026-03-02 by ada as `A`, among 2 alternatives, on the evidence of 1 source.

    ## Considered Options

    * Steel
    * Titanium

    ## Decision Outcome

    Chosen option: "Use material A", because:

    It is light.

    It does not rust.

    ### History

    * 2026-03-02: accepted (ada)

    ## More Information

    ### Sources

    * **Materials handbook**, Metals > Light, lines 4-9, relevance 0.90, `https://example.org/materials`

      > Titanium is light.
      > It does not rust.
    "#);
}

#[test]
fn what_needs_review_stands_before_the_sources() {
    let record = madr(&stale("A", Some("Titanium is heavy.")), &[]);
    let (_, tail) = record.split_once("## More Information\n\n").unwrap();
    let (reviews, _) = tail.split_once("\n\n### Sources").unwrap();
    insta::assert_snapshot!(reviews, @r"
    ### Needs Review

    * **Materials handbook** no longer says this since 2026-04-01:

      > Titanium is light.
      > It does not rust.

      Nearest text now:

      > Titanium is heavy.
    ");
    let gone = madr(&stale("A", None), &[]);
    assert!(gone.contains("  Nothing like it is there now; the document itself may be gone."));
}

#[test]
fn the_neighbors_in_succession_are_named() {
    let (mut middle, before, mut after) = (decided("B"), decided("A"), decided("C"));
    middle.decision.status = DecisionStatus::Superseded;
    middle.decision.superseded_by = Some("C".into());
    middle.decision.supersedes = Some("A".into());
    after.decision.decision = "Say \"C\":\nnow".into();
    let record =
        madr(&middle, &[SuccessionLink::of(&before.decision), SuccessionLink::of(&after.decision)]);
    assert!(record.starts_with("---\nstatus: \"superseded by C Say \\\"C\\\": now\"\n"));
    assert!(record.contains("It takes the place of `A` \"Use material A\", which was decided on"));
    assert!(record.contains("* Superseded by `C` \"Say \"C\": now\""));
}

#[test]
fn a_review_is_told_as_a_confirmation() {
    let mut decided = decided("B");
    let again = decided.decision.history[0].clone();
    decided.decision.history.push(again);
    assert!(madr(&decided, &[]).contains(": confirmed ("));
}

#[test]
fn a_neighbor_that_is_not_at_hand_is_named_by_its_id() {
    let mut decided = decided("B");
    decided.decision.status = DecisionStatus::Superseded;
    decided.decision.superseded_by = Some("C".into());
    decided.decision.supersedes = Some("A".into());
    let record = madr(&decided, &[]);
    assert!(record.starts_with("---\nstatus: \"superseded by C\"\n"));
    assert!(
        record.contains("It takes the place of `A`.") && record.contains("* Superseded by `C`\n")
    );
}

#[test]
fn what_is_not_recorded_is_said_to_be_missing() {
    let mut decided = decided("A");
    decided.decision.rationale = " \n".into();
    decided.decision.alternatives.clear();
    decided.sources.clear();
    let record = madr(&decided, &[]);
    for missing in ["No rationale was recorded.", "No alternatives were", "No sources were cited."]
    {
        assert!(record.contains(missing), "{missing}");
    }
}

/// Returns the front matter, and the headings below it.
fn read(record: &str) -> (Value, Vec<String>) {
    let (yaml, body) = record.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    let mut headings = vec![];
    let mut is_heading = false;
    for event in Parser::new_ext(body, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                is_heading = true;
                headings.push(String::new());
            }
            Event::End(TagEnd::Heading(_)) => is_heading = false,
            Event::Text(text) if is_heading => headings.last_mut().unwrap().push_str(&text),
            Event::Html(_) | Event::InlineHtml(_) | Event::Rule => panic!("{event:?} in {body}"),
            _ => {}
        }
    }
    (serde_saphyr::from_str(yaml).unwrap(), headings)
}

proptest! {
    #[test]
    fn no_text_breaks_a_record(
        text in "([a-z \n]|\\PC|[#*_`<>&;.:'\"!|~=-]|---\n|```|<script>|<!--|\n# |\r)*",
    ) {
        let mut stale = stale("A", Some(&text));
        let decision = &mut stale.decision;
        (decision.decision, decision.rationale, decision.by) = (text.clone(), text.clone(), text.clone());
        decision.alternatives = vec![text.clone(), text.clone()];
        decision.history[0].reason = Some(text.clone());
        (decision.supersedes, decision.decision_id) = (Some(text.clone()), text.clone());
        decision.needs_review[0].was.clone_from(&text);
        let source = &mut stale.sources[0];
        (source.quote, source.title) = (text.clone(), text.clone());
        (source.uri, source.section) = (Some(text.clone()), Some(text.clone()));
        let (front, headings) = read(&madr(&stale, &[]));
        prop_assert_eq!(&front["status"], "accepted");
        prop_assert_eq!(&front["date"], "2026-03-02");
        prop_assert_eq!(&front["decision-makers"][0], &flat(&text));
        let expected = [
            "Context and Problem Statement", "Considered Options", "Decision Outcome", "History",
            "More Information", "Needs Review", "Sources",
        ];
        prop_assert_eq!(&headings[1..], expected);
    }
}
