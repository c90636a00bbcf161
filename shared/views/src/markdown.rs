//! A view as a Markdown document.

use model::evidence::{Place, Strength};

use crate::escape::{block as kept, inline};
use crate::view::{Block, Card, Cited, Claim, Field, Item, Reference, Section, Table, View, Words};
use crate::wording::{file_at, is_markdown, of_itself};

/// Returns a reply to this question as a document.
pub fn document(question: &str, view: &View<'_>) -> String {
    let mut lines = vec![format!("# {}", inline(question)), String::new(), inline(&view.kind)];
    lines.extend(view.blocks.iter().flat_map(|one| block(one, 2)));
    lines.dedup_by(|one, other| one.is_empty() && other.is_empty());
    lines.join("\n") + "\n"
}

/// Draws a block; headings in it are of `level`.
fn block(block: &Block<'_>, level: usize) -> Vec<String> {
    match block {
        Block::Verdict(text) => apart(format!("**{}**", inline(text))),
        Block::Remark(text) => apart(inline(text)),
        Block::Notice(about, reason) => apart(format!("**{}**: {}", inline(about), inline(reason))),
        Block::Section(below) => section(below, level),
        Block::Cards(cards) => cards.iter().flat_map(card).collect(),
        Block::Items(items) => {
            let items = items.iter().map(|one| format!("- {}", item(one)));
            std::iter::once(String::new()).chain(items).collect()
        }
        Block::Table(columns) => table(columns),
        Block::Claim(said) => claim(said),
    }
}

/// A paragraph of its own.
fn apart(line: String) -> Vec<String> {
    vec![String::new(), line, String::new()]
}

fn section(section: &Section<'_>, level: usize) -> Vec<String> {
    let mut lines = apart(format!("{} {}", "#".repeat(level), said(&section.title)));
    if !section.remark.is_empty() {
        lines.extend(apart(inline(&section.remark)));
    }
    lines.extend(section.blocks.iter().flat_map(|one| block(one, level + 1)));
    lines
}

/// Words, those of documents in quotation marks, behind which their line and section stand.
fn said(words: &Words<'_>) -> String {
    let text = inline(words.text());
    match words {
        Words::Plain(_) => text,
        Words::Verbatim(..) => format!("“{text}”"),
        Words::Quoted(_, quote) => {
            let line = quote.line.map(|line| format!("line {line}"));
            let section = quote.section.as_deref().map(inline);
            format!("“{text}”{}", among_brackets(line.into_iter().chain(section)))
        }
    }
}

fn among_brackets(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

fn card(card: &Card<'_>) -> Vec<String> {
    let about = card.strength.map(Strength::name).map(str::to_owned).into_iter();
    let about = among_brackets(about.chain(card.tags.iter().map(|tag| inline(tag))));
    let number = card.number.map(|number| format!("\\[{number}\\] ")).unwrap_or_default();
    let mut lines =
        vec![String::new(), format!("- **{number}{}**{about}", inline(&card.title)), String::new()];
    lines.extend(card.place.map(|at| format!("  - {}", place(at, at.lines))));
    lines.extend(card.fields.iter().flat_map(field));
    if let Some(text) = card.text {
        lines.extend([String::new(), passage(card.file(), text, "  "), String::new()]);
    }
    lines.extend(card.remarks.iter().map(|remark| format!("  - {}", inline(remark))));
    if let Some((label, others)) = &card.related {
        let others: Vec<String> = others.iter().map(reference).collect();
        lines.push(format!("  - {label} {}", others.join(", ")));
    }
    lines
}

fn field(field: &Field<'_>) -> Vec<String> {
    let label = match field.label.as_ref() {
        "" => String::new(),
        label => format!("{}: ", inline(label)),
    };
    field.items.iter().map(|one| format!("  - {label}{}", item(one))).collect()
}

fn item(item: &Item<'_>) -> String {
    let lead = item.lead(|label| format!("**{}**", inline(label)));
    let place = item.place.map(|at| place(at, at.lines));
    let behind = among_brackets(place.into_iter().chain([inline(&item.remark)]));
    let said = format!("{lead}{}{behind}", said(&item.words));
    std::iter::once(said).chain(item.of.iter().map(reference)).collect::<Vec<_>>().join(" ")
}

/// Draws a table, and below it the evidence of its cells.
fn table(table: &Table<'_>) -> Vec<String> {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let cell = |text: &str| inline(text).replace('|', "\\|");
    let head: Vec<String> = table.head.iter().map(|head| cell(head)).collect();
    let mut lines = vec![String::new(), row(head), row(vec!["---".into(); table.head.len()])];
    for line in &table.rows {
        let name = match line.remark.as_str() {
            "" => cell(&line.name),
            remark => format!("{} ({})", cell(&line.name), cell(remark)),
        };
        let cells = line.cells.iter().map(|one| cell(&one.text));
        lines.push(row(std::iter::once(name).chain(cells).collect()));
    }
    lines.push(String::new());
    for line in &table.rows {
        for (cell, column) in line.cells.iter().zip(table.head.iter().skip(1)) {
            let name = format!("{}, {}", inline(&line.name), inline(column));
            lines.extend(cell.items.iter().map(|one| format!("- {name}: {}", item(one))));
        }
    }
    lines
}

fn claim(claim: &Claim<'_>) -> Vec<String> {
    let mut lines = match claim.file {
        Some(file) => apart(passage(file, claim.text, "")),
        None => apart(inline(claim.text)),
    };
    lines.extend(claim.citations.iter().flat_map(cited));
    lines
}

fn cited(cited: &Cited<'_>) -> Vec<String> {
    let warnings = cited.warnings.iter().map(|warning| inline(warning));
    let remark = std::iter::once(inline(&cited.remark));
    let about = among_brackets(remark.chain(warnings));
    let at = place(cited.place, cited.lines.or(cited.place.lines));
    let mut lines = vec![format!("- {}, {at}{about}", inline(cited.display))];
    if let Some(quote) = cited.quote {
        lines.extend([String::new(), passage(&cited.place.file, quote, "  "), String::new()]);
    }
    lines
}

/// The text of a document as a quote: Markdown as its author meant it, all else verbatim.
fn passage(file: &str, text: &str, indent: &str) -> String {
    if is_markdown(file) || file.is_empty() {
        return kept(text, &format!("{indent}> "));
    }
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let lines = text.lines().map(|line| format!("{indent}{line}"));
    let lines = lines.collect::<Vec<_>>().join("\n");
    format!("{indent}{fence}\n{lines}\n{indent}{fence}")
}

/// A place with its knowledge base, lines and section.
fn place(place: &Place, lines: Option<(u32, u32)>) -> String {
    let base = place.knowledge.as_deref().filter(|base| *base != "global");
    let base = base.map(|base| format!("{} ", inline(base))).unwrap_or_default();
    let section = place.section.as_deref().map(|section| format!(", {}", inline(section)));
    let of_itself = inline(&of_itself(place));
    let file = inline(&file_at(&place.file, lines));
    format!("{base}{file}{}{of_itself}", section.unwrap_or_default())
}

fn reference(reference: &Reference<'_>) -> String {
    let number = reference.number.map(|number| format!("\\[{number}\\]"));
    let name = number.unwrap_or_else(|| inline(&reference.place.title));
    match &reference.words {
        Some(words) => format!("{name} {}", inline(words)),
        None => name,
    }
}
