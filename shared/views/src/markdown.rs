//! A view as Markdown: whole for people, or in short as the text beside a tool's structured
//! content.

use model::evidence::{Place, Strength};
use model::facts::Side;
use text::question::QuestionTerms;

use crate::escape;
use crate::view::{
    Block, Card, Cited, Claim, Depth, Field, Item, Reference, Section, Table, View, Words,
};
use crate::wording::{file_at, flat, shortened};

/// The most characters of a quote in short: of the first result, of the others, and elsewhere.
const FIRST: usize = 400;
const OTHERS: usize = 150;
const QUOTE: usize = 240;

/// The most pieces of evidence of a cell in short.
const PIECES: usize = 2;

/// The most characters of a passage in short.
const EXCERPT: usize = 320;

/// Returns a reply to this question as a document.
pub fn document(question: &str, view: &View<'_>) -> String {
    let mut lines = vec![format!("# {}", escape::inline(question)), String::new()];
    lines.push(format!("*{}*", view.kind));
    lines.extend(Form::Whole.blocks(&view.blocks));
    lines.join("\n") + "\n"
}

/// Returns a reply in short, line by line. Of long passages it has what is nearest to `asked`.
pub fn lines(view: &View<'_>, asked: &QuestionTerms) -> Vec<String> {
    Form::Short(asked).blocks(&view.blocks)
}

/// How much is shown.
#[derive(Clone, Copy)]
enum Form<'q> {
    Whole,
    Short(&'q QuestionTerms),
}

