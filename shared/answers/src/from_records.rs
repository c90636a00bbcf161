//! Makes drafts from records: the number comes first, then the records that were counted.

use std::fmt::Write;

use wire::records::{
    Condition, ConditionForm, RecordsReply, RecordsRequest, RecordsRow, Scalar, Select,
};

use super::compose::{Draft, Quote, Wording};
use super::{describe, excerpt};
use model::document::{DocumentType, Passage};

/// The records of a reply as passages, for each row.
pub(super) type Rows = Vec<Vec<Passage>>;

/// Upper bound for the groups that are shown.
const GROUPS: usize = 10;

/// Upper bound for the bytes of a log record that is quoted whole. Of a longer one only the first
/// line is quoted, up to this length.
const LONGEST: usize = 400;

/// Returns true if a query asks for a number or for groups.
pub(super) fn is_of_a_number(query: &RecordsRequest) -> bool {
    !matches!(query.select, Select::List | Select::First | Select::Last)
        || !query.group_by.is_empty()
}

/// Returns the drafts of a reply and of its records.
pub(super) fn drafts<'c>(reply: &RecordsReply, rows: &'c Rows) -> Vec<Draft<'c>> {
    let is_counted =
        is_of_a_number(&reply.query) || reply.also.as_deref().is_some_and(is_of_a_number);
    match reply.query.conditions.get("line") {
        Some(_) if reply.totals.records == 0 => Vec::new(),
        Some(lines) if !is_counted => at_lines(rows, lines),
        _ => listed_or_counted(reply, rows),
    }
}

/// Quotes the named lines of records.
pub(super) fn at_lines<'c>(rows: &'c [Vec<Passage>], lines: &Condition) -> Vec<Draft<'c>> {
    let number = |scalar: &Scalar| scalar.text().parse::<f64>().ok();
    let is_named = |line: u32| {
        let line = f64::from(line);
        let at_least = |scalar: &Option<Scalar>| {
            scalar.as_ref().and_then(number).is_none_or(|scalar| line >= scalar)
        };
        let at_most = |scalar: &Option<Scalar>| {
            scalar.as_ref().and_then(number).is_none_or(|scalar| line <= scalar)
        };
        match lines {
            Condition::Is(one) => number(one) == Some(line),
            Condition::AnyOf(all) => all.iter().any(|a| number(a) == Some(line)),
            Condition::Bounds(ConditionForm { gte, lte, .. }) => at_least(gte) && at_most(lte),
        }
    };
    let excerpts = rows.iter().flatten().flat_map(excerpt::numbered);
    let named = excerpts.filter(|excerpt| excerpt.lines.is_some_and(|(first, _)| is_named(first)));
    named.map(|named| Draft::verbatim(Quote::of(&named))).collect()
}

/// Returns the number first, then the records that were counted.
fn listed_or_counted<'c>(reply: &RecordsReply, rows: &'c [Vec<Passage>]) -> Vec<Draft<'c>> {
    let RecordsReply { query, totals, .. } = reply;
    let mut quotes: Vec<Quote<'c>> = Vec::new();
    for passage in rows.iter().take(GROUPS).flatten() {
        quotes.push(Quote {
            passage,
            range: 0..end(passage),
            time: passage.time.map(|(time, _)| time),
        });
    }
    if quotes.is_empty() {
        return Vec::new();
    }
    let is_number = is_of_a_number(query) || totals.records > quotes.len() as u64;
    let mut drafts = Vec::new();
    if is_number || !reply.unread.is_empty() {
        let text = headline(reply, quotes.len());
        let wording = Wording::Service(computed(reply, quotes.len()));
        drafts.push(Draft { text, wording, quotes: quotes.clone(), shown: 0 });
    }
    if query.group_by.is_empty() {
        drafts.extend(quotes.into_iter().map(listed));
        return drafts;
    }
    let mut quotes = quotes.into_iter();
    for (row, passages) in reply.rows.iter().zip(rows).take(GROUPS) {
        let cited: Vec<Quote<'c>> = quotes.by_ref().take(passages.len()).collect();
        // Records without any of the values do not form a group.
        let has_key = row.group.values().any(Option::is_some);
        if has_key && !cited.is_empty() {
            let text = group(row, &query.group_by);
            // A key may be an hour, or a level in its normal spelling, which no record contains in
            // that form.
            let computed = format!("{}\n{}", key(row, &query.group_by), own_number(row, query));
            let wording = Wording::Service(computed);
            drafts.push(Draft { text, wording, quotes: cited, shown: 1 });
        }
    }
    drafts
}

