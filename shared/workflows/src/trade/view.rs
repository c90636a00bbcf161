//! Options as they are shown: side by side, criterion by criterion, with the quotes on demand.

use super::group::GENERAL;
use matrix::{Matrix, sentence};
use views::wording::{row_in_line, shortened};
use views::{Block, Cell, Interval, Item, ReportView, Row, Table, Words, settled};
use wire::trade::{AlternativeReport, TradeEvidence, TradeReport};

mod steady;

/// The most characters of a quote that stands for a cell.
const CELL: usize = 80;

/// The most pieces that short forms show for a value: a range has two ends.
const BACKING: usize = 2;

/// Shows which option leads, decisions that settle the question, the comparison and what is not
/// known.
pub const VIEW: ReportView<TradeReport> =
    ReportView { kind: |_| "Which of these options".into(), blocks, is_shown_always: true };

fn blocks(report: &TradeReport) -> Vec<Block<'_>> {
    let is_silent = report.alternatives.iter().all(|option| option.criteria.is_empty());
    let matrix = report.matrix.as_ref().filter(|_| !is_silent);
    let nothing = match (report.alternatives.is_empty(), is_silent) {
        (true, _) => Some("No alternatives stand out in the indexed documents; name some."),
        (_, true) => Some("No indexed document speaks of these alternatives."),
        _ => None,
    };
    let verdict = matrix.map(|matrix| Block::Verdict(sentence(matrix).into()));
    let notes = report.notes.iter().map(|note| Block::remark(note.as_str()));
    let missing = report.missing.iter().map(|cell| {
        Item::plain(format!("{} of {}: {}", cell.criterion, cell.alternative, cell.reason))
    });
    let general = statements(report.general.iter()).into_iter();
    let general = general
        .map(|said| {
            let name = std::iter::once(said.first.name.as_str());
            said.item(&name.chain(said.values.iter().copied()).collect::<Vec<_>>().join(", "))
        })
        .collect();
    let sections = [
        Block::section("Side by side", "", vec![Block::Table(comparison(report, matrix))]),
        Block::section(
            "Not compared: no value is known",
            "",
            vec![Block::Items(missing.collect())],
        ),
        Block::section("Names none of the options", "", vec![Block::Items(general)]),
    ];
    let steadiness = matrix.into_iter().flat_map(steady::sections);
    settled(&report.decided)
        .into_iter()
        .chain(verdict)
        .chain(nothing.map(Block::remark))
        .chain(notes)
        .chain(sections.into_iter().flatten())
        .chain(steadiness)
        .collect()
}

/// A column for each option, the best first where they are ranked, and a row for each criterion.
fn comparison<'a>(report: &'a TradeReport, matrix: Option<&'a Matrix>) -> Table<'a> {
    let mut options: Vec<&AlternativeReport> = report.alternatives.iter().collect();
    let rank = |option: &AlternativeReport| {
        matrix.and_then(|matrix| matrix.rank.iter().position(|name| *name == option.name))
    };
    options.sort_by_key(|option| rank(option).unwrap_or(usize::MAX));
    let row = |criterion: &'a str| {
        let weight = matrix.into_iter().flat_map(|matrix| &matrix.weights);
        let weight = weight.into_iter().find(|weight| weight.criterion == criterion);
        let of = matrix.filter(|_| weight.is_some());
        let weight = weight.map(|weight| format!("weight {}", matrix::percent(weight.weight)));
        let cells = options.iter().map(|option| cell(report, of, option, criterion));
        Row { name: criterion.into(), remark: weight.unwrap_or_default(), cells: cells.collect() }
    };
    let rows = criteria(report, matrix).into_iter().map(row);
    let rows = rows.chain(matrix.map(|matrix| totals(matrix, &options))).collect();
    let head = options.iter().map(|option| option.name.as_str().into());
    Table { head: std::iter::once("Criterion".into()).chain(head).collect(), rows }
}

