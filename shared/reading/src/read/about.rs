//! The properties of a document, which all its passages share.

use model::document::{Attributes, Passage};
use model::facts::Facts;
use model::format::Format;
use model::item::Record;

use super::moment::moment;
use crate::chunk::{Extract, FrontMatter};
use crate::{infer, stated};

/// Returns the fields that all passages of a document share. What the uploader says wins over the
/// front matter, then the first lines of the text, what the file says beside it, and its name.
pub(super) fn template(
    record: &Record,
    version: &str,
    format: Format,
    front: FrontMatter,
    extract: &mut Extract,
) -> Passage {
    let FrontMatter { attributes, kind, article, .. } = front;
    let beside = std::mem::take(&mut extract.stated);
    let said = record.attributes.clone().or(attributes);
    let title = said.title.clone().or(beside.title.clone()).or(extract.cut.title.take());
    let title = title.unwrap_or_else(|| stem(&record.name).into());
    let mut text = Attributes::default();
    // Mails, issues and sheets speak of many things, and not of themselves.
    let is_of_many = matches!(format, Format::Mail | Format::Export) || extract.is_sheet();
    if format.is_prose() && !is_of_many {
        text = stated::by(&title, &extract.text);
    }
    let name = stated::by_name(&record.name);
    let assumed = disagreement(record, [&said.time, &text.time, &name.time]);
    let has_said = said.time.is_some();
    let known = said.or(text).or(beside).or(name);
    let document_type = known
        .document_type
        .unwrap_or_else(|| infer::document_type(format, kind.as_deref(), &record.name, &title));
    let time = known.time.as_ref().and_then(|time| moment(time).or_else(|| stated::time(time)));
    Passage {
        id: record.document_id,
        scope: None,
        document_id: record.document_id,
        version: version.into(),
        position: 0,
        name: record.name.clone(),
        section: String::new(),
        source: known.source.unwrap_or_else(|| infer::origin(document_type)),
        title,
        document_type,
        tags: known.tags,
        author: known.author,
        standard: known.standard,
        language: known.language,
        commit: known.commit,
        edition: known.edition,
        lifecycle: known.lifecycle,
        severity: Vec::new(),
        code: Vec::new(),
        lines: None,
        // Records have times of their own.
        time: time.filter(|_| format.is_prose() || has_said).map(|time| (time, time)),
        assumed,
        uri: known.uri,
        article,
        ordinal: None,
        text: String::new(),
        facts: Facts::default(),
        unmasked: None,
    }
}

/// Tells that a document has several dates. The first is of the announcement or the front matter,
/// the others of the text and the name.
fn disagreement(record: &Record, [said, text, name]: [&Option<String>; 3]) -> Option<String> {
    let is_announced = record.attributes.time.is_some();
    let announced = if is_announced { "announcement" } else { "front matter" };
    stated::disagreement(&[(announced, said), ("text", text), ("name", name)])
}

/// Returns a file's name without folders and extension.
fn stem(name: &str) -> &str {
    let file = name.rsplit('/').next().unwrap_or(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
