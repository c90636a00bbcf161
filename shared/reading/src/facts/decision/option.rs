//! The options that a document lists.

use std::collections::HashSet;

use model::document::{Passage, SECTION_SEPARATOR};
use text::block::{Form, blocks};
use text::option::name;

use super::{PHRASES, Tells};

/// Upper bound for the options of a document.
const MOST: usize = 12;

/// Returns the names of a document's options, without duplicates: items below a heading for
/// options, headings such as "Option 2: Kafka", and headings directly below one for options.
pub(super) fn listed(document: &[&Passage]) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = document.iter().flat_map(|d| of_passage(d));
    let mut names: Vec<String> = names.filter(|name| seen.insert(name.to_lowercase())).collect();
    names.truncate(MOST);
    names
}

fn of_passage(passage: &Passage) -> Vec<String> {
    let path: Vec<&str> = passage.section.split(SECTION_SEPARATOR).collect();
    let mut names = Vec::new();
    for (depth, heading) in path.iter().enumerate() {
        let is_below = depth > 0 && is_for_options(path[depth - 1]);
        let marked = after_marker(heading);
        if is_below || marked.is_some() {
            names.extend(name(marked.unwrap_or(heading)));
        }
    }
    if is_for_options(passage.heading()) {
        let items = blocks(&passage.text).into_iter().filter(|block| block.form == Form::Item(0));
        names.extend(items.filter_map(|item| {
            let text = &passage.text[item.range];
            name(after_marker(text).unwrap_or(text))
        }));
    }
    names
}

/// Returns true if options stand below such a heading.
pub(super) fn is_for_options(heading: &str) -> bool {
    let heading = heading.trim().trim_end_matches(':').to_ascii_lowercase();
    let bare = heading.trim_start_matches(|c: char| !c.is_alphabetic());
    PHRASES.find(bare).any(|found| {
        found.class.tells == Tells::Options && (found.start, found.end) == (0, bare.len())
    })
}

/// Returns the text after "Option 2:" or "Alternative A -".
fn after_marker(heading: &str) -> Option<&str> {
    let lower = heading.to_ascii_lowercase();
    let skipped = lower.len() - lower.trim_start_matches(['*', '_', '`', ' ']).len();
    let marker = PHRASES.find(&lower).find(|found| found.start == skipped)?;
    let rest = heading.get(marker.end..).filter(|_| marker.class.tells == Tells::Option)?;
    let at = rest.find([':', '-', '–', '—'])?;
    let label = rest[..at].trim();
    (label.len() <= 3).then(|| rest[at..].trim_start_matches([':', '-', '–', '—', ' ', '*']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::passages;

    #[test]
    fn documents_list_their_options_in_several_ways() {
        let all = |text: &str| listed(&passages(text).iter().collect::<Vec<_>>());
        let items = "# ADR\n\n## Considered options\n\n- **Kafka** - known\n- [NATS](x.md): small\n\n## Decision\n\n- not an option\n";
        assert_eq!(all(items), ["Kafka", "NATS"]);
        let headings =
            "# ADR\n\n## Option 1: Use Kafka\n\nGood.\n\n## Option B - Rabbit MQ\n\nBad.\n";
        assert_eq!(all(headings), ["Kafka", "Rabbit MQ"]);
        let below =
            "# ADR\n\n## Alternatives\n\nThese.\n\n### Kafka\n\nGood.\n\n### NATS\n\nBad.\n";
        assert_eq!(all(below), ["Kafka", "NATS"]);
    }
}
