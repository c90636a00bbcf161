//! HTML: the text of a page along its headings, without scripts, styles and navigation.

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{StartTag, Token, Tokenizer};
use pulldown_cmark::HeadingLevel;

use super::Extract;
use super::markdown::{self, Heading};
use crate::limit::{NAME, label};

/// Elements whose content is not markup.
const RAW: [&str; 2] = ["script", "style"];

/// Elements whose text does not belong to the page's content.
const LEFT_OUT: [&str; 14] = [
    "script", "style", "nav", "footer", "noscript", "template", "svg", "iframe", "select",
    "button", "object", "audio", "video", "canvas",
];

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
    let Page { text, headings, title, .. } = page;
    let mut cut = markdown::along(&text, &headings);
    cut.title = cut.title.or(Some(label(&title, NAME)).filter(|title| !title.is_empty()));
    Extract { text, cut }
}

/// The part of a page that was read so far.
#[derive(Default)]
struct Page {
    text: String,
    title: String,
    headings: Vec<Heading>,
    /// The open heading: its level and the byte at which it begins.
    heading: Option<(HeadingLevel, usize)>,
    /// The name of the element that is left out, and the number of open elements with that name.
    left_out: Option<(String, usize)>,
    is_title: bool,
    is_verbatim: bool,
}

impl Page {
    fn start(&mut self, tag: &StartTag<()>) {
        let name = String::from_utf8_lossy(&tag.name);
        let name = name.as_ref();
        if let Some((left_out, open)) = &mut self.left_out {
            *open += usize::from(left_out == name && !tag.self_closing);
            return;
        }
        let is_navigation =
            tag.attributes.get(&b"role"[..]).is_some_and(|role| role.as_slice() == b"navigation");
        // HTML has no self-closing script: the text after it still belongs to the script.
        let is_open = !tag.self_closing || RAW.contains(&name);
        if (LEFT_OUT.contains(&name) || is_navigation) && is_open {
            self.left_out = Some((name.into(), 1));
            return;
        }
        self.break_at(name);
        match name {
            "title" => self.is_title = self.title.is_empty(),
            "pre" => self.is_verbatim = true,
            "li" => self.text.push_str("- "),
            "td" | "th" => self.text(" | "),
            _ => {}
        }
        if let Some(level) = level(name) {
            self.heading = Some((level, self.text.len()));
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
        match name {
            "title" => self.is_title = false,
            "pre" => self.is_verbatim = false,
            _ => {}
        }
        if let Some((level, start)) = self.heading.take_if(|_| level(name).is_some()) {
            let text = label(&self.text[start..], NAME);
            if !text.is_empty() {
                // The spaces after the heading are removed when the next paragraph begins.
                let end = start + self.text[start..].trim_end().len();
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
        for c in text.chars() {
            match c {
                _ if self.is_verbatim => self.text.push(c),
                _ if !c.is_whitespace() => self.text.push(c),
                _ if !self.text.is_empty() && !self.text.ends_with(char::is_whitespace) => {
                    self.text.push(' ');
                }
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
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        let wanted = if is_block { 2 } else { 1 };
        let there = self.text.len() - self.text.trim_end_matches('\n').len();
        if !self.text.is_empty() {
            self.text.extend(std::iter::repeat_n('\n', wanted - there.min(wanted)));
        }
    }
}

fn level(name: &str) -> Option<HeadingLevel> {
    let number = name.strip_prefix('h')?.parse::<usize>().ok()?;
    HeadingLevel::try_from(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(html: &str) -> Vec<(String, String)> {
        let Extract { text, cut } = read(html);
        let section_and_text = |piece: &super::super::Piece| {
            (piece.section.join(" > "), text[piece.range.clone()].to_owned())
        };
        cut.pieces.iter().map(section_and_text).collect()
    }

    #[test]
    fn a_page_is_read_along_its_headings_without_what_is_around_it() {
        let html = "<!doctype html><html><head><title>Pumps &amp; seals</title><style>p { color: red }</style>\
            <script>if (a < b) { dry() }</script></head><body><nav><ul><li>Home</ul></nav><div role=navigation>Up<div>x</div></div>\
            <h1>Pump</h1><p>It  ran\n<b>dry</b>.</p><h2>Why <code>seal</code></h2><ul><li>Worn<li>Old</ul>\
            <table><tr><th>Part<th>Age<tr><td>Seal<td>9</table><h2>Fix</h2><pre>a  b\n  c</pre><footer>2026</footer>";
        let page = read(html);
        assert_eq!(page.cut.title.as_deref(), Some("Pump"));
        assert_eq!(
            outline(html),
            [
                (String::new(), "Pump\n\nIt ran dry.".into()),
                ("Why seal".into(), "Why seal\n\n- Worn\n- Old\n\n| Part | Age\n| Seal | 9".into()),
                ("Fix".into(), "Fix\n\na  b\n  c".into()),
            ]
        );
        assert_eq!(
            read("<title>Pumps &amp; seals</title>dry").cut.title.as_deref(),
            Some("Pumps & seals")
        );
    }

    #[test]
    fn what_a_script_says_is_no_text_and_a_heading_keeps_its_words_apart() {
        let page = "<script src=a/>if (x) { y }</script><h1>Pump<br>Guide</h1><p>dry";
        assert_eq!(outline(page), [(String::new(), "Pump Guide\n\ndry".into())]);
    }

    #[test]
    fn broken_pages_are_read_however_deep() {
        for html in [
            "<pre><h1>a   </h1>",
            "<pre><h1>a   </h1>é</pre>",
            "",
            "<",
            "<h1>",
            "</h1></p>",
            "<h1>a<h2>b",
            "<nav>x",
            "<pre>a",
            "<title>t",
        ] {
            read(html);
        }
        let deep = "<div>".repeat(200_000) + "dry";
        assert_eq!(outline(&deep), [(String::new(), "dry".into())]);
    }
}
