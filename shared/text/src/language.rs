//! The languages of texts: their detection, their stemmers and their stop words.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

use crate::cjk;

/// A language with a Snowball stemmer and a list of stop words, or one of [`cjk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Language {
    /// Arabic.
    Arabic,
    /// Chinese.
    Chinese,
    /// Danish.
    Danish,
    /// Dutch.
    Dutch,
    /// English, which has lexicons. It is assumed for a text that shows no other language.
    #[default]
    English,
    /// Finnish.
    Finnish,
    /// French.
    French,
    /// German.
    German,
    /// Greek.
    Greek,
    /// Hungarian.
    Hungarian,
    /// Italian.
    Italian,
    /// Japanese.
    Japanese,
    /// Korean.
    Korean,
    /// Norwegian.
    Norwegian,
    /// Portuguese.
    Portuguese,
    /// Romanian.
    Romanian,
    /// Russian.
    Russian,
    /// Spanish.
    Spanish,
    /// Swedish.
    Swedish,
    /// Turkish.
    Turkish,
}

use Language::{
    Arabic, Chinese, Danish, Dutch, English, Finnish, French, German, Greek, Hungarian, Italian,
    Japanese, Korean, Norwegian, Portuguese, Romanian, Russian, Spanish, Swedish, Turkish,
};

/// The languages, each with its tag, its name and its stemmer. Words of [`cjk`] have no endings to
/// remove, and the others in such texts are English.
const ALL: [(Language, &str, &str, Algorithm); 20] = [
    (Arabic, "ar", "Arabic", Algorithm::Arabic),
    (Chinese, "zh", "Chinese", Algorithm::English),
    (Danish, "da", "Danish", Algorithm::Danish),
    (Dutch, "nl", "Dutch", Algorithm::Dutch),
    (English, "en", "English", Algorithm::English),
    (Finnish, "fi", "Finnish", Algorithm::Finnish),
    (French, "fr", "French", Algorithm::French),
    (German, "de", "German", Algorithm::German),
    (Greek, "el", "Greek", Algorithm::Greek),
    (Hungarian, "hu", "Hungarian", Algorithm::Hungarian),
    (Italian, "it", "Italian", Algorithm::Italian),
    (Japanese, "ja", "Japanese", Algorithm::English),
    (Korean, "ko", "Korean", Algorithm::English),
    (Norwegian, "no", "Norwegian", Algorithm::Norwegian),
    (Portuguese, "pt", "Portuguese", Algorithm::Portuguese),
    (Romanian, "ro", "Romanian", Algorithm::Romanian),
    (Russian, "ru", "Russian", Algorithm::Russian),
    (Spanish, "es", "Spanish", Algorithm::Spanish),
    (Swedish, "sv", "Swedish", Algorithm::Swedish),
    (Turkish, "tr", "Turkish", Algorithm::Turkish),
];

/// The languages of each stop word.
static STOP_WORDS: LazyLock<HashMap<&str, Vec<Language>>> = LazyLock::new(|| {
    let mut words: HashMap<&str, Vec<Language>> = HashMap::new();
    for (language, tag, ..) in ALL.into_iter().filter(|(language, ..)| !language.is_cjk()) {
        for word in stop_words::get(tag) {
            words.entry(word).or_default().push(language);
        }
    }
    words
});

/// Upper bound for the words of a text from which its language is detected.
const READ: usize = 2_000;

/// The number of stop words by which another language must exceed English.
const FEWEST: usize = 2;

impl Language {
    /// Detects the language in which `text` is written: the one with the most different stop words
    /// in the text. Another language than English needs two more of them than English, and at least
    /// one and a half times as many, because English texts of engineers contain words of other
    /// languages ("per", "die"). Returns `None` if there are hardly any stop words, as in a log or
    /// a command. Addresses and code are not counted. Texts of [`cjk`] show their language by their
    /// letters.
    pub fn detect(text: &str) -> Option<Language> {
        let mut words: HashSet<String> = HashSet::new();
        let tokens = || text.split_whitespace().take(READ);
        let others = tokens().filter(|token| is_prose(token) && !token.contains(cjk::is_letter));
        let letters = tokens().flat_map(str::chars).filter(|c| cjk::is_letter(*c));
        if let Some(language) = by_letters(&letters.collect::<Vec<char>>(), others.count()) {
            return Some(language);
        }
        for token in text.split_whitespace().filter(|word| is_prose(word)).take(READ) {
            let parts = token.split(|c: char| !c.is_alphanumeric());
            words.extend(parts.filter(|part| part.chars().count() > 1).map(str::to_lowercase));
        }
        let mut counts: HashMap<Language, usize> = HashMap::new();
        for word in &words {
            for language in STOP_WORDS.get(word.as_str()).into_iter().flatten() {
                *counts.entry(*language).or_default() += 1;
            }
        }
        let count = |language: Language| counts.get(&language).copied().unwrap_or_default();
        let english = count(English);
        let others = ALL.iter().map(|(other, ..)| *other).filter(|other| *other != English);
        let best = others.max_by_key(|other| count(*other))?;
        let is_other = count(best) >= english + FEWEST && 2 * count(best) >= 3 * english;
        if is_other { Some(best) } else { (english >= FEWEST).then_some(English) }
    }

    /// Returns the language of a text; English if it cannot be detected.
    pub fn of(text: &str) -> Language {
        Language::detect(text).unwrap_or_default()
    }

