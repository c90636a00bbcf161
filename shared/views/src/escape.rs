//! Escapes text of others, so that it cannot become a part of a Markdown record's structure.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

/// The number of rounds that look for constructs which an escape has uncovered. Text with
/// constructs hidden more deeply is shown as plain text.
const ROUNDS: usize = 4;
/// The end that is appended to a text in a check. It is a heading only if the text leaves no
/// construct open.
const END: &str = "\n\n# end";
/// The Markdown dialect of GitHub, where most records are read.
const DIALECT: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);

/// Returns a text on one line, without control characters.
pub(crate) fn flat(text: &str) -> String {
    let visible: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| is_shown(*c))
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a character can neither reverse the text after it nor pass for a space in a
/// parser.
fn is_shown(c: char) -> bool {
    !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Returns a text on one line that reads as it was written, anywhere in a line.
pub(crate) fn inline(text: &str) -> String {
    let flat = flat(text);
    let first = flat.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker = flat.len() - first.len();
    let end = flat.len().saturating_sub(1);
    let mut escaped = String::with_capacity(flat.len());
    let mut before = ' ';
    for (place, character) in flat.char_indices() {
        let after = flat[place + character.len_utf8()..].chars().next().unwrap_or(' ');
        let is_markup = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '$' => true,
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => after == '#' || after.is_ascii_alphanumeric(),
            '#' => place == 0 || place == end,
            '-' | '+' | '=' | '>' => place == 0,
            '.' | ')' => place == marker && marker > 0,
            _ => false,
        };
        if is_markup {
            escaped.push('\\');
        }
        escaped.push(character);
        before = character;
    }
    escaped
}

