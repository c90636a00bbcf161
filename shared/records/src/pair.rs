//! Comparisons of two columns of a record: `duedate` before `{dateadded}`.

use std::cmp::Ordering;

use wire::records::{Condition, ConditionForm, Scalar};

use super::reading::Reading;

/// A column that is compared with another one.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) column: String,
    pub(super) sign: Sign,
    pub(super) other: String,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Sign {
    Is,
    IsNot,
    AtLeast,
    Above,
    AtMost,
    Below,
}

/// Returns the name in `{name}`, which stands for a record's value in another column.
fn named(scalar: &Scalar) -> Option<String> {
    let text = scalar.text();
    let name = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Takes the comparisons with other columns out of a condition; returns them, with the names as the
/// query has them, and what is left of the condition.
pub(super) fn split(column: &str, condition: &Condition) -> (Vec<Pair>, Option<Condition>) {
    let pair = |sign, other| Pair { column: column.to_owned(), sign, other };
    match condition {
        Condition::Is(one) => match named(one) {
            Some(other) => (vec![pair(Sign::Is, other)], None),
            None => (Vec::new(), Some(condition.clone())),
        },
        Condition::AnyOf(_) => (Vec::new(), Some(condition.clone())),
        Condition::Bounds(form) => {
            let mut left = form.clone();
            let bounds = [
                (Sign::AtLeast, &mut left.gte),
                (Sign::Above, &mut left.gt),
                (Sign::AtMost, &mut left.lte),
                (Sign::Below, &mut left.lt),
            ];
            let mut pairs = Vec::new();
            for (sign, bound) in bounds {
                if let Some(other) = bound.as_ref().and_then(named) {
                    pairs.push(pair(sign, other));
                    *bound = None;
                }
            }
            let not = std::mem::take(&mut left.not);
            for scalar in not {
                match named(&scalar) {
                    Some(other) => pairs.push(pair(Sign::IsNot, other)),
                    None => left.not.push(scalar),
                }
            }
            let is_empty = !pairs.is_empty() && left == ConditionForm::default();
            (pairs, (!is_empty).then_some(Condition::Bounds(left)))
        }
    }
}

impl Pair {
    /// Returns true if a record satisfies the comparison with its values in both columns. A record
    /// that lacks one satisfies only an exclusion.
    pub(super) fn holds(
        &self,
        one: Option<(&str, Reading)>,
        other: Option<(&str, Reading)>,
    ) -> bool {
        let (Some(one), Some(other)) = (one, other) else {
            return matches!(self.sign, Sign::IsNot);
        };
        let order = order(one, other);
        let is_equal = order.map_or_else(
            || one.1.canonical(one.0).eq_ignore_ascii_case(&other.1.canonical(other.0)),
            Ordering::is_eq,
        );
        match self.sign {
            Sign::Is => is_equal,
            Sign::IsNot => !is_equal,
            Sign::AtLeast => order.is_some_and(Ordering::is_ge),
            Sign::Above => order.is_some_and(Ordering::is_gt),
            Sign::AtMost => order.is_some_and(Ordering::is_le),
            Sign::Below => order.is_some_and(Ordering::is_lt),
        }
    }
}

/// Compares two values as dates or as numbers; `None` if they are of different kinds.
fn order(one: (&str, Reading), other: (&str, Reading)) -> Option<Ordering> {
    if one.1.is_of_dates() || other.1.is_of_dates() {
        return Some(one.1.kind.moment(one.0)?.cmp(&other.1.kind.moment(other.0)?));
    }
    one.1.kind.compare(one.0, other.0)
}
