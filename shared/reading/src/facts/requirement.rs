//! The requirements that a passage states.

use std::sync::LazyLock;

use model::document::Passage;
use model::facts::{Demand, Requirement, span};
use serde::Deserialize;
use text::block::{Form, blocks};
use text::lexicon::Lexicon;
use text::sentence::sentences;

/// A group of `requirement.toml`. A group without a demand cancels the word of another one.
#[derive(Deserialize)]
struct Phrase {
    demand: Option<Demand>,
}

static PHRASES: LazyLock<Lexicon<Phrase>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::REQUIREMENT));

/// Upper bound for the requirements of a passage.
const MOST: usize = 20;

/// Reads the sentences and items that demand or recommend something. The strictest word of a
/// sentence decides.
pub(super) fn read(passage: &Passage) -> Vec<Requirement> {
    let mut all = Vec::new();
    let prose = blocks(&passage.text).into_iter();
    for block in prose.filter(|prose| !matches!(prose.form, Form::Heading | Form::Code)) {
        let text = &passage.text[block.range.clone()];
        for sentence in sentences(text) {
            let part = &text[sentence.clone()];
            let Some(demand) = demand(part) else { continue };
            let start = block.range.start;
            let sentence = span(&(start + sentence.start..start + sentence.end));
            all.push(Requirement { sentence, demand });
        }
    }
    all.truncate(MOST);
    all
}

fn demand(sentence: &str) -> Option<Demand> {
    if sentence.trim_end().ends_with('?') {
        return None;
    }
    let lower = sentence.to_lowercase();
    let mut demands = PHRASES.find(&lower).filter_map(|found| found.class.demand);
    let first = demands.next()?;
    let is_strict = first == Demand::Must || demands.any(|demand| demand == Demand::Must);
    Some(if is_strict { Demand::Must } else { Demand::Should })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::named;

    #[test]
    fn what_shall_must_or_should_be_is_a_requirement_and_an_inference_is_none() {
        let text = "# Crane\n\nThe hook shall bear 2 t. It is red. Operators should wear gloves.\n\n\
            - Brakes must hold; they should be tested daily.\n- It must have been the wind.\n\nMust it be red?\n";
        let passage = named("crane.md", text).swap_remove(0);
        let requirements: Vec<(&str, Demand)> = read(&passage)
            .iter()
            .map(|r| (&passage.text[model::facts::range(r.sentence)], r.demand))
            .collect();
        let expected = [
            ("The hook shall bear 2 t.", Demand::Must),
            ("Operators should wear gloves.", Demand::Should),
            ("Brakes must hold; they should be tested daily.", Demand::Must),
        ];
        assert_eq!(requirements, expected);
    }
}