/// Returns a headline: `25 records with level ERROR, 5 of them here; not read: customers`.
fn headline(reply: &RecordsReply, shown: usize) -> String {
    let RecordsReply { query, totals, rows, .. } = reply;
    let least = if reply.all_records_read { "" } else { "at least " };
    let plural = if totals.records == 1 { "" } else { "s" };
    let conditions = describe::conditions(&query.conditions);
    let records = format!("{least}{} record{plural}{conditions}", totals.records);
    let select = match &reply.also {
        Some(also) => format!("{} and {}", describe::select(query), describe::select(also)),
        None => describe::select(query),
    };
    let value = rows.first().filter(|_| query.select.is_of_numbers()).map(number);
    let mut text = match (query.group_by.as_slice(), value) {
        ([], Some(value)) => format!("{select}: {value}, of {records}"),
        ([], None) if select.is_empty() => records,
        ([], None) => format!("{select} of {records}"),
        (by, _) => {
            let groups = totals.groups.unwrap_or_default();
            let what = if select.is_empty() { String::new() } else { format!("{select}: ") };
            let most = if rows.len().min(GROUPS) < usize::try_from(groups).unwrap_or(usize::MAX) {
                format!(", {} of them here", rows.len().min(GROUPS))
            } else {
                String::new()
            };
            format!("{what}{records}, by {}: {groups}{most}", by.join(" and "))
        }
    };
    let is_listed =
        query.group_by.is_empty() && matches!(query.select, Select::Count | Select::List);
    if is_listed && totals.records > shown as u64 {
        let _ = write!(text, ", {shown} of them here");
    }
    if !reply.unread.is_empty() {
        let _ = write!(text, "; not read: {}", reply.unread.join(", "));
    }
    text
}

/// Returns the parts of a headline that no record contains: counts, words of the query, and a value
/// that is computed from several records.
fn computed(reply: &RecordsReply, shown: usize) -> String {
    let RecordsReply { query, totals, rows, .. } = reply;
    let (groups, listed) = (totals.groups.unwrap_or_default(), rows.len().min(GROUPS));
    let counts = format!("{} {groups} {listed} {shown}", totals.records);
    let values: Vec<String> = rows.iter().take(1).map(|row| own_number(row, query)).collect();
    let also = reply.also.as_deref().map(describe::select).unwrap_or_default();
    let (conditions, select) = (describe::conditions(&query.conditions), describe::select(query));
    [&counts, &conditions, &select, &also, &values.join("\n"), &reply.unread.join("\n")]
        .map(String::as_str)
        .join("\n")
}

/// Returns the numbers of a row that none of its records contains.
fn own_number(row: &RecordsRow, query: &RecordsRequest) -> String {
    match query.select {
        Select::Min | Select::Max | Select::First | Select::Last => row.count.to_string(),
        _ => format!("{} {}", row.count, number(row)),
    }
}

/// Formats a number, `3001 ms`, or a date as its file writes it.
fn number(row: &RecordsRow) -> String {
    let unit = row.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let date = || row.text.clone().unwrap_or_else(|| "none".into());
    row.value.map_or_else(date, |value| format!("{value}{unit}"))
}

/// Formats a group: `10.0.0.7: 31`.
fn group(row: &RecordsRow, by: &[String]) -> String {
    let count = || row.count.to_string();
    let value = if row.value.is_some() { number(row) } else { count() };
    format!("{}: {value}", key(row, by))
}

/// Formats the key of a group: `10.0.0.7`.
fn key(row: &RecordsRow, by: &[String]) -> String {
    let value = |name: &String| row.group.get(name).cloned().flatten();
    let key = by.iter().map(|name| value(name).unwrap_or_else(|| "none".into()));
    key.collect::<Vec<_>>().join(", ")
}

/// Quotes a record as it is; for a setting, it puts the keys above it in front.
fn listed(quote: Quote<'_>) -> Draft<'_> {
    let above = &quote.passage.section;
    if above.is_empty() {
        return Draft::verbatim(quote);
    }
    let text = format!("{above} › {}", quote.text().trim_start());
    Draft { text, wording: Wording::Documents, quotes: vec![quote], shown: 1 }
}

/// Returns the end of the quote of a record.
fn end(passage: &Passage) -> usize {
    let text = passage.text.as_str();
    let is_short = text.len() <= LONGEST || passage.document_type != DocumentType::Log;
    let line = text.find('\n').unwrap_or(text.len());
    if is_short { text.len() } else { text.floor_char_boundary(line.min(LONGEST)) }
}
