//! The decision that a document records.

use std::ops::Range;
use std::sync::LazyLock;

use model::document::{DocumentType, Passage};
use model::facts::{Fact, RecordedDecision, Statements};
use serde::Deserialize;
use text::block::{Form, blocks};
use text::lexicon::Lexicon;
use text::sentence::sentences;

mod option;
mod reason;

/// A group of `decision.toml`.
#[derive(Deserialize)]
struct Phrase {
    tells: Tells,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Tells {
    Chosen,
    ChosenBelow,
    Heading,
    Options,
    Option,
    Reasons,
}

static PHRASES: LazyLock<Lexicon<Phrase>> = LazyLock::new(|| Lexicon::new(text::lexicon::DECISION));

/// Upper bound for the words of a heading that announces a decision.
const SHORT: usize = 6;

/// A sentence with fewer words states a choice only below a heading for decisions.
const LEAST_WORDS: usize = 3;

/// Reads the decision that a document records, from its passages in order and their statements;
/// `None` if there is none.
pub(super) fn read(document: &[&Passage], statements: &[&Statements]) -> Option<RecordedDecision> {
    let first = document.first()?;
    let (kind, status) = (first.document_type, first.lifecycle);
    let date = first.time.map(|(time, _)| time.strftime("%F").to_string());
    let is_record = kind == DocumentType::Decision;
    let may_be =
        is_record || kind == DocumentType::Proposal || status.is_some() || has_form(document);
    let chosen = may_be.then(|| chosen(document)).flatten();
    let options = option::listed(document);
    let is_one = chosen.is_some() || options.len() > 1 || (is_record && status.is_some());
    is_one.then(|| {
        let reasons = reason::given(document, statements, chosen.as_ref(), &options);
        RecordedDecision { chosen, status, date, reasons, options }
    })
}

/// Headings that stand in a decision record beside that of the decision.
const PARTS: [&str; 2] = ["status", "consequences"];

/// Returns true if a document has the form of a decision record: a heading for the decision, and
/// one for its status, its consequences or its options. Nygard, Documenting Architecture Decisions,
/// 2011; Markdown Any Decision Records.
fn has_form(document: &[&Passage]) -> bool {
    let headings = || document.iter().map(|passage| passage.heading());
    let is_decision = |heading: &str| is_for_decisions(heading) && begins_with_decision(heading);
    let is_part = |heading: &str| {
        PARTS.iter().any(|part| heading.eq_ignore_ascii_case(part))
            || option::is_for_options(heading)
    };
    headings().any(is_decision) && headings().any(is_part)
}

/// Returns the sentence that states the choice. In order of preference: a plain statement below a
/// heading for decisions, a possible statement there, any sentence there, and a plain statement
/// elsewhere. What stands below such a heading and no other word ("Decision", and not "Related
/// decisions") comes before all others. The first of the best kind is returned.
fn chosen(document: &[&Passage]) -> Option<Fact> {
    let mut best: Option<((bool, u8), Fact)> = None;
    for passage in document {
        let heading = passage.heading();
        let is_below = is_for_decisions(heading);
        let is_alone = is_below && begins_with_decision(heading);
        let all = blocks(&passage.text).into_iter();
        for block in all.filter(|all| !matches!(all.form, Form::Heading | Form::Code | Form::Row)) {
            let text = &passage.text[block.range.clone()];
            let all: Vec<Range<usize>> = sentences(text).collect();
            for (number, sentence) in all.iter().enumerate() {
                let Some(rank) = plainness(&text[sentence.clone()], is_below) else { continue };
                let rank = (is_alone, rank);
                if best.as_ref().is_none_or(|(other, _)| rank > *other) {
                    // "Halyard. It meets every demand." is one choice.
                    let is_bare = text[sentence.clone()].split_whitespace().count() < LEAST_WORDS;
                    let last = all.get(number + 1).filter(|_| is_bare).unwrap_or(sentence);
                    let begin = block.range.start;
                    best = Some((rank, passage.fact(begin + sentence.start..begin + last.end)));
                }
            }
        }
    }
    best.map(|(_, fact)| fact)
}

/// Ranks a sentence as a statement of the choice, from 0 to 3, the plainest; `None` if it is not
/// one.
fn plainness(sentence: &str, is_below: bool) -> Option<u8> {
    let is_bare = sentence.split_whitespace().count() < LEAST_WORDS;
    if (is_bare && !is_below) || sentence.ends_with('?') {
        return None;
    }
    let lower = sentence.to_lowercase();
    let (mut plain, mut below) = (false, lower.starts_with("use "));
    for found in PHRASES.find(&lower) {
        plain |= found.class.tells == Tells::Chosen;
        below |= found.class.tells == Tells::ChosenBelow;
    }
    match (is_below, plain, below) {
        (true, true, _) => Some(3),
        (true, false, true) => Some(2),
        (true, false, false) => (!sentence.ends_with(':')).then_some(1),
        (false, true, _) => Some(0),
        (false, false, _) => None,
    }
}

/// Returns true if a heading begins with "decision", after its number if it has one.
fn begins_with_decision(heading: &str) -> bool {
    let bare = heading.trim_start_matches(|c: char| !c.is_alphabetic());
    bare.to_lowercase().starts_with("decision")
}

fn is_for_decisions(heading: &str) -> bool {
    let lower = heading.trim_end_matches(':').to_lowercase();
    let is_short = heading.split_whitespace().count() <= SHORT;
    is_short
        && PHRASES
            .find(&lower)
            .any(|found| found.class.tells == Tells::Heading && found.end == lower.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::named;
    use model::document::Lifecycle;
    use model::facts::Side;

    fn read(text: &str) -> Option<RecordedDecision> {
        let document = named("adr/decision-1.md", text);
        let document: Vec<&Passage> = document.iter().collect();
        let statements = crate::facts::statement::read(&document);
        super::read(&document, &statements.iter().collect::<Vec<_>>())
    }

    fn chosen(text: &str) -> Option<String> {
        read(text)?.chosen.map(|fact| fact.text)
    }

    #[test]
    fn a_document_in_the_form_of_a_record_is_one_wherever_it_lies() {
        let chosen = |text: &str| {
            let document = named("notes/broker.md", text);
            let document: Vec<&Passage> = document.iter().collect();
            let statements = crate::facts::statement::read(&document);
            let decision = super::read(&document, &statements.iter().collect::<Vec<_>>());
            decision?.chosen.map(|fact| fact.text)
        };
        let choice = "## Decision outcome\n\nDecided on Halyard.\n";
        for part in [
            "Status\n\nIt may change",
            "Consequences\n\nOne less",
            "Considered options\n\n- Halyard",
        ] {
            assert_eq!(
                chosen(&format!("# Broker\n\n{choice}\n## {part}.\n")).as_deref(),
                Some("Decided on Halyard.")
            );
        }
        assert_eq!(chosen(&format!("# Broker\n\n{choice}")), None);
        let related = "## Related decisions\n\nWe will use one client for the broker.\n";
        assert_eq!(
            chosen(&format!("# Broker\n\n{choice}\n## Status\n\nDecided.\n\n{related}")).as_deref(),
            Some("Decided on Halyard.")
        );
        let conclusion = choice.replace("Decision outcome", "Conclusion");
        assert_eq!(
            chosen(&format!("# Broker\n\n{conclusion}\n## Consequences\n\nOne less.\n")),
            None
        );
    }

    #[test]
    fn a_record_tells_what_was_chosen_with_its_status_date_and_options() {
        let decision = read(
            "# 22. Broker\n\nDate: 2024-11-11\n\n## Status\n\n✅ Accepted\n\n## Considered options\n\n- Tidewire\n- Halyard\n\n\
             ## Decision\n\nBoth are old. We will use **Halyard** for intake.\n",
        )
        .unwrap();
        assert_eq!(decision.chosen.unwrap().text, "We will use **Halyard** for intake.");
        assert_eq!(
            (decision.status, decision.date.as_deref()),
            (Some(Lifecycle::Accepted), Some("2024-11-11"))
        );
        assert_eq!(decision.options, ["Tidewire", "Halyard"]);
        let front = "---\nstatus: deprecated\ndate: 2024-11-11\n---\n# Broker\n\n## Decision outcome\n\nChosen option: Halyard.\n";
        let decision = read(front).unwrap();
        assert_eq!(
            (decision.status, decision.date.as_deref()),
            (Some(Lifecycle::Deprecated), Some("2024-11-11"))
        );
    }

    #[test]
    fn reasons_stand_with_their_side_and_their_option() {
        let decision = read(
            "# Broker\n\nStatus: accepted\n\n## Considered options\n\n- Tidewire\n- Halyard\n\n## Decision\n\n\
             Chosen option: Halyard, because:\n\n- Its log is never lost\n\n## Rationale\n\nThe team has run Halyard for years.\n\n\
             ## Pros and cons\n\n### Tidewire\n\n- Good, because it is fast on small disks\n\
             - Bad, because nobody here knows it\n\n### Halyard\n\n- Bad, because it needs three nodes\n",
        );
        let reasons: Vec<(String, Side, Option<u16>)> = decision
            .unwrap()
            .reasons
            .into_iter()
            .map(|reason| (reason.fact.text, reason.side, reason.option))
            .collect();
        let expected = [
            ("Its log is never lost", Side::For, None),
            ("The team has run Halyard for years.", Side::For, None),
            ("Good, because it is fast on small disks", Side::For, Some(0)),
            ("Bad, because nobody here knows it", Side::Against, Some(0)),
            ("Bad, because it needs three nodes", Side::Against, Some(1)),
        ];
        assert_eq!(reasons, expected.map(|(text, side, option)| (text.to_owned(), side, option)));
    }

    #[test]
    fn what_is_said_plainly_counts_more_than_what_only_stands_below_the_heading() {
        let plain = "# ADR\n\n* Status: accepted\n\n## Decision\n\nWe will tell everyone.\n\nChosen option: \"Nx\", because it fits.\n";
        assert_eq!(chosen(plain).as_deref(), Some("Chosen option: \"Nx\", because it fits."));
        let bare = "# ADR\n\nStatus: rejected\n\n## Decision\n\nThe pump stays where it is.\n";
        assert_eq!(chosen(bare).as_deref(), Some("The pump stays where it is."));
        assert_eq!(read(bare).unwrap().status, Some(Lifecycle::Rejected));
        let parts = "# Broker\n\nStatus: accepted\n\n## Decision\n\nUse Halyard for intake.\n\n## Decisions on its setup\n\n### Disks\n\nChosen: SSD, as before.\n";
        assert_eq!(chosen(parts).as_deref(), Some("Use Halyard for intake."));
        let bare = "# Broker\n\nStatus: accepted. Date: 2026-06-09. Deciders: all of us, and some more people who were there.\n\n\
                    ## Decision\n\nHalyard. It meets every demand.\n";
        assert_eq!(chosen(bare).as_deref(), Some("Halyard. It meets every demand."));
        assert_eq!(read(bare).unwrap().date.as_deref(), Some("2026-06-09"));
        assert_eq!(read("# Guide to status codes\n\nUse 404 for what is not there.\n"), None);
    }
}
