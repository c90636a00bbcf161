//! Mails and mailboxes (RFC 5322, RFC 4155) as Markdown: each mail below its subject, with the
//! texts of its attachments.

use std::collections::{HashMap, HashSet};

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use model::document::Attributes;

use super::{Extract, html, markdown};
use crate::limit::{NAME, label};

/// Upper bound for mails within mails.
const DEPTH: usize = 3;

/// Upper bound for the mails of a mailbox.
const MAILS: usize = 20_000;

/// Upper bound for the attachments of a file that are read.
const ATTACHMENTS: usize = 100;

/// Upper bound for the bytes of the text. What follows is left out.
const TEXT: usize = 16 * 1024 * 1024;

/// Reads a mail or a mailbox, within `depth` other mails; `attached` reads its attachments.
pub(super) fn read(bytes: &[u8], depth: usize, attached: Attached) -> Result<Extract, String> {
    let extract = Extract::default();
    let mut reader = Reader { extract, depth, attachments: 0, attached };
    let bytes = bytes.trim_ascii_start();
    if bytes.starts_with(b"From ") {
        reader.mailbox(bytes)?;
    } else {
        let parser = MessageParser::default();
        let message = parser.parse(bytes).filter(|message| message.from().is_some());
        let message = message.ok_or("is no mail: it has no line that begins with `From:`")?;
        let title = subject(&message);
        reader.extract.stated = stated(&message, title.clone());
        reader.message(&message, &[], None);
    }
    Ok(reader.extract)
}

/// Reads a file by its name, its media type and its bytes, within a number of mails.
///
/// # Errors
/// Returns the reason why no text can be read.
pub type Attached = fn(&str, &str, &[u8], usize) -> Result<Extract, String>;

struct Reader {
    extract: Extract,
    depth: usize,
    attachments: usize,
    attached: Attached,
}

/// The mails of one subject.
#[derive(Default)]
struct Thread<'b> {
    subject: String,
    mails: Vec<&'b [u8]>,
}

impl Reader {
    /// Reads the mails of a mailbox, each below the mails of its subject that came before.
    fn mailbox(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (mut threads, mut places) = (Vec::<Thread<'_>>::new(), HashMap::<String, usize>::new());
        let (parser, mut count) = (MessageParser::default(), 0);
        for contents in mails(bytes) {
            count += 1;
            if count > MAILS {
                return Err(format!("has more than {MAILS} mails: split it"));
            }
            let Some(message) = parser.parse_headers(contents) else { continue };
            let subject = subject(&message);
            let name = message.thread_name().unwrap_or_default().to_lowercase();
            let place = *places.entry(name).or_insert_with(|| {
                threads.push(Thread { subject, ..Thread::default() });
                threads.len() - 1
            });
            threads[place].mails.push(contents);
        }
        for Thread { subject, mails } in threads {
            let mut messages: Vec<Message<'_>> =
                mails.iter().filter_map(|mail| parser.parse(*mail)).collect();
            messages.sort_by_key(|message| message.date().map(mail_parser::DateTime::to_timestamp));
            let mut said = HashSet::new();
            for message in &messages {
                let heading = format!("{}, {}", from(message), date(message));
                let section = [subject.clone(), heading];
                self.message(message, &section, Some(&mut said));
            }
        }
        Ok(())
    }

    /// Adds a mail. Lines that quote an earlier mail of `said` are left out.
    fn message(
        &mut self,
        message: &Message<'_>,
        section: &[String],
        said: Option<&mut HashSet<String>>,
    ) {
        let body = without_quotes(&body(message), said);
        self.add(section, &format!("{}\n\n{}", about(message), body.trim()));
        for part in message.attachments() {
            self.attachment(part, section);
        }
    }

    fn attachment(&mut self, part: &MessagePart<'_>, section: &[String]) {
        // A name may be a path that leads elsewhere.
        let name = part.attachment_name().unwrap_or("attachment");
        let name = label(name.rsplit(['/', '\\']).next().unwrap_or(name), NAME / 2);
        self.attachments += 1;
        if self.attachments > ATTACHMENTS {
            if self.attachments == ATTACHMENTS + 1 {
                self.extract.left_out.push(format!("attachments after the {ATTACHMENTS}th"));
            }
            return;
        }
        let read = match &part.body {
            PartType::Message(message) if self.depth < DEPTH => {
                read(message.raw_message(), self.depth + 1, self.attached)
            }
            PartType::Message(_) => Err(format!("is a mail within {DEPTH} others")),
            _ => {
                let media = part.content_type().map(|media| {
                    format!("{}/{}", media.ctype(), media.subtype().unwrap_or_default())
                });
                (self.attached)(&name, &media.unwrap_or_default(), part.contents(), self.depth + 1)
            }
        };
        match read {
            Ok(extract) if self.extract.text.len() + extract.text.len() <= TEXT => {
                let mut section = section.to_vec();
                section.push(format!("Attachment {name}"));
                self.extract.append(&section, extract);
            }
            Ok(_) => self.extract.left_out.push(format!("attachment {name}: the mail is too long")),
            Err(reason) => self.extract.left_out.push(format!("attachment {name}: {reason}")),
        }
    }

    fn add(&mut self, section: &[String], text: &str) {
        if self.extract.text.len() + text.len() > TEXT {
            let all = format!("mails after the first {TEXT} bytes");
            if self.extract.left_out.last() != Some(&all) {
                self.extract.left_out.push(all);
            }
            return;
        }
        self.extract.append(section, markdown::plain(text));
    }
}

/// Returns the mails of a mailbox. Each begins with a line such as
/// `From ann Mon Mar  2 09:00:00 2026` behind an empty one; a sentence that begins with "From" ends
/// no mail.
fn mails(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts = Vec::new();
    let (mut at, mut is_behind_empty) = (0, true);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_end();
        let has_year =
            text.last_chunk::<4>().is_some_and(|year| year.iter().all(u8::is_ascii_digit));
        let has_clock = text.windows(5).any(|part| {
            part[2] == b':' && [part[0], part[1], part[3], part[4]].iter().all(u8::is_ascii_digit)
        });
        if is_behind_empty && text.starts_with(b"From ") && has_year && has_clock {
            starts.push((at, at + line.len()));
        }
        is_behind_empty = text.is_empty();
        at += line.len();
    }
    let ends: Vec<usize> = starts.iter().skip(1).map(|(start, _)| *start).collect();
    let ends = ends.into_iter().chain(std::iter::once(bytes.len()));
    starts.into_iter().zip(ends).filter_map(|((_, start), end)| bytes.get(start..end))
}

