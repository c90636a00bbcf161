//! Decisions that settle what is asked, as the documents record them.

use wire::common::Settled;

use super::citation::Citations;
use crate::wording::{flat, name, titled, wrapped};

/// Each decision with what was chosen, how it stands and when it was taken; nothing where there is none.
pub(super) fn lines<'a>(
    decided: &'a [Settled],
    citations: &mut Citations<'a>,
    width: usize,
) -> Vec<String> {
    if decided.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![titled("Decided before", "by the documents' own words")];
    for own in decided {
        let about = [own.option.clone(), own.status.as_ref().map(name), own.date.clone()];
        let about: Vec<String> = about.into_iter().flatten().collect();
        let about =
            if about.is_empty() { String::new() } else { format!("{}: ", about.join(", ")) };
        let text = format!("{about}\"{}\" {}", flat(&own.chosen.text), citations.cite(&own.source));
        lines.extend(wrapped(&text, "  - ", "    ", width));
        let reasons = [("for: ", &own.reasons_for), ("against: ", &own.reasons_against)];
        for (side, reason) in
            reasons.iter().flat_map(|(side, all)| all.iter().map(move |a| (side, a)))
        {
            let text = format!("{side}\"{}\"", flat(&reason.text));
            lines.extend(wrapped(&text, "      ", "        ", width));
        }
    }
    lines.push(String::new());
    lines
}
