//! The reasons that a decision gives.

use model::document::{Passage, SECTION_SEPARATOR};
use model::facts::{Fact, Reason, Side, Statement, Statements, range};
use text::term::Terms;

use super::{PHRASES, SHORT, Tells};

/// Upper bound for the reasons on one side of an option, or of the choice itself.
const MOST: usize = 4;

/// The bounds for the words of a reason.
const LEAST_WORDS: usize = 3;
const MOST_WORDS: usize = 60;

/// Reads the arguments that are listed for and against the options, and the reasons below a heading
/// for reasons or below the choice itself.
pub(super) fn given(
    document: &[&Passage],
    statements: &[&Statements],
    chosen: Option<&Fact>,
    options: &[String],
) -> Vec<Reason> {
    let names = Terms::new(options.iter().map(String::as_str).enumerate());
    let mut reasons: Vec<Reason> = Vec::new();
    for (passage, statements) in document.iter().zip(statements) {
        let is_for_reasons = is_for_reasons(passage.heading());
        for statement in &statements.list {
            let is_of_choice =
                is_for_reasons || stands_below(passage, statements, statement, chosen);
            let option = option(passage, statements, statement, &names).filter(|_| !is_of_choice);
            let listed = statement.side.filter(|side| *side != Side::Either);
            // An argument for an unknown option may belong to any option.
            let side = match (is_of_choice, option) {
                (true, _) => listed.or(Some(Side::For)),
                (false, Some(_)) => listed,
                (false, None) => None,
            };
            let Some(side) = side else { continue };
            let fact = passage.fact(range(statement.quote));
            let words = fact.text.split_whitespace().count();
            let is_sentence =
                (LEAST_WORDS..=MOST_WORDS).contains(&words) && statement.cell.is_none();
            let is_choice = chosen.is_some_and(|chosen| chosen.text == fact.text);
            let like =
                reasons.iter().filter(|reason| (reason.side, reason.option) == (side, option));
            if is_sentence && !statement.is_code && !is_choice && like.count() < MOST {
                reasons.push(Reason { fact, side, option });
            }
        }
    }
    reasons
}

/// Returns true if a statement is below the sentence that states the choice: "Chosen: Nx,
/// because:".
fn stands_below(
    passage: &Passage,
    statements: &Statements,
    statement: &Statement,
    chosen: Option<&Fact>,
) -> bool {
    let above = statement.below.map(|number| statements.place(number, &passage.text).0.trim());
    chosen.is_some_and(|chosen| above == Some(chosen.text.trim()))
}

fn is_for_reasons(heading: &str) -> bool {
    let lower = heading.trim_end_matches(':').to_lowercase();
    let is_short = heading.split_whitespace().count() <= SHORT;
    is_short && PHRASES.find(&lower).any(|found| found.class.tells == Tells::Reasons)
}

/// Returns the option that a statement is about: the one that the nearest place above it names,
/// else the one in the nearest heading.
fn option(
    passage: &Passage,
    statements: &Statements,
    statement: &Statement,
    names: &Terms,
) -> Option<u16> {
    let mut below = statement.below;
    while let Some(number) = below {
        let (text, next) = statements.place(number, &passage.text);
        if let Some(found) = named(text, names) {
            return Some(found);
        }
        below = next;
    }
    passage.section.rsplit(SECTION_SEPARATOR).find_map(|heading| named(heading, names))
}

/// Returns the option with the longest name in a text.
fn named(text: &str, names: &Terms) -> Option<u16> {
    let best = names.find(text).into_iter().max_by_key(|found| found.end - found.start);
    best.and_then(|best| u16::try_from(best.number).ok())
}
