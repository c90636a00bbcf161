//! Judges whether a query returns the expected result.

use ports::scope::Scope;
use records::{Loaded, query};
use serde_json::{Value, json};
use wire::records::{RecordsReply, RecordsRequest};

use crate::case::case;

fn ask(loaded: &Loaded, request: &Value) -> Result<RecordsReply, String> {
    let request: RecordsRequest =
        serde_json::from_value(request.clone()).map_err(|error| error.to_string())?;
    query(loaded, &Scope::Global, request, &|| true).map_err(|error| error.to_string())
}

/// Returns the numbers of a file that differ from those of awk.
pub(crate) fn miscounted(expected: &Value, loaded: &Loaded) -> Option<String> {
    let file = expected["file"].as_str().unwrap();
    let mut wrong = Vec::new();
    let count = ask(loaded, &json!({"where": {"file": file}})).map(|reply| reply.totals.records);
    if count != Ok(expected["records"].as_u64().unwrap()) {
        wrong.push(format!("records {count:?} for {}", expected["records"]));
    }
    for (column, field) in [("level", "by_level"), ("code", "by_code")] {
        for (value, wanted) in expected[field].as_object().into_iter().flatten() {
            let request = json!({"where": {"file": file, column: value}});
            let count = ask(loaded, &request).map(|reply| reply.totals.records);
            if count != Ok(wanted.as_u64().unwrap()) {
                wrong.push(format!("{value} {count:?} for {wanted}"));
            }
        }
    }
    for (select, field) in [("first", "first_time"), ("last", "last_time")] {
        let reply = ask(loaded, &json!({"where": {"file": file}, "select": select}));
        let time = reply.ok().and_then(|r| r.rows.first()?.records.first()?.time.clone());
        let parse = |text: &str| text.parse::<jiff::Timestamp>().ok();
        let wanted = expected[field].as_str().and_then(parse);
        let near = time.as_deref().and_then(parse).zip(wanted);
        let is_near = near.is_none_or(|(a, b)| a.duration_since(b).as_secs().abs() < 1);
        if wanted.is_some() && (time.is_none() || !is_near) {
            wrong.push(format!("{select} {time:?} for {}", expected[field]));
        }
    }
    (!wrong.is_empty()).then(|| format!("{}/{file}: {}", case(expected), wrong.join("; ")))
}

/// Returns the expected results that a query does not return.
pub(crate) fn missed(question: &Value, loaded: &Loaded) -> Option<String> {
    let expect = &question["expect"];
    let queries = match &question["query"] {
        Value::Array(all) => all.clone(),
        one => vec![one.clone()],
    };
    let mut replies = Vec::new();
    for request in &queries {
        match ask(loaded, request) {
            Ok(reply) => replies.push(reply),
            // If nothing is expected, the error for a column that no record has is the answer.
            Err(_) if expect["nothing"] == true => return None,
            Err(error) => return Some(error),
        }
    }
    if let Some(expected) = question["expected"].as_array() {
        return lines_uncited(expected, &replies);
    }
    let reply = &replies[0];
    let total = reply.totals.records;
    let first_value = || reply.rows.first().and_then(|row| row.value);
    let check = |is_right: bool, got: String| (!is_right).then(|| format!("{got} for {expect}"));
    if let Some(count) = expect["count"].as_u64() {
        return check(total == count, format!("{total}"));
    }
    if expect["nothing"] == true {
        return check(total == 0, format!("{total}"));
    }
    if let Some(count) = expect["distinct"].as_u64() {
        return check(reply.totals.groups == Some(count), format!("{:?}", reply.totals.groups));
    }
    if let Some(value) = expect["value"].as_f64() {
        let is_near = |number: f64| (number - value).abs() < 0.01 * value.abs().max(0.001);
        let is_value = first_value().is_some_and(is_near);
        let is_right = is_value || is_first_shown(reply, expect);
        let unit = reply.rows.first().and_then(|row| row.unit.clone());
        return check(is_right, format!("{:?} {unit:?}", first_value()));
    }
    if let Some(groups) = expect["groups"].as_array() {
        return groups_missed(reply, groups, expect);
    }
    lines_missed(question, &replies)
}

