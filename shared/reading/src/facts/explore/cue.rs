//! Words by which a passage shows what it is good for.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// What a passage can be good for without any word of the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    /// It shows an instance.
    Example,
    /// It demands.
    Standard,
    /// It advises.
    Practice,
}

/// How much a word says, in hundredths of a whole proof; what it says it of; the words, each with its blanks.
const CUES: &[(Good, u32, &str)] = &[
    (
        Good::Example,
        100,
        "for example|for instance|as an example|case study|an example|examples:|example:|imagine |suppose |in one case",
    ),
    (Good::Example, 60, "example|(e.g|e.g.|eg:|might look like|looks like this|let's say|say, "),
    (Good::Example, 30, "such as |scenario"),
    (Good::Standard, 100, " shall |verify that |is required to |are required to |must not "),
    (Good::Standard, 80, " must |mandatory"),
    (Good::Standard, 40, "requirement|complies with|compliance with|conform|in accordance with"),
    (Good::Standard, 20, "standard|policy|specification|required|obligat|control "),
    (
        Good::Practice,
        100,
        "should |best practice|recommend|we advise|avoid |make sure|ensure that|it is important to|good practice|rule of thumb|strictly ",
    ),
    (
        Good::Practice,
        70,
        "prefer |consider |ensure |always |never |do not |don't |needs to |need to |aim to |try to |principle|guideline|could be costly|minimum",
    ),
    (
        Good::Practice,
        30,
        "use |keep |helps |in order to |effective|necessary|as soon as|where possible|tailor",
    ),
];

struct Words {
    automaton: AhoCorasick,
    worth: Vec<(Good, u32)>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let cues = CUES
        .iter()
        .flat_map(|(good, worth, words)| words.split('|').map(move |word| (word, (*good, *worth))));
    let (words, worth): (Vec<&str>, Vec<_>) = cues.unzip();
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .ascii_case_insensitive(true)
        .build(words)
        .unwrap_or_else(|error| panic!("the cues make an automaton: {error}"));
    Words { automaton, worth }
});

/// How strongly `text` shows that it is an example, a standard or a practice: the strongest word counts, each more a
/// tenth as much; `0.0..=1.0` in the order of [`Good`].
pub(super) fn strengths(text: &str) -> [f64; 3] {
    let mut strongest = [0_u32; 3];
    let mut sum = [0_u32; 3];
    for found in WORDS.automaton.find_iter(text) {
        let begins = text[..found.start()]
            .bytes()
            .next_back()
            .is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let (good, worth) = WORDS.worth[found.pattern().as_usize()];
        if begins || text.as_bytes()[found.start()] == b' ' {
            let place = good as usize;
            strongest[place] = strongest[place].max(worth);
            sum[place] += worth;
        }
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
    fn a_passage_shows_what_it_is_good_for_by_whole_words() {
        let [example, standard, practice] = strengths("The pump shall stop. You should test it.");
        assert!(example == 0.0 && standard >= 1.0 && practice >= 1.0);
        assert!(strengths("For example, a heater.")[0] >= 1.0);
        assert!(strengths("a mustard house because").iter().all(|strength| *strength <= 0.0));
    }
}
