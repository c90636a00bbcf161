//! Variants of documents: other names and numbers of the same length, so that the places of facts
//! stay right, passages of other documents of the same kind, and vectors nearby.

use std::hash::{DefaultHasher, Hash, Hasher};

use model::document::{document_id, document_point_id, passage_id};
use model::evidence::PointKind;
use ports::scope::Scope;
use ports::{Embedded, Point};
use uuid::Uuid;

use crate::base::Document;

/// The number of tenants. The first has half of all documents.
const TENANTS: usize = 1_000;

/// One passage of so many is of another document.
const EXCHANGED: usize = 5;

/// The share of a variant's vector that is random.
const NOISE: f32 = 0.25;

/// The scope of the document with this number.
pub(crate) fn scope(number: usize) -> Scope {
    if number.is_multiple_of(2) {
        return Scope::Global;
    }
    Scope::Team(format!("t{}", number / 2 % (TENANTS - 1)))
}

/// A variant of a document, with the version of its upload.
pub(crate) struct Variant {
    pub(crate) scope: Scope,
    pub(crate) document: Uuid,
    pub(crate) version: String,
    pub(crate) points: Vec<Point>,
}

/// Returns the document with this number: the documents as they are come first, then variants of
/// them in turn.
pub(crate) fn variant(documents: &[Document], number: usize, version: &str) -> Variant {
    let (round, of) = (number / documents.len(), &documents[number % documents.len()]);
    let scope = scope(number);
    let name = if round == 0 { of.name.clone() } else { format!("{round}/{}", of.name) };
    let document = document_id(&scope, &name);
    let points = of.points.iter().enumerate().map(|(place, own)| {
        let mut random = fastrand::Rng::with_seed(hashed(&(number, place)));
        let mut point = own.clone();
        if round > 0 {
            if random.usize(..EXCHANGED) == 0 && own.kind == PointKind::Passage {
                take_over(&mut point, any_of_kind(documents, of, &mut random));
            }
            for text in [&mut point.passage.text, &mut point.words, &mut point.meaning] {
                *text = exchanged(text, round);
            }
            point.vector = near(&point.vector, &mut random);
            point.embedded = Embedded::of(&own.embedded.space, &point.meaning);
        }
        point.passage.id = id(own, document, version);
        point.passage.document_id = document;
        point.passage.version = version.into();
        point.passage.name.clone_from(&name);
        point
    });
    let points = points.collect();
    Variant { scope, document, version: version.into(), points }
}

/// Returns a passage of any document in the same folder.
fn any_of_kind<'a>(
    documents: &'a [Document],
    of: &Document,
    random: &mut fastrand::Rng,
) -> &'a Point {
    let folder = of.name.split('/').next();
    loop {
        let other = &documents[random.usize(..documents.len())];
        let point = &other.points[random.usize(..other.points.len())];
        if other.name.split('/').next() == folder && point.kind == PointKind::Passage {
            return point;
        }
    }
}

/// Gives a passage the content of another one, and leaves it its place.
fn take_over(point: &mut Point, other: &Point) {
    let Point { passage, words, meaning, vector, .. } = other.clone();
    point.passage.text = passage.text;
    point.passage.facts = passage.facts;
    (point.words, point.meaning, point.vector) = (words, meaning, vector);
}

fn document_point(point: &Point) -> Uuid {
    document_point_id(point.passage.document_id, &point.passage.version)
}

/// Returns the id of a point as the ingest makes it.
fn id(own: &Point, document: Uuid, version: &str) -> Uuid {
    let passage = &own.passage;
    if passage.id == document_point(own) {
        return document_point_id(document, version);
    }
    if passage.id == passage_id(passage.document_id, &passage.version, passage.position) {
        return passage_id(document, version, passage.position);
    }
    Uuid::new_v5(&document, format!("{version}/{}", passage.id).as_bytes())
}

/// Returns a text with other digits, and other letters in words that begin with a capital one.
fn exchanged(text: &str, round: usize) -> String {
    let mut changed = String::with_capacity(text.len());
    let is_of_word = |character: char| character.is_ascii_alphanumeric();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|it| is_of_word(it) != is_of_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        rest = after;
        let is_name = first.is_ascii_uppercase() && length > 3;
        if !is_of_word(first) || !(is_name || word.bytes().any(|byte| byte.is_ascii_digit())) {
            changed.push_str(word);
            continue;
        }
        // A name has one of eight others in its place, as names come back in a corpus.
        let turn = if is_name { round % 8 } else { round };
        for (place, byte) in word.bytes().enumerate() {
            let shift = (hashed(&(word, turn, place)) % 26) as u8;
            changed.push(char::from(match byte {
                b'0'..=b'9' if place > 0 => b'0' + (byte - b'0' + shift) % 10,
                b'a'..=b'z' if is_name && place > 2 && turn > 0 => {
                    b'a' + (byte - b'a' + shift) % 26
                }
                other => other,
            }));
        }
    }
    changed
}

/// Returns a vector of length one near another.
fn near(vector: &[f32], random: &mut fastrand::Rng) -> Vec<f32> {
    let share = NOISE / (vector.len() as f32).sqrt();
    let moved: Vec<f32> =
        vector.iter().map(|value| value + share * 3.46 * (random.f32() - 0.5)).collect();
    let length = moved.iter().map(|value| value * value).sum::<f32>().sqrt();
    moved.into_iter().map(|value| value / length).collect()
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
