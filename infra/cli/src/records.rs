//! Exact queries over the records of logs and settings.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;
use wire::fit;
use wire::records::{
    ColumnsReply, Condition, ConditionForm, RecordsReply, RecordsRequest, Scalar, Select,
};

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::printable;

mod render;

use render::{columns, read, render};

/// A query.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plumbline records case:ID --where code=404 --group-by client --limit 5\n  \
    plumbline records case:ID --where 'level>=WARN' --where 'time>=2026-11-20T18:00Z' --group-by minute\n  \
    plumbline records case:ID --where 'text=Failed password' --where 'message=*root*' --group-by hour\n  \
    plumbline records case:ID --select max --of took\n  \
    plumbline records case:ID --select mean --of 'Took {} seconds' --group-by 'on host {}'\n  \
    plumbline records case:ID --columns\n  \
    plumbline records case:ID \"How many 404s per client between 18:00 and 19:00?\"")]
pub(crate) struct Query {
    /// Whose records: `global`, `user`, `case:ID` or `team:ID`.
    #[arg(value_name = "KNOWLEDGE")]
    knowledge: Knowledge,
    /// A question in plain words instead of a query; the answer says how it was read.
    #[arg(value_name = "QUESTION", conflicts_with_all = ["conditions", "group_by", "select", "of", "percentile", "order", "limit", "examples", "columns"])]
    question: Option<String>,
    /// A condition, several times: COLUMN=VALUE, !=, >=, >, <=, <. The column `text` finds words
    /// anywhere in a record. Of values with commas between them one is meant; `*` stands for
    /// anything, also for a comma within a value, and `{NAME}` for the record's value in another
    /// column. A column with `{}` is the word there in the text, here and in other options.
    #[arg(long = "where", value_name = "CONDITION")]
    conditions: Vec<String>,
    /// Columns, or minute, hour, day, month, year; by commas. Of a column of dates a part:
    /// `duedate:month`.
    #[arg(long, value_delimiter = ',')]
    group_by: Vec<String>,
    /// What is wanted: count, list, first, last, min, max, sum, mean or percentile.
    #[arg(long, default_value = "count", value_parser = select)]
    select: Select,
    /// The column of numbers.
    #[arg(long)]
    of: Option<String>,
    /// Which percentile.
    #[arg(long)]
    percentile: Option<f64>,
    /// `value` or a column; `-` in front puts the largest first.
    #[arg(long, allow_hyphen_values = true)]
    order: Option<String>,
    /// The most rows.
    #[arg(long)]
    limit: Option<u32>,
    /// How many records of a count are shown, or of each group, 1 to 5; otherwise 5, and of groups
    /// none.
    #[arg(long)]
    examples: Option<u32>,
    /// Lists the columns instead.
    #[arg(long)]
    columns: bool,
    /// With --columns: a part of their names, or with `*` a whole name.
    #[arg(long, requires = "columns")]
    pattern: Option<String>,
    /// Print the API's answer as it is.
    #[arg(long)]
    json: bool,
}

fn select(text: &str) -> Result<Select, String> {
    serde_json::from_value(Value::String(text.into())).map_err(|error| error.to_string())
}

/// A person gets the whole reply.
const MOST: u32 = 6_000_000;

/// The most columns that are listed.
const COLUMNS: u32 = 1_000;

/// The number of records that are shown below a count.
const EXAMPLES: u32 = 5;

/// Sends the query and shows its result.
pub(crate) fn run(api: &Api, query: &Query) -> Result<()> {
    let path = query.knowledge.records();
    if query.columns {
        let mut out = std::io::stdout().lock();
        let most = query.limit.unwrap_or(COLUMNS).to_string();
        let bytes = fit::MOST.to_string();
        let wanted = [
            ("pattern", query.pattern.as_deref()),
            ("limit", Some(most.as_str())),
            ("max_bytes", Some(bytes.as_str())),
        ];
        let value: Value = api.get(&with_query(&path, &wanted))?;
        if query.json {
            writeln!(out, "{}", printable(&serde_json::to_string_pretty(&value)?))?;
            return Ok(());
        }
        let reply: ColumnsReply = serde_json::from_value(value)?;
        return columns(&mut out, &reply);
    }
    print(api, &path, &query.request()?, query.json)
}

