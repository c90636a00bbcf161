//! The finds of a custom workflow as they are shown: passages with their fields.

use views::wording::{count, heading};
use views::{Block, Card, Depth, Field, ReportView, not_covered};
use wire::custom::{CustomReport, CustomResult};

/// Shows the passages with the fields that the workflow's file selects, and the gaps.
pub const VIEW: ReportView<CustomReport> = ReportView {
    kind: |report| heading(&report.result_type).into(),
    blocks,
    is_shown_always: false,
};

fn blocks(report: &CustomReport) -> Vec<Block<'_>> {
    let results = report.results.iter().enumerate();
    let cards: Vec<Card<'_>> = results.map(|(place, result)| card(place + 1, result)).collect();
    let nothing = "Nothing like this is in the indexed documents.";
    let nothing = cards.is_empty().then(|| Block::remark(nothing));
    let title = count(cards.len(), "result");
    let results = Block::section(title, "", vec![Block::Cards(cards)]);
    nothing.into_iter().chain(results).chain(not_covered(&report.gaps)).collect()
}

fn card(number: usize, result: &CustomResult) -> Card<'_> {
    let CustomResult { result, fields, facets } = result;
    let file = result.passage.file.as_str();
    let fields = fields
        .iter()
        .map(|(name, quotes)| Field::quotes(heading(name), Depth::First, file, quotes));
    Card { fields: fields.collect(), ..Card::result(number, result) }.also_in("Facets", facets)
}