/// Returns a YAML scalar in double quotes, on one line.
pub(crate) fn yaml(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in flat(text).chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // YAML allows neither noncharacters nor its own line separators.
            '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => {
                quoted.extend(c.escape_unicode().filter(|part| !matches!(part, '{' | '}')));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns a text of any length, with `prefix` before each of its lines. Its Markdown is kept,
/// except for headings, rules, HTML, images and dubious links. A text that would affect the text
/// after it is shown as it was typed.
pub(crate) fn block(text: &str, prefix: &str) -> String {
    let lines = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
    let visible: String = lines
        .chars()
        .filter(|c| matches!(c, '\n' | '\t') || !c.is_control() && is_shown(*c))
        .collect();
    let mut kept = visible.trim_matches('\n').to_owned();
    for _ in 0..ROUNDS {
        let marks = marks(&kept);
        if marks.is_empty() {
            break;
        }
        for place in marks.into_iter().rev() {
            kept.insert(place, '\\');
        }
    }
    let quoted = prefixed(&kept, prefix);
    // The check includes the prefix, because a `>` of a quote can end a tag that the text began.
    if is_contained(&kept) && is_contained(quoted.trim_start()) {
        return quoted;
    }
    prefixed(&plain(&visible), prefix)
}

fn prefixed(text: &str, prefix: &str) -> String {
    let lines: Vec<_> =
        text.split('\n').map(|line| format!("{prefix}{line}").trim_end().to_owned()).collect();
    lines.join("\n")
}

/// Returns the places, in order, at which a backslash turns a forbidden construct into plain text.
fn marks(text: &str) -> Vec<usize> {
    let mut marks = Vec::new();
    let mut events = Parser::new_ext(text, DIALECT).into_offset_iter();
    for (event, range) in events.by_ref() {
        let part = &text[range.clone()];
        match event {
            Event::Start(Tag::Heading { .. }) if part.starts_with('#') => marks.push(range.start),
            Event::Start(Tag::Heading { .. }) => {
                let underline = part.trim_end().rfind('\n').map_or(0, |place| place + 1);
                marks.extend(
                    part[underline..].find(['-', '=']).map(|at| range.start + underline + at),
                );
            }
            Event::Rule | Event::Start(Tag::FootnoteDefinition(_)) => marks.push(range.start),
            Event::Html(_) | Event::InlineHtml(_) => {
                marks.extend(part.match_indices('<').map(|(place, _)| range.start + place));
            }
            Event::Start(Tag::Image { .. }) => marks.push(range.start + 1),
            Event::Start(Tag::Link { dest_url, .. }) if !is_harmless(&dest_url) => {
                marks.push(range.start);
            }
            _ => {}
        }
    }
    marks.extend(
        events
            .reference_definitions()
            .iter()
            .map(|(_, reference_definition)| reference_definition.span.start),
    );
    marks.sort_unstable();
    marks.dedup();
    marks
}

fn is_harmless(target: &str) -> bool {
    ["http://", "https://", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

/// Returns true if the text affects nothing around it: it has nothing left to escape, no open
/// construct, and no code by indentation, which would mean something else below a list.
fn is_contained(text: &str) -> bool {
    let closed = format!("{text}{END}");
    let start = closed.len() - END.trim_start().len();
    let is_closed = Parser::new_ext(&closed, DIALECT).into_offset_iter().any(|(event, range)| {
        range.start == start
            && matches!(event, Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }))
    });
    is_closed && !text.starts_with([' ', '\t']) && marks(text).is_empty()
}

fn plain(text: &str) -> String {
    let mut plain = String::new();
    for line in text.split('\n').map(inline) {
        let is_within = !plain.is_empty() && !plain.ends_with('\n');
        plain.push_str(match (is_within, line.is_empty()) {
            (true, true) => "\n\n",
            (true, false) => "\\\n",
            (false, _) => "",
        });
        plain.push_str(&line);
    }
    plain.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the text that people see, with true if it contains only paragraphs, headings and
    /// bold text.
    fn seen(markdown: &str) -> (String, bool) {
        let mut text = String::new();
        let mut is_plain = true;
        for event in Parser::new_ext(markdown, DIALECT) {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::Strong)
                | Event::End(_) => {}
                _ => is_plain = false,
            }
        }
        (text, is_plain)
    }

    #[test]
    fn a_plain_title_is_left_alone() {
        for title in
            ["Use PostgreSQL 16 (managed) - at last", "C# & R&D: max_connections = 4", "日本語"]
        {
            assert_eq!(inline(title).replace("R\\&D", "R&D"), title);
        }
    }

    #[test]
    fn a_heading_a_rule_and_html_are_text_and_the_rest_is_kept() {
        let text =
            "# Top\n**bold**\n\n- a\n- b\n\nTitle\n---\n\n---\n<script>x</script>\n\n`a <b>`";
        assert_eq!(
            block(text, ""),
            "\\# Top\n**bold**\n\n- a\n- b\n\nTitle\n\\---\n\n\\---\n\\<script>x\\</script>\n\n`a <b>`"
        );
    }

    #[test]
    fn a_heading_behind_html_is_found_too() {
        assert_eq!(block("<div>\n# a\n</div>", ""), "\\<div>\n\\# a\n\\</div>");
    }

    #[test]
    fn an_open_fence_swallows_nothing() {
        assert_eq!(block("a\n```\n# b", "> "), "> a\\\n> \\`\\`\\`\\\n> \\# b");
    }

    #[test]
    fn an_image_a_script_and_a_definition_are_text() {
        assert_eq!(
            block("![a](https://b) [c](javascript:d) [e](https://f)\n\n[g]: https://h", ""),
            "!\\[a](https://b) \\[c](javascript:d) [e](https://f)\n\n\\[g]: https://h"
        );
    }

    #[test]
    fn the_sign_of_a_quote_ends_no_tag() {
        assert_eq!(block("`` <!a\n# ", "> "), "> \\`\\` \\<!a\\\n> \\#");
    }

    proptest! {
        #[test]
        fn a_line_reads_as_it_was_written_wherever_it_stands(text in "([a-z ]|\\PC|[#*_`<>&;.$0-9-])*") {
            let (line, wanted) = (inline(&text), flat(&text));
            prop_assert_eq!(seen(&format!("# {line}")), (wanted.clone(), true));
            prop_assert_eq!(seen(&line), (wanted.clone(), true));
            if !wanted.is_empty() {
                let (quoted, is_plain) = seen(&format!("**\"{line}\"**, because"));
                prop_assert_eq!(quoted, format!("\"{wanted}\", because"));
                prop_assert!(is_plain);
            }
        }

        #[test]
        fn no_text_leaves_its_block(text in "([a-z \n]|\\PC|[#*_`<>&;.\\[\\]:=~0-9-])*") {
            prop_assert!(is_contained(&block(&text, "")));
            let quoted = format!("{}{END}", block(&text, "> "));
            let events: Vec<_> = Parser::new_ext(&quoted, DIALECT).collect();
            let headings = events.iter().filter(|event| matches!(event, Event::Start(Tag::Heading { .. })));
            prop_assert_eq!(headings.count(), 1);
            prop_assert!(!events.iter().any(|event| matches!(event, Event::Html(_) | Event::InlineHtml(_))));
        }

        #[test]
        fn yaml_reads_back(text in any::<String>()) {
            prop_assert_eq!(serde_saphyr::from_str::<String>(&yaml(&text)).unwrap(), flat(&text));
        }
    }
}
