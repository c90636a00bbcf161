use proptest::prelude::*;
use wire::decisions::{Decided, DecisionStatus};

use super::super::sample::{asked, decided, page, question, stale};
use super::*;

/// Returns the text between the first `from` and the next `to`.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    text.split_once(from).unwrap().1.split_once(to).unwrap().0
}

fn html_with(decided: Decided) -> String {
    html(&page(vec![TrailEntry::Decision(decided)]))
}

/// Returns the words of a fragment, without its tags.
fn words(fragment: &str) -> String {
    let texts = fragment.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    texts.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_page_loads_nothing_and_runs_nothing() {
    let mut page = page(vec![question("2026-03-03T10:00:00Z"), TrailEntry::Decision(decided("A"))]);
    page.needs_review.push(stale("A", None));
    let rendered = html(&page);
    assert!(
        rendered.starts_with("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">")
    );
    assert!(rendered.contains("default-src 'none'"));
    for foreign in ["<script", "<link", "<img", "<iframe", " src=", "url(", "@import", " style="] {
        assert!(!rendered.contains(foreign), "{foreign}");
    }
}

#[test]
fn the_project_is_told_with_its_moves() {
    let rendered = html(&page(vec![question("2026-03-03T10:00:00Z")]));
    insta::assert_snapshot!(words(between(&rendered, "<header>", "</header>")), @r"
    Decision trail Landing gear Status ▶ Active Created on 1 Jan 2026 planning → active on 2 Jan 2026 by ada : Funded Domain aerospace Standards AS9100 ECSS-Q-ST-70 Constraints At most 40 kg On this page 0 decisions, 1 question
    ");
}

#[test]
fn a_question_tells_who_asked_what_and_how_much_was_found() {
    let rendered = html(&page(vec![question("2026-03-03T10:00:00Z")]));
    let item = between(&rendered, "<li class=\"entry question\">", "</li>");
    insta::assert_snapshot!(words(item), @r"
    Question explore 1 result Which metals do not rust? Asked 3 Mar 2026, 10:00 by grace
    ");
    assert!(item.contains("<time datetime=\"2026-03-03T10:00:00Z\">"));
}

#[test]
fn a_question_without_a_result_says_so() {
    let mut asked = asked("2026-03-03T10:00:00Z");
    asked.results.clear();
    let rendered = html(&page(vec![TrailEntry::Question(asked)]));
    assert!(rendered.contains("</span> No result</span>"));
    assert!(rendered.contains("0 decisions, 1 question (1 without result)"));
}

#[test]
fn a_status_is_told_by_more_than_a_color() {
    for status in DecisionStatus::ALL {
        let mut decided = decided("A");
        decided.decision.status = status;
        let rendered = html_with(decided).to_lowercase();
        assert!(rendered.contains(&format!("</span> {}</span>", status.name())), "{status:?}");
    }
}

#[test]
fn three_decisions_in_succession_are_linked_to_each_other() {
    let mut line = ["A", "B", "C"].map(decided);
    line[0].decision.superseded_by = Some("B".into());
    line[1].decision.supersedes = Some("A".into());
    line[1].decision.superseded_by = Some("C".into());
    line[2].decision.supersedes = Some("B".into());
    let rendered = html(&page(line.map(TrailEntry::Decision).into()));
    for (id, others) in [("A", ["B", "C"]), ("B", ["A", "C"]), ("C", ["A", "B"])] {
        let item = between(&rendered, &format!("id=\"decision-{id}\""), "</article>");
        assert!(item.contains(">Line of succession, oldest first<"), "{item}");
        let chain = between(item, "<ol>", "</ol>");
        assert_eq!(chain.matches("<li").count(), 3);
        assert_eq!(chain.matches("aria-current").count(), 1);
        for other in others {
            assert!(chain.contains(&format!("href=\"#decision-{other}\"")), "{id} to {other}");
        }
    }
}

#[test]
fn the_end_of_a_line_that_is_not_on_this_page_is_no_link() {
    let mut decided = decided("B");
    decided.decision.supersedes = Some("A".into());
    let rendered = html_with(decided);
    assert!(rendered.contains("<code>A</code> (not on this page)"));
    assert!(!rendered.contains("#decision-A"));
}

#[test]
fn what_needs_review_shows_what_changed_and_links_both_ways() {
    let stale = stale("A", Some("Titanium is heavy.\nIt does not rust."));
    let mut page = page(vec![TrailEntry::Decision(stale.clone())]);
    page.needs_review.push(stale);
    let rendered = html(&page);
    let review = between(&rendered, "id=\"review-decision-A\"", "</article>");
    assert!(review.contains("Titanium is <del>light.</del>\nIt does"));
    assert!(review.contains("Titanium is <ins>heavy.</ins>\nIt does"));
    assert!(review.contains("href=\"#decision-A\""));
    assert!(rendered.contains("href=\"#review-decision-A\""));
}

#[test]
fn a_decision_to_review_from_another_page_is_shown_without_a_link() {
    let mut page = page(vec![]);
    page.needs_review.push(stale("A", None));
    let rendered = html(&page);
    let review = between(&rendered, "id=\"review-decision-A\"", "</article>");
    assert!(review.contains("Nothing like it is there any more"));
    assert!(review.contains("<code>A</code> (not on this page)") && !review.contains("href"));
}

#[test]
fn only_an_address_on_the_web_is_a_link() {
    let mut decided = decided("A");
    assert!(
        html_with(decided.clone())
            .contains("<a href=\"https://example.org/materials\" rel=\"noopener")
    );
    decided.sources[0].uri = Some("javascript:alert(1)".into());
    let rendered = html_with(decided);
    assert!(
        rendered.contains("<bdi>javascript:alert(1)</bdi>")
            && !rendered.contains("href=\"javascript")
    );
}

#[test]
fn a_page_tells_its_time_and_leads_on() {
    let mut page = page(vec![]);
    page.as_of = Some("2026-03-03T10:00:00Z".parse().unwrap());
    page.cursor = Some("01K&x".into());
    let rendered = html(&page);
    assert!(words(&rendered).contains("As the trail stood on 3 Mar 2026, 10:00 UTC."));
    assert!(rendered.contains("href=\"?as_of=2026-03-03T10%3A00%3A00Z&amp;cursor=01K%26x\""));
    assert!(rendered.contains("Nothing was asked or decided here yet."));
}

/// Returns a page with `text` in all fields that users or documents fill.
fn filled(text: &str) -> String {
    let mut stale = stale("A", Some(text));
    stale.decision.needs_review[0].was = text.into();
    stale.decision.needs_review[0].file = text.into();
    stale.decision.decision = text.into();
    stale.decision.rationale = text.into();
    stale.decision.alternatives = vec![text.into()];
    stale.decision.by = text.into();
    stale.decision.supersedes = Some(text.into());
    stale.decision.history[0].reason = Some(text.into());
    let source = &mut stale.sources[0];
    (source.quote, source.title) = (text.into(), text.into());
    (source.section, source.uri) = (Some(text.into()), Some(format!("javascript:{text}")));
    let mut asked = asked("2026-03-03T10:00:00Z");
    (asked.question, asked.workflow, asked.by) = (text.into(), text.into(), text.into());
    let mut page = page(vec![TrailEntry::Decision(stale.clone()), TrailEntry::Question(asked)]);
    page.needs_review.push(stale);
    page.cursor = Some(text.into());
    page.project.name = text.into();
    page.project.standards = vec![text.into()];
    page.project.history[0].reason = Some(text.into());
    html(&page)
}

proptest! {
    #[test]
    fn no_text_adds_a_tag_or_leaves_an_attribute(
        text in "([a-z \n]|\\PC|[<>&\"'/=]|<script>|\" onload=\"|-->|</style>|javascript:){0,20}",
    ) {
        let (plain, hostile) = (filled("x"), filled(&format!("x{text}")));
        for sign in ["<", ">", "\""] {
            prop_assert_eq!(plain.matches(sign).count(), hostile.matches(sign).count());
        }
    }
}
