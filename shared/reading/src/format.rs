//! The format of a file: by its name, and by its bytes where these say more.

use model::format::{ARCHIVE, Format, IMAGE, Language, OFFICE_DOCUMENT, PROGRAM, RECORDING};

use infer::MatcherType;

use crate::chunk::{self, export, log};
use crate::records;

/// The number of lines by which a text without a known name is judged.
const LINES: usize = 20;

/// Header fields of mails.
const MAIL: [&str; 8] = [
    "from:",
    "to:",
    "subject:",
    "date:",
    "received:",
    "return-path:",
    "message-id:",
    "mime-version:",
];

/// Returns the format by the name, unless the first bytes tell another one, as of a PDF that is
/// named `.txt`.
///
/// # Errors
/// Says that the bytes are of no document, with what to do instead.
pub(crate) fn of_file(name: &str, content_type: &str, bytes: &[u8]) -> Result<Format, String> {
    let named = Format::of(name, content_type)?;
    if bytes.starts_with(b"{\\rtf") {
        return Err(OFFICE_DOCUMENT.into());
    }
    let told = match infer::get(bytes) {
        Some(_) if chunk::is_office(bytes) => Some(Format::Office),
        Some(kind) if kind.extension() == "pdf" => Some(Format::Pdf),
        // The reader of its format says why a damaged one cannot be read.
        Some(kind) if named == Format::Office && kind.extension() == "zip" => Some(named),
        // A text may begin with the few letters by which others are known.
        Some(kind) if !is_text(bytes) => {
            refusal(kind.matcher_type()).map_or(Ok(None), |reason| Err(reason.to_owned()))?
        }
        _ => None,
    };
    Ok(match (named, told) {
        (_, Some(told)) => told,
        // Sheets are often pages or tables under another name.
        (Format::Office, None) if is_text(bytes) => Format::Unknown,
        (named, None) => named,
    })
}

fn is_text(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'))
}

fn refusal(kind: MatcherType) -> Option<&'static str> {
    match kind {
        MatcherType::Archive => Some(ARCHIVE),
        MatcherType::Image => Some(IMAGE),
        MatcherType::Doc | MatcherType::Book => Some(OFFICE_DOCUMENT),
        MatcherType::App => Some(PROGRAM),
        MatcherType::Audio | MatcherType::Video => Some(RECORDING),
        _ => None,
    }
}

/// Returns the format that the text itself shows, where the name leaves it open.
pub(crate) fn in_text(format: Format, name: &str, text: &str) -> Format {
    let format = match format {
        Format::Unknown => of_text(text),
        format => format,
    };
    let format = match format {
        Format::Config if is_of_objects(text) => Format::Log,
        Format::Config | Format::Plain if export::is_one(text) => Format::Export,
        Format::Plain if is_of_settings(text) => Format::Config,
        format => format,
    };
    records::format_in(format, name, text)
}

/// Returns the format of a text whose name says nothing.
fn of_text(text: &str) -> Format {
    let start = text.trim_start();
    let head = start[..start.floor_char_boundary(100)].to_ascii_lowercase();
    let mut lines = start.lines().filter(|line| !line.trim().is_empty()).take(LINES);
    let first = lines.clone().next().unwrap_or_default();
    let is_json = start.starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(start).is_ok();
    match () {
        () if first.starts_with("#!") => Format::Code(Language::Other),
        () if head.starts_with("<!doctype html") || head.starts_with("<html") => Format::Html,
        () if is_mail(first, lines.clone()) => Format::Mail,
        () if is_json || is_of_objects(text) => Format::Config,
        () if log::begins(first) => Format::Log,
        () if lines.any(|line| {
            line.starts_with("# ") || line.starts_with("## ") || line.starts_with("```")
        }) =>
        {
            Format::Markdown
        }
        () => Format::Plain,
    }
}

/// Returns true for the header of a mail, or for a mailbox.
fn is_mail<'l>(first: &str, lines: impl Iterator<Item = &'l str>) -> bool {
    let is_mailbox = first.starts_with("From ");
    let mut fields = 0;
    for line in lines.skip(usize::from(is_mailbox)) {
        let lower = line[..line.floor_char_boundary(16)].to_ascii_lowercase();
        fields += usize::from(MAIL.iter().any(|field| lower.starts_with(field)));
    }
    fields >= 3
}

