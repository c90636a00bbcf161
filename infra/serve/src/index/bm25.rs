//! BM25, with the constants and the words of Qdrant's `qdrant/bm25`, so that both find alike.
//!
//! Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
//! 3.1; the average length of a text is a constant, as in Qdrant.

use std::collections::HashMap;

use text::abbreviation::singular;
use text::cjk;
use text::language::Language;

const K: f32 = 1.2;
const B: f32 = 0.75;
const AVERAGE_LENGTH: f32 = 256.0;

/// Returns the words of a text, each once, with the weight of how often it stands there.
#[expect(clippy::cast_precision_loss, reason = "numbers of words")]
pub(super) fn weights(text: &str, language: Language) -> HashMap<String, f32> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut length = 0;
    for word in words(text, language) {
        *counts.entry(word).or_default() += 1;
        length += 1;
    }
    let share = K * (1.0 - B + B * length as f32 / AVERAGE_LENGTH);
    let weight = |count: usize| count as f32 * (K + 1.0) / (count as f32 + share);
    counts.into_iter().map(|(word, count)| (word, weight(count))).collect()
}

/// Returns the weight of a word that `having` of `all` points have.
#[expect(clippy::cast_precision_loss, reason = "numbers of points")]
pub(super) fn rarity(having: usize, all: usize) -> f32 {
    let (having, all) = (having as f32, all as f32);
    ((all - having + 0.5) / (having + 0.5) + 1.0).ln()
}

/// Returns the words of a text without their endings, and the pairs of [`cjk`], but for those that
/// say nothing.
pub(super) fn words(text: &str, language: Language) -> impl Iterator<Item = String> {
    let language = language.of_stemmer();
    let text = singular(text);
    let words: Vec<String> = cjk::words(&text).map(str::to_lowercase).collect();
    let words = words.into_iter().filter(move |word| !language.is_stop_word(word));
    words.map(move |word| language.stem(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights that Qdrant's engine gave (1.18.3, `qdrant/bm25`, English).
    #[test]
    fn words_weigh_what_they_do_in_qdrant() {
        let text = "The connections were connected, connection pool of checkout-api. It isn't fair";
        let weights = weights(text, Language::English);
        let of = |word: &str| weights.get(word).copied().unwrap_or_default();
        assert_eq!(weights.len(), 5);
        assert!((of("connect") - 1.985_195_6).abs() < 1e-6, "{weights:?}");
        assert!((of("pool") - 1.660_867).abs() < 1e-6);
    }
}
