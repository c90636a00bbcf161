//! Conditions on one value.

use std::cmp::Ordering;

use model::level::rank;
use model::record::Glob;
use wire::records::{Condition, ConditionForm, Scalar};

use super::reading::{Reading, Sought};

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
    /// True if it was sent as a number.
    is_number: bool,
    glob: Glob,
    /// The same pattern, for any part of a text.
    within: Glob,
}

impl Want {
    fn of(scalar: &Scalar) -> Want {
        let text = scalar.text();
        Want {
            is_number: matches!(scalar, Scalar::Number(_)),
            glob: Glob::new(&text),
            within: Glob::new(&format!("*{text}*")),
            text,
        }
    }

    fn on(&self, reading: Reading) -> (&Want, Sought<'_>) {
        (self, reading.sought(&self.text, self.is_number))
    }
}

impl Bound {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Bound::AtLeast => order.is_ge(),
            Bound::Above => order.is_gt(),
            Bound::AtMost => order.is_le(),
            Bound::Below => order.is_lt(),
        }
    }
}

fn all_on(wants: &[Want], reading: Reading) -> Vec<(&Want, Sought<'_>)> {
    wants.iter().map(|want| want.on(reading)).collect()
}

/// Returns true for a number that begins with a zero before another digit, which makes it a name.
fn is_padded(text: &str) -> bool {
    let mut digits = text.trim_start_matches(['+', '-']).bytes();
    digits.next() == Some(b'0') && digits.next().is_some_and(|byte| byte.is_ascii_digit())
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

    /// Returns the condition for the column's reading of its values.
    pub(super) fn on(&self, reading: Reading) -> TestOn<'_> {
        TestOn {
            reading,
            any: all_on(&self.any, reading),
            bounds: self.bounds.iter().map(|(bound, want)| (*bound, want.on(reading).1)).collect(),
            not: all_on(&self.not, reading),
            all: &self.all,
        }
    }

    /// Returns the first bound that `takes` rejects.
    pub(super) fn misfit(&self, takes: impl Fn(&str, bool) -> bool) -> Option<&str> {
        let mut wants = self.bounds.iter().map(|(_, want)| want);
        wants.find(|want| !takes(&want.text, want.is_number)).map(|want| want.text.as_str())
    }

    /// Returns true if the texts contain one of the wanted patterns and all of the required ones,
    /// and none of the excluded ones.
    pub(super) fn is_in(&self, texts: &[&str]) -> bool {
        let lower: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let has = |want: &Want| lower.iter().any(|text| want.within.is_like(text));
        let is_any = self.any.is_empty() || self.any.iter().any(has);
        let has_part = |part: &String| lower.iter().any(|text| text.contains(part));
        is_any && !self.not.iter().any(has) && self.all.iter().all(has_part)
    }

    /// Returns the patterns that a value may match, each with `*` for any text.
    pub(super) fn patterns(&self) -> impl Iterator<Item = &str> {
        let any = self.any.iter().map(|want| want.text.as_str());
        any.chain(self.all.iter().map(String::as_str))
    }
}

/// A condition on the values of one column.
#[derive(Debug)]
pub(super) struct TestOn<'t> {
    reading: Reading,
    any: Vec<(&'t Want, Sought<'t>)>,
    bounds: Vec<(Bound, Sought<'t>)>,
    not: Vec<(&'t Want, Sought<'t>)>,
    all: &'t [String],
}

impl TestOn<'_> {
    /// Returns true if a value satisfies the condition. A record without a value satisfies only
    /// exclusions.
    pub(super) fn holds(&self, value: Option<&str>) -> bool {
        let Some(value) = value else {
            return self.any.is_empty() && self.bounds.is_empty() && self.all.is_empty();
        };
        let is = |(want, sought): &(&Want, Sought<'_>)| self.is(value, want, sought);
        (self.any.is_empty() || self.any.iter().any(is))
            && !self.not.iter().any(is)
            && self.bounds.iter().all(|(bound, sought)| self.is_within(value, *bound, sought))
            && self.has_all(value)
    }

    fn is(&self, value: &str, want: &Want, sought: &Sought<'_>) -> bool {
        want.glob.is_like(value)
            || match sought {
                Sought::Text | Sought::AmongTexts(_) => false,
                Sought::Level(level) => rank(value) == Some(*level),
                // A text that is not a number is its own canonical form.
                Sought::Number { own, form } => {
                    !is_padded(own) && self.reading.kind.canonical(value) == *form
                }
                Sought::Dates((first, end)) => self
                    .reading
                    .kind
                    .moment(value)
                    .is_some_and(|moment| (*first..*end).contains(&moment)),
            }
    }

    fn is_within(&self, value: &str, bound: Bound, sought: &Sought<'_>) -> bool {
        let kind = self.reading.kind;
        let order = match sought {
            Sought::Text => None,
            Sought::AmongTexts(number) => kind.compare(value, number),
            Sought::Number { own, .. } => kind.compare(value, own),
            Sought::Level(level) => rank(value).map(|rank| rank.cmp(level)),
            Sought::Dates((first, end)) => kind.moment(value).map(|moment| match moment {
                moment if moment < *first => Ordering::Less,
                moment if moment < *end => Ordering::Equal,
                _ => Ordering::Greater,
            }),
        };
        order.is_some_and(|order| bound.holds(order))
    }

    fn has_all(&self, value: &str) -> bool {
        let lower = value.to_lowercase();
        self.all.iter().all(|part| lower.contains(part))
    }
}
