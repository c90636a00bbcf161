//! A view in short, as the text beside a tool's structured content.

use model::evidence::{Place, Strength};
use text::question::QuestionTerms;

use crate::view::{
    Block, Card, Cited, Claim, Depth, Field, Item, Reference, Section, Table, View, Words,
};
use crate::wording::{behind, file_at, flat, shortened};

/// The most characters of a quote: of the first result, of the others, and elsewhere.
const FIRST: usize = 400;
const OTHERS: usize = 150;
const QUOTE: usize = 240;

/// The most pieces of evidence of a cell.
const PIECES: usize = 2;

/// The most characters of a passage.
const EXCERPT: usize = 320;

/// Returns a reply line by line. Of long passages it has what is nearest to `asked`.
pub fn lines(view: &View<'_>, asked: &QuestionTerms) -> Vec<String> {
    blocks(&view.blocks, asked)
}

fn blocks(blocks: &[Block<'_>], asked: &QuestionTerms) -> Vec<String> {
    blocks.iter().flat_map(|one| block(one, asked)).collect()
}

fn block(block: &Block<'_>, asked: &QuestionTerms) -> Vec<String> {
    match block {
        Block::Verdict(text) | Block::Remark(text) => vec![flat(text)],
        Block::Notice(about, reason) => vec![format!("{about}: {}", flat(reason))],
        Block::Section(below) => section(below, asked),
        Block::Cards(cards) => {
            let shown = cards.iter().filter(|card| card.depth == Depth::First);
            shown.flat_map(|one| card(one, asked)).collect()
        }
        Block::Items(items) => items.iter().map(|one| format!("- {}", item(one, QUOTE))).collect(),
        Block::Table(columns) => table(columns),
        Block::Claim(said) => vec![claim(said)],
    }
}

fn section(section: &Section<'_>, asked: &QuestionTerms) -> Vec<String> {
    if section.depth != Depth::First {
        return Vec::new();
    }
    let title = said(&section.title, FIRST);
    let head = match section.remark.as_str() {
        "" => format!("{title}:"),
        remark => format!("{title} ({remark}):"),
    };
    std::iter::once(head).chain(blocks(&section.blocks, asked)).collect()
}

/// Words, behind which their line stands.
fn said(words: &Words<'_>, most: usize) -> String {
    let text = shortened(words.text(), most);
    match words {
        Words::Quoted(_, quote) => match quote.line {
            Some(line) => format!("{text} (line {line})"),
            None => text,
        },
        Words::Plain(_) | Words::Verbatim(..) => text,
    }
}

fn card(card: &Card<'_>, asked: &QuestionTerms) -> Vec<String> {
    let place = card.place.map(place);
    let strength = card.strength.map(Strength::name).map(str::to_owned);
    let tags = card.tags.iter().map(|tag| flat(tag));
    let about: Vec<String> = place.into_iter().chain(strength).chain(tags).collect();
    let about = if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
    let mark = card.number.map_or("-".into(), |number| format!("{number}."));
    let text = card.text.map(|text| format!(" {}", excerpt(text, asked, EXCERPT)));
    let head = format!("{mark} {}{about}{}", flat(&card.title), text.unwrap_or_default());
    let most = match card.number {
        Some(1) => FIRST,
        Some(_) => OTHERS,
        None => QUOTE,
    };
    let fields = card.fields.iter().filter(|field| field.depth == Depth::First);
    let fields = fields.flat_map(|one| field(one, most));
    let remarks = card.remarks.iter().map(|remark| format!("   {}", shortened(remark, QUOTE)));
    std::iter::once(head).chain(fields).chain(remarks).collect()
}

/// What a card says of a kind: the first of it, unless the items say the kind.
fn field(field: &Field<'_>, most: usize) -> Vec<String> {
    let (label, shown) = match field.label.as_ref() {
        "" => (String::new(), usize::MAX),
        label => (format!("{label}: "), 1),
    };
    let items = field.items.iter().take(shown);
    items.map(|one| format!("   - {label}{}", item(one, most))).collect()
}

fn item(item: &Item<'_>, most: usize) -> String {
    let lead = item.lead(|label| shortened(label, QUOTE));
    let remark = Some(flat(&item.remark)).filter(|remark| !remark.is_empty());
    let behind: Vec<String> = item.place.map(place).into_iter().chain(remark).collect();
    let behind =
        if behind.is_empty() { String::new() } else { format!(" ({})", behind.join("; ")) };
    let said = format!("{lead}{}{behind}", said(&item.words, most));
    std::iter::once(said).chain(item.of.iter().map(reference)).collect::<Vec<_>>().join(" ")
}

/// What each cell says, and below it the first pieces of its evidence. It goes row by row, so that
/// a text that is cut has something of each column.
fn table(table: &Table<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for row in &table.rows {
        for (cell, column) in row.cells.iter().zip(table.head.iter().skip(1)) {
            if !cell.text.is_empty() {
                lines.push(format!(
                    "- {}, {}: {}",
                    flat(&row.name),
                    flat(column),
                    flat(&cell.text)
                ));
            }
            let shown = cell.items.iter().take(PIECES.max(cell.backing));
            lines.extend(shown.map(|one| format!("   - {}", item(one, QUOTE))));
        }
    }
    lines
}

fn claim(claim: &Claim<'_>) -> String {
    let places: Vec<String> = claim.citations.iter().map(cited).collect();
    match places.as_slice() {
        [] => claim.text.to_owned(),
        places => format!("{} [{}]", claim.text, places.join(", ")),
    }
}

fn cited(cited: &Cited<'_>) -> String {
    let remark = Some(cited.remark.as_str()).filter(|remark| !remark.is_empty());
    let behind: Vec<&str> =
        remark.into_iter().chain(cited.warnings.iter().map(String::as_str)).collect();
    let behind =
        if behind.is_empty() { String::new() } else { format!(" ({})", behind.join("; ")) };
    format!("{}{behind}", located(cited.place, cited.lines.or(cited.place.lines)))
}

/// `pumps/pump-7.md:3-9`, with the knowledge base before it where it is not everyone's.
fn place(place: &Place) -> String {
    located(place, place.lines)
}

fn located(place: &Place, lines: Option<(u32, u32)>) -> String {
    let base = place.knowledge.as_deref().filter(|base| *base != "global");
    let base = base.map(|base| format!("{base} ")).unwrap_or_default();
    let behind = behind(place, lines);
    format!("{base}{}{}", flat(&file_at(&place.file, lines)), flat(&behind))
}

fn reference(reference: &Reference<'_>) -> String {
    let number = reference.number.map(|number| format!("[{number}]"));
    number.unwrap_or_else(|| flat(&reference.place.title))
}

/// The words from the sentence that is nearest to the question on, in one line of at most `most`
/// characters; `…` stands for the words before it. Near the end of a short rest it begins earlier.
fn excerpt(text: &str, asked: &QuestionTerms, most: usize) -> String {
    if text.len() <= most {
        return shortened(text, most);
    }
    let nearest = asked.nearest(text).map_or(0, |nearest| nearest.start);
    let start = nearest.min(text.floor_char_boundary(text.len() - most));
    let words = shortened(&text[start..], most);
    if start == 0 { words } else { format!("… {words}") }
}

#[cfg(test)]
mod tests;