/// The number of lines that are checked for objects.
const OBJECTS: usize = 5;

/// Returns true for a text with one JSON object on each line.
fn is_of_objects(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).take(OBJECTS).peekable();
    let is_object = |line: &str| line.starts_with('{') && line.trim_end().ends_with('}');
    text.trim().contains('\n') && lines.peek().is_some() && lines.all(is_object)
}

/// Bounds for a text of settings: the keys above indented lines, and the bytes of a key.
const KEYS: usize = 3;
const LONGEST_KEY: usize = 60;

/// Returns true for a text of settings, as `kubectl describe` prints them: some keys stand alone
/// above lines that are indented more, and as many lines have a key with a value as have no key.
fn is_of_settings(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let value = |line: &'_ &str| {
        let (key, value) = line.trim().split_once(':')?;
        let is_key =
            (1..=LONGEST_KEY).contains(&key.len()) && key.starts_with(char::is_alphanumeric);
        (is_key && (value.is_empty() || value.starts_with([' ', '\t']))).then_some(value.len())
    };
    let is_above = |pair: &&[&str]| value(&pair[0]) == Some(0) && indent(pair[1]) > indent(pair[0]);
    let with_value = lines.iter().filter(|line| value(line).is_some_and(|length| length > 0));
    let without_key = lines.iter().filter(|line| value(line).is_none());
    lines.windows(2).filter(is_above).count() >= KEYS && with_value.count() >= without_key.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, text: &str) -> Format {
        in_text(of_file(name, "text/plain", text.as_bytes()).unwrap(), name, text)
    }

    #[test]
    fn a_file_without_a_known_name_is_what_its_text_shows() {
        let cases = [
            ("README", "Pumps\n\n## Start\n\nOpen the valve.", Format::Markdown),
            ("NOTES", "The pump ran dry.", Format::Plain),
            ("run", "#!/bin/sh\necho dry", Format::Code(Language::Other)),
            ("page", "<!DOCTYPE html><p>dry", Format::Html),
            ("daemon.dat", "2026-11-20T18:00:00Z ERROR dry\n", Format::Log),
            ("a.events", "{\"a\":1}\n{\"a\":2}\n", Format::Log),
            ("state", "{\"pump\": 7}", Format::Config),
            ("mail", "From: a@b.c\nTo: d@e.f\nSubject: dry\n\nIt ran dry.", Format::Mail),
            ("plan.xls", "<html><table><tr><td>dry", Format::Html),
            ("plan.xlsx", "pump,state\n7,dry\n8,wet\n", Format::Plain),
        ];
        for (name, text, format) in cases {
            assert_eq!(told(name, text), format, "{name}");
        }
    }

    #[test]
    fn settings_below_keys_are_no_prose() {
        let pod = "Name: exporter\nContainers:\n  eater:\n    State: Waiting\n      Reason: Crash\n\
                   Conditions:\n  Ready  False\nEvents:\n  Warning BackOff 87s\n";
        assert_eq!(told("pod.txt", pod), Format::Config);
        let steps = "Before:\n  Read it.\nThen:\n  Stop the pump.\nAfter:\n  Wait.\n";
        assert_eq!(told("steps.txt", steps), Format::Plain);
        let talk = "Ada: it ran dry\nBob: again?\nAda: yes\nBob: then stop it\n";
        assert_eq!(told("talk.txt", talk), Format::Plain);
    }

    #[test]
    fn bytes_win_over_the_name() {
        let of = |name: &str, bytes: &[u8]| of_file(name, "", bytes);
        assert_eq!(of("manual.txt", b"%PDF-1.7\n..."), Ok(Format::Pdf));
        assert_eq!(of("a.txt", b"{\\rtf1 Worn}"), Err(OFFICE_DOCUMENT.into()));
        assert_eq!(of("a.log", b"\x1f\x8b\x08"), Err(ARCHIVE.into()));
        for text in ["BMI,age\n22,30\n", "MZ-700 is a computer.", "ID3 makes trees."] {
            assert!(of("a.csv", text.as_bytes()).is_ok(), "{text}");
        }
        assert_eq!(of("a.docx", b"\xD0\xCF\x11\xE0"), Ok(Format::Office));
    }
}
