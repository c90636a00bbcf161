//! Describes queries over records in words.

use wire::records::{Condition, ConditionForm, RecordsRequest, Scalar, Select};

use records::question::Conditions;

/// Describes the conditions on records: ` with level ERROR and "lag" in app.log`.
pub(super) fn conditions(all: &Conditions) -> String {
    let (files, others): (Vec<_>, Vec<_>) = all.iter().partition(|(column, _)| *column == "file");
    let parts: Vec<String> =
        others.iter().map(|(column, other)| condition(column, other)).collect();
    let with = if parts.is_empty() { String::new() } else { format!(" with {}", parts.join(", ")) };
    let files: Vec<String> = files.into_iter().map(|(_, file)| values(file, BOUNDS)).collect();
    let of = if files.is_empty() { String::new() } else { format!(" in {}", files.join(", ")) };
    format!("{with}{of}")
}

fn condition(column: &str, condition: &Condition) -> String {
    match (column, condition) {
        ("text", Condition::Bounds(ConditionForm { all, not, .. })) => {
            let quoted = |scalar: &Scalar| format!("\"{}\"", scalar.text());
            let has: Vec<String> = all.iter().map(quoted).collect();
            let lacks: Vec<String> = not.iter().map(quoted).collect();
            let without = if lacks.is_empty() {
                String::new()
            } else {
                format!(" without {}", lacks.join(", "))
            };
            format!("{}{without}", has.join(" and "))
        }
        ("text", other) => format!("\"{}\"", values(other, BOUNDS)),
        ("time" | "clock", other) => {
            format!("{column} {}", values(other, ["from", "after", "to", "before"]))
        }
        _ => format!("{column} {}", values(condition, BOUNDS)),
    }
}

/// The words for the bounds of a number: at least, more than, at most, and less than.
const BOUNDS: [&str; 4] = ["from", "above", "to", "below"];

fn values(condition: &Condition, bounds: [&str; 4]) -> String {
    let texts = |all: &[Scalar]| all.iter().map(Scalar::text).collect::<Vec<_>>();
    match condition {
        Condition::Is(one) => one.text(),
        Condition::AnyOf(all) => texts(all).join(" or "),
        Condition::Bounds(ConditionForm { gte, gt, lte, lt, not, all }) => {
            let bound = |word: &str, scalar: &Option<Scalar>| {
                scalar.as_ref().map(|scalar| format!("{word} {}", scalar.text()))
            };
            let all_bounds = bounds.into_iter().zip([gte, gt, lte, lt]);
            let mut parts: Vec<String> =
                all_bounds.filter_map(|(word, all_bound)| bound(word, all_bound)).collect();
            if !not.is_empty() {
                parts.push(format!("other than {}", texts(not).join(" or ")));
            }
            parts.extend(texts(all));
            parts.join(" ")
        }
    }
}

/// Describes the selection: `first`, `largest took`, `95th percentile of took`.
pub(super) fn select(query: &RecordsRequest) -> String {
    let of = query.of.as_deref().unwrap_or_default();
    match query.select {
        Select::Count | Select::List => String::new(),
        Select::First => "first".into(),
        Select::Last => "last".into(),
        Select::Min => format!("smallest {of}"),
        Select::Max => format!("largest {of}"),
        Select::Sum => format!("sum of {of}"),
        Select::Mean => format!("mean {of}"),
        Select::Percentile => match query.percentile {
            Some(percentile) if (percentile - 50.0).abs() > f64::EPSILON => {
                format!("{percentile}th percentile of {of}")
            }
            _ => format!("median of {of}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn described(query: serde_json::Value) -> String {
        let query: RecordsRequest = serde_json::from_value(query).unwrap();
        format!("{} |{}", select(&query), conditions(&query.conditions))
    }

    #[test]
    fn a_query_is_told_in_words() {
        let query = json!({"where": {"level": ["ERROR", "FATAL"], "text": {"all": ["pool", "lag"]}, "file": "a.log"}});
        assert_eq!(described(query), " | with level ERROR or FATAL, \"pool\" and \"lag\" in a.log");
        let query = json!({"where": {"clock": {"gte": "18:10", "lt": "18:20"}, "code": {"not": [200]}},
            "select": "percentile", "of": "took", "percentile": 95});
        assert_eq!(
            described(query),
            "95th percentile of took | with clock from 18:10 before 18:20, code other than 200"
        );
        assert_eq!(described(json!({"select": "max", "of": "took"})), "largest took |");
    }
}
