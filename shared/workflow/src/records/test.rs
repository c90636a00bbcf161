//! Conditions on one value.

use model::level::rank;
use model::record::{Amount, Glob};
use wire::records::{Condition, ConditionForm, Scalar};

/// What a value must be.
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
    /// The same, anywhere in a text.
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
            let (own, other) = self.amount.zip(Amount::parse(value))?;
            Some(own.unit == other.unit && (own.value - other.value).abs() < f64::EPSILON)
        };
        self.glob.is_like(value) || is_equal().unwrap_or(false)
    }
}

impl Bound {
    fn holds(self, value: &str, want: &Want) -> bool {
        let order = match (rank(value), rank(&want.text)) {
            (Some(own), Some(other)) => Some(own.cmp(&other)),
            _ => match (Amount::parse(value), want.amount) {
                (Some(own), Some(other)) if own.is_comparable(other) => {
                    own.value.partial_cmp(&other.value)
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
                    .filter_map(|(bound, own)| Some((bound, Want::of(own.as_ref()?))))
                    .collect();
                let all = all.iter().map(|own| own.text().to_lowercase()).collect();
                Test { any: Vec::new(), bounds, not: wants(not), all }
            }
        }
    }

    /// Whether a value is as wanted; a record without one satisfies exceptions only.
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

    /// Whether a text has one of the wanted texts in it, all that are wanted together, and none of the excepted.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let has = |want: &Want| want.within.is_like(&lower);
        let is_any = self.any.is_empty() || self.any.iter().any(has);
        is_any && !self.not.iter().any(has) && self.all.iter().all(|own| lower.contains(own))
    }

    fn has_all(&self, value: &str) -> bool {
        let lower = value.to_lowercase();
        self.all.iter().all(|own| lower.contains(own))
    }
}
