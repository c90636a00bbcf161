//! The evidence for each alternative, for a person to read.

use anyhow::Result;
use clap::Args;
use console::style;
use model::facts::Side;
use serde_json::{Map, Value, json};
use wire::trade::{AlternativeReport, TradeEvidence, TradeReport, TradeRequest};

use super::citation::Citations;
use super::{Detail, Options, decided};
use crate::api::Api;
use crate::wording::{count, cut, flat, titled, wrapped};

mod comparison;

/// Alternatives and what they are judged by.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// What is to be chosen.
    #[arg(value_name = "QUESTION")]
    text: String,
    /// An alternative and its other names; may be given several times. Without any they are read
    /// from the documents.
    #[arg(long = "alternative", value_name = "NAME[=ALIAS,ALIAS]", value_parser = alternative)]
    alternatives: Vec<Value>,
    /// A criterion, how much it counts, whether more (max) or less (min) is better, and its unit;
    /// may be given several times. With weights the alternatives are compared.
    #[arg(long = "criterion", value_name = "NAME[:WEIGHT[:max|min[:UNIT]]]", value_parser = criterion)]
    criteria: Vec<Value>,
    #[command(flatten)]
    options: Options,
}

/// The most pieces of evidence by one criterion in short, and the most lines of each.
const PIECES: usize = 3;
const QUOTE: usize = 3;

/// The number of passages that are asked for where the caller does not say: several alternatives
/// share it.
const RESULTS: u32 = 10;

/// Reads `NAME`, or `NAME=ALIAS,ALIAS`, as the API takes it.
fn alternative(text: &str) -> Result<Value, String> {
    let (name, aliases) = text.split_once('=').unwrap_or((text, ""));
    let aliases: Vec<&str> =
        aliases.split(',').map(str::trim).filter(|alias| !alias.is_empty()).collect();
    match name.trim() {
        "" => Err("must be NAME or NAME=ALIAS,ALIAS".into()),
        name if aliases.is_empty() => Ok(json!(name)),
        name => Ok(json!({"name": name, "aliases": aliases})),
    }
}

/// Reads `NAME[:WEIGHT[:max|min[:UNIT]]]` as the API takes it; a part may be left empty.
fn criterion(text: &str) -> Result<Value, String> {
    let mut parts = text.splitn(4, ':').map(str::trim);
    let mut part = || parts.next().filter(|part| !part.is_empty());
    let name = part().ok_or("must begin with a name")?;
    let mut known = Map::from_iter([("name".to_owned(), json!(name))]);
    if let Some(weight) = part() {
        let weight: Option<f64> = weight.parse().ok();
        let weight = weight.filter(|weight| weight.is_finite() && *weight >= 0.0);
        known.insert("weight".into(), json!(weight.ok_or("the weight must be a number from 0")?));
    }
    match part() {
        Some(direction @ ("max" | "min")) => known.insert("direction".into(), json!(direction)),
        Some(_) => return Err("the direction must be max or min".into()),
        None => None,
    };
    if let Some(unit) = part() {
        known.insert("unit".into(), json!(unit));
    }
    Ok(if known.len() == 1 { json!(name) } else { Value::Object(known) })
}

impl Question {
    /// Makes a question of nothing but its text.
    pub(super) fn of(text: &str, options: Options) -> Question {
        Question { text: text.into(), alternatives: Vec::new(), criteria: Vec::new(), options }
    }
}

pub(crate) fn ask(api: &Api, question: &Question) -> Result<()> {
    let Question { text, alternatives, criteria, options } = question;
    let mut body = options.body(text, Some(RESULTS));
    if !alternatives.is_empty() {
        body["alternatives"] = json!(alternatives);
    }
    if !criteria.is_empty() {
        body["criteria"] = json!(criteria);
    }
    options.ask::<TradeRequest, _>(api, "/v1/trade", body, render)
}

