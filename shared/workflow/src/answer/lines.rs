//! Lines that a question names, of documents that have no records.

use super::compose::{Draft, Quote};
use super::make::{Found, absent};
use super::say::Said;
use super::show::shown;
use super::unit::{self, Unit};
use super::{Given, Services, find};
use crate::Result;
use crate::filter::Condition;

/// The most lines that an answer quotes, and the most passages that they are sought in.
const QUOTED: usize = 50;
const SCANNED: usize = 500;

/// The named lines of the document that is named, or of the only one; `None` where no lines are named.
pub(super) async fn named_lines(
    services: &Services<'_>,
    found: &Found<'_>,
) -> Result<Option<Given>> {
    let lines = |(own, _): &(Condition, String)| match own {
        Condition::Lines(ranges) => Some(ranges.clone()),
        _ => None,
    };
    let Some(ranges) = found.intent().conditions.iter().find_map(lines) else { return Ok(None) };
    let mut request = found.request.clone();
    request.filters.0.push(Condition::Lines(ranges.clone()));
    let (chunks, _) = find::scan(services, &request, SCANNED).await?;
    let is_named = |unit: &Unit<'_>| {
        let overlaps = |(first, last): (u32, u32)| {
            ranges.iter().any(|(from, to)| *from <= last && first <= *to)
        };
        unit.lines.is_some_and(overlaps)
    };
    let units = chunks.iter().flat_map(unit::numbered).filter(is_named).take(QUOTED);
    let drafts = units.map(|unit| Draft::verbatim(Quote::of(&unit))).collect();
    let mut said = Said { drafts, ..Said::default() };
    if said.drafts.is_empty() {
        said.reason = Some(absent(&found.loaded.listed));
    }
    Ok(Some(shown(found, said, &[], &chunks)))
}
