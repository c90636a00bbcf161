//! A view on a terminal.

use console::style;
use model::evidence::{Place, Strength};
use views::wording::{behind, file_at, of_itself, shortened};
use views::{Block, Card, Cited, Claim, Depth, Field, Item, Reference, Section, View, Words};

use crate::wording::{flat, quoted, titled, wrapped};
use kept::Nature;

mod grid;
mod kept;
mod table;

/// The most lines in short: of a passage, and of a line of a list or a field.
const PASSAGE: usize = 3;
const LINE: usize = 2;

/// The share of a reply that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The first of each kind, and of a quote two or three lines.
    Short,
    /// All of it.
    All,
}

impl Detail {
    /// Returns `short`, or no bound where all is wanted.
    fn most(self, short: usize) -> usize {
        match self {
            Detail::Short => short,
            Detail::All => usize::MAX,
        }
    }

    fn shows(self, depth: Depth) -> bool {
        self == Detail::All || depth == Depth::First
    }
}

/// Draws a view in lines of `width` columns.
pub(crate) fn lines(view: &View<'_>, detail: Detail, width: usize) -> Vec<String> {
    let form = Form { detail, width };
    let mut lines = form.blocks(&view.blocks);
    lines.dedup_by(|one, other| one.is_empty() && other.is_empty());
    let first = usize::from(lines.first().is_some_and(String::is_empty));
    lines.drain(..first);
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The share of a view that is shown, and the columns for it.
#[derive(Clone, Copy)]
struct Form {
    detail: Detail,
    width: usize,
}

impl Form {
    fn blocks(self, blocks: &[Block<'_>]) -> Vec<String> {
        blocks.iter().flat_map(|block| self.block(block)).collect()
    }

    fn block(self, block: &Block<'_>) -> Vec<String> {
        match block {
            Block::Verdict(sentence) => {
                wrapped(&style(flat(sentence)).bold().to_string(), "", "", self.width)
            }
            Block::Notice(about, reason) => {
                let text = format!("! {about}: {}", flat(reason));
                wrapped(&style(text).yellow().to_string(), "", "  ", self.width)
            }
            Block::Remark(text) => {
                wrapped(&style(flat(text)).dim().to_string(), "", "  ", self.width)
            }
            Block::Section(section) => self.section(section),
            Block::Cards(cards) => {
                let shown = cards.iter().filter(|card| self.detail.shows(card.depth));
                shown.flat_map(|card| self.card(card)).collect()
            }
            Block::Items(items) => {
                items.iter().flat_map(|item| self.item(item, "  - ", "    ")).collect()
            }
            Block::Table(table) => self.table(table),
            Block::Claim(claim) => self.claim(claim),
        }
    }

    fn section(self, section: &Section<'_>) -> Vec<String> {
        if !self.detail.shows(section.depth) {
            return Vec::new();
        }
        let remark = &section.remark;
        let room = self.width.saturating_mul(LINE).saturating_sub(remark.chars().count() + 8);
        let title = titled(&shortened(section.title.text(), self.detail.most(room)), remark);
        let title = wrapped(title.trim_end(), "", "  ", self.width);
        let blank = || std::iter::once(String::new());
        blank().chain(title).chain(self.blocks(&section.blocks)).chain(blank()).collect()
    }

    /// A title with its place, and below them what it says. A place alone takes one line.
    fn card(self, card: &Card<'_>) -> Vec<String> {
        let number = card.number.map(|number| style(format!("[{number}] ")).cyan().to_string());
        let strength = card.strength.map(Strength::name).map(String::from);
        let tags = card.tags.iter().map(|tag| flat(tag)).chain(strength);
        let about = tags.collect::<Vec<_>>().join(", ");
        let place = card.place.map(place).unwrap_or_default();
        let fields: Vec<&Field<'_>> = card.fields.iter().filter(|f| !f.items.is_empty()).collect();
        if fields.is_empty() && card.text.is_none() && card.number.is_none() {
            let about = if about.is_empty() { about } else { format!("  {about}") };
            let text = format!("{}, {place}{}", flat(&card.title), style(about).dim());
            return wrapped(&text, "  - ", "    ", self.width);
        }
        let title = titled(&flat(&card.title), &about);
        let head = format!("{}{}", number.unwrap_or_default(), title.trim_end());
        let mut lines = vec![String::new()];
        lines.extend(wrapped(&head, "", "    ", self.width));
        let dim =
            |text: &str| wrapped(&style(text).dim().to_string(), "    ", "      ", self.width);
        lines.extend(Some(place).filter(|place| !place.is_empty()).iter().flat_map(|p| dim(p)));
        if let Some(place) = card.place.filter(|_| self.detail == Detail::All) {
            lines.extend(dim(&format!("passage {}", place.passage_id)));
        }
        lines.extend(self.fields(&fields));
        let most = self.detail.most(PASSAGE);
        lines.extend(card.text.iter().flat_map(|t| quoted(t, "    ", "    ", most, self.width)));
        lines.extend(card.remarks.iter().flat_map(|remark| dim(&flat(remark))));
        if let Some((label, others)) = &card.related {
            let others: Vec<String> = others.iter().map(reference).collect();
            lines.extend(dim(&format!("{label} {}", others.join(", "))));
        }
        lines
    }

    /// What a card says, the labels in a column: in short the first of each kind.
    fn fields(self, fields: &[&Field<'_>]) -> Vec<String> {
        let shown = fields.iter().filter(|field| self.detail.shows(field.depth));
        let shown: Vec<&&Field<'_>> = shown.collect();
        let widest = shown.iter().map(|field| field.label.chars().count()).max();
        let widest = widest.unwrap_or_default();
        let rest = " ".repeat(widest + 6);
        let mut lines = Vec::new();
        for field in shown {
            let label = field.label.as_ref();
            let most = if label.is_empty() { usize::MAX } else { self.detail.most(1) };
            for item in field.items.iter().take(most) {
                let first = format!("    {label:<widest$}  ");
                lines.extend(match label {
                    "" => self.item(item, "    - ", "      "),
                    _ => self.item(item, &first, &rest),
                });
            }
        }
        lines
    }

    fn item(self, item: &Item<'_>, first: &str, rest: &str) -> Vec<String> {
        let lead = item.lead(|label| style(flat(label)).bold().to_string());
        let room = self.width.saturating_sub(rest.chars().count());
        let most = self.detail.most(LINE).saturating_mul(room);
        let words = match &item.words {
            Words::Plain(text) => flat(text),
            Words::Quoted(..) | Words::Verbatim(..) => {
                format!("\"{}\"", shortened(item.words.text(), most))
            }
        };
        let places = [
            Some(item.remark.clone()).filter(|remark| !remark.is_empty()),
            item.place.map(|at| self.cited_place(at)),
        ];
        let places: Vec<String> = places.into_iter().flatten().collect();
        let behind = match places.as_slice() {
            [] => String::new(),
            places => format!(" {}", style(format!("({})", places.join("; "))).dim()),
        };
        let of = item.of.iter().map(|of| format!(" {}", style(reference(of)).cyan()));
        let text = format!("{lead}{words}{behind}{}", of.collect::<String>());
        wrapped(&text, first, rest, self.width)
    }

    /// A place, and the id of its passage where all is shown.
    fn cited_place(self, at: &Place) -> String {
        match self.detail {
            Detail::Short => place(at),
            Detail::All => format!("{}, passage {}", place(at), at.passage_id),
        }
    }

    /// The claim, where it stands, and below it the quotes that say more than the claim.
    fn claim(self, claim: &Claim<'_>) -> Vec<String> {
        let mut lines = vec![String::new()];
        if claim.is_shown_below {
            let text = style(flat(claim.text)).bold().to_string();
            lines.extend(wrapped(&text, "", "  ", self.width));
            return lines;
        }
        let nature = claim.file.map_or(Nature::Prose, Nature::of);
        lines.extend(kept::lines(claim.text, nature, "", self.width));
        for cited in &claim.citations {
            lines.extend(self.cited(cited));
            if let Some(quote) = cited.quote {
                let nature = Nature::of(&cited.place.file);
                lines.extend(kept::lines(quote, nature, "      | ", self.width));
            }
        }
        lines.push(String::new());
        lines
    }

    /// Returns `    [server.log:1045 (14:32:15Z)]`, the file where that does not name it, and what
    /// is to be known of it.
    fn cited(self, cited: &Cited<'_>) -> Vec<String> {
        let mut text = style(format!("[{}]", flat(cited.display))).cyan().to_string();
        let file = cited.place.file.as_str();
        if !cited.display.contains(file.rsplit('/').next().unwrap_or(file)) {
            text = format!("{text} {}", style(flat(&file_at(file, cited.lines))).dim());
        }
        let behind = flat(&behind(cited.place, cited.lines));
        if !behind.is_empty() {
            text = format!("{text}{}", style(behind).dim());
        }
        if !cited.remark.is_empty() {
            text = format!("{text} {}", style(&cited.remark).dim());
        }
        for warning in &cited.warnings {
            text = format!("{text} {}", style(format!("! {}", flat(warning))).yellow());
        }
        wrapped(&text, "    ", "      ", self.width)
    }
}

/// Returns a place as in `pumps/pump-7.md:3-9, "Cause"`.
fn place(place: &Place) -> String {
    let section = place.section.as_ref().map(|section| format!(", \"{}\"", flat(section)));
    let of_itself = flat(&of_itself(place));
    format!("{}{}{of_itself}", file_at(&place.file, place.lines), section.unwrap_or_default())
}

fn reference(reference: &Reference<'_>) -> String {
    let number = reference.number.map(|number| format!("[{number}]"));
    let name = number.unwrap_or_else(|| flat(&reference.place.title));
    match &reference.words {
        Some(words) => format!("{name} {}", flat(words)),
        None => name,
    }
}

#[cfg(test)]
mod tests;
