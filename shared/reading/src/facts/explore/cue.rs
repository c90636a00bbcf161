//! Phrases which show that a passage gives an example, a standard or a practice.

use std::sync::LazyLock;

use serde::Deserialize;
use text::lexicon::Lexicon;

/// The kinds of help that a passage offers regardless of the caller's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Good {
    /// The passage shows an instance.
    Example,
    /// The passage demands.
    Standard,
    /// The passage advises.
    Practice,
}

/// A group of `explore.toml`.
#[derive(Deserialize)]
struct Cue {
    gives: Good,
    weight: u32,
}

static CUES: LazyLock<Lexicon<Cue>> = LazyLock::new(|| Lexicon::new(text::lexicon::EXPLORE));

/// Returns the strengths with which `text` shows that it is an example, a standard or a practice,
/// `0.0..=1.0` in the order of [`Good`]. The strongest phrase counts in full, each other one a
/// tenth.
pub(super) fn strengths(text: &str) -> [f64; 3] {
    let lower = text.to_ascii_lowercase();
    let mut strongest = [0_u32; 3];
    let mut sum = [0_u32; 3];
    for found in CUES.find(&lower) {
        let place = found.class.gives as usize;
        strongest[place] = strongest[place].max(found.class.weight);
        sum[place] += found.class.weight;
    }
    std::array::from_fn(|place| {
        let more = f64::from(sum[place] - strongest[place]) / 10.0;
        ((f64::from(strongest[place]) + more) / 100.0).min(1.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_shows_what_it_gives_by_whole_words() {
        let [example, standard, practice] = strengths("The pump shall stop. You should test it.");
        assert!(example == 0.0 && standard >= 1.0 && practice >= 1.0);
        assert!(strengths("For example, a heater.")[0] >= 1.0);
        assert!(strengths("a mustard house because").iter().all(|strength| *strength <= 0.0));
    }
}