/// Sends a query to `path` and prints its result, or with `json` the API's answer as it is.
pub(crate) fn print(api: &Api, path: &str, request: &RecordsRequest, json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let whole = RecordsRequest { max_bytes: Some(MOST), ..request.clone() };
    let value: Value = api.post(path, &whole)?.map_err(anyhow::Error::from)?;
    if json {
        writeln!(out, "{}", printable(&serde_json::to_string_pretty(&value)?))?;
        return Ok(());
    }
    let reply: RecordsReply = serde_json::from_value(value)?;
    if request.question.is_some() {
        write!(out, "{}", read(&reply)?)?;
    }
    write!(out, "{}", render(&reply))?;
    Ok(())
}

impl Query {
    /// True for a query of one number; records below it show what was counted.
    fn is_bare_count(&self) -> bool {
        self.select == Select::Count && self.group_by.is_empty()
    }

    fn request(&self) -> Result<RecordsRequest> {
        if let Some(question) = &self.question {
            return Ok(RecordsRequest {
                question: Some(question.clone()),
                ..RecordsRequest::default()
            });
        }
        Ok(RecordsRequest {
            question: None,
            conditions: conditions(&self.conditions)?,
            group_by: self.group_by.clone(),
            select: self.select,
            of: self.of.clone(),
            percentile: self.percentile,
            order: self.order.clone(),
            limit: self.limit,
            examples: self.examples.or_else(|| self.is_bare_count().then_some(EXAMPLES)),
            ..RecordsRequest::default()
        })
    }
}

/// Conditions on one column hold together: `took>=1s` and `took<2s` are its two bounds.
fn conditions(texts: &[String]) -> Result<BTreeMap<String, Condition>> {
    let mut all: BTreeMap<String, Condition> = BTreeMap::new();
    for text in texts {
        let signs = ['=', '!', '<', '>'];
        // The sign of a pattern stands behind its word: `took={} s>5`.
        let behind = text.find("{}").map(|at| at + "{}".len());
        let behind = behind.and_then(|at| Some(at + text[at..].find(signs)?));
        let at = behind.or_else(|| text.find(signs)).filter(|at| *at > 0);
        let at = at.with_context(|| format!("`{text}` is no condition such as code=404"))?;
        let (column, rest) = text.split_at(at);
        let sign = ["!=", ">=", "<=", "=", ">", "<"].into_iter().find(|x| rest.starts_with(x));
        let Some(sign) = sign else { bail!("`{text}` has no =, !=, >=, >, <= or <") };
        let values: Vec<Scalar> =
            rest[sign.len()..].split(',').map(|part| part.trim().into()).collect();
        let column = column.trim().to_owned();
        let first = values.first().cloned();
        if sign == "=" {
            let is = if values.len() == 1 { first.map(Condition::Is) } else { None };
            if all.insert(column, is.unwrap_or(Condition::AnyOf(values))).is_some() {
                bail!("`{text}`: this column has a condition already");
            }
            continue;
        }
        let bounds = || Condition::Bounds(ConditionForm::default());
        let Condition::Bounds(form) = all.entry(column).or_insert_with(bounds) else {
            bail!("`{text}`: this column has a condition already")
        };
        match sign {
            "!=" => form.not.extend(values),
            ">=" => form.gte = first,
            ">" => form.gt = first,
            "<=" => form.lte = first,
            _ => form.lt = first,
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(texts: &[&str]) -> Result<Value> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        Ok(serde_json::to_value(conditions(&texts)?)?)
    }

    #[test]
    fn conditions_are_read_from_the_command_line() {
        let read = |texts: &[&str]| read(texts).unwrap();
        assert_eq!(read(&["code=404"]), json!({"code": "404"}));
        assert_eq!(read(&["code=404,500"]), json!({"code": ["404", "500"]}));
        assert_eq!(
            read(&["took>=1s", "took<2s", "level!=INFO"]),
            json!({"took": {"gte": "1s", "lt": "2s"}, "level": {"not": ["INFO"]}})
        );
        assert_eq!(read(&["path=/a?x=1"]), json!({"path": "/a?x=1"}));
        assert_eq!(read(&["took={} s>5"]), json!({"took={} s": {"gt": "5"}}));
        assert_eq!(read(&["due<{added}"]), json!({"due": {"lt": "{added}"}}));
        assert_eq!(read(&["value={}"]), json!({"value": "{}"}));
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for texts in [&["404"][..], &["=404"], &["code=1", "code=2"], &["code=1", "code>2"]] {
            assert!(read(texts).is_err(), "{texts:?}");
        }
    }
}