fn stated(message: &Message<'_>, title: String) -> Attributes {
    Attributes {
        title: Some(title),
        author: Some(from(message)).filter(|author| !author.is_empty()),
        time: message.date().map(mail_parser::DateTime::to_rfc3339),
        ..Attributes::default()
    }
}

fn subject(message: &Message<'_>) -> String {
    let subject = label(message.subject().unwrap_or_default(), NAME);
    if subject.is_empty() { "Mail without a subject".into() } else { subject }
}

fn date(message: &Message<'_>) -> String {
    message.date().map(mail_parser::DateTime::to_rfc3339).unwrap_or_default()
}

fn from(message: &Message<'_>) -> String {
    label(&addresses(message.from()), NAME / 2)
}

fn addresses(address: Option<&Address<'_>>) -> String {
    let all = address.into_iter().flat_map(Address::iter);
    let one = |address: &mail_parser::Addr<'_>| match (address.name(), address.address()) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (name, address) => name.or(address).map(str::to_owned),
    };
    all.filter_map(one).collect::<Vec<_>>().join(", ")
}

/// Returns who wrote a mail, to whom, and when.
fn about(message: &Message<'_>) -> String {
    let fields = [
        ("From", addresses(message.from())),
        ("To", addresses(message.to())),
        ("Cc", addresses(message.cc())),
        ("Date", date(message)),
    ];
    let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
    fields.map(|(name, value)| format!("{name}: {value}")).collect::<Vec<_>>().join("\n")
}

/// Returns the text of a mail, of its HTML if it has no other.
fn body(message: &Message<'_>) -> String {
    let parts = message.text_bodies().filter_map(|part| match &part.body {
        PartType::Text(text) => Some(text.to_string()),
        PartType::Html(page) => Some(html::read(page).text),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Returns a text without the quoted lines that an earlier mail has.
fn without_quotes(text: &str, said: Option<&mut HashSet<String>>) -> String {
    let Some(said) = said else { return text.into() };
    let words = |line: &str| {
        line.trim_start_matches(['>', ' ']).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let is_new = |line: &&str| !line.starts_with('>') || !said.contains(&words(line));
    let kept: Vec<&str> = text.lines().filter(is_new).collect();
    said.extend(kept.iter().map(|line| words(line)));
    kept.join("\n")
}

#[cfg(test)]
mod tests;
