use super::*;
use crate::facts::testing::{passage, passages};

/// Returns a passage with `text`, of a document of this kind.
fn of(document_type: DocumentType, text: &str) -> Passage {
    Passage { document_type, ..passage(text) }
}

/// Returns the kinds of help that a passage offers.
fn served(passage: &Passage) -> Vec<Good> {
    let strengths = strengths(passage);
    let all = [Good::Template, Good::Risk, Good::Lesson, Good::Precedent];
    all.into_iter().filter(|good| strengths[*good as usize] >= 500).collect()
}

#[test]
fn boxes_to_tick_and_numbered_items_are_something_to_follow() {
    let ticks = "## Before the move\n\n- [ ] Backups were read back\n- [ ] Owners know the date\n";
    assert_eq!(served(&passage(ticks)), [Good::Template]);
    let steps =
        "## Renew the key\n\n1. Create a new key.\n2. Once it is live, delete the old one.\n";
    assert_eq!(served(&passage(steps)), [Good::Template]);
}

#[test]
fn boxes_before_dates_are_no_steps() {
    let history =
        "## History\n\n- [x] 2024-02-01 the text was merged\n- [x] 2024-05-01 it shipped to all\n";
    assert_eq!(served(&passage(history)), []);
}

#[test]
fn a_template_of_a_language_is_no_template() {
    let text = "## Types\n\nA template parameter of a class template names a type of the caller.\n";
    assert_eq!(served(&passage(text)), []);
}

#[test]
fn what_can_go_wrong_is_a_risk_and_what_cannot_is_none() {
    let risk = "The pump could fail when the valve sticks, and pressure is lost.\n";
    assert_eq!(served(&passage(risk)), [Good::Risk]);
    assert_eq!(
        served(&passage("There is no known risk of data loss in this change at all.\n")),
        []
    );
    assert_eq!(served(&passage("The advantage of the new valve is that it weighs less.\n")), []);
    let impact = "## Risks\n\nNo impact, since the second pump takes over by itself.\n";
    assert_eq!(served(&passage(impact)), []);
    let nonetheless = "## Risks\n\nNone of the pumps will run until somebody resets them.\n";
    assert_eq!(served(&passage(nonetheless)), [Good::Risk]);
}

#[test]
fn a_word_in_the_head_of_a_table_names_no_risk() {
    let text =
        "| Risk of failure | Owner |\n|---|---|\n| the green team has it | the blue team |\n";
    assert_eq!(served(&passage(text)), []);
}

#[test]
fn a_report_on_a_failure_teaches_but_not_by_its_timeline() {
    let report = DocumentType::Postmortem;
    let cause = "## Contributing factors\n\nNobody was told that the disk had filled up.\n";
    assert_eq!(served(&of(report, cause)), [Good::Lesson]);
    let timeline = "## Timeline\n\n10:02 the disk is full and the service fails for everyone.\n";
    assert_eq!(served(&of(report, timeline)), []);
}

#[test]
fn what_was_decided_is_a_precedent_but_a_bare_status_is_none() {
    let record = DocumentType::Decision;
    let decision = "## Decision\n\nThe platform runs on rented machines from May on.\n";
    assert_eq!(served(&of(record, decision)), [Good::Precedent]);
    assert_eq!(
        served(&of(record, "## Status\n\nStatus: Accepted on the first of May by all\n")),
        []
    );
    assert_eq!(served(&of(record, "## Decision\n\nAccepted\n")), []);
    let rejected = "We considered a second broker and decided against it for its price.\n";
    assert_eq!(served(&passage(rejected)), [Good::Precedent]);
}

#[test]
fn code_links_and_tables_of_contents_say_nothing() {
    let code =
        "```\n// We decided to accept the risk of data loss, see the checklist below.\n```\n";
    assert_eq!(served(&passage(code)), []);
    let link = "[The pump](pump.md) could fail when the valve sticks (see below).\n";
    assert_eq!(served(&passage(link)), [Good::Risk]);
    assert_eq!(served(&passage("[The pump](")), [], "a text may end where an address begins");
    let contents = "- [Risks and mitigations](#risks)\n- [Alternatives we rejected](#alternatives)\n\
                    - [Lessons learned from the pilot](#lessons)\n";
    assert_eq!(served(&passage(contents)), []);
}

#[test]
fn headings_above_the_heading_count_too() {
    let text =
        "# Design\n\n## Drawbacks\n\n### Size\n\nThe tables grow by a tenth in all builds.\n";
    let passage = passages(text).into_iter().find(|passage| passage.heading() == "Size").unwrap();
    assert_eq!(served(&passage), [Good::Risk]);
}

#[test]
fn a_passage_may_serve_several() {
    let text =
        "## Alternatives\n\nWe decided against one big switch: it could lead to data loss.\n";
    assert_eq!(served(&of(DocumentType::Proposal, text)), [Good::Risk, Good::Precedent]);
}