/// The verdict first, then what it rests on.
fn render(study: &TradeReport, detail: Detail, width: usize) -> Vec<String> {
    let mut citations = Citations::default();
    let mut lines = decided::lines(&study.decided, &mut citations, width);
    let is_silent = study.alternatives.iter().all(|alternative| alternative.criteria.is_empty());
    let matrix = study.matrix.as_ref().filter(|_| !is_silent);
    if study.alternatives.is_empty() {
        lines.push(
            "No alternatives stand out in the indexed documents; --alternative names them.".into(),
        );
    } else if is_silent {
        lines.push("No indexed document speaks of these alternatives.".into());
    }
    if let Some(matrix) = matrix {
        let sentence = style(matrix::sentence(matrix)).bold().to_string();
        lines.extend(wrapped(&sentence, "", "", width));
    }
    lines.extend(study.notes.iter().flat_map(|note| wrapped(&flat(note), "  ", "  ", width)));
    if let Some(matrix) = matrix {
        lines.extend(comparison::lines(matrix, study, width));
    }
    lines.extend(missing(study, width));
    if !is_silent {
        for alternative in &study.alternatives {
            lines.extend(alternative_lines(alternative, &mut citations, detail, width));
        }
    }
    if !study.general.is_empty() {
        lines.extend([String::new(), titled("General", "names none of the alternatives")]);
        for evidence in study.general.iter().take(detail.most(PIECES)) {
            lines.extend(quote(evidence, &mut citations, "  ", detail, width));
        }
    }
    lines.extend(citations.listed(detail, width));
    lines.dedup_by(|one, other| one.is_empty() && other.is_empty());
    if lines.first().is_some_and(String::is_empty) {
        lines.remove(0);
    }
    lines
}

/// Tells what a comparison would need, where nothing of it is known.
fn missing(study: &TradeReport, width: usize) -> Vec<String> {
    if study.missing.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![titled("Not compared", "no value by any of the criteria is known")];
    for cell in &study.missing {
        let text = format!("{} of {}: {}", cell.criterion, cell.alternative, flat(&cell.reason));
        lines.extend(wrapped(&text, "  - ", "    ", width));
    }
    lines
}

fn alternative_lines<'a>(
    alternative: &'a AlternativeReport,
    citations: &mut Citations<'a>,
    detail: Detail,
    width: usize,
) -> Vec<String> {
    let groups = by_criterion(alternative);
    let found = match (alternative.source_count, groups.is_empty()) {
        (_, true) => "nothing found".into(),
        (number, false) => count(number, "source"),
    };
    let mut lines = vec![String::new(), titled(&alternative.name, &found)];
    for (criterion, group) in groups {
        lines.push(format!("  {criterion}"));
        let left_out = group.len().saturating_sub(detail.most(PIECES));
        for evidence in group.into_iter().take(detail.most(PIECES)) {
            lines.extend(quote(evidence, citations, "    ", detail, width));
        }
        if left_out > 0 {
            lines.push(style(format!("      {left_out} more: --all")).dim().to_string());
        }
    }
    lines
}

/// Its evidence by criterion, in the order of the answer.
fn by_criterion(alternative: &AlternativeReport) -> Vec<(&str, Vec<&TradeEvidence>)> {
    let mut groups: Vec<(&str, Vec<&TradeEvidence>)> = Vec::new();
    for evidence in &alternative.criteria {
        match groups.iter_mut().find(|(criterion, _)| *criterion == evidence.name) {
            Some((_, group)) => group.push(evidence),
            None => groups.push((&evidence.name, vec![evidence])),
        }
    }
    groups
}

/// The value, if there is one, and the words it stands in.
fn quote<'a>(
    evidence: &'a TradeEvidence,
    citations: &mut Citations<'a>,
    indent: &str,
    detail: Detail,
    width: usize,
) -> Vec<String> {
    let value = evidence.value.as_ref().map(|value| style(flat(&value.text)).bold());
    let value = value.map(|value| format!("{value}: ")).unwrap_or_default();
    let number = citations.cite(&evidence.passage);
    let side = match evidence.side {
        Some(Side::For) => "pro: ",
        Some(Side::Against) => "con: ",
        Some(Side::Either) | None => "",
    };
    let text = format!("{number} {side}{value}\"{}\"", flat(&evidence.evidence));
    let lines =
        wrapped(&text, &format!("{indent}- "), &format!("{indent}  "), width.saturating_sub(4));
    cut(lines, detail.most(QUOTE))
}

#[cfg(test)]
mod tests;
