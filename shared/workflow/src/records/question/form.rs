//! Reads how something is asked of records: how many, per what, the first, the largest.

use std::sync::LazyLock;

use regex::Regex;
use wire::records::Select;

use super::noun::{column, number_column};
use crate::records::Recorded;
use crate::words::pattern;

static COUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:how many|how often|how much traffic|number of|count(?: of)?|how frequently|(?:is|was|were|are) there any)\b",
    )
});
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:first|earliest|initially|oldest|since when)\b|(?i)\bwhen did .* (?:start|begin)\s*\??$",
    )
});
static LAST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:last|latest|most recent(?:ly)?|newest|final(?:ly)?)\b"));
static LIST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:list|show|print|enumerate|give me|which (?:records|lines|entries))\b")
});
static MAX: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(slowest|longest|largest|biggest|highest|greatest|maximum|max|heaviest)\b")
});
static MIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(fastest|quickest|shortest|smallest|lowest|minimum|min|lightest)\b")
});
static MEAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:average|mean|on average)\b"));
static SUM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:sum of|total (?:bytes|volume|size|amount|traffic|time)|bytes (?:in total|altogether|overall)|how many (?:\w+ )?(?:bytes|megabytes))\b",
    )
});
static PERCENTILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:p(\d{2}(?:\.\d)?)|(\d{1,2})(?:st|nd|rd|th)[ -]percentile|(median))\b")
});
/// Finds what records are grouped by: "per service", "of each broker", "split by code".
static PER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:per|by|(?:for|of|in|from|on|did|does|to)? ?(?:each|every)|grouped by)\s+((?:\w+ )?\w+)",
    )
});
/// "Which client sent most", "what is the most frequent code", "the top 5 clients".
static MOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:which|what|whose|top (\d+)?)\s+((?:\w+ )?\w+)\b.*\b(?:most|more often|often(?:est)?|busiest|top|the more|each)\b|\b(?:most (?:frequent|common|active)|busiest|top (\d+)) ((?:\w+ )?\w+)|\b(who)\b.*\b(?:most|each)\b",
    )
});
static BUCKET: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:in |at |on )?(?:which|what) (minute|hour|day)\b"));
/// Finds words that ask for each thing apart, whatever the noun is.
static EACH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^\W*(?:per|(?:\w+ )?(?:each|every)|different|distinct|unique)\b")
});
/// "How many different clients".
static DISTINCT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:different|distinct|unique|separate)\s+((?:\w+ )?\w+)"));

/// Words for what is measured: where a number is asked for, they are no conditions.
const MEASURED: [&str; 16] = [
    "took",
    "take",
    "takes",
    "taken",
    "lasted",
    "duration",
    "durations",
    "size",
    "query",
    "queries",
    "call",
    "calls",
    "download",
    "downloads",
    "slow",
    "long",
];

/// The form of a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Asked {
    pub(super) selects: Vec<Select>,
    pub(super) group_by: Vec<String>,
    pub(super) of: Option<String>,
    pub(super) percentile: Option<f64>,
    pub(super) order: Option<String>,
    pub(super) limit: Option<u32>,
    /// The words that were read, in small letters.
    pub(super) words: Vec<String>,
    /// The nouns to group by that mean no column.
    pub(super) unread: Vec<String>,
    is_counted: bool,
}

impl Asked {
    /// Reads how `question` is asked.
    pub(super) fn read(question: &str, loaded: &[&Recorded]) -> Asked {
        let mut asked = Asked::default();
        asked.read_groups(question, loaded);
        asked.read_selects(question);
        if asked.selects.iter().any(|select| select.is_of_numbers()) {
            asked.of = number_column(question, loaded);
            match &asked.of {
                Some(column) => {
                    let parts = column.split(['.', '_']).map(str::to_owned);
                    asked.words.extend(parts.chain(MEASURED.map(str::to_owned)));
                }
                None => asked.selects = vec![Select::List],
            }
        }
        asked
    }

    /// Returns true if the question has a plain form, and not only words.
    pub(super) fn is_plain(&self) -> bool {
        self.is_counted || self.is_grouped() || self.selects != [Select::List]
    }

    pub(super) fn is_grouped(&self) -> bool {
        !self.group_by.is_empty()
    }

    fn read_groups(&mut self, question: &str, loaded: &[&Recorded]) {
        if let Some(found) = BUCKET.captures(question) {
            self.take(&found[0]);
            self.group_by.push(found[1].to_lowercase());
            self.order = Some("-value".into());
            return;
        }
        for (form, is_ranked) in [(&*DISTINCT, false), (&*PER, false), (&*MOST, true)] {
            let Some(found) = form.captures(question) else { continue };
            let nouns = (1..found.len()).rev().filter_map(|group| found.get(group));
            let noun = nouns.map(|group| group.as_str()).find(|text| text.parse::<u32>().is_err());
            let Some((column, word)) = noun.and_then(|text| column(text, loaded)) else {
                // The numbers of all records together would pass for those of each group.
                self.unread.extend(noun.filter(|_| EACH.is_match(&found[0])).map(str::to_owned));
                continue;
            };
            self.take(&word);
            self.group_by.push(column);
            if is_ranked {
                let top =
                    (1..found.len()).filter_map(|group| found.get(group)?.as_str().parse().ok());
                self.order = Some("-value".into());
                self.limit = Some(top.max().unwrap_or(5).clamp(1, 1_000));
            }
            return;
        }
    }

    fn read_selects(&mut self, question: &str) {
        let percentile = PERCENTILE.captures(question);
        if let Some(found) = &percentile {
            let number =
                found.get(1).or(found.get(2)).and_then(|digits| digits.as_str().parse().ok());
            self.percentile = Some(number.unwrap_or(50.0));
            self.selects.push(Select::Percentile);
        }
        let forms = [
            (&*MAX, Select::Max),
            (&*MIN, Select::Min),
            (&*MEAN, Select::Mean),
            (&*SUM, Select::Sum),
        ];
        for (form, select) in forms {
            if let Some(found) = form.find(question).filter(|_| self.selects.is_empty()) {
                self.take(found.as_str());
                self.selects.push(select);
            }
        }
        if !self.selects.is_empty() {
            return;
        }
        self.is_counted = COUNT.is_match(question);
        if self.is_counted || self.is_grouped() {
            self.selects.push(Select::Count);
            return;
        }
        for (form, select) in [(&*FIRST, Select::First), (&*LAST, Select::Last)] {
            if let Some(found) = form.find(question) {
                self.take(found.as_str());
                self.selects.push(select);
            }
        }
        if self.selects.is_empty() {
            self.is_counted = LIST.is_match(question);
            self.selects.push(Select::List);
        }
    }

    fn take(&mut self, words: &str) {
        self.words.extend(words.to_lowercase().split_whitespace().map(str::to_owned));
    }
}
