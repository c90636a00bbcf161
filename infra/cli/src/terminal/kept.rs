//! The words of documents, kept as they wrote them: prose may be wrapped anew, records, code and
//! steps may not.

use crate::wording::{flat, wrapped};

/// The way to read a document's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// Paragraphs, whose line breaks mean nothing.
    Prose,
    /// Records, code or settings: every line stands as it is.
    Lines,
}

impl Nature {
    /// Tells the nature of a document by its name.
    pub(super) fn of(name: &str) -> Nature {
        let file = name.rsplit('/').next().unwrap_or(name);
        let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("md" | "markdown" | "txt" | "text" | "html" | "htm" | "pdf" | "rst" | "adoc") => {
                Nature::Prose
            }
            _ => Nature::Lines,
        }
    }
}

/// The text with its lines indented. In prose, paragraphs and list items are wrapped, each on its
/// own; fenced and indented code and tables stand as they are.
pub(super) fn lines(text: &str, nature: Nature, indent: &str, width: usize) -> Vec<String> {
    let text = text.trim_end().trim_start_matches(['\n', '\r']);
    if nature == Nature::Lines {
        return text.lines().map(|line| format!("{indent}{line}")).collect();
    }
    let mut lines = Vec::new();
    let mut paragraph = String::new();
    let mut is_fenced = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        if is_fenced || is_fence || stands_as_it_is(line) {
            lines.extend(wrapped_paragraph(&mut paragraph, indent, width));
            lines.push(format!("{indent}{line}").trim_end().into());
            is_fenced ^= is_fence;
        } else {
            if line.trim().is_empty() || marker(line) > 0 {
                lines.extend(wrapped_paragraph(&mut paragraph, indent, width));
            }
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    lines.extend(wrapped_paragraph(&mut paragraph, indent, width));
    lines
}

fn stands_as_it_is(line: &str) -> bool {
    let is_code = line.starts_with("    ") && marker(line) == 0 || line.starts_with('\t');
    is_code || line.starts_with('|') || line.starts_with('#')
}

/// The columns up to a list item's own text; 0 where the line is no list item.
fn marker(line: &str) -> usize {
    let text = line.trim_start();
    let before = line.len() - text.len();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match (digits, &text[digits..]) {
        (0, rest) if ["- ", "* ", "+ "].iter().any(|mark| rest.starts_with(mark)) => 2,
        (1..=3, rest) if rest.starts_with(". ") || rest.starts_with(") ") => digits + 2,
        _ => return 0,
    };
    before + mark
}

/// The paragraph wrapped, a list item below its own text; it is empty afterwards.
fn wrapped_paragraph(paragraph: &mut String, indent: &str, width: usize) -> Vec<String> {
    let text = std::mem::take(paragraph);
    if text.trim().is_empty() {
        return Vec::new();
    }
    let before = text.len() - text.trim_start().len();
    let (first, rest) = match marker(&text) {
        0 => (indent.to_owned(), indent.to_owned()),
        columns => {
            (format!("{indent}{}", " ".repeat(before)), format!("{indent}{}", " ".repeat(columns)))
        }
    };
    wrapped(&flat(&text), &first, &rest, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_code_stand_as_they_are() {
        assert_eq!(Nature::of("broker.log.2026-12-19-16"), Nature::Lines);
        assert_eq!(Nature::of("src/main.rs"), Nature::Lines);
        let trace =
            "12:00:01 ERROR pump   stalled at a bearing which is far too hot\n    at Pump.turn\n";
        assert_eq!(
            lines(trace, Nature::Lines, "  ", 20),
            [
                "  12:00:01 ERROR pump   stalled at a bearing which is far too hot",
                "      at Pump.turn"
            ]
        );
    }

    #[test]
    fn prose_is_wrapped_and_its_steps_and_code_are_kept() {
        assert_eq!(Nature::of("runbooks/Pump.MD"), Nature::Prose);
        let text = "Stop the\npump at once.\n\n1. Close the valve below the pump.\n   Both of them.\n2. Run:\n\n```\n$ pumpctl   stop --now --and-tell-everyone\n```\n- Done";
        insta::assert_snapshot!(lines(text, Nature::Prose, "  ", 30).join("\n"), @r"
          Stop the pump at once.
          1. Close the valve below the
             pump. Both of them.
          2. Run:
          ```
          $ pumpctl   stop --now --and-tell-everyone
          ```
          - Done
        ");
    }
}