    /// Returns the language of a BCP 47 tag such as `de` or `pt-BR`.
    pub fn of_tag(tag: &str) -> Option<Language> {
        let code = tag.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        // Bokmål and Nynorsk share one stemmer.
        let code = if code == "nb" || code == "nn" { "no".to_owned() } else { code };
        ALL.iter().find(|(_, tag, ..)| *tag == code).map(|(language, ..)| *language)
    }

    /// Returns the tag: `de`.
    pub fn tag(self) -> &'static str {
        self.entry().1
    }

    /// Returns the English name: `German`.
    pub fn name(self) -> &'static str {
        self.entry().2
    }

    /// Returns true if `lexicons` has phrases of the language, by which documents are read.
    pub fn has_lexicons(self) -> bool {
        self == English
    }

    /// Returns a word in lower case without its ending.
    pub fn stem(self, word: &str) -> String {
        Stemmer::create(self.entry().3).stem(word).into_owned()
    }

    /// Returns the language whose stemmer and stop words a search engine takes for such texts.
    #[must_use]
    pub fn of_stemmer(self) -> Language {
        if self.is_cjk() { English } else { self }
    }

    fn is_cjk(self) -> bool {
        matches!(self, Chinese | Japanese | Korean)
    }

    /// Returns true for a word that says nothing about the subject of a text.
    pub fn is_stop_word(self, word: &str) -> bool {
        if self.is_cjk() {
            return cjk::is_common(word) || English.is_stop_word(word);
        }
        let of = STOP_WORDS.get(word.to_lowercase().as_str());
        of.is_some_and(|of| of.contains(&self))
    }

    fn entry(self) -> &'static (Language, &'static str, &'static str, Algorithm) {
        let entry = ALL.iter().find(|(language, ..)| *language == self);
        entry.unwrap_or(&ALL[4])
    }
}

/// The share of Japanese syllables among letters of [`cjk`] from which the others are Japanese.
const JAPANESE: f64 = 0.1;

/// Returns the language of most words of a text, if it is one of [`cjk`]. Two of its letters count
/// as one word, beside the `others`.
#[expect(clippy::cast_precision_loss, reason = "counts of letters")]
fn by_letters(letters: &[char], others: usize) -> Option<Language> {
    let share = |is: fn(char) -> bool| {
        letters.iter().filter(|c| is(**c)).count() as f64 / letters.len() as f64
    };
    if letters.is_empty() || letters.len().div_ceil(2) < others {
        return None;
    }
    let is_japanese = share(cjk::is_kana) >= JAPANESE;
    let chinese_or_japanese = if is_japanese { Japanese } else { Chinese };
    Some(if share(cjk::is_hangul) >= 0.5 { Korean } else { chinese_or_japanese })
}

/// Returns false for a token that is an address, a path, a name in code, or a mark.
fn is_prose(token: &str) -> bool {
    let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
    !bare.contains(['/', '.', '_', '@', '=', '`', ':', '<', '>'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_its_stop_words() {
        let texts = [
            (German, "Warum ist die Pumpe nach dem Start ausgefallen?"),
            (French, "Pourquoi la pompe est-elle tombée en panne après le démarrage ?"),
            (Spanish, "¿Por qué se paró la bomba después de que la pusieron en marcha?"),
            (Italian, "Perché la pompa si è fermata dopo che è stata avviata?"),
            (Portuguese, "Por que a bomba parou depois que ela foi ligada?"),
            (Dutch, "Waarom is de pomp na het starten uitgevallen?"),
            (Swedish, "Varför stannade pumpen efter att den hade startat?"),
            (Finnish, "Miksi pumppu pysähtyi sen jälkeen kun se oli käynnistetty?"),
            (Russian, "Почему насос остановился после того, как его запустили?"),
            (Chinese, "checkout-api 启动后水泵为什么停了？"),
            (Japanese, "起動後にポンプが停止した原因は何ですか。"),
            (Korean, "펌프를 켠 뒤에 왜 멈췄습니까?"),
            (English, "Why did the pump fail after it was started?"),
        ];
        for (language, text) in texts {
            assert_eq!(Language::detect(text), Some(language), "{text}");
        }
    }

    #[test]
    fn what_engineers_type_in_english_is_english() {
        let texts = [
            "kubectl drain node pdb",
            "OOMKilled in pod checkout",
            "Kafka vs RabbitMQ",
            "ERROR: deadlock detected",
            "die size of the chip",
            "no route to host",
            "Postgres on EBS vs. local NVMe: latency, cost",
            "certificate expired at es-data-0",
            "latency per AZ, cost per GB, max IOPS per volume",
            "Kafka vs. RabbitMQ: per-message cost, no ordering, ack per batch",
            "die bonding vs. die attach",
            "See https://github.com/acme/io and https://acme.com for the runbook of the pump, it is in `ci/io.li`.",
        ];
        for text in texts {
            assert_eq!(Language::of(text), English, "{text}");
        }
    }

    #[test]
    fn a_tag_names_its_language_with_or_without_a_region() {
        assert_eq!(Language::of_tag("pt-BR"), Some(Portuguese));
        assert_eq!(Language::of_tag("DE"), Some(German));
        assert_eq!(Language::of_tag("nb-NO"), Some(Norwegian));
        assert_eq!(Language::of_tag("zh-Hans"), Some(Chinese));
        assert_eq!(Language::of_tag("he"), None);
        assert_eq!((German.tag(), German.name()), ("de", "German"));
    }

    #[test]
    fn words_are_stemmed_by_their_language() {
        assert_eq!(German.stem("pumpen"), German.stem("pumpe"));
        assert_eq!(English.stem("pumps"), "pump");
        assert!(German.is_stop_word("Wenn") && !English.is_stop_word("wenn"));
    }
}
