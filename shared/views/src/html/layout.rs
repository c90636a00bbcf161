//! The layout that all pages share.

use maud::{Markup, PreEscaped, html};

pub(crate) const STYLE: &str = concat!(include_str!("base.css"), include_str!("answer.css"));

/// The policy of a page: it loads nothing and runs nothing, even if a text should ever get through
/// as markup.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The program that made a page, with its version.
pub const GENERATOR: &str = concat!("Plumbline ", env!("CARGO_PKG_VERSION"));

/// Returns the head of a page that only shows.
pub(crate) fn head(title: &str, style: &'static str) -> Markup {
    head_with(title, style, POLICY)
}

/// Returns the head of a page that may do what its policy says.
pub(crate) fn head_with(title: &str, style: &'static str, policy: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            // The address of a page is private; following the link of a source must not reveal it.
            meta name="referrer" content="no-referrer";
            meta name="robots" content="noindex";
            meta name="generator" content=(GENERATOR);
            title { (title) }
            style { (PreEscaped(style)) }
        }
    }
}

/// Replaces characters that control a terminal; they have no meaning on a page.
pub(crate) fn printable(page: &str) -> String {
    let steers = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    page.replace(steers, "\u{FFFD}")
}