impl Form<'_> {
    fn blocks(self, blocks: &[Block<'_>]) -> Vec<String> {
        blocks.iter().flat_map(|block| self.block(block)).collect()
    }

    fn block(self, block: &Block<'_>) -> Vec<String> {
        match block {
            Block::Verdict(sentence) => self.apart(self.words(sentence, usize::MAX)),
            Block::Notice(about, reason) => {
                self.apart(format!("{about}: {}", self.words(reason, usize::MAX)))
            }
            Block::Remark(text) => self.apart(self.words(text, usize::MAX)),
            Block::Section(section) => self.section(section),
            Block::Cards(cards) => {
                let shown = cards.iter().filter(|card| self.shows(card.depth));
                shown.flat_map(|card| self.card(card)).collect()
            }
            Block::Items(items) => {
                items.iter().map(|item| format!("- {}", self.item(item, QUOTE))).collect()
            }
            Block::Table(table) => self.table(table),
            Block::Claim(claim) => self.claim(claim),
        }
    }

    fn shows(self, depth: Depth) -> bool {
        matches!(self, Form::Whole) || depth == Depth::First
    }

    /// Words of others in one line, at most so many characters in short.
    fn words(self, text: &str, most: usize) -> String {
        match self {
            Form::Whole => escape::inline(text),
            Form::Short(_) => shortened(text, most),
        }
    }

    /// A paragraph of its own in a document.
    fn apart(self, line: String) -> Vec<String> {
        match self {
            Form::Whole => vec![String::new(), line],
            Form::Short(_) => vec![line],
        }
    }

    fn section(self, section: &Section<'_>) -> Vec<String> {
        if !self.shows(section.depth) {
            return Vec::new();
        }
        let title = self.said(&section.title, FIRST);
        let mut lines = match (self, section.remark.as_str()) {
            (Form::Whole, "") => vec![String::new(), format!("## {title}"), String::new()],
            (Form::Whole, remark) => {
                vec![
                    String::new(),
                    format!("## {title}"),
                    String::new(),
                    remark.into(),
                    String::new(),
                ]
            }
            (_, "") => vec![format!("{title}:")],
            (_, remark) => vec![format!("{title} ({remark}):")],
        };
        lines.extend(self.blocks(&section.blocks));
        lines
    }

    /// Words, behind which their line and section stand.
    fn said(self, words: &Words<'_>, most: usize) -> String {
        let text = self.words(words.text(), most);
        match words {
            Words::Quoted(_, quote) if quote.line.is_some() => {
                format!("{text} (line {})", quote.line.unwrap_or_default())
            }
            _ => text,
        }
    }

    fn card(self, card: &Card<'_>) -> Vec<String> {
        let mut about: Vec<String> = card.place.map(place).into_iter().collect();
        about.extend(card.strength.map(Strength::name).map(str::to_owned));
        about.extend(card.tags.iter().map(|tag| self.words(tag, QUOTE)));
        let mark = card.number.map_or("-".into(), |number| format!("{number}."));
        let about =
            if about.is_empty() { String::new() } else { format!(" ({})", about.join(", ")) };
        let mut head = format!("{mark} {}{about}", self.words(&card.title, usize::MAX));
        let mut lines = Vec::new();
        let most = if card.number == Some(1) { FIRST } else { OTHERS };
        let fields = card.fields.iter().filter(|field| self.shows(field.depth));
        lines.extend(fields.flat_map(|field| self.field(field, most)));
        match (self, card.text) {
            (Form::Short(asked), Some(text)) => {
                head = format!("{head} {}", excerpt(text, asked, EXCERPT));
            }
            (Form::Whole, Some(text)) => {
                lines.extend([String::new(), escape::block(text, "   > "), String::new()]);
            }
            (_, None) => {}
        }
        lines.extend(card.remarks.iter().map(|remark| format!("   {}", self.words(remark, QUOTE))));
        if let (Form::Whole, Some((label, others))) = (self, &card.related) {
            let others: Vec<String> = others.iter().map(reference).collect();
            lines.push(format!("   {label} {}", others.join(", ")));
        }
        lines.insert(0, head);
        lines
    }

    /// What a card says of a kind: in short the first of it.
    fn field(self, field: &Field<'_>, most: usize) -> Vec<String> {
        let label = match field.label.as_ref() {
            "" => String::new(),
            label => format!("{label}: "),
        };
        let shown = if matches!(self, Form::Whole) || label.is_empty() { usize::MAX } else { 1 };
        let items = field.items.iter().take(shown);
        items.map(|item| format!("   - {label}{}", self.item(item, most))).collect()
    }

    fn item(self, item: &Item<'_>, most: usize) -> String {
        let side = match item.side {
            Some(Side::For) => "pro: ",
            Some(Side::Against) => "con: ",
            Some(Side::Either) | None => "",
        };
        let label = match item.label.as_ref() {
            "" => String::new(),
            label => format!("{}: ", self.words(label, QUOTE)),
        };
        let mut behind: Vec<String> = item.place.map(place).into_iter().collect();
        behind.extend(Some(item.remark.clone()).filter(|remark| !remark.is_empty()));
        let behind =
            if behind.is_empty() { String::new() } else { format!(" ({})", behind.join("; ")) };
        let said = format!("{side}{label}{}{behind}", self.said(&item.words, most));
        std::iter::once(said).chain(item.of.iter().map(reference)).collect::<Vec<_>>().join(" ")
    }

    /// A line for each cell, or for each piece of its evidence: in short for the first two. Row by
    /// row, so that all columns are there where the end is cut.
    fn table(self, table: &Table<'_>) -> Vec<String> {
        let shown = if matches!(self, Form::Whole) { usize::MAX } else { PIECES };
        let mut lines = Vec::new();
        for row in &table.rows {
            for (cell, column) in row.cells.iter().zip(table.head.iter().skip(1)) {
                let name = format!("- {}, {column}", row.name);
                let items = cell.items.iter().take(shown);
                lines.extend(items.map(|item| format!("{name}: {}", self.item(item, QUOTE))));
                if cell.items.is_empty() && !cell.text.is_empty() {
                    lines.push(format!("{name}: {}", self.words(&cell.text, QUOTE)));
                }
            }
        }
        lines
    }

    fn claim(self, claim: &Claim<'_>) -> Vec<String> {
        let places: Vec<String> = claim.citations.iter().map(cited).collect();
        let places = match places.as_slice() {
            [] => String::new(),
            places => format!(" [{}]", places.join(", ")),
        };
        let Form::Whole = self else { return vec![format!("{}{places}", claim.text)] };
        let text = match claim.file {
            Some(_) => escape::block(claim.text, "> "),
            None => escape::inline(claim.text),
        };
        vec![String::new(), text, String::new(), places.trim().to_owned()]
    }
}

/// `pumps/pump-7.md:3-9`, with the knowledge base before it where it is not everyone's.
fn place(place: &Place) -> String {
    located(place, place.lines)
}

fn cited(cited: &Cited<'_>) -> String {
    let warnings: Vec<&str> = cited.warnings.iter().map(String::as_str).collect();
    let remark = Some(cited.remark.as_str()).filter(|remark| !remark.is_empty());
    let behind: Vec<&str> = remark.into_iter().chain(warnings).collect();
    let behind =
        if behind.is_empty() { String::new() } else { format!(" ({})", behind.join("; ")) };
    format!("{}{behind}", located(cited.place, cited.lines.or(cited.place.lines)))
}

fn located(place: &Place, lines: Option<(u32, u32)>) -> String {
    let base = place.knowledge.as_deref().filter(|base| *base != "global");
    let base = base.map(|base| format!("{base} ")).unwrap_or_default();
    format!("{base}{}", flat(&file_at(&place.file, lines)))
}

fn reference(reference: &Reference<'_>) -> String {
    let number = reference.number.map(|number| format!("[{number}]"));
    let name = number.unwrap_or_else(|| flat(&reference.place.title));
    match &reference.words {
        Some(words) => format!("{name} {}", flat(words)),
        None => name,
    }
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
