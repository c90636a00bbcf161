//! Checks a query's conditions. An empty or unreadable condition would match all records.

use wire::records::{Condition, ConditionForm, Scalar};

use model::{Error, Result};

/// Upper bound for the values of a condition.
const VALUES: usize = 200;

/// Checks a condition on a column, except for its bounds.
///
/// # Errors
/// [`Error::Invalid`] for a condition without values or with too many, an empty text, a number that
/// JSON rounded, and a test that the column does not support.
pub(super) fn check(name: &str, condition: &Condition) -> Result<()> {
    let refused = |reason: &str| Err(Error::invalid(format!("where.{name}"), reason.to_owned()));
    let values = values(condition);
    if values.is_empty() {
        return refused("must have a value, a bound or an exception");
    }
    if values.len() > VALUES {
        return refused("must have at most 200 values");
    }
    if values.iter().any(|value| value.is_rounded()) {
        return refused("is a number that JSON rounds: send it as a text, in quotes");
    }
    if name == "text" && values.iter().any(|value| value.text().is_empty()) {
        return refused("must not be empty: each record has an empty text in it");
    }
    let Condition::Bounds(ConditionForm { gte, gt, lte, lt, all, .. }) = condition else {
        return Ok(());
    };
    let has_bounds = [gte, gt, lte, lt].into_iter().any(Option::is_some);
    match name {
        "time" | "clock" if !all.is_empty() => refused("takes no `all`"),
        "text" if has_bounds => refused("takes no bounds"),
        _ if all.iter().any(|part| part.text().is_empty()) => {
            refused("must not have an empty text in `all`: each value has it")
        }
        _ => Ok(()),
    }
}

fn values(condition: &Condition) -> Vec<&Scalar> {
    match condition {
        Condition::Is(one) => vec![one],
        Condition::AnyOf(all) => all.iter().collect(),
        Condition::Bounds(ConditionForm { gte, gt, lte, lt, not, all }) => {
            let bounds = [gte, gt, lte, lt].into_iter().flatten();
            bounds.chain(not).chain(all).collect()
        }
    }
}
