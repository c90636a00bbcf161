//! Words that all forms share.

use std::fmt::Display;

use jiff::Timestamp;
use model::document::{DocumentType, Lifecycle};
use model::entry::ReadAs;
use model::evidence::Place;
use model::format::Format;

/// Returns a name of the API as a heading: "Best practices" for `best_practices`.
pub fn heading(name: &str) -> String {
    let name = name.replace('_', " ");
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns a count with its noun: `1 report`, `2 reports`.
pub fn count(number: impl Display, what: &str) -> String {
    match number.to_string().as_str() {
        "1" => format!("1 {what}"),
        several => format!("{several} {what}s"),
    }
}

/// Returns a list as in prose: `A`, `A and B`, `A, B and C`.
pub fn listed<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Returns the day of a time, in UTC.
pub fn day(time: Timestamp) -> String {
    time.strftime("%-d %b %Y").to_string()
}

/// Returns a text in one line; nothing but its white space changes.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the first characters of a text, at most `most`, in one line; `…` says that it goes on.
pub fn shortened(text: &str, most: usize) -> String {
    let flat = flat(text);
    let Some((end, _)) = flat.char_indices().nth(most) else { return flat };
    let end = flat[..end].rfind(' ').filter(|word| *word >= end / 2).unwrap_or(end);
    format!("{}…", &flat[..end])
}

/// Returns the cells of a row of a Markdown table behind each other; another text as it is.
pub fn row_in_line(text: &str) -> String {
    let row = text.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|'));
    row.map_or(text.to_owned(), |row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        cells.join(" · ")
    })
}

/// Returns a place as `pumps/pump-7.md:3-9`.
pub fn lines_of(place: &Place) -> String {
    file_at(&place.file, place.lines)
}

/// Tells the section of words that have no lines, such as a page or cells, and what their document
/// says of itself: `, Pumps!A2:F40, version 3.4, superseded`.
pub fn behind(place: &Place, lines: Option<(u32, u32)>) -> String {
    let section = place.section.as_ref().filter(|_| lines.is_none() && place.lines.is_none());
    let section = section.map(|section| format!(", {section}")).unwrap_or_default();
    format!("{section}{}", of_itself(place))
}

/// Tells what a document says of itself, behind its place: `, 2026-06-08, version 3.4,
/// superseded`.
pub fn of_itself(place: &Place) -> String {
    // Records have times of their own, and of a document the first time is the last.
    let day = place.time.as_ref().filter(|(first, last)| first == last);
    let day = day.filter(|_| place.document_type != DocumentType::Log);
    let day = day.and_then(|(time, _)| Some(format!(", {}", time.split_once('T')?.0)));
    let edition = place.edition.as_ref().map(|edition| format!(", version {edition}"));
    let lifecycle = place.lifecycle.filter(|it| *it != Lifecycle::Accepted);
    let lifecycle = lifecycle.map(|lifecycle| format!(", {}", lifecycle.name()));
    day.into_iter().chain(edition).chain(lifecycle).collect()
}

/// Returns a file with lines of it as `pumps/pump-7.md:3-9`.
pub fn file_at(file: &str, lines: Option<(u32, u32)>) -> String {
    let lines = lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
    format!("{file}{lines}")
}

/// Tells how a document was read, a line for each thing.
pub fn read_as(read: &ReadAs) -> Vec<String> {
    let ReadAs { format, encoding, sections, tables, records, facts, owner, left_out } = read;
    let of = |number: u64, one: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{number} {one}s"),
    };
    let encoding = encoding.as_ref().map(|encoding| format!(" in {encoding}")).unwrap_or_default();
    let parts =
        [of((*sections).into(), "section"), of((*tables).into(), "table"), of(*records, "record")];
    let mut lines = vec![format!("Read as {format}{encoding}: {}", parts.join(", "))];
    if !facts.is_empty() {
        let facts: Vec<String> = facts
            .iter()
            .map(|(kind, number)| format!("{} {number}", kind.replace('_', " ")))
            .collect();
        lines.push(format!("Facts: {}", facts.join(", ")));
    }
    lines.extend(owner.iter().map(|owner| format!("Owner: {owner}")));
    lines.extend(left_out.iter().map(|part| format!("Left out: {part}")));
    lines
}

/// Returns true for a document whose text is Markdown, by its name.
pub fn is_markdown(name: &str) -> bool {
    matches!(
        Format::of(name, ""),
        Ok(Format::Markdown | Format::Office | Format::Mail | Format::Notebook)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_listed_as_in_prose() {
        assert_eq!(listed(&["A"]), "A");
        assert_eq!(listed(&["A", "B"]), "A and B");
        assert_eq!(listed(&["A", "B", "C"]), "A, B and C");
    }

    #[test]
    fn a_reading_is_told_with_what_was_left_out() {
        let read = ReadAs {
            format: "mail".into(),
            encoding: Some("windows-1252".into()),
            sections: 1,
            tables: 2,
            records: 0,
            owner: Some("team pumps".into()),
            facts: [("failure_report".to_owned(), 1), ("statements".into(), 7)].into(),
            left_out: vec!["attachment a.png: is an image".into()],
        };
        let lines = [
            "Read as mail in windows-1252: 1 section, 2 tables, 0 records",
            "Facts: failure report 1, statements 7",
            "Owner: team pumps",
            "Left out: attachment a.png: is an image",
        ];
        assert_eq!(read_as(&read), lines);
    }

    #[test]
    fn a_place_without_lines_is_its_section_and_a_past_document_says_so() {
        let place: Place = serde_json::from_value(serde_json::json!({
            "passage_id": "00000000-0000-0000-0000-000000000001", "file": "plan.xlsx", "title": "Plan",
            "section": "Pumps!A2:F40", "document_type": "other", "source": "docs",
            "edition": "3.4", "lifecycle": "superseded",
        }))
        .unwrap();
        assert_eq!(behind(&place, None), ", Pumps!A2:F40, version 3.4, superseded");
        assert_eq!(behind(&place, Some((1, 2))), ", version 3.4, superseded");
        let holds = Place { lifecycle: Some(Lifecycle::Accepted), edition: None, ..place };
        assert_eq!(of_itself(&holds), "");
        let time = Some(["2026-06-08T00:00:00Z"; 2].map(String::from).into());
        let dated = Place { time, ..holds };
        assert_eq!(of_itself(&dated), ", 2026-06-08");
        assert_eq!(of_itself(&Place { document_type: DocumentType::Log, ..dated }), "");
    }
}
