//! Conditions on one value.

use model::level::rank;
use model::record::{Amount, Glob};
use wire::records::{Condition, ConditionForm, Scalar};

/// A condition that a value must satisfy.
#[derive(Debug, Default)]
pub(super) struct Test {
    any: Vec<Want>,
    bounds: Vec<(Bound, Want)>,
    not: Vec<Want>,
    all: Vec<String>,
}

#[derive(Debug, Clone, Copy)]
enum Bound {
    AtLeast,
    Above,
    AtMost,
    Below,
}

#[derive(Debug)]
struct Want {
    text: String,
    glob: Glob,
    /// The same pattern, anywhere in a text.
    within: Glob,
    amount: Option<Amount>,
}

impl Want {
    fn of(scalar: &Scalar) -> Want {
        let text = scalar.text();
        Want {
            glob: Glob::new(&text),
            within: Glob::new(&format!("*{text}*")),
            amount: Amount::parse(&text),
            text,
        }
    }

    fn is(&self, value: &str) -> bool {
        let is_equal = || {
            let (wanted, amount) = self.amount.zip(Amount::parse(value))?;
            Some(wanted.unit == amount.unit && (wanted.value - amount.value).abs() < f64::EPSILON)
        };
        self.glob.is_like(value) || is_equal().unwrap_or(false)
    }
}

impl Bound {
    fn holds(self, value: &str, want: &Want) -> bool {
        let order = match (rank(value), rank(&want.text)) {
            (Some(level), Some(wanted)) => Some(level.cmp(&wanted)),
            _ => match (Amount::parse(value), want.amount) {
                (Some(amount), Some(wanted)) if amount.is_comparable(wanted) => {
                    amount.value.partial_cmp(&wanted.value)
                }
                (None, None) => Some(value.cmp(&want.text)),
                _ => None,
            },
        };
        order.is_some_and(|order| match self {
            Bound::AtLeast => order.is_ge(),
            Bound::Above => order.is_gt(),
            Bound::AtMost => order.is_le(),
            Bound::Below => order.is_lt(),
        })
    }
}

impl Test {
    pub(super) fn of(condition: &Condition) -> Test {
        let wants = |all: &[Scalar]| all.iter().map(Want::of).collect();
        match condition {
            Condition::Is(one) => Test { any: vec![Want::of(one)], ..Test::default() },
            Condition::AnyOf(all) => Test { any: wants(all), ..Test::default() },
            Condition::Bounds(ConditionForm { gte, gt, lte, lt, not, all }) => {
                let bounds = [
                    (Bound::AtLeast, gte),
                    (Bound::Above, gt),
                    (Bound::AtMost, lte),
                    (Bound::Below, lt),
                ];
                let bounds = bounds
                    .into_iter()
                    .filter_map(|(bound, scalar)| Some((bound, Want::of(scalar.as_ref()?))))
                    .collect();
                let all = all.iter().map(|scalar| scalar.text().to_lowercase()).collect();
                Test { any: Vec::new(), bounds, not: wants(not), all }
            }
        }
    }

    /// Returns true if a value is as wanted; a record without one satisfies exceptions only.
    pub(super) fn holds(&self, value: Option<&str>) -> bool {
        let Some(value) = value else {
            return self.any.is_empty() && self.bounds.is_empty() && self.all.is_empty();
        };
        let is_any = self.any.is_empty() || self.any.iter().any(|want| want.is(value));
        let is_excepted = self.not.iter().any(|want| want.is(value));
        is_any
            && !is_excepted
            && self.bounds.iter().all(|(bound, want)| bound.holds(value, want))
            && (self.all.is_empty() || self.has_all(value))
    }

    /// Returns true if a text contains one of the wanted texts, all that are wanted together, and none of the excepted.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let has = |want: &Want| want.within.is_like(&lower);
        let is_any = self.any.is_empty() || self.any.iter().any(has);
        is_any && !self.not.iter().any(has) && self.all.iter().all(|part| lower.contains(part))
    }

    fn has_all(&self, value: &str) -> bool {
        let lower = value.to_lowercase();
        self.all.iter().all(|part| lower.contains(part))
    }
}
