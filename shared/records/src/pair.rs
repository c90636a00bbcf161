//! Comparisons of two columns of a record: `duedate` before `{dateadded}`.

use std::cmp::Ordering;

use model::{Error, Result};
use wire::records::{Condition, ConditionForm, Scalar};

use super::names::Names;
use super::reading::Reading;

/// A column that is compared with another one.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) column: String,
    sign: Sign,
    pub(super) other: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Is,
    IsNot,
    AtLeast,
    Above,
    AtMost,
    Below,
}

impl Pair {
    /// Takes the comparisons with other columns out of a condition, and returns them with what is
    /// left of it. Only `{NAME}` with the name of a column is one; other braces are part of a text.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another column in a list, and for an order of columns that have none
    /// in common.
    pub(super) fn split(
        column: &str,
        condition: &Condition,
        names: &Names<'_>,
    ) -> Result<(Vec<Pair>, Option<Condition>)> {
        let other = |scalar: &Scalar| {
            let text = scalar.text();
            let name = text.strip_prefix('{')?.strip_suffix('}')?.to_owned();
            names.known(&name).filter(|name| names.has_any(name))
        };
        let pair = |sign, other| Pair { column: column.to_owned(), sign, other };
        let mut pairs = Vec::new();
        let mut left = condition.clone();
        match &mut left {
            Condition::Is(one) => pairs.extend(other(one).map(|other| pair(Sign::Is, other))),
            Condition::AnyOf(all) if all.iter().any(|one| other(one).is_some()) => {
                let reason = "takes another column alone, and not in a list";
                return Err(Error::invalid(format!("where.{column}"), reason));
            }
            Condition::AnyOf(_) => {}
            Condition::Bounds(ConditionForm { gte, gt, lte, lt, not, .. }) => {
                let bounds = [
                    (Sign::AtLeast, gte),
                    (Sign::Above, gt),
                    (Sign::AtMost, lte),
                    (Sign::Below, lt),
                ];
                for (sign, bound) in bounds {
                    if let Some(name) = bound.as_ref().and_then(other) {
                        pairs.push(pair(sign, name));
                        *bound = None;
                    }
                }
                let others = not.extract_if(.., |one| other(one).is_some());
                pairs.extend(others.filter_map(|one| Some(pair(Sign::IsNot, other(&one)?))));
            }
        }
        for pair in &pairs {
            pair.check(names)?;
        }
        let is_empty = match &left {
            Condition::Bounds(form) => *form == ConditionForm::default(),
            Condition::Is(_) | Condition::AnyOf(_) => true,
        };
        let left = (pairs.is_empty() || !is_empty).then_some(left);
        Ok((pairs, left))
    }

    /// Checks that the columns have an order in common if one is asked for.
    fn check(&self, names: &Names<'_>) -> Result<()> {
        let (one, other) = (names.named(&self.column), names.named(&self.other));
        let is_ordered = !matches!(self.sign, Sign::Is | Sign::IsNot);
        let fits = one.has_dates() == other.has_dates() && one.has_order() && other.has_order();
        if is_ordered && !fits {
            let reason = format!(
                "cannot be compared with `{}`: both must have numbers, or dates",
                self.other
            );
            return Err(Error::invalid(format!("where.{}", self.column), reason));
        }
        Ok(())
    }

    /// Returns true if a record satisfies the comparison with its values in both columns. A record
    /// that lacks one satisfies only an exclusion.
    pub(super) fn holds(
        &self,
        one: Option<(&str, Reading)>,
        other: Option<(&str, Reading)>,
    ) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return self.sign == Sign::IsNot };
        let order = order(one, other);
        let is_equal = if one.1.is_of_texts() || other.1.is_of_texts() {
            one.0.eq_ignore_ascii_case(other.0)
        } else {
            order.is_some_and(Ordering::is_eq)
        };
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

/// Compares two values as dates if their columns have dates, else as numbers; `None` for others. A
/// day is its midnight.
fn order(one: (&str, Reading), other: (&str, Reading)) -> Option<Ordering> {
    let (left, right) = (one.1.kind, other.1.kind);
    if one.1.is_of_dates() || other.1.is_of_dates() {
        return Some(left.moment(one.0)?.cmp(&right.moment(other.0)?));
    }
    // The canonical form of a number has a point, whatever mark its file has.
    Reading::NUMBER.kind.compare(&left.canonical(one.0), &right.canonical(other.0))
}
