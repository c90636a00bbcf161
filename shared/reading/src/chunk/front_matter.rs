//! The front matter: the YAML block above a Markdown document.

use serde_json::{Map, Value};

use crate::limit::{NAME, TAG, TAGS, label};
use crate::stated;
use model::document::{Attributes, DocumentType, Lifecycle, Origin};

/// The fields of the front matter, and the place at which the text begins.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrontMatter {
    /// The attributes that it gives for the document.
    pub attributes: Attributes,
    /// The document's own word for its kind, if it is not one of ours.
    pub kind: Option<String>,
    /// The document's own article number.
    pub article: Option<String>,
    /// The owner of what the document is about.
    pub owner: Option<String>,
    /// The first byte after the block.
    pub end: usize,
}

/// Reads the block between two `---` lines at the start. Any other text, and a block that is not
/// YAML, is part of the document's text.
pub fn front_matter(text: &str) -> FrontMatter {
    let Some((yaml, end)) = block(text) else { return FrontMatter::default() };
    let Ok(Value::Object(fields)) = serde_saphyr::from_str::<Value>(yaml) else {
        return FrontMatter::default();
    };
    let word = |name: &str| scalar(&fields, name);
    let source = word("source");
    let origin = source.as_deref().and_then(Origin::parse);
    let kind = word("document_type").or_else(|| word("kind")).or_else(|| word("type"));
    let document_type = kind.as_deref().and_then(DocumentType::parse);
    // A source that is not a kind of origin is an address.
    let uri = word("url").or_else(|| word("uri")).or_else(|| source.filter(|_| origin.is_none()));
    let attributes = Attributes {
        document_type,
        title: word("title"),
        source: origin,
        tags: list(&fields, "tags"),
        author: word("author"),
        standard: word("standard"),
        commit: None,
        language: word("language"),
        uri,
        time: word("time").or_else(|| word("date")),
        edition: word("version").or_else(|| word("revision")),
        lifecycle: lifecycle(&fields),
    };
    let kind = kind.filter(|_| document_type.is_none());
    FrontMatter { attributes, kind, article: word("article_id"), owner: word("owner"), end }
}

/// Returns what became of the document: `status: superseded`, `draft: true`.
fn lifecycle(fields: &Map<String, Value>) -> Option<Lifecycle> {
    let state = ["status", "state", "lifecycle"].iter().find_map(|name| scalar(fields, name));
    let is = |name: &str| fields.get(name) == Some(&Value::Bool(true));
    let flag = || Lifecycle::ALL.iter().find(|(_, name)| is(name)).map(|(lifecycle, _)| *lifecycle);
    state.and_then(|state| stated::lifecycle(&state)).or_else(flag)
}

fn block(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let start = text.len() - rest.len();
    let mut end = start;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return Some((&text[start..end], end + line.len()));
        }
        end += line.len();
    }
    None
}

fn scalar(fields: &Map<String, Value>, name: &str) -> Option<String> {
    match fields.get(name)? {
        Value::String(text) => Some(label(text, NAME)).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn list(fields: &Map<String, Value>, name: &str) -> Vec<String> {
    let tags: Vec<&str> = match fields.get(name) {
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(text)) => text.split(',').collect(),
        _ => Vec::new(),
    };
    let tags = tags.into_iter().map(|tag| label(tag, TAG)).filter(|tag| !tag.is_empty());
    tags.take(TAGS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_a_source_that_is_an_address_is_the_uri() {
        let text = "---\ntitle: \"Pump: dry run\"\ndocument_type: postmortem\nsource: \"github:a/b@c:d.md\"\ntags: [pump, seal]\n---\n# Pump\n";
        let read = front_matter(text);
        assert_eq!(read.attributes.title.as_deref(), Some("Pump: dry run"));
        assert_eq!(read.attributes.document_type, Some(DocumentType::Postmortem));
        assert_eq!(read.attributes.source, None);
        assert_eq!(read.attributes.uri.as_deref(), Some("github:a/b@c:d.md"));
        assert_eq!(read.attributes.tags, ["pump", "seal"]);
        assert_eq!(&text[read.end..], "# Pump\n");
    }

    #[test]
    fn a_version_and_a_state_are_read() {
        let of = |fields: &str| front_matter(&format!("---\n{fields}\n---\n")).attributes;
        assert_eq!(of("version: 3.4").edition.as_deref(), Some("3.4"));
        assert_eq!(of("status: Superseded by 12").lifecycle, Some(Lifecycle::Superseded));
        assert_eq!(of("draft: true").lifecycle, Some(Lifecycle::Draft));
        assert_eq!(of("draft: false\nstatus: green").lifecycle, None);
    }

    #[test]
    fn a_kind_that_is_none_of_ours_is_kept_as_a_hint() {
        assert_eq!(
            front_matter("---\nkind: incident report (first hand)\n---\n").kind.as_deref(),
            Some("incident report (first hand)")
        );
    }

    #[test]
    fn what_is_no_front_matter_is_text() {
        for text in
            ["# Pump", "---\nno end", "--- \n a\n---\n", "---\n: [\n---\n", "---\n- a\n---\n"]
        {
            assert_eq!(front_matter(text).end, 0, "{text}");
        }
    }
}
