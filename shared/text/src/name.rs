//! Finds the names in questions, and finds out whether a text has them.

use std::sync::LazyLock;

use jiff::fmt::strtime;
use regex::Regex;

use crate::abbreviation::singular;
use crate::exact::Exact;
use crate::language::Language;
use crate::question::QuestionTerms;
use crate::stop::{Texts, is_common, is_common_in};
use crate::words::{names, parts, pattern};

/// A name to search for.
#[derive(Debug)]
pub struct Name {
    text: String,
    /// The name as it is written, and without characters other than letters and digits: "i/o" and
    /// "io".
    spellings: [Exact; 2],
    terms: QuestionTerms,
    /// True for a single word, whose stem is not enough: "Fastly" is not "fast".
    is_word: bool,
}

impl Name {
    /// Takes a name as it is written.
    pub(crate) fn of(name: &str) -> Name {
        // "Sun-watching" names the sun, and "MIL-STD-1553" a standard.
        let is_word = |part: &&str| part.len() > 2 && part.chars().all(char::is_lowercase);
        let essential: Vec<&str> = name.split('-').filter(|part| !is_word(part)).collect();
        let essential = singular(&essential.join("-")).into_owned();
        let bare: String = essential.chars().filter(|c| c.is_alphanumeric()).collect();
        let is_short_form = bare.chars().count() >= SHORT && bare.chars().all(char::is_alphabetic);
        let bare =
            if is_short_form { Exact::of(&bare).or_longer() } else { Exact::of(&bare).or_plural() };
        let spellings = [Exact::of(&essential).or_plural(), bare];
        let apart: Vec<&str> = parts(&essential).map(|part| &essential[part]).collect();
        let percentile = percentile(name);
        let terms = QuestionTerms::of(percentile.unwrap_or(&apart.join(" ")));
        let is_word = percentile.is_none() && terms.words().len() == 1;
        Name { text: name.into(), spellings, terms, is_word }
    }

    /// Returns the name as the question writes it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the name as it is searched for: if letters and digits meet in it, also as two words,
    /// "RV4" and "RV 4".
    pub fn searched(&self) -> String {
        static MEETING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(\p{L})(\d)"));
        let text = singular(&self.text);
        let apart = MEETING.replace_all(&text, "$1 $2");
        if apart == text { text.into_owned() } else { format!("{text} {apart}") }
    }

    /// Returns true if a text has the name as one word or as several, or other words with the same
    /// meaning.
    pub fn stands_in(&self, text: &str) -> bool {
        if self.spellings.iter().any(|spelling| spelling.is_in(text)) {
            return true;
        }
        let mask = self.terms.mask(text);
        if self.is_word {
            return mask.alike != 0;
        }
        let count = self.terms.words().len();
        count > 0 && (0..count).all(|word| mask.has(word))
    }
}

/// Lower bound for the letters by which a name may stand for a longer one that begins with them:
/// "Mongo" for `mongodb`.
const SHORT: usize = 5;

/// Returns the number of a percentile such as "p99", which a text may call the 99th percentile.
/// "P203" and "E1042" are names.
fn percentile(name: &str) -> Option<&str> {
    name.strip_prefix('p').filter(|n| n.len() == 2 && n.chars().all(|c| c.is_ascii_digit()))
}

/// Upper bound for the names of a question that are searched for.
const MOST: usize = 12;

/// Returns the names in a question, each once.
pub fn in_question(question: &str) -> Vec<Name> {
    // Every German noun begins with a capital.
    let skipped = usize::from(Language::of(question) == Language::German);
    let is_written_large =
        |name: &&str| name.chars().skip(skipped).any(|c| c.is_uppercase() || c.is_numeric());
    let mut found: Vec<&str> = Vec::new();
    for name in names(question).into_iter().filter(is_written_large) {
        if !found.contains(&name) && !is_of_a_calendar(name) {
            found.push(name);
        }
    }
    found.into_iter().take(MOST).map(Name::of).collect()
}

/// Returns the names that are essential to the question: those that each query of the caller's
/// contains, too.
pub fn essential(question: &str, queries: &[&str]) -> Vec<Name> {
    let mut names = in_question(question);
    names.retain(|name| queries.iter().all(|query| name.stands_in(query)));
    names
}

