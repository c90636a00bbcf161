//! Draws text of documents as their authors meant it: Markdown as Markdown, all else verbatim.
//!
//! No text of a document becomes an element of its own: HTML in Markdown is shown as text, links
//! and pictures are shown as their words, and headings are bold lines. A quote therefore cannot
//! pass for a part of the page.

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::wording::{is_markdown, row_in_line};

/// The dialect of Markdown: tables, struck-out text and task lists, which most documents use.
const DIALECT: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// Draws a passage of the document with this name. A first heading that repeats the section's name
/// is left out.
pub(crate) fn passage(name: &str, section: Option<&str>, text: &str) -> Markup {
    if !is_markdown(name) {
        return html! { blockquote.plain-text dir="auto" { (text) } };
    }
    let text = section.map_or(text, |section| without_heading(text, section));
    let drawn = drawn(text);
    // A table may be wider than the window: the keyboard has to reach it to scroll.
    let tabindex = drawn.contains("<table").then_some("0");
    html! { blockquote dir="auto" tabindex=[tabindex] { (PreEscaped(drawn)) } }
}

/// Draws a sentence, an item or a row of a table on one line.
pub(crate) fn line(name: &str, text: &str) -> Markup {
    if !is_markdown(name) {
        return html! { (text) };
    }
    let text = row_in_line(text);
    let drawn = drawn(&text);
    let bare = drawn.trim().strip_prefix("<p>").and_then(|inner| inner.strip_suffix("</p>"));
    match bare {
        Some(inner) if !inner.contains("<p>") => html! { (PreEscaped(inner)) },
        _ => html! { (text) },
    }
}

/// Returns the text after its first heading, if the section's name ends with that heading.
fn without_heading<'t>(text: &'t str, section: &str) -> &'t str {
    let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text, ""));
    let title = first.trim_start_matches('#').trim();
    let is_shown = first.starts_with('#') && !title.is_empty() && section.ends_with(title);
    if is_shown && !rest.trim().is_empty() { rest } else { text }
}

fn drawn(text: &str) -> String {
    let events = Parser::new_ext(text, DIALECT).filter_map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        Event::Start(Tag::Heading { .. }) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::Heading(_)) => Some(Event::End(TagEnd::Paragraph)),
        Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
        | Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock) => None,
        event => Some(event),
    });
    let mut page = String::with_capacity(text.len());
    pulldown_cmark::html::push_html(&mut page, events);
    // A heading without words is none.
    page.replace("<th></th>", "<td></td>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        passage("a.md", Some("Guide > Retry"), text).into_string()
    }

    #[test]
    fn markdown_is_drawn_and_the_heading_that_is_above_is_not_repeated() {
        let text = "## Retry\n\nTry **twice** with `retry`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
        let page = shown(text);
        assert!(
            page.contains("<strong>twice</strong>") && page.contains("<code>retry</code>"),
            "{page}"
        );
        assert!(page.contains("<td>1</td>") && !page.contains("Retry"), "{page}");
        assert!(shown("## Other\n\nText.").contains("<p>Other</p>"));
        assert!(shown("## Retry").contains("Retry"), "a heading alone is all that there is");
    }

    #[test]
    fn no_document_makes_an_element_of_its_own() {
        let text = "A <script>alert(1)</script> <b onclick=x>b</b> [t](javascript:x) ![p](http://e/x.png) <http://e/y>\n\n<div>\nd\n</div>\n";
        let page = shown(text);
        for element in ["<script", "<b ", "<a", "<img", "<div", "href", "src="] {
            assert!(!page.contains(element), "{element} in {page}");
        }
        assert!(
            page.contains("&lt;script&gt;alert(1)") && page.contains("t p http://e/y"),
            "{page}"
        );
    }

    #[test]
    fn a_row_of_a_table_is_its_cells_and_a_log_stands_as_it_is() {
        assert_eq!(
            line("a.md", "| p99 | **12 ms** |").into_string(),
            "p99 · <strong>12 ms</strong>"
        );
        assert_eq!(line("a.log", "**x** <y>").into_string(), "**x** &lt;y&gt;");
        assert!(passage("a.log", None, "# x\n**y**").into_string().contains("# x\n**y**"));
    }
}
