//! Reads what a question says beyond doubt of records: times, lines, levels, codes and files.

use std::borrow::Cow;
use std::sync::LazyLock;

use jiff::tz::Offset;
use regex::{Captures, Regex};
use wire::records::{Condition, ConditionForm, Scalar};

use super::Conditions;
use crate::answer::asked::{Intent, Mentioned, Moment};
use crate::document::file_name;
use crate::records::{Loaded, Recorded};
use crate::words::pattern;

/// The conditions that a question states beyond doubt on its records: times, lines, levels, codes and files.
pub struct Sure<'l> {
    /// The conditions.
    pub conditions: Conditions,
    pub(super) mentioned: Mentioned,
    /// The question without the names of files.
    pub(super) bare: String,
    pub(super) intent: Intent,
    /// The documents that are meant.
    pub(super) meant: Vec<&'l Recorded>,
}

impl<'l> Sure<'l> {
    /// Reads a question.
    pub fn read(question: &str, loaded: &'l Loaded) -> Sure<'l> {
        let documents: Vec<_> =
            loaded.documents.iter().map(|recorded| recorded.document.clone()).collect();
        let mentioned = Mentioned::of(&documents, &without_levels(question));
        let bare = mentioned.without_files(question);
        let mut intent = Intent::read(&bare, true, true);
        let mut conditions = Conditions::new();
        let meant = files(&mentioned, loaded, &mut conditions);
        keep_known(&mut intent, loaded);
        of_intent(&intent, loaded, &mut conditions);
        Sure { conditions, mentioned, bare, intent, meant }
    }
}

/// A level names a file only where it stands right before its kind: "the error log", and not "errors in the log".
static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:errors?|warn(?:ing)?s?|notices?|info|debug|fatals?|criticals?)\b( (?:log|file))?",
    )
});

fn without_levels(question: &str) -> Cow<'_, str> {
    LEVEL.replace_all(question, |found: &Captures<'_>| match found.get(1) {
        Some(_) => found[0].to_owned(),
        None => " ".to_owned(),
    })
}

/// Returns the records of the files that are named, or meant by what they are; of all files where none is.
fn files<'l>(
    mentioned: &Mentioned,
    loaded: &'l Loaded,
    conditions: &mut Conditions,
) -> Vec<&'l Recorded> {
    let named = if mentioned.files.is_empty() { &mentioned.named } else { &mentioned.files };
    let all = || loaded.documents.iter();
    let meant: Vec<&Recorded> =
        all().filter(|recorded| named.contains(&recorded.document.name)).collect();
    if meant.is_empty() {
        return all().collect();
    }
    let name = |recorded: &&Recorded| Scalar::Text(file_name(&recorded.document.name).to_owned());
    conditions.insert("file".into(), Condition::AnyOf(meant.iter().map(name).collect()));
    meant
}

/// Treats levels and codes as any other words where no record has such a column.
fn keep_known(intent: &mut Intent, loaded: &Loaded) {
    let column = |values: &[String]| {
        let is_code = values.iter().all(|value| value.contains(|c: char| c.is_ascii_digit()));
        if is_code { "code" } else { "level" }
    };
    let has = |values: &[String]| loaded.has_column(column(values));
    let Intent { conditions, left_out, rest, .. } = intent;
    conditions.retain(|(condition, words)| match condition {
        crate::filter::Condition::AnyOf(_, values) if !has(values) => {
            rest.push(' ');
            rest.push_str(words);
            false
        }
        _ => true,
    });
    *left_out = left_out.take().filter(|(values, _)| has(values));
}

/// Adds the conditions on times, lines, levels and codes that the question states.
fn of_intent(intent: &Intent, loaded: &Loaded, conditions: &mut Conditions) {
    use crate::filter::{Condition as Read, Field};
    for (read, _) in &intent.conditions {
        match read {
            Read::AnyOf(Field::Severity, values) => {
                let values = values.iter().map(|value| value.as_str().into()).collect();
                conditions.insert("level".into(), Condition::AnyOf(values));
            }
            Read::AnyOf(Field::Code, values) => {
                let values = values.iter().map(|value| value.as_str().into()).collect();
                conditions.insert("code".into(), Condition::AnyOf(values));
            }
            Read::Lines(ranges) => {
                let number = |line: u32| Scalar::from(line);
                let condition = match ranges.as_slice() {
                    [(from, to)] if from < to => {
                        let (gte, lte) = (Some(number(*from)), Some(number(*to)));
                        Condition::Bounds(ConditionForm { gte, lte, ..ConditionForm::default() })
                    }
                    all => Condition::AnyOf(all.iter().map(|(from, _)| number(*from)).collect()),
                };
                conditions.insert("line".into(), condition);
            }
            Read::AnyOf(..) | Read::Times(_) | Read::Document(_) => {}
        }
    }
    if let Some((values, _)) = &intent.left_out {
        let is_code = values.iter().all(|value| value.contains(|c: char| c.is_ascii_digit()));
        let column = if is_code { "code" } else { "level" };
        let not = values.iter().map(|value| value.as_str().into()).collect();
        conditions.insert(
            column.into(),
            Condition::Bounds(ConditionForm { not, ..ConditionForm::default() }),
        );
    }
    if let Some((moment, _)) = &intent.moment {
        of_moment(moment, loaded, conditions);
    }
}

/// Adds the condition on time: a time of day is on the clock of the records' writer, and a day without a year is in the
/// years that the records are from.
fn of_moment(moment: &Moment, loaded: &Loaded, conditions: &mut Conditions) {
    let bounds = |from: Option<String>, until: Option<String>| {
        let (gte, lt) = (from.map(Scalar::Text), until.map(Scalar::Text));
        Condition::Bounds(ConditionForm { gte, lt, ..ConditionForm::default() })
    };
    let spans = loaded.documents.iter().filter_map(|recorded| recorded.file.header.span);
    let last = spans.map(|(_, last)| last).max();
    let last = last.and_then(|micros| jiff::Timestamp::from_microsecond(micros).ok());
    let year = last.map_or(2000, |time| Offset::UTC.to_datetime(time).year());
    let column = if moment.is_daily() { "clock" } else { "time" };
    let ends = moment.ends(year);
    let is_later = ends[0].as_ref().zip(last).is_some_and(|(from, last)| *from > last.to_string());
    // Records that reach over a new year have the day in the old one.
    let [from, until] = if !moment.is_daily() && is_later { moment.ends(year - 1) } else { ends };
    conditions.insert(column.into(), bounds(from, until));
}
