//! Decisions that settle what is asked, as the documents record them.

use wire::common::DocumentedDecision;

use super::citation::Citations;
use crate::wording::{flat, name, titled, wrapped};

/// Each decision with what was chosen, how it stands and when it was taken; nothing where there is
/// none.
pub(super) fn lines<'a>(
    decided: &'a [DocumentedDecision],
    citations: &mut Citations<'a>,
    width: usize,
) -> Vec<String> {
    if decided.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![titled("Decided before", "by the documents' own words")];
    for settled in decided {
        let about =
            [settled.option.clone(), settled.status.as_ref().map(name), settled.date.clone()];
        let about: Vec<String> = about.into_iter().flatten().collect();
        let about =
            if about.is_empty() { String::new() } else { format!("{}: ", about.join(", ")) };
        let cited = citations.cite(&settled.passage);
        let text = format!("{about}\"{}\" {cited}", flat(&settled.chosen.text));
        lines.extend(wrapped(&text, "  - ", "    ", width));
        let reasons = [("for: ", &settled.reasons_for), ("against: ", &settled.reasons_against)];
        for (side, reason) in
            reasons.iter().flat_map(|(side, all)| all.iter().map(move |reason| (side, reason)))
        {
            let text = format!("{side}\"{}\"", flat(&reason.text));
            lines.extend(wrapped(&text, "      ", "        ", width));
        }
    }
    lines.push(String::new());
    lines
}
