//! One result with its place.

use console::style;

use model::evidence::{Finding, Place, Quote, Strength};
use wire::common::Gap;

use super::Detail;
use super::citation::{Citations, CitedPlace};
use crate::wording::{cut, flat, heading, name, quoted, wrapped};

/// The most lines of a passage in short.
const LINES: usize = 3;

/// Tells how like the question a result is, behind a title; nothing where that is not known.
pub(crate) fn strength(strength: Option<Strength>) -> String {
    strength.map(|strength| format!("  {}", name(&strength))).unwrap_or_default()
}

/// Its number, its title and how like the question it is, and below them where it stands; its id
/// where all is shown.
pub(super) fn head(
    number: usize,
    source: &Place,
    likeness: Option<Strength>,
    detail: Detail,
) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{} {}{}",
            style(format!("[{number}]")).cyan(),
            style(&source.title).bold(),
            strength(likeness)
        ),
        style(format!("    {}", CitedPlace::from(source).short())).dim().to_string(),
    ];
    if detail == Detail::All {
        lines.push(style(format!("    passage {}", source.passage_id)).dim().to_string());
    }
    lines
}

/// Shows what a passage says, by its number, and where else it belongs.
pub(super) fn numbered<'a>(
    finding: &'a Finding,
    also_in: &[String],
    citations: &mut Citations<'a>,
    detail: Detail,
    width: usize,
) -> Vec<String> {
    let number = format!("  {} ", citations.cite(&finding.passage));
    let mut lines = quoted(&finding.text, &number, "      ", detail.most(LINES), width);
    if !also_in.is_empty() {
        let others = also_in.join(", ").replace('_', " ");
        lines.push(style(format!("      also: {others}")).dim().to_string());
    }
    lines
}

/// Shows at most `most` lines of a field's text, behind which the section is named where all of it
/// is shown.
pub(super) fn field(
    label: &str,
    rest: &str,
    passage: &Quote,
    most: usize,
    width: usize,
) -> Vec<String> {
    let section = passage.section.as_ref().filter(|_| most == usize::MAX);
    let section = section.map(|section| format!(" ({section})")).unwrap_or_default();
    let text = format!("{}{}", flat(&passage.text), style(section).dim());
    cut(wrapped(&text, label, rest, width.saturating_sub(4)), most)
}

/// The subjects on which nothing was found.
pub(super) fn not_covered(gaps: &[Gap], width: usize) -> Vec<String> {
    if gaps.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), style("Not covered:").bold().to_string()];
    for gap in gaps {
        lines.extend(wrapped(&heading(&gap.facet), "  - ", "    ", width));
    }
    lines
}