/// Returns true if the first record of the list has the wanted value.
fn is_first_shown(reply: &RecordsReply, expect: &Value) -> bool {
    let also = expect["also_lines"].as_array().into_iter().flatten();
    let mut wanted = also.chain([&expect["line"]]);
    let first = reply.rows.first().and_then(|row| row.records.first());
    first.is_some_and(|first| wanted.any(|line| *line == json!([first.file, first.lines.0])))
}

/// The number of records that an answer cites: the first ones of its queries.
const CITED: usize = 5;

/// Returns the cited lines if none of the expected ones is among them.
fn lines_uncited(expected: &[Value], replies: &[RecordsReply]) -> Option<String> {
    let records = replies.iter().flat_map(|reply| &reply.rows).flat_map(|row| &row.records);
    let cited: Vec<(&str, (u32, u32))> =
        records.take(CITED).map(|record| (record.file.as_str(), record.lines)).collect();
    let is_cited = |wanted: &Value| {
        let line = wanted["line"].as_u64().unwrap();
        let is_of = |file: &str| wanted["doc"].as_str().unwrap().ends_with(&format!("/{file}"));
        cited.iter().any(|(file, (first, last))| {
            is_of(file) && (u64::from(*first)..=u64::from(*last)).contains(&line)
        })
    };
    (!expected.iter().any(is_cited)).then(|| format!("{cited:?} for {expected:?}"))
}

/// Returns the wanted lines that are not shown.
fn lines_missed(question: &Value, replies: &[RecordsReply]) -> Option<String> {
    let expect = &question["expect"];
    let total = replies[0].totals.records;
    let wanted = expect["lines"].as_array().into_iter().flatten();
    let wanted: Vec<(String, u64)> = wanted
        .map(|wanted| (wanted[0].as_str().unwrap().to_owned(), wanted[1].as_u64().unwrap()))
        .collect();
    let records = replies.iter().flat_map(|reply| &reply.rows).flat_map(|row| &row.records);
    let shown: Vec<(String, u64)> =
        records.map(|record| (record.file.clone(), u64::from(record.lines.0))).collect();
    // A question shows only a few of the lines.
    let is_some = question["is_asked"] == true && replies.len() == 1;
    let is_first = || shown.first().is_some_and(|first| wanted.contains(first));
    let is_shown =
        if is_some { is_first() } else { wanted.iter().all(|line| shown.contains(line)) };
    let is_all = expect["total"].as_u64().is_none_or(|number| number == total || replies.len() > 1);
    (!(is_shown && is_all)).then(|| format!("{total} {shown:?} for {expect}"))
}

fn groups_missed(reply: &RecordsReply, groups: &[Value], expect: &Value) -> Option<String> {
    let rows: Vec<(String, f64)> = reply
        .rows
        .iter()
        .map(|row| {
            let values: Vec<String> =
                row.group.values().map(|value| value.clone().unwrap_or_default()).collect();
            (values.join(" "), row.value.unwrap_or_default())
        })
        .collect();
    let plain =
        |text: &str| text.replace([':', 'T', 'Z', '-'], "").trim_end_matches('0').to_lowercase();
    let is_there = |wanted: &Value| {
        let (name, count) = (wanted[0].as_str().unwrap_or_default(), wanted[1].as_f64());
        rows.iter().any(|(group, value)| {
            let is_alike = plain(group) == plain(name) || group.ends_with(name);
            Some(*value) == count && is_alike
        })
    };
    let total = expect["groups_total"].as_u64();
    let is_total = total.is_none() || reply.totals.groups == total;
    let is_right = groups.iter().all(is_there) && is_total;
    let got: Vec<_> = rows.iter().take(6).collect();
    (!is_right).then(|| format!("{got:?} of {:?} for {expect}", reply.totals.groups))
}
