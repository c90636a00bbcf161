//! Finds, among the records of each template, the one that says most about the question.

use std::collections::BTreeMap;

use model::record::Damaged;
use wire::records::{RecordShown, RecordsRequest};

use super::group::Place;
use super::plan::Plan;
use super::shape::Shape;
use super::{Loaded, damaged, scan, shown};
use model::Result;

/// Upper bound for the bytes of a record in which the answer is searched, line by line.
const LONGEST: usize = 64 << 10;

/// A record, and the number of records of its template that satisfy the same conditions.
#[derive(Debug, Clone)]
pub struct Best {
    /// The record.
    pub record: RecordShown,
    /// The number of records of its template, itself among them.
    pub count: u64,
    /// The assumption about its time, such as `UTC, 2026`.
    pub assumed: Option<String>,
}

/// Returns one record for each template of each log: among the records that satisfy the conditions
/// of `request`, the one whose text has the highest `weight`. Of several such records it is the
/// first one. Records without a template are left out.
///
/// # Errors
/// [`model::Error::Invalid`] for impossible conditions, [`model::Error::Unavailable`] for damaged
/// files.
pub fn best_of_templates(
    loaded: &Loaded,
    request: &RecordsRequest,
    weight: &mut dyn FnMut(&str) -> u32,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Best>> {
    let plan = Plan::of(request, loaded)?;
    let chosen = choose(&plan, loaded, weight, may_go_on).map_err(damaged)?;
    let mut all = Vec::new();
    let mut chosen: Vec<(Place, u64)> =
        chosen.into_values().map(|choice| (choice.place, choice.count)).collect();
    chosen.sort_unstable();
    for in_block in chosen.chunk_by(|(a, _), (b, _)| (a.document, a.block) == (b.document, b.block))
    {
        let (first, _) = in_block[0];
        let Some(recorded) = loaded.documents.get(first.document as usize) else { continue };
        let Some(block) = recorded.file.block(first.block as usize) else { continue };
        let places: Vec<Place> = in_block.iter().map(|(place, _)| *place).collect();
        let shape = Shape { longest: LONGEST, ..Shape::WHOLE };
        let records = shown::of_block(recorded, block, &places, shape, None).map_err(damaged)?;
        all.extend(records.into_iter().zip(in_block).map(|(record, (_, count))| {
            let assumed = recorded.file.header.assumed.clone().filter(|_| record.zone.is_none());
            Best { record, count: *count, assumed }
        }));
    }
    Ok(all)
}

struct Chosen {
    place: Place,
    weight: u32,
    count: u64,
}

/// Chooses a record for each document and template.
fn choose(
    plan: &Plan,
    loaded: &Loaded,
    weight: &mut dyn FnMut(&str) -> u32,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> std::result::Result<BTreeMap<(u32, u32), Chosen>, Damaged> {
    let mut chosen: BTreeMap<(u32, u32), Chosen> = BTreeMap::new();
    scan::each_block(plan, loaded, may_go_on, |rows, document, block| {
        if rows.recorded.file.header.templates.is_empty() {
            return Ok(());
        }
        let Some(is_wanted) = rows.wanted()? else { return Ok(()) };
        let (templates, texts) = (rows.block.templates()?, rows.block.texts()?);
        let wanted = (0..).zip(is_wanted).filter(|(_, is_wanted)| *is_wanted);
        for (row, _) in wanted {
            let Some(template) = templates.get(row as usize).copied().flatten() else { continue };
            let place = Place { document, block, row };
            let weight = texts.get(row as usize).map_or(0, |text| weight(text));
            let choice = chosen.entry((document, template)).or_insert_with(|| Chosen {
                place,
                weight,
                count: 0,
            });
            choice.count += 1;
            if weight > choice.weight {
                (choice.place, choice.weight) = (place, weight);
            }
        }
        Ok(())
    })?;
    Ok(chosen)
}
