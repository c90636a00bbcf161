//! The words of a question that a text has, as bits, and their weights.

/// The weight of a synonym relative to the weight of the question's own word.
const ALIKE_COUNTS: f64 = 0.6;

/// The words of a question that a text has, as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mask {
    /// The words that the text has as they are or with other endings.
    pub exact: u64,
    /// The words for which the text has synonyms.
    pub alike: u64,
}

impl Mask {
    /// Returns the words that either text has.
    #[must_use]
    pub fn with(self, other: Mask) -> Mask {
        Mask { exact: self.exact | other.exact, alike: self.alike | other.alike }
    }

    /// Returns the number of words that the text has.
    pub fn count(self) -> u32 {
        (self.exact | self.alike).count_ones()
    }

    /// Returns true if the text has the word at this place.
    pub fn has(self, word: usize) -> bool {
        (self.exact | self.alike) & (1 << word) != 0
    }

    /// Returns the share of the words' weights that the text has, `0.0..=1.0`. A synonym counts
    /// less.
    pub fn share(self, weights: &[f64]) -> f64 {
        let sum: f64 = weights.iter().sum();
        let part = |word: usize, weight: &f64| match 1_u64 << word {
            bit if self.exact & bit != 0 => *weight,
            bit if self.alike & bit != 0 => weight * ALIKE_COUNTS,
            _ => 0.0,
        };
        let value: f64 = weights.iter().enumerate().map(|(word, weight)| part(word, weight)).sum();
        if sum > 0.0 { value / sum } else { 0.0 }
    }
}
