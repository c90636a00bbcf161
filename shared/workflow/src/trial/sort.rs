//! Whether passages are put under the facets that they serve.

use super::item::Sort;
use super::{Tried, evidence, find, passage};
use crate::explore;
use crate::ports::Model;
use crate::rerank::sorted;

/// The passages of one call.
const PER_CALL: usize = 10;

/// By the word of the model.
pub(super) async fn sort(model: &dyn Model, sort: &Sort) -> Tried {
    let facets = explore::facets();
    let mut said = Vec::new();
    let mut failed = None;
    for (number, part) in sort.items.chunks(PER_CALL).enumerate() {
        let at = |place: usize| number * PER_CALL + place;
        let passages: Vec<_> = part
            .iter()
            .enumerate()
            .map(|(place, item)| evidence(passage(at(place), &item.text)))
            .collect();
        let subject = find::question(&sort.subject);
        match sorted::sorted(model, &subject, &facets, &passages).await {
            Ok(served) => {
                let names = facets.iter().map(|(name, _)| name.as_str());
                let names: Vec<&str> = names.collect();
                said.extend(
                    part.iter()
                        .zip(served)
                        .map(|(item, much)| is_right(&names, &item.facet, &much)),
                );
            }
            Err(error) => failed = Some(error),
        }
    }
    let items = u32::try_from(sort.items.len()).unwrap_or(u32::MAX);
    Tried { said: failed.map_or(Ok(said), Err), items, rules: sort.rules }
}

/// Whether the facet has most; where there is none, whether nothing has anything.
pub(super) fn is_right(facets: &[&str], facet: &str, much: &[f64]) -> bool {
    let best = much.iter().copied().fold(0.0, f64::max);
    match facets.iter().position(|name| *name == facet) {
        Some(place) => best > 0.0 && much[place] >= best,
        None => best <= 0.0,
    }
}
