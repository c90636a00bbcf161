//! The passages of a log: one for each template of its records.

use model::document::{Passage, passage_id};
use model::entry::Entry;
use model::evidence::PointKind;

use super::meaning;
use crate::records::Records;

/// Returns one passage for each template. It shows the first record verbatim and is found by the
/// words of all records, so that a line that a program wrote a thousand times is embedded once.
pub(super) fn entries(template: &Passage, records: &Records<'_>) -> Vec<Entry> {
    // Of the times, and of the encoding.
    let assumed = [records.assumed.clone(), template.assumed.clone()];
    let assumed = assumed.into_iter().flatten().reduce(|one, other| format!("{one}, {other}"));
    let entry = |(position, shape): (u32, crate::records::Shape<'_>)| {
        let passage = Passage {
            id: passage_id(template.document_id, &template.version, position),
            position,
            severity: shape.severity,
            code: shape.code,
            lines: Some(shape.lines),
            time: shape.time.or(template.time),
            assumed: assumed.clone(),
            text: shape.first.to_owned(),
            ..template.clone()
        };
        let meaning = meaning(&passage.title, "", &passage.text);
        let words = format!("{}\n{}", passage.title, shape.words);
        Entry { kind: PointKind::Passage, passage, meaning, words }
    };
    (0..).zip(records.shapes()).map(entry).collect()
}
