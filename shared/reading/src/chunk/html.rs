//! HTML: the text of a page along its headings, without scripts, styles and navigation.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};
use pulldown_cmark::HeadingLevel;

use super::Extract;
use super::markdown::{self, Heading};
use crate::limit::{NAME, label};

use self::table::Tables;

mod table;

/// Upper bound for the depth of a list that is drawn.
const DEEPEST: usize = 6;

/// Elements whose content is not markup.
const RAW: [&str; 2] = ["script", "style"];

/// Elements whose text does not belong to the page's content.
const LEFT_OUT: [&str; 14] = [
    "script", "style", "nav", "footer", "noscript", "template", "svg", "iframe", "select",
    "button", "object", "audio", "video", "canvas",
];

/// Elements, by their ids, in which Confluence leads through the space.
const LEFT_OUT_IDS: [&[u8]; 3] = [b"breadcrumb-section", b"breadcrumbs", b"footer"];

/// Elements that begin and end a paragraph.
const BLOCKS: [&str; 29] = [
    "p",
    "div",
    "section",
    "article",
    "main",
    "header",
    "aside",
    "ul",
    "ol",
    "dl",
    "table",
    "pre",
    "blockquote",
    "figure",
    "figcaption",
    "details",
    "summary",
    "form",
    "fieldset",
    "address",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "body",
    "title",
];

/// Elements that begin a line.
const LINES: [&str; 6] = ["br", "tr", "li", "dt", "dd", "option"];

