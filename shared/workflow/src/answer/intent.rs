//! What a question asks of the evidence: which records, and whether one is sought or all of them.

use std::sync::LazyLock;

use regex::Regex;

use super::moment::{self, Moment};
use crate::filter::{Condition, Field};
use crate::words::{Words, pattern};

mod left_out;
mod level;

use left_out::left_out;
use level::{failed, level};

/// How the answer is made from the records that fit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What says it best.
    #[default]
    Plain,
    /// Named lines, as they stand.
    Lines,
    /// How many.
    Count,
    /// The earliest.
    First,
    /// The latest.
    Last,
    /// What occurs most often.
    Most,
    /// All of them.
    List,
}

/// What was read in a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Intent {
    /// How the answer is made.
    pub kind: Kind,
    /// What must hold, and the words that say so.
    pub conditions: Vec<(Condition, String)>,
    /// When it happened, and the words that say so.
    pub moment: Option<(Moment, Vec<String>)>,
    /// What the question is about, without the words that were read.
    pub rest: String,
    /// Severities that are spoken of; they say more of a record, but need not hold.
    pub severities: Vec<&'static str>,
    /// The codes and severities that records must not have, and the words that say so.
    pub left_out: Option<(Vec<String>, String)>,
    /// The words that only say what was spoken of before.
    pub about: Vec<String>,
}

static LINES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(\bbetween\s+)?\blines?\s+(?:no\.?\s*|number\s+)?#?(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\s*(-|–|to|through|until|and|or)\s*(\d{1,3}(?:,\d{3})+|\d{1,7}))?\b",
    )
});
static COUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:how (?:many|often)|(?:the )?(?:total )?number of|count (?:of|the|all)?)\s+(?:(?:\S+\s+){0,5}?(?:entr(?:y|ies)|lines?|records?|messages?|errors?|warn(?:ing)?s?|requests?|events?|exceptions?|occurrences?|failures?|times|hits|attempts?|quer(?:y|ies)|logs?|statements?|calls?|responses?|restarts?|crashes|timeouts?|retries|alerts?|rules?|services?|containers?|jobs?|\d{3}s?)\b|(?:was|were|is|are|did|does|do|has|have)\b)",
    )
});
/// What was done, or happened, is counted whatever it is; what there is may be a setting.
static DONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\bhow many\s+(?:\S+\s+){1,5}?(?:did|were|was|came|got|went|happened|occurred|failed|succeeded)\b\s*(\w*)",
    )
});
/// What follows "were" where something only is.
const BEING: [&str; 8] = ["there", "in", "on", "set", "configured", "defined", "allowed", "needed"];
/// What somebody does, and not what is written into a log.
static LOGIN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(users?|somebody|someone|anyone|anybody|nobody|people|who|to|could|can|cannot|not)\s+log(?:s|ged)? in\b",
    )
});
static FIRST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:first|earliest|initial(?:ly)?)\b"));
static LAST: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:last|latest|most recent(?:ly)?|final(?:ly)?)\b"));
/// "Was it stopped properly the last time?" asks for no record that is the last.
static TIME: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:the )?last time\s*\??$"));
static MOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:most (?:often|frequent(?:ly)?|common(?:ly)?|errors|warnings|requests|entries|lines|messages|exceptions|times)|the most\b|most\s*\??$|top \d*\s*\w+)",
    )
});
static LIST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:please\s+)?(?:list|enumerate|name all|show (?:me )?(?:all|every|the)|give me (?:all|every)|find all|which are all|which [a-z]+s (?:are|were|have))\b|\blist (?:them|those|these|each|every|all)\b|\b(?:all (?:the |of the )?(?:errors?|warnings?|entries|lines|records|messages|alerts|occurrences|requests|exceptions|critical|fatal)|every (?:error|warning|entry|line|record|message|alert|request))\b",
    )
});
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(?:(?i:status|code|http|response|errno|sqlstate)\s*(?i:codes?|status)?\s*(?:of|=|:)?\s*([A-Z]{0,6}-?\d{3,6})s?|([1-5]\d\d)s|([A-Z]{1,6}-?\d{3,6}|ERR_[A-Z_]{3,40}))\b((?:\s*(?:,|/|\bor\b|\band\b)\s*[A-Z]{0,6}-?\d{3,6}s?\b)*)",
    )
});

impl Intent {
    /// The words of what the question is about.
    pub(super) fn words(&self) -> Words {
        Words::of(&self.rest).with_context(&self.about)
    }

    /// Reads `question`; `counts` says whether records can be counted there, and `has_lines` whether it is known of
    /// which document a line would be.
    pub(crate) fn read(question: &str, counts: bool, has_lines: bool) -> Intent {
        let mut rest = LOGIN.replace_all(question, "$1 login").into_owned();
        let mut conditions = Vec::new();
        if let Some((condition, words)) = lines(question).filter(|_| has_lines) {
            rest = rest.replace(&words, " ");
            conditions.push((condition, words));
        }
        let is_lines = !conditions.is_empty();
        let moment = moment::read(question);
        if let Some((_, words)) = &moment {
            for words in words {
                rest = rest.replace(words.as_str(), " ");
            }
        }
        let kind = match () {
            () if is_lines => Kind::Lines,
            () if counts => kind(question),
            () => Kind::Plain,
        };
        let left_out = left_out(&rest).filter(|_| counts && kind != Kind::Plain);
        if let Some((_, words)) = &left_out {
            rest = rest.replacen(words, " ", 1);
        }
        if let Some((condition, words)) = code(&rest).or_else(|| status(&rest)).filter(|_| counts) {
            rest = rest.replace(&words, " ");
            conditions.push((condition, words));
        }
        let mut intent = Intent { kind, conditions, moment, rest, left_out, ..Intent::default() };
        intent.read_level();
        intent.rest = without_kind(&intent.rest, kind);
        intent
    }

