//! What a report lists beside the failure itself: what was checked, what was not the case, what was planned.

use std::sync::LazyLock;

use model::facts::Fact;
use model::lexicon::Lexicon;
use serde::Deserialize;

use super::kind::Kind;
use super::pick::Scored;
use super::polarity::Polarity;
use super::unit::{Form, Unit};

#[derive(Deserialize)]
struct Examination {}

static CHECKED: LazyLock<Lexicon<Examination>> =
    LazyLock::new(|| Lexicon::new(include_str!("../../../../../infra/lexicons/en/checked.toml")));

/// The most facts that are listed of what was checked, and of what was denied.
const MOST: usize = 4;

/// The most planned actions that are listed.
const MOST_ACTIONS: usize = 6;

/// The fewest words of a fact.
const LEAST_WORDS: usize = 4;

impl Scored<'_> {
    /// What was examined to find the cause.
    pub(super) fn checked(&self) -> Vec<Fact> {
        self.list(MOST, |number, unit| {
            let text = self.document[unit.chunk].text[unit.range.clone()].to_ascii_lowercase();
            tells_the_past(unit.kind)
                && self.polarities[number] != Polarity::Open
                && CHECKED.find(&text).next().is_some()
        })
    }

    /// Harm and causes that were not the case.
    pub(super) fn denied(&self) -> Vec<Fact> {
        self.list(MOST, |number, unit| {
            tells_the_past(unit.kind) && self.polarities[number] == Polarity::Denied
        })
    }

    /// What was planned afterwards: the items below such a heading, else what is recommended.
    pub(super) fn actions(&self) -> Vec<Fact> {
        let actions = self.list(MOST_ACTIONS, |_, unit| unit.kind == Kind::Actions);
        if actions.is_empty() {
            return self.list(MOST_ACTIONS, |_, unit| unit.kind == Kind::Recommendation);
        }
        actions
    }

    /// The first sentences, items and cells that are `wanted`, in the document's order.
    fn list(&self, most: usize, wanted: impl Fn(usize, &Unit) -> bool) -> Vec<Fact> {
        let units = self.units.iter().enumerate().filter(|(number, unit)| {
            let words = self.document[unit.chunk].text[unit.range.clone()].split_ascii_whitespace();
            unit.form != Form::Code
                && words.take(LEAST_WORDS).count() == LEAST_WORDS
                && wanted(*number, unit)
        });
        units
            .take(most)
            .map(|(_, unit)| self.document[unit.chunk].fact(unit.range.clone()))
            .collect()
    }
}

/// Whether below such a heading stands what was, and not what ought to be.
fn tells_the_past(kind: Kind) -> bool {
    !matches!(kind, Kind::Actions | Kind::Recommendation | Kind::Lessons)
}