/// Reads a page. Elements that are not closed end with the page.
pub(super) fn read(html: &str) -> Extract {
    let mut page = Page::default();
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => page.start(&tag),
            Token::EndTag(tag) => page.end(&String::from_utf8_lossy(&tag.name)),
            Token::String(text) => page.text(&String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    while page.end_table() {}
    let Page { mut extract, headings, title, .. } = page;
    let mut cut = markdown::along(&extract.text, &headings);
    cut.title = cut.title.or(Some(label(&title, NAME)).filter(|title| !title.is_empty()));
    extract.cut = cut;
    extract
}

/// The part of a page that was read so far.
#[derive(Default)]
struct Page {
    extract: Extract,
    tables: Tables,
    title: String,
    headings: Vec<Heading>,
    /// The open heading: its level and the byte at which it begins.
    heading: Option<(HeadingLevel, usize)>,
    /// The name of the element that is left out, and the number of open elements with that name.
    left_out: Option<(String, usize)>,
    is_title: bool,
    is_verbatim: bool,
    /// The open lists, each with the number of its next item if it has numbers.
    lists: Vec<Option<u32>>,
    /// The byte after the mark of the last item.
    item_at: Option<usize>,
}

impl Page {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        let name = name.as_ref();
        if let Some((left_out, open)) = &mut self.left_out {
            *open += usize::from(left_out == name && !tag.self_closing);
            return;
        }
        let value = |name: &[u8]| tag.attributes.get(name).map(|value| value.as_slice());
        let is_navigation = value(b"role") == Some(b"navigation")
            || ["div", "section", "ol", "ul"].contains(&name)
                && value(b"id").is_some_and(|id| LEFT_OUT_IDS.contains(&id));
        // HTML has no self-closing script: the text after it still belongs to the script.
        let is_open = !tag.self_closing || RAW.contains(&name);
        if (LEFT_OUT.contains(&name) || is_navigation) && is_open {
            self.left_out = Some((name.into(), 1));
            return;
        }
        if name == "meta" {
            self.state(tag);
        }
        if name == "table" || level(name).is_some() || self.tables.is_full() {
            let outer = if name == "table" { self.tables.begin() } else { self.tables.lay_out() };
            self.paragraph(&outer.unwrap_or_default());
        }
        if let Some(table) = self.tables.open() {
            return table.start(name, tag, is_break(name));
        }
        self.break_at(name);
        match name {
            "title" => self.is_title = self.title.is_empty(),
            "pre" => self.is_verbatim = true,
            "ol" => self.lists.push(Some(number(tag, "start").unwrap_or(1))),
            "ul" => self.lists.push(None),
            "li" => self.item(),
            "td" | "th" => self.text(" "),
            _ => {}
        }
        if let Some(level) = level(name) {
            self.heading = Some((level, self.extract.text.len()));
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((left_out, open)) = &mut self.left_out {
            *open -= usize::from(left_out == name);
            if *open == 0 {
                self.left_out = None;
            }
            return;
        }
        if name == "table" {
            self.end_table();
            return;
        }
        if let Some(table) = self.tables.open() {
            return table.end(name, is_break(name));
        }
        match name {
            "title" => self.is_title = false,
            "ol" | "ul" => drop(self.lists.pop()),
            "pre" => self.is_verbatim = false,
            _ => {}
        }
        if let Some((level, start)) = self.heading.take_if(|_| level(name).is_some()) {
            let text = label(&self.extract.text[start..], NAME);
            if !text.is_empty() {
                // The spaces after the heading are removed when the next paragraph begins.
                let end = start + self.extract.text[start..].trim_end().len();
                self.headings.push(Heading { start, end, level, text });
            }
        }
        self.break_at(name);
    }

    fn text(&mut self, text: &str) {
        if self.left_out.is_some() {
            return;
        }
        if self.is_title {
            self.title.push_str(text);
            return;
        }
        if let Some(table) = self.tables.open() {
            return table.text(text);
        }
        let into = &mut self.extract.text;
        for c in text.chars() {
            match c {
                _ if self.is_verbatim => into.push(c),
                _ if !c.is_whitespace() => into.push(c),
                _ if !into.is_empty() && !into.ends_with(char::is_whitespace) => into.push(' '),
                _ => {}
            }
        }
    }

    /// Ends the line or the paragraph if the element requires it.
    fn break_at(&mut self, name: &str) {
        let (is_block, is_line) = (BLOCKS.contains(&name), LINES.contains(&name));
        if !is_block && !is_line {
            return;
        }
        if self.heading.is_some() {
            return self.text(" ");
        }
        let text = &mut self.extract.text;
        // A paragraph in an item begins behind the item's mark.
        if self.item_at == Some(text.len()) {
            return;
        }
        text.truncate(text.trim_end_matches(' ').len());
        let wanted = if is_block { 2 } else { 1 };
        let there = text.len() - text.trim_end_matches('\n').len();
        if !text.is_empty() {
            text.extend(std::iter::repeat_n('\n', wanted - there.min(wanted)));
        }
    }

    /// Writes the mark of an item: its number in a list of numbers.
    fn item(&mut self) {
        let deep = "  ".repeat(self.lists.len().clamp(1, DEEPEST) - 1);
        let text = &mut self.extract.text;
        match self.lists.last_mut() {
            Some(Some(number)) => {
                text.extend([&deep, number.to_string().as_str(), ". "]);
                *number = number.saturating_add(1);
            }
            _ => text.extend([&deep, "- "]),
        }
        self.item_at = Some(text.len());
    }

    fn paragraph(&mut self, text: &str) {
        if !text.is_empty() {
            self.break_at("p");
            self.extract.text.push_str(text);
            self.break_at("p");
        }
    }

    /// Ends the innermost table; false if there is none.
    fn end_table(&mut self) -> bool {
        if self.tables.is_empty() {
            return false;
        }
        match self.tables.end() {
            Some(Ok(table)) => {
                self.break_at("table");
                let heading = self.headings.last().map_or(&self.title, |heading| &heading.text);
                table.write(&heading.clone(), &mut self.extract);
            }
            Some(Err(texts)) => self.paragraph(&texts),
            None => self.break_at("table"),
        }
        true
    }

    /// Reads what the page says of itself.
    fn state(&mut self, tag: &StartTag<()>) {
        let attribute = |name: &str| {
            let value = tag.attributes.get(name.as_bytes())?;
            Some(label(&String::from_utf8_lossy(value), NAME)).filter(|value| !value.is_empty())
        };
        let name = attribute("name").or_else(|| attribute("property")).unwrap_or_default();
        let (stated, value) = (&mut self.extract.stated, attribute("content"));
        match name.to_ascii_lowercase().as_str() {
            "author" | "dc.creator" => stated.author = value,
            "date"
            | "dc.date"
            | "dcterms.modified"
            | "article:modified_time"
            | "article:published_time" => stated.time = value,
            _ => {}
        }
    }
}

fn number(tag: &StartTag<()>, name: &str) -> Option<u32> {
    String::from_utf8_lossy(tag.attributes.get(name.as_bytes())?).trim().parse().ok()
}

/// Returns true for an element that begins a line or a paragraph.
fn is_break(name: &str) -> bool {
    BLOCKS.contains(&name) || LINES.contains(&name)
}

fn level(name: &str) -> Option<HeadingLevel> {
    let number = name.strip_prefix('h')?.parse::<usize>().ok()?;
    HeadingLevel::try_from(number).ok()
}

#[cfg(test)]
mod tests;