/// Returns the first word if it may be a name. Its capital does not show that; it is a name if no
/// text has the word in any form.
pub fn first(question: &str, queries: &[&str]) -> Option<String> {
    let word = question.split_whitespace().next()?.trim_matches(|c: char| !c.is_alphanumeric());
    let may_be = Language::of(question) == Language::English
        && word.starts_with(char::is_uppercase)
        && word.chars().count() > 2
        && !Language::English.is_stop_word(word)
        && !is_common(word)
        && !is_common_in(word, Texts::Beginnings)
        && !is_of_a_calendar(word);
    let name = Name::of(word);
    let is_essential = queries.iter().all(|query| name.stands_in(query));
    (may_be && is_essential).then(|| word.to_owned())
}

/// Returns true for a day of the week or a month.
fn is_of_a_calendar(name: &str) -> bool {
    ["%A", "%B"].iter().any(|form| strtime::parse(form, name).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unknown(question: &str) -> Vec<String> {
        let texts =
            ["a fast restart of num.io.threads", "the DB of postgres is OOM killed, see the trace"];
        let mut names = in_question(question);
        names.retain(|name| !texts.iter().any(|text| name.stands_in(text)));
        names.iter().map(|name| name.as_str().to_owned()).collect()
    }

    #[test]
    fn a_name_is_known_by_its_letters_its_parts_or_what_says_the_same() {
        let known = "How many threads for I/O has Postgres, and is it OOMKilled?";
        assert!(unknown(known).is_empty());
        assert!(unknown("Is the Database up?").is_empty());
        assert_eq!(
            unknown("How do I renew the Fastly certificate of Vault?"),
            ["Fastly", "Vault"],
            "fast is no name"
        );
    }

    #[test]
    fn an_abbreviation_is_known_in_singular_and_plural() {
        let gpus = Name::of("GPUs");
        assert!(gpus.stands_in("one GPU a node") && gpus.stands_in("two GPUs"));
        assert!(Name::of("GPU").stands_in("two GPUs") && !gpus.stands_in("GPUX"));
        assert_eq!(gpus.searched(), "GPU");
    }

    #[test]
    fn a_name_may_begin_a_longer_one_but_a_number_is_whole() {
        assert!(Name::of("Mongo").stands_in("mongodb.log"));
        assert!(!Name::of("kafka1").stands_in("kafka10 broke"));
        assert!(!Name::of("Java").stands_in("a script of JavaScript"), "it is too short");
    }

    #[test]
    fn letters_and_digits_of_a_name_may_stand_apart() {
        let name = Name::of("rv4");
        assert_eq!(name.searched(), "rv4 rv 4");
        assert!(
            ["The RV-4 was lost.", "The RV 4 was lost."].iter().all(|text| name.stands_in(text))
        );
        assert!(!name.stands_in("The RV-40 was lost."));
        assert_eq!(Name::of("Kafka").searched(), "Kafka");
        assert!(
            Name::of("p99").stands_in("the 99th percentile")
                && !Name::of("p99").stands_in("the 9th")
                && !Name::of("E1043").stands_in("1043 ms")
        );
    }

    #[test]
    fn the_stem_of_one_part_is_not_the_name() {
        assert!(
            !Name::of("NodeJS").stands_in("two nodes") && Name::of("NodeJS").stands_in("Node JS")
        );
        assert!(!Name::of("TO-220").stands_in("220 V") && Name::of("TO-220").stands_in("a TO-220"));
        assert!(!Name::of("I/O").stands_in("o") && Name::of("I/O").stands_in("slow i/o"));
        assert_eq!(unknown("Is it Vault’s fault?"), ["Vault"]);
    }

    #[test]
    fn of_a_compound_word_the_name_counts() {
        assert_eq!(unknown("Why did the Trace-watching job stop?"), [""; 0]);
        assert_eq!(unknown("Why did the MIL-STD-1553 bus stop?"), ["MIL-STD-1553"]);
    }

    #[test]
    fn a_name_is_matched_as_a_word_and_a_day_is_none() {
        assert_eq!(unknown("Is it a fault of RAC?"), ["RAC"], "it is not in `trace`");
        assert!(unknown("What broke on Monday, or in March?").is_empty());
    }

    #[test]
    fn a_name_that_a_query_leaves_out_is_not_essential() {
        let question = "Why does Keycloak loop?";
        assert_eq!(essential(question, &["keycloak redirects"]).len(), 1);
        assert!(essential(question, &["login redirect loop"]).is_empty());
        let begins = "Keycloak loops after the upgrade";
        assert_eq!(first(begins, &[]).as_deref(), Some("Keycloak"));
        assert_eq!(first(begins, &["login loop"]), None);
        for text in ["Explain why it loops", "Troubleshoot slow replication in Postgres"] {
            assert_eq!(first(text, &[]), None, "{text}");
        }
    }
}
