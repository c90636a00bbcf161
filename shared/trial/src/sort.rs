//! Tests if passages are assigned to the facets that they serve.

use super::item::Sort;
use super::{Tried, evidence, find, passage};
use ports::Model;
use workflows::explore;
use workflows::explore::sorted;

/// Tries the model's assignments.
pub(super) async fn sort(model: &dyn Model, sort: &Sort) -> Tried {
    let facets = explore::facets();
    let names: Vec<&str> = facets.iter().map(|(name, _)| name.as_str()).collect();
    let passages = sort.items.iter().enumerate();
    let passages: Vec<_> =
        passages.map(|(place, item)| evidence(passage(place, &item.text))).collect();
    let subject = find::question(&sort.subject);
    let said = sorted::sorted(model, &subject, &facets, &passages).await.map(|served| {
        let both = sort.items.iter().zip(served);
        both.map(|(item, much)| is_right(&names, &item.facet, &much)).collect()
    });
    let items = u32::try_from(sort.items.len()).unwrap_or(u32::MAX);
    Tried { said, items, rules: sort.rules }
}

/// Returns true if the facet has the highest value; for an empty facet, if no facet has any.
pub(super) fn is_right(facets: &[&str], facet: &str, much: &[f64]) -> bool {
    let best = much.iter().copied().fold(0.0, f64::max);
    match facets.iter().position(|name| *name == facet) {
        Some(place) => best > 0.0 && much[place] >= best,
        None => best <= 0.0,
    }
}