    /// Reads the severities that the rest of the question names.
    fn read_level(&mut self) {
        let may_fail = matches!(self.kind, Kind::First | Kind::Last);
        let failed = || failed(&self.rest).filter(|_| may_fail);
        let Some((severities, words, is_explicit)) = level(&self.rest).or_else(failed) else {
            return;
        };
        if is_explicit || self.kind != Kind::Plain {
            let values = severities.iter().map(|one| (*one).to_owned()).collect();
            self.rest = self.rest.replacen(&words, " ", 1);
            self.conditions.push((Condition::AnyOf(Field::Severity, values), words));
        }
        self.severities = severities;
    }
}

/// What servers answer, in words, and the code that they log for it.
static STATUSES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let all = [
        (r"(?i)\binternal server errors?\b", "500"),
        (
            r"(?i)\bnot found errors?\b|\bmissing (?:files?|pages?|resources?|urls?)\b|\b(?:page|file|url|resource)s? (?:was|were|is|are|that (?:was|were|is|are)) (?:not found|missing)\b",
            "404",
        ),
        (r"(?i)\bpermanent redirects?\b|\bmoved permanently\b", "301"),
        (r"(?i)\bbad gateway\b", "502"),
        (r"(?i)\bservice unavailable\b", "503"),
        (r"(?i)\bgateway timeout\b", "504"),
        (r"(?i)\btoo many requests\b", "429"),
    ];
    all.map(|(words, code)| (pattern(words), code)).into()
});

fn status(question: &str) -> Option<(Condition, String)> {
    STATUSES.iter().find_map(|(words, code)| {
        let found = words.find(question)?;
        Some((Condition::AnyOf(Field::Code, vec![(*code).into()]), found.as_str().into()))
    })
}

fn kind(question: &str) -> Kind {
    match () {
        () if COUNT.is_match(question) || is_done(question) => Kind::Count,
        () if MOST.is_match(question) => Kind::Most,
        () if LIST.is_match(question) => Kind::List,
        () if FIRST.is_match(question) => Kind::First,
        () if LAST.is_match(&TIME.replace_all(question, "")) => Kind::Last,
        () => Kind::Plain,
    }
}

fn is_done(question: &str) -> bool {
    let follows = DONE.captures(question).map(|found| found[1].to_lowercase());
    follows.is_some_and(|word| !BEING.contains(&word.as_str()))
}

/// The words that say how it is asked are not what it is about.
fn without_kind(rest: &str, kind: Kind) -> String {
    let words = match kind {
        Kind::Plain | Kind::Lines => return rest.into(),
        Kind::Count => {
            r"(?i)\b(?:how (?:many|often)|total|number|count|entr(?:y|ies)|lines?|records?|messages?|logged|occurrences?|times|logs?)\b"
        }
        Kind::First => r"(?i)\b(?:first|earliest|initial(?:ly)?|logged|entr(?:y|ies)|records?)\b",
        Kind::Last => {
            r"(?i)\b(?:last|latest|most|recent(?:ly)?|final(?:ly)?|logged|entr(?:y|ies)|records?)\b"
        }
        Kind::Most => {
            r"(?i)\b(?:most|often|frequent(?:ly)?|common(?:ly)?|top|entr(?:y|ies)|records?|messages?)\b"
        }
        Kind::List => {
            r"(?i)\b(?:list|enumerate|name|show|give|find|all|every|entr(?:y|ies)|records?|lines?|messages?)\b"
        }
    };
    pattern(words).replace_all(rest, " ").into_owned()
}

fn lines(question: &str) -> Option<(Condition, String)> {
    let number = |text: &str| text.replace(',', "").parse::<u32>().ok();
    let found = LINES.captures(question)?;
    let first = number(&found[2])?;
    let last = found.get(4).and_then(|last| number(last.as_str())).unwrap_or(first);
    let link = found.get(3).map(|link| link.as_str().to_lowercase());
    let are_two = found.get(1).is_none() && link.is_some_and(|link| link == "and" || link == "or");
    let ranges = if are_two {
        vec![(first, first), (last, last)]
    } else {
        vec![(first.min(last), first.max(last))]
    };
    Some((Condition::Lines(ranges), found[0].into()))
}

fn code(question: &str) -> Option<(Condition, String)> {
    let found = CODE.captures(question)?;
    let text = (1..=3).find_map(|group| found.get(group))?.as_str();
    let more = found[4].split(|c: char| !c.is_alphanumeric() && c != '-');
    let more = more
        .map(|more| more.trim_end_matches('s'))
        .filter(|m| m.ends_with(|c: char| c.is_ascii_digit()));
    let values = std::iter::once(text).chain(more).map(str::to_owned).collect();
    Some((Condition::AnyOf(Field::Code, values), found[0].into()))
}

#[cfg(test)]
mod tests;
