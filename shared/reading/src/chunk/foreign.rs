//! Properties that hold for every text, whoever wrote it.

use proptest::prelude::*;

use super::*;
use crate::damage::{quarter, text};
use crate::limit::{NAME, TAG, TAGS};
use model::format::Language;

/// All formats but logs, whose records are not cut.
const FORMATS: [Format; 15] = [
    Format::Markdown,
    Format::Plain,
    Format::Config,
    Format::Html,
    Format::Pdf,
    Format::Office,
    Format::Code(Language::C),
    Format::Code(Language::Go),
    Format::Code(Language::Java),
    Format::Code(Language::JavaScript),
    Format::Code(Language::Python),
    Format::Code(Language::Rust),
    Format::Code(Language::TypeScript),
    Format::Code(Language::Tsx),
    Format::Code(Language::Other),
];

/// Pairs of opening and closing marks of the formats.
const NESTS: [(&str, &str); 15] = [
    ("[", "]"),
    ("{", "}"),
    ("{a: ", "}"),
    ("{\"a\":", "}"),
    ("(", ")"),
    ("<", ">"),
    ("> ", ""),
    ("- ", ""),
    ("<div>", "</div>"),
    ("<nav>", ""),
    ("**", "**"),
    ("[a](", ")"),
    ("fn f() {", "}"),
    ("if a:\n", ""),
    ("f(|x| ", ")"),
];

fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Checks that the passages contain all of a text except white space, in order, that none is too
/// large, and that no heading is too long.
fn check(text: &str, cut: &Cut) -> Result<(), TestCaseError> {
    let mut kept = String::new();
    let mut end = 0;
    for Piece { range, section } in &cut.pieces {
        prop_assert!(range.start >= end && range.len() <= split::LARGEST, "{:?}", range);
        end = range.end;
        let part = text.get(range.clone());
        prop_assert!(part.is_some_and(|part| !part.trim().is_empty()), "{:?}", range);
        kept.extend(part);
        prop_assert!(section.iter().map(String::len).sum::<usize>() <= 2 * NAME);
    }
    prop_assert_eq!(letters(&kept), letters(text));
    prop_assert!(cut.title.as_ref().is_none_or(|title| title.len() <= NAME));
    Ok(())
}

proptest! {
    #[test]
    fn whatever_a_text_is_called_none_of_it_is_lost(
        (_, text) in text(),
        format in prop::sample::select(&FORMATS[..]),
    ) {
        check(&text, &cut(format, &text))?;
        prop_assert!(first_words(format, &text, 20).split_whitespace().count() <= 20);
    }

    #[test]
    fn the_text_of_a_page_is_cut_as_any_other((_, page) in text()) {
        let Extract { text, cut, .. } = html(&page);
        check(&text, &cut)?;
    }

    #[test]
    fn front_matter_ends_within_the_text_and_says_little((_, text) in text()) {
        let FrontMatter { attributes, kind, article, owner, end } = front_matter(&text);
        prop_assert!(text.get(end..).is_some());
        let texts = [&attributes.title, &attributes.author, &attributes.uri, &kind, &article, &owner];
        prop_assert!(texts.into_iter().flatten().all(|t| t.len() <= NAME));
        prop_assert!(attributes.tags.len() <= TAGS);
        prop_assert!(attributes.tags.iter().all(|tag| !tag.is_empty() && tag.len() <= TAG));
    }
}

proptest! {
    #![proptest_config(quarter())]

    #[test]
    fn what_nests_is_read_however_deep(
        (open, close) in prop::sample::select(&NESTS[..]),
        format in prop::sample::select(&FORMATS[..]),
        depth in 1..400_usize,
    ) {
        let text = format!("{}x{}", open.repeat(depth), close.repeat(depth));
        check(&text, &cut(format, &text))?;
        let page = html(&text);
        check(&page.text, &page.cut)?;
        prop_assert_eq!(front_matter(&format!("---\n{text}\n---\n")).attributes.tags.len(), 0);
    }
}
