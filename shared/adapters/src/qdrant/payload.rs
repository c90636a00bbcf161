//! Passages as Qdrant stores them.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::Timestamp;
use model::document::{DocumentType, Lifecycle, Origin, Passage};
use model::evidence::PointKind;
use model::facts::{Facts, symbol_key};
use model::object::Upload;
use model::{Error, Result};
use ports::scope::Scope;
use ports::{Brings, Embedded, Hit, Trace};
use qdrant_client::qdrant::point_id::PointIdOptions;
use qdrant_client::qdrant::value::Kind;
use qdrant_client::qdrant::with_payload_selector::SelectorOptions;
use qdrant_client::qdrant::{
    PayloadExcludeSelector, PayloadIncludeSelector, PointId, ScoredPoint, Value,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use text::secret::MASKER;
use uuid::Uuid;

use super::SERVICE;

type Payload = HashMap<String, Value>;

/// Selects what a hit needs: its document and version. The texts come later, for the documents that
/// are shown.
pub(super) fn identity() -> SelectorOptions {
    SelectorOptions::Include(PayloadIncludeSelector {
        fields: vec!["document_id".into(), "version".into()],
    })
}

/// The field of what secrets are masked in, as it was uploaded.
const ORIGINAL: &str = "original";

/// Selects what a passage needs: neither its secrets nor what only filters use.
pub(super) fn shown() -> SelectorOptions {
    let fields = [ORIGINAL, "live", "kind", "symbol", "space", "embedded"];
    SelectorOptions::Exclude(PayloadExcludeSelector { fields: fields.map(String::from).to_vec() })
}

/// Reads a hit, with its passage where the search brings it and `brought` does not have it yet.
pub(super) fn hit(point: ScoredPoint, brings: Brings, brought: &mut HashSet<Uuid>) -> Result<Hit> {
    let passage_id = point.id.as_ref().and_then(id).ok_or_else(|| odd("id"))?;
    let raw = point.score;
    if brings == Brings::Passages && brought.insert(passage_id) {
        let passage = passage(point.payload)?;
        let (document_id, version) = (passage.document_id, passage.version.clone());
        return Ok(Hit { passage_id, document_id, version, raw, passage: Some(Box::new(passage)) });
    }
    let mut fields = Fields(point.payload);
    let (document_id, version) = (fields.id("document_id")?, fields.text("version")?);
    Ok(Hit { passage_id, document_id, version, raw, passage: None })
}

/// The parts of a passage in which secrets may stand.
#[derive(Serialize, Deserialize)]
struct Original {
    title: String,
    section: String,
    uri: Option<String>,
    text: String,
    facts: Facts,
}

impl Original {
    fn of(passage: &Passage) -> Original {
        let Passage { title, section, uri, text, facts, .. } = passage.clone();
        Original { title, section, uri, text, facts }
    }
}

/// The payload of a passage that no search sees yet. Its secrets are masked; if there are any, the
/// original stands in a field of its own.
pub(super) fn payload(
    scope: &Scope,
    kind: PointKind,
    original: &Passage,
    embedded: &Embedded,
) -> serde_json::Value {
    let passage = &original.clone().masked();
    let Passage { document_id, version, position, name, title, section, tags, .. } = passage;
    let mut payload = json!({
        "scope": scope.to_string(), "document_id": document_id, "version": version, "live": false, "kind": kind.name(), "position": position,
        "chunk_id": passage.id, "name": name, "title": title, "section": section, "document_type": passage.document_type.name(),
        "source": passage.source.name(), "tags": tags, "severity": passage.severity, "code": passage.code, "text": passage.text,
        "hash": passage.hash(), "masker": MASKER, "space": embedded.space, "embedded": embedded.hash,
    });
    if passage != original {
        payload["is_masked"] = json!(passage.unmasked.is_some());
        let original = serde_json::to_string(&Original::of(original));
        payload[ORIGINAL] = json!(original.unwrap_or_default());
    }
    add_optional(&mut payload, passage);
    add_span(&mut payload, passage);
    if passage.facts != Facts::default() {
        payload["facts"] = json!(serde_json::to_string(&passage.facts).unwrap_or_default());
    }
    if !passage.facts.symbols.is_empty() {
        let keys = passage.facts.symbols.iter().map(|symbol| symbol_key(&symbol.name));
        payload["symbol"] = json!(keys.collect::<BTreeSet<_>>());
    }
    payload
}

/// Adds what not every passage has.
fn add_optional(payload: &mut serde_json::Value, passage: &Passage) {
    let optional = [
        ("author", &passage.author),
        ("standard", &passage.standard),
        ("language", &passage.language),
        ("commit", &passage.commit),
        ("edition", &passage.edition),
        ("uri", &passage.uri),
        ("article", &passage.article),
        ("assumed", &passage.assumed),
    ];
    for (field, value) in optional {
        if let Some(value) = value {
            payload[field] = json!(value);
        }
    }
    if let Some(lifecycle) = passage.lifecycle {
        payload["lifecycle"] = json!(lifecycle.name());
    }
    if let Some(ordinal) = passage.ordinal {
        payload["ordinal"] = json!(ordinal);
    }
}

/// Adds the lines and the times of a passage, where it has some.
fn add_span(payload: &mut serde_json::Value, passage: &Passage) {
    if let Some((first, last)) = passage.lines {
        payload["line_first"] = json!(first);
        payload["line_last"] = json!(last);
    }
    if let Some((first, last)) = passage.time {
        payload["time_first"] = json!(first.to_string());
        payload["time_last"] = json!(last.to_string());
    }
}

/// The passage that a point has, secrets in it masked. One that was written before the present
/// rules for secrets is masked again.
pub(super) fn passage(payload: Payload) -> Result<Passage> {
    let mut fields = Fields(payload);
    let is_masked_now = fields.number("masker") == Some(MASKER);
    let passage = stored(fields)?;
    Ok(if is_masked_now { passage } else { passage.masked() })
}

/// The passage that a point has, as it was uploaded.
pub(super) fn original(payload: Payload) -> Result<Passage> {
    let mut fields = Fields(payload);
    let original = fields.optional(ORIGINAL);
    let passage = stored(fields)?;
    let Some(original) = original else { return Ok(passage) };
    let original = serde_json::from_str(&original).map_err(|_| odd(ORIGINAL))?;
    let Original { title, section, uri, text, facts } = original;
    Ok(Passage { title, section, uri, text, facts, unmasked: None, ..passage })
}

/// The passage as it is stored.
fn stored(mut fields: Fields) -> Result<Passage> {
    let hash = fields.optional("hash");
    let unmasked = hash.filter(|_| fields.is_true("is_masked"));
    Ok(Passage {
        id: fields.id("chunk_id")?,
        scope: fields.optional("scope").and_then(|scope| Scope::parse(&scope)),
        document_id: fields.id("document_id")?,
        version: fields.text("version")?,
        position: fields.number("position").ok_or_else(|| odd("position"))?,
        name: fields.text("name")?,
        title: fields.text("title")?,
        section: fields.text("section")?,
        document_type: DocumentType::parse(&fields.text("document_type")?)
            .unwrap_or(DocumentType::Other),
        source: Origin::parse(&fields.text("source")?).unwrap_or(Origin::Docs),
        tags: fields.list("tags"),
        author: fields.optional("author"),
        standard: fields.optional("standard"),
        language: fields.optional("language"),
        commit: fields.optional("commit"),
        edition: fields.optional("edition"),
        lifecycle: fields.optional("lifecycle").and_then(|it| Lifecycle::parse(&it)),
        severity: fields.list("severity"),
        code: fields.list("code"),
        lines: fields.number("line_first").zip(fields.number("line_last")),
        time: fields.time("time_first").zip(fields.time("time_last")),
        assumed: fields.optional("assumed"),
        uri: fields.optional("uri"),
        article: fields.optional("article"),
        ordinal: fields.number("ordinal"),
        text: fields.text("text")?,
        facts: fields.facts(),
        unmasked,
    })
}

fn odd(field: &str) -> Error {
    Error::unavailable(SERVICE, format!("a point whose `{field}` cannot be read"))
}

/// A payload whose values are taken out one by one, so that no text is copied.
struct Fields(Payload);

impl Fields {
    fn optional(&mut self, field: &str) -> Option<String> {
        match self.0.remove(field)?.kind? {
            Kind::StringValue(text) => Some(text),
            _ => None,
        }
    }

    fn text(&mut self, field: &str) -> Result<String> {
        self.optional(field).ok_or_else(|| odd(field))
    }

    fn id(&mut self, field: &str) -> Result<Uuid> {
        self.text(field)?.parse().map_err(|_| odd(field))
    }

    fn number(&mut self, field: &str) -> Option<u32> {
        match self.0.remove(field)?.kind? {
            Kind::IntegerValue(number) => u32::try_from(number).ok(),
            _ => None,
        }
    }

    /// Takes the facts; those that another version of the program wrote and this one cannot read
    /// count as not read.
    fn facts(&mut self) -> Facts {
        let facts = self.optional("facts");
        facts.and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
    }

    fn is_true(&mut self, field: &str) -> bool {
        self.0.remove(field).and_then(|value| value.kind) == Some(Kind::BoolValue(true))
    }

    fn time(&mut self, field: &str) -> Option<Timestamp> {
        self.optional(field)?.parse().ok()
    }

    fn list(&mut self, field: &str) -> Vec<String> {
        let Some(Kind::ListValue(list)) = self.0.remove(field).and_then(|value| value.kind) else {
            return Vec::new();
        };
        let texts = list.values.into_iter().filter_map(|value| match value.kind {
            Some(Kind::StringValue(text)) => Some(text),
            _ => None,
        });
        texts.collect()
    }
}

/// Reads where a version of a document has a point.
pub(super) fn trace(point: Uuid, payload: Payload) -> Result<Trace> {
    let mut fields = Fields(payload);
    let scope = Scope::parse(&fields.text("scope")?).ok_or_else(|| odd("scope"))?;
    let (document_id, version) = (fields.id("document_id")?, fields.text("version")?);
    let is_live = fields.is_true("live");
    Ok(Trace { point, of: Upload { scope, document_id, version }, is_live })
}

/// Reads what a point's vector is the embedding of.
pub(super) fn embedded(payload: Payload) -> Result<Embedded> {
    let mut fields = Fields(payload);
    Ok(Embedded { space: fields.text("space")?, hash: fields.text("embedded")? })
}

/// A point's id.
pub(super) fn id(point: &PointId) -> Option<Uuid> {
    match point.point_id_options.as_ref()? {
        PointIdOptions::Uuid(id) => id.parse().ok(),
        PointIdOptions::Num(_) => None,
    }
}

/// The document and the version that a point belongs to, and the document's title.
pub(super) fn place(payload: Payload) -> Option<(Uuid, String, String)> {
    let mut fields = Fields(payload);
    Some((fields.id("document_id").ok()?, fields.optional("version")?, fields.optional("title")?))
}

/// The space that the mark of a collection tells.
pub(super) fn space(payload: Payload) -> Result<String> {
    Fields(payload).text("space")
}
