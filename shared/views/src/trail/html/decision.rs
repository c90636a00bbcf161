//! A decision on the timeline.

use maud::{Markup, html};
use wire::decisions::{Decided, Decision, DecisionSource, DecisionStatus};
use wire::trail::TrailPage;

use super::chain::chain;
use super::text::{anchor, badge, day, is_web, moment, person};
use crate::trail::timeline::{count, lines};

/// Upper bound for the length of a rationale that is shown whole. A longer one shows its beginning;
/// the rest opens on demand.
const LONG: usize = 900;
/// Lower bound for the beginning of a long rationale.
const BEGINNING: usize = 400;
/// Upper bound for the alternatives in one column; more of them get several columns if there is
/// room.
const FEW: usize = 5;

pub(super) fn item(page: &TrailPage, decided: &Decided) -> Markup {
    let decision = &decided.decision;
    let id = anchor(&decision.decision_id);
    html! {
        li.entry.decision.(decision.status.name()) id=(id) {
            article aria-labelledby={ (id) "-title" } {
                p.kind { span.label { "Decision" } (badge(decision.status)) (flag(decision, page)) }
                h4 id={ (id) "-title" } dir="auto" { (decision.decision) }
                p.meta { (signed(decision)) }
                (chain(page, decision))
                (rationale(&decision.rationale))
                (alternatives(decision))
                (sources(&decided.sources))
                (history(decision))
                p.id { "Id " a href={ "#" (id) } { code { (decision.decision_id) } } }
            }
        }
    }
}

fn flag(decision: &Decision, page: &TrailPage) -> Markup {
    let is_on_top =
        page.needs_review.iter().any(|top| top.decision.decision_id == decision.decision_id);
    html! {
        @if is_on_top {
            a.badge.review href={ "#review-" (anchor(&decision.decision_id)) } {
                span aria-hidden="true" { "!" } " Needs review"
            }
        } @else if !decision.needs_review.is_empty() {
            span.badge.review { span aria-hidden="true" { "!" } " Needs review" }
        }
    }
}

fn signed(decision: &Decision) -> Markup {
    let is_late = decision.decided_at.strftime("%F").to_string()
        != decision.recorded_at.strftime("%F").to_string();
    html! {
        @if decision.status == DecisionStatus::Proposed { "Proposed " } @else { "Decided " }
        (moment(decision.decided_at)) " · recorded by " (person(&decision.by))
        @if is_late { " on " (day(decision.recorded_at)) }
    }
}

/// Returns the rationale with its paragraphs.
pub(super) fn rationale(text: &str) -> Markup {
    let text = text.trim();
    let (beginning, rest) = if text.len() > LONG { split(text) } else { (text, "") };
    html! {
        @if text.is_empty() { p.empty { "No rationale was recorded." } }
        @else {
            div.why {
                p.text dir="auto" { (beginning) }
                @if !rest.is_empty() {
                    details.rest {
                        summary { "Read on" }
                        p.text dir="auto" { (rest) }
                    }
                }
            }
        }
    }
}

/// Splits a text at the end of a paragraph, else of a sentence, else of a word.
fn split(text: &str) -> (&str, &str) {
    let ends = ["\n\n", ". ", " "].into_iter().filter_map(|end| {
        let (place, _) = text.match_indices(end).find(|(place, _)| *place >= BEGINNING)?;
        (place < LONG).then(|| text.split_at(place + end.trim_end().len()))
    });
    let (beginning, rest) = ends.into_iter().next().unwrap_or((text, ""));
    (beginning, rest.trim_start_matches(['\n', ' ']))
}

fn alternatives(decision: &Decision) -> Markup {
    html! {
        @if decision.alternatives.is_empty() { p.empty { "No alternatives were recorded." } }
        @else {
            div.alternatives {
                p.label { "Among " (count(decision.alternatives.len(), "alternative")) }
                ul.many[decision.alternatives.len() > FEW] {
                    @for alternative in &decision.alternatives { li { bdi { (alternative) } } }
                }
            }
        }
    }
}

fn sources(sources: &[DecisionSource]) -> Markup {
    html! {
        @if sources.is_empty() { p.empty { "No sources were cited." } }
        @else {
            details.sources {
                summary { "Rests on " (count(sources.len(), "source")) }
                @for cited in sources { (source(cited)) }
            }
        }
    }
}

fn source(source: &DecisionSource) -> Markup {
    html! {
        figure {
            figcaption {
                strong dir="auto" { (source.title) }
                @if let Some(section) = &source.section { " · " bdi { (section) } }
                @if let Some(range) = source.lines { " · " (lines(range)) }
                " · relevance " (format!("{:.2}", source.relevance))
            }
            blockquote dir="auto" { (source.quote) }
            @match source.uri.as_deref() {
                Some(uri) if is_web(uri) => {
                    p.uri { a href=(uri) rel="noopener noreferrer" { (uri) } }
                }
                Some(uri) => p.uri { bdi { (uri) } },
                None => {}
            }
        }
    }
}

fn history(decision: &Decision) -> Markup {
    let has_history =
        decision.history.len() > 1 || decision.history.iter().any(|step| step.reason.is_some());
    html! {
        @if has_history {
            details.history {
                summary { "History, " (count(decision.history.len(), "step")) }
                ol {
                    @for (name, step) in decision.steps() {
                        li {
                            (moment(step.at)) " "
                            @if name == step.to.name() { (badge(step.to)) } @else { (name) }
                            " · " (person(&step.by))
                            @if let Some(reason) = &step.reason { ": " bdi { (reason) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_parted_at_a_paragraph_before_a_sentence_before_a_word() {
        let (a, b) = ("a. b ".repeat(100), "c ".repeat(400));
        let text = format!("{a}\n\n{b}");
        assert_eq!(split(&text), (a.as_str(), b.as_str()));
        let (beginning, rest) = split(&a);
        assert!(beginning.ends_with('.') && rest.starts_with('b'));
        assert_eq!(split(&b).0.len(), BEGINNING + 1);
    }

    #[test]
    fn a_text_that_cannot_be_parted_is_shown_whole() {
        let text = "語".repeat(1_000);
        assert_eq!(split(&text), (text.as_str(), ""));
    }
}
