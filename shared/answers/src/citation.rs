//! Cites a place in a document by a template of the knowledge base.

use jiff::Timestamp;

use model::document::{Passage, file_name};

/// The fields that a template may name in braces.
const FIELDS: [&str; 8] =
    ["file", "name", "title", "section", "heading", "lines", "time", "article"];

/// A text with fields in braces. A part in square brackets is left out if one of its fields is
/// unknown: `{file}:{lines}[ ({time})]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Field(&'static str),
    Optional(Vec<Part>),
}

/// A place to cite. Its lines and time may be those of one record in the passage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'c> {
    /// The passage.
    pub passage: &'c Passage,
    /// The first and last line.
    pub lines: Option<(u32, u32)>,
    /// The time.
    pub time: Option<Timestamp>,
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// The reason why the template is invalid, to be put after the name of the setting.
    pub(super) fn parse(text: &str) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '[']) {
            push_text(&mut parts, &rest[..at])?;
            let (close, is_field) =
                if rest[at..].starts_with('{') { ('}', true) } else { (']', false) };
            let end = rest[at..].find(close).ok_or_else(|| format!("lacks a `{close}`"))? + at;
            let inner = &rest[at + 1..end];
            if is_field {
                parts.push(Part::Field(field(inner)?));
            } else {
                let Template(inner) = Template::parse(inner)?;
                parts.push(Part::Optional(inner));
            }
            rest = &rest[end + 1..];
        }
        push_text(&mut parts, rest)?;
        if parts.is_empty() { Err("must not be empty".into()) } else { Ok(Template(parts)) }
    }

    /// Returns the citation of `place`. An unknown field is left out.
    pub(super) fn show(&self, place: &Place<'_>) -> String {
        render_parts(&self.0, place).0
    }
}

fn push_text(parts: &mut Vec<Part>, text: &str) -> Result<(), String> {
    if text.contains(['}', ']']) {
        return Err(format!("closes in `{text}` what was not opened"));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text.into()));
    }
    Ok(())
}

fn field(name: &str) -> Result<&'static str, String> {
    let known = FIELDS.iter().find(|field| **field == name).copied();
    known.ok_or_else(|| format!("names `{{{name}}}`; known are {}", FIELDS.join(", ")))
}

/// Returns the text, with true if all of its fields are known.
fn render_parts(parts: &[Part], place: &Place<'_>) -> (String, bool) {
    let (mut text, mut is_whole) = (String::new(), true);
    for part in parts {
        match part {
            Part::Text(words) => text.push_str(words),
            Part::Field(name) => {
                let value = value(name, place);
                is_whole &= !value.is_empty();
                text.push_str(&value);
            }
            Part::Optional(inner) => {
                let (inner, is_whole) = render_parts(inner, place);
                if is_whole {
                    text.push_str(&inner);
                }
            }
        }
    }
    (text, is_whole)
}

fn value(name: &str, place: &Place<'_>) -> String {
    let Place { passage, lines, time } = *place;
    match name {
        "file" => file_name(&passage.name).into(),
        "name" => passage.name.clone(),
        "title" => passage.title.clone(),
        "heading" => passage.heading().into(),
        "section" => section(passage),
        "article" => passage.article.clone().unwrap_or_default(),
        "lines" => match lines {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
            None => String::new(),
        },
        _ => time.map(|time| time.strftime("%H:%M:%SZ").to_string()).unwrap_or_default(),
    }
}

/// Returns the number in the heading; without one, the heading's place among the outermost sections
/// of the document.
fn section(passage: &Passage) -> String {
    let heading = passage.heading();
    let number: String = heading.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    let number = number.trim_end_matches('.');
    let is_numbered = number.starts_with(|c: char| c.is_ascii_digit())
        && !heading[number.len()..].starts_with(char::is_alphanumeric);
    if is_numbered {
        return number.into();
    }
    passage.ordinal.map(|ordinal| ordinal.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::passages;

    fn render(template: &str, passage: &Passage, time: Option<&str>) -> String {
        let lines = Some((1045, 1045));
        let time = time.map(|time| time.parse().unwrap());
        Template::parse(template).unwrap().show(&Place { passage, lines, time })
    }

    fn passage(text: &str, name: &str, title: &str) -> Passage {
        let last = passages(text).pop().unwrap();
        Passage { name: name.into(), title: title.into(), ..last }
    }

    #[test]
    fn the_three_forms_are_byte_for_byte_those_of_the_design() {
        let log = passage("text", "logs/server.log", "server");
        let case = "{file}:{lines}[ ({time})]";
        assert_eq!(
            render(case, &log, Some("2026-10-19T14:32:15.5Z")),
            "server.log:1045 (14:32:15Z)"
        );
        assert_eq!(render(case, &log, None), "server.log:1045");
        let text = "# Database Timeout Runbook\n\n## Pool\n\na\n\n## Slow\n\nb\n\n## Net\n\nc\n";
        let runbook = passage(text, "db.md", "Database Timeout Runbook");
        let user = "\"{title}\"[ section {section}]";
        assert_eq!(render(user, &runbook, None), "\"Database Timeout Runbook\" section 3");
        let guide = Passage {
            article: Some("KB-1234".into()),
            ..passage("a", "a.md", "API Performance Guide")
        };
        let global = "[{article} ]\"{title}\"";
        assert_eq!(render(global, &guide, None), "KB-1234 \"API Performance Guide\"");
        let guide = Passage { article: None, ..guide };
        assert_eq!(render(global, &guide, None), "\"API Performance Guide\"");
    }

    #[test]
    fn a_headings_own_number_comes_before_its_ordinal() {
        let guide =
            passage("# Guide\n\n## A\n\na\n\n## 4.2 Drain the node\n\nb\n", "g.md", "Guide");
        assert_eq!(section(&guide), "4.2");
        let guide = passage("# Guide\n\n## A\n\na\n\n## 2nd try\n\nb\n", "g.md", "Guide");
        assert_eq!(section(&guide), "2");
    }
}