/// The criteria with a weight, then those that only evidence has.
fn criteria<'a>(report: &'a TradeReport, matrix: Option<&'a Matrix>) -> Vec<&'a str> {
    let weighed = matrix.into_iter().flat_map(|matrix| &matrix.weights);
    let spoken = report.alternatives.iter().flat_map(|option| &option.criteria);
    let names = weighed
        .map(|weight| weight.criterion.as_str())
        .chain(spoken.map(|evidence| evidence.name.as_str()));
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// What is known of an option by a criterion. `matrix` has the value where the criterion counts.
fn cell<'a>(
    report: &'a TradeReport,
    matrix: Option<&Matrix>,
    option: &'a AlternativeReport,
    criterion: &str,
) -> Cell<'a> {
    let mut said = statements(option.criteria.iter().filter(|said| said.name == criterion));
    let value = matrix.and_then(|matrix| report.value(matrix, &option.name, criterion));
    let is_unknown = matrix.is_some() && value.is_none();
    // What says the value comes first, so that the value is cited where not all is shown.
    let is_end = |of: &str, value: &str| value == of || value.split(" to ").any(|end| end == of);
    let says = |said: &Statement<'_>, value: &str| said.values.iter().any(|of| is_end(of, value));
    let is_beside = |said: &Statement<'_>| !value.as_ref().is_some_and(|value| says(said, value));
    said.sort_by_key(is_beside);
    let backing = said.iter().filter(|said| !is_beside(said)).count().clamp(1, BACKING);
    let text = match (value, said.as_slice()) {
        (Some(value), _) => value,
        (None, _) if is_unknown => "not known".into(),
        (None, []) => "–".into(),
        (None, [first, others @ ..]) => {
            // A value says nothing where the criterion does not say of what.
            let text = match first.values.first().filter(|_| criterion != GENERAL) {
                Some(value) => (*value).into(),
                None => shortened(&row_in_line(&first.first.evidence), CELL),
            };
            if others.is_empty() { text } else { format!("{text} · {} more", others.len()) }
        }
    };
    let items = said.iter().map(|said| said.item(&said.values.join(", "))).collect();
    Cell { text: text.into(), is_unknown, items, backing, interval: None }
}

/// A sentence that speaks of an option, with all values in it: the report has a piece for each.
struct Statement<'a> {
    first: &'a TradeEvidence,
    values: Vec<&'a str>,
}

fn statements<'a>(evidence: impl Iterator<Item = &'a TradeEvidence>) -> Vec<Statement<'a>> {
    let mut all: Vec<Statement<'a>> = Vec::new();
    for piece in evidence {
        let is_same = |said: &&mut Statement<'a>| {
            let (first, place) = (said.first, &piece.passage.passage_id);
            first.evidence == piece.evidence
                && first.passage.passage_id == *place
                && first.name == piece.name
        };
        let value = piece.value.as_ref().map(|value| value.text.as_str());
        match all.iter_mut().find(is_same) {
            Some(said) => said.values.extend(value),
            None => all.push(Statement { first: piece, values: value.into_iter().collect() }),
        }
    }
    all
}

impl<'a> Statement<'a> {
    fn item(&self, label: &str) -> Item<'a> {
        let passage = &self.first.passage;
        Item {
            label: label.to_owned().into(),
            side: self.first.side,
            place: Some(passage),
            score: Some(&self.first.score_parts),
            ..Item::of(Words::Verbatim(&passage.file, &self.first.evidence))
        }
    }
}

/// The sum of each option with its worst and its best case.
fn totals<'a>(matrix: &'a Matrix, options: &[&'a AlternativeReport]) -> Row<'a> {
    let cell = |option: &&AlternativeReport| {
        let Some(total) = matrix.total(&option.name) else { return Cell::default() };
        let range = format!("{:.2} to {:.2}", total.low, total.high);
        let interval = Interval {
            low: total.low,
            value: total.total,
            high: total.high,
            is_first: matrix.rank.first() == Some(&option.name),
            label: format!("{range}, total {:.2}", total.total),
        };
        let is_certain = format!("{:.2}", total.low) == format!("{:.2}", total.high);
        let range = if is_certain { String::new() } else { format!(" ({range})") };
        let text = format!("{:.2}{range}", total.total).into();
        Cell { text, interval: Some(interval), ..Cell::default() }
    };
    let remark = "of 1, with worst and best case".into();
    Row { name: "Total".into(), remark, cells: options.iter().map(cell).collect() }
}

#[cfg(test)]
mod tests;
