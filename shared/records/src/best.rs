//! Reads records of logs with all of their columns: of each template the one that says most about a
//! question, and those at given lines.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use model::record::Damaged;
use uuid::Uuid;
use wire::records::{RecordShown, RecordsRequest};

use super::group::Place;
use super::plan::Plan;
use super::shape::Shape;
use super::{Loaded, damaged, scan, shown};
use model::Result;

/// Upper bound for the bytes of a record in which the answer is searched, line by line.
const LONGEST: usize = 64 << 10;

/// A record with all of its columns.
#[derive(Debug, Clone)]
pub struct FullRecord {
    /// The record.
    pub record: RecordShown,
    /// The assumption about its time, such as `UTC, 2026`.
    pub assumed: Option<String>,
    /// The number of records for which it stands: those of its template with the same weight.
    pub alike: usize,
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
) -> Result<Vec<FullRecord>> {
    let plan = Plan::of(request, loaded)?;
    let chosen = choose(&plan, loaded, weight, may_go_on).map_err(damaged)?;
    let chosen = chosen.into_values().map(|choice| (choice.place, choice.alike)).collect();
    full(loaded, chosen).map_err(damaged)
}

/// Returns the records of a document that hold one of `lines`, numbered from 1.
///
/// # Errors
/// [`model::Error::Unavailable`] for damaged files.
pub fn at_lines(loaded: &Loaded, document: Uuid, lines: &BTreeSet<u32>) -> Result<Vec<FullRecord>> {
    let mut places = Vec::new();
    for (number, recorded) in (0..).zip(&loaded.documents) {
        if recorded.document.document_id != document {
            continue;
        }
        for (block, rows) in (0..).zip(recorded.file.blocks()) {
            let held = (0..).zip(rows.lines().map_err(damaged)?);
            let wanted = held.filter(|(_, (first, last))| lines.range(first..=last).any(|_| true));
            places.extend(wanted.map(|(row, _)| (Place { document: number, block, row }, 1)));
        }
    }
    full(loaded, places).map_err(damaged)
}

/// Returns the records at these places, each with the number of records for which it stands. Each
/// block is read once.
fn full(
    loaded: &Loaded,
    mut places: Vec<(Place, usize)>,
) -> std::result::Result<Vec<FullRecord>, Damaged> {
    places.sort_unstable();
    let mut all = Vec::new();
    let are_of_one_block = |(a, _): &(Place, usize), (b, _): &(Place, usize)| {
        (a.document, a.block) == (b.document, b.block)
    };
    for in_block in places.chunk_by(are_of_one_block) {
        let (in_block, alike): (Vec<Place>, Vec<usize>) = in_block.iter().copied().unzip();
        let Some(recorded) = loaded.documents.get(in_block[0].document as usize) else { continue };
        let Some(block) = recorded.file.block(in_block[0].block as usize) else { continue };
        let shape = Shape { longest: LONGEST, ..Shape::WHOLE };
        let records = shown::of_block(recorded, block, &in_block, shape, None)?;
        all.extend(records.into_iter().zip(alike).map(|(record, alike)| {
            let assumed = recorded.file.header.assumed.clone().filter(|_| record.zone.is_none());
            FullRecord { record, assumed, alike }
        }));
    }
    Ok(all)
}

struct Chosen {
    place: Place,
    weight: u32,
    /// The number of records with this weight.
    alike: usize,
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
            let none = Chosen { place, weight, alike: 0 };
            let choice = chosen.entry((document, template)).or_insert(none);
            match weight.cmp(&choice.weight) {
                Ordering::Greater => *choice = Chosen { place, weight, alike: 1 },
                Ordering::Equal => choice.alike += 1,
                Ordering::Less => {}
            }
        }
        Ok(())
    })?;
    Ok(chosen)
}
