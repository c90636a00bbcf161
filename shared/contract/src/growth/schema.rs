//! Compares two JSON Schemas of one place.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{fields, items};

/// The direction in which values of a schema travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Request,
    Reply,
}

/// The comparison of two documents, as far as it got.
pub(super) struct Walk<'a> {
    released: &'a Value,
    current: &'a Value,
    /// Pairs of references that were compared: schemas refer to themselves.
    seen: BTreeSet<(String, String, Side)>,
    pub(super) breaks: Vec<String>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(released: &'a Value, current: &'a Value) -> Self {
        Walk { released, current, seen: BTreeSet::new(), breaks: Vec::new() }
    }

    pub(super) fn note(&mut self, place: &str, what: &str) {
        self.breaks.push(format!("{place}: {what}"));
    }

    /// Resolves a value of the released document if it is a reference.
    pub(super) fn old(&self, value: &'a Value) -> &'a Value {
        resolved(self.released, value)
    }

    /// Resolves a value of the current document if it is a reference.
    pub(super) fn new_of(&self, value: &'a Value) -> &'a Value {
        resolved(self.current, value)
    }

    /// Notes where a value of the old schema would be refused in a request, or one of the new
    /// schema is not expected in a reply.
    pub(super) fn schemas(&mut self, place: &str, side: Side, old: &'a Value, new: &'a Value) {
        if old.get("$ref").is_some() {
            // Keywords beside a reference hold as well.
            self.objects(place, side, old, new);
        }
        if let (Some(one), Some(other)) = (old["$ref"].as_str(), new["$ref"].as_str())
            && !self.seen.insert((one.to_owned(), other.to_owned(), side))
        {
            return;
        }
        let (old, new) = (self.old(old), self.new_of(new));
        for (part, other) in items(&old["allOf"]).zip(items(&new["allOf"])) {
            self.schemas(place, side, part, other);
        }
        if items(&old["allOf"]).count() != items(&new["allOf"]).count() {
            self.note(place, "it is composed of other parts");
        }
        if variants(old).is_some() || variants(new).is_some() {
            return self.unions(place, side, old, new);
        }
        self.types(place, side, old, new);
        self.values(place, side, old, new);
        if old["format"] != new["format"] {
            self.note(place, &format!("its format was {} and is {}", old["format"], new["format"]));
        }
        if side == Side::Request {
            self.bounds(place, old, new);
        }
        self.objects(place, side, old, new);
        for (part, other) in items(&old["prefixItems"]).zip(items(&new["prefixItems"])) {
            self.schemas(place, side, part, other);
        }
        let (before, after) = if side == Side::Reply { (old, new) } else { (new, old) };
        if before.get("items").is_some() && after.get("items").is_none() && old["type"] == "array" {
            self.note(place, "its items are bound otherwise");
        }
        for key in ["items", "additionalProperties"] {
            if let (Some(one), Some(other)) = (old.get(key), new.get(key))
                && one.is_object()
                && other.is_object()
            {
                self.schemas(&format!("{place}[]"), side, one, other);
            }
        }
    }

    /// Each variant must stay; a value that had one form only may not come in several.
    fn unions(&mut self, place: &str, side: Side, old: &'a Value, new: &'a Value) {
        let olds = variants(old).unwrap_or_else(|| vec![old]);
        let news = variants(new).unwrap_or_else(|| vec![new]);
        if side == Side::Reply && olds.len() == 1 && news.len() > 1 {
            self.note(place, "it may have another form now");
        }
        let is_null = |schema: &Value| schema["type"] == "null";
        for one in olds.into_iter().filter(|one| side == Side::Request || !is_null(one)) {
            if !news.iter().any(|other| self.fits(side, one, other)) {
                self.note(place, "one of its forms is gone");
            }
        }
    }

    /// Tells whether a variant is one of the other document's, in a comparison of its own.
    fn fits(&self, side: Side, old: &'a Value, new: &'a Value) -> bool {
        let mut walk = Walk { seen: self.seen.clone(), ..Walk::new(self.released, self.current) };
        walk.schemas("", side, old, new);
        walk.breaks.is_empty()
    }

    fn types(&mut self, place: &str, side: Side, old: &Value, new: &Value) {
        let (one, other) = (types(old), types(new));
        let (fewer, more) = if side == Side::Request { (&one, &other) } else { (&other, &one) };
        // A schema without a type takes all.
        if !more.is_empty() && (fewer.is_empty() || !fewer.is_subset(more)) {
            self.note(place, &format!("its type was {one:?} and is {other:?}"));
        }
    }

    fn values(&mut self, place: &str, side: Side, old: &Value, new: &Value) {
        let values = |schema: &Value| -> BTreeSet<String> {
            items(&schema["enum"]).chain(schema.get("const")).map(Value::to_string).collect()
        };
        let (one, other) = (values(old), values(new));
        let gone: Vec<&String> = one.difference(&other).collect();
        // A request that took some values may take all of them; a reply that gave any may not be
        // held to some.
        let is_free = other.is_empty() && side == Side::Request;
        if !is_free && (one.is_empty() != other.is_empty() || !gone.is_empty()) {
            self.note(place, &format!("its values were {one:?} and are {other:?}"));
        }
    }

    fn bounds(&mut self, place: &str, old: &Value, new: &Value) {
        for (key, is_upper) in [
            ("maximum", true),
            ("maxLength", true),
            ("maxItems", true),
            ("minimum", false),
            ("minLength", false),
            ("minItems", false),
        ] {
            let Some(bound) = new[key].as_f64() else { continue };
            let is_wider = old[key]
                .as_f64()
                .is_some_and(|before| if is_upper { before <= bound } else { before >= bound });
            if !is_wider {
                self.note(place, &format!("{key} was {} and is {bound}", old[key]));
            }
        }
        if new.get("pattern").is_some() && old["pattern"] != new["pattern"] {
            self.note(place, "its pattern changed");
        }
    }

    fn objects(&mut self, place: &str, side: Side, old: &'a Value, new: &'a Value) {
        for (name, schema) in fields(&old["properties"]) {
            let place = format!("{place}.{name}");
            match new["properties"].get(name) {
                Some(other) => self.schemas(&place, side, schema, other),
                None => self.note(&place, "it is gone"),
            }
        }
        let required = |schema: &'a Value| -> BTreeSet<&str> {
            items(&schema["required"]).filter_map(Value::as_str).collect()
        };
        let (one, other) = (required(old), required(new));
        let (demanded, had, what) = match side {
            Side::Request => (other, one, "it is demanded now"),
            Side::Reply => (one, other, "it is no longer always there"),
        };
        for name in demanded.difference(&had) {
            self.note(&format!("{place}.{name}"), what);
        }
        let is_closed = |schema: &Value| schema["additionalProperties"] == false;
        if side == Side::Request && is_closed(new) && !is_closed(old) {
            self.note(place, "other fields are no longer taken");
        }
    }
}

fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

fn variants(schema: &Value) -> Option<Vec<&Value>> {
    let list = schema.get("anyOf").or(schema.get("oneOf"))?;
    Some(items(list).collect())
}

fn types(schema: &Value) -> BTreeSet<&str> {
    let list = items(&schema["type"]).filter_map(Value::as_str);
    list.chain(schema["type"].as_str()).collect()
}
