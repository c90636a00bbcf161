//! Points and the way of indexing, as the contracts use them.

use model::document::{DocumentType, Origin, Passage};
use model::entry::ReadAs;
use model::evidence::PointKind;
use ports::{About, Collection, Embedded, Indexing, Live, ModelReading, Point, Record};

/// The space of the contracts' vectors.
pub(super) const SPACE: &str = "words/8";

pub(super) fn indexing() -> Indexing {
    let collection = Collection { name: "plumbline".into(), space: SPACE.into() };
    Indexing { reader: 3, masker: 1, read_model: "nova".into(), collections: vec![collection] }
}

pub(super) fn model_reading() -> ModelReading {
    let failure = Some("it was busy".into());
    ModelReading {
        model: "nova".into(),
        kept: 3,
        tokens_in: 900,
        failure,
        ..ModelReading::default()
    }
}

/// Returns a version of a document that can be found.
pub fn live(version: &str, record: &Record) -> Live {
    Live {
        version: version.into(),
        hash: "ab".into(),
        attributes: record.attributes.clone(),
        passages: 7,
        records: 9,
        bytes: 7,
        indexing: indexing(),
        embedded: 3,
        assumed: Some("UTC, 2026".into()),
        model_reading: Some(model_reading()),
        about: Some(Box::new(About {
            title: "Pump log".into(),
            document_type: DocumentType::Log,
            source: Origin::Runtime,
            language: Some("en".into()),
            time: None,
            edition: Some("3.4".into()),
            lifecycle: None,
            read_as: Some(ReadAs { format: "log".into(), ..ReadAs::default() }),
        })),
    }
}

/// Returns a passage whose vector points along one of eight axes.
pub(super) fn point(passage: Passage, direction: usize) -> Point {
    let mut vector = vec![0.0; 8];
    vector[direction] = 1.0;
    let embedded = Embedded::of(SPACE, &passage.text);
    let (words, meaning) = (passage.text.clone(), passage.text.clone());
    Point { kind: PointKind::Passage, words, meaning, vector, passage, embedded }
}
