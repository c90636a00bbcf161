//! The lists of a report besides the failure itself: what was checked, what was not the case, what
//! was planned.

use std::sync::LazyLock;

use model::facts::{Event, Fact};
use serde::Deserialize;
use text::lexicon::Lexicon;
use text::sentence::is_time;

use super::kind::Kind;
use super::pick::Scored;
use super::score::denies;
use super::unit::{Form, Unit};

#[derive(Deserialize)]
struct Examination {}

static CHECKED: LazyLock<Lexicon<Examination>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::CHECKED));

/// Upper bound for the checks that are listed, and for the harms.
const MOST: usize = 4;

/// Upper bound for the planned actions that are listed.
const MOST_ACTIONS: usize = 6;

/// Upper bound for the events that are listed.
const MOST_EVENTS: usize = 20;

/// Lower bound for the words of a fact.
const LEAST_WORDS: usize = 4;

impl Scored<'_> {
    /// Returns what was examined to find the cause.
    pub(super) fn checked(&self) -> Vec<Fact> {
        self.list(MOST, |unit| {
            let text = self.document[unit.passage].text[unit.range.clone()].to_ascii_lowercase();
            tells_the_past(unit.kind) && CHECKED.find(&text).next().is_some()
        })
    }

    /// Returns the harm that the failure did, as listed below such a heading.
    pub(super) fn impact(&self) -> Vec<Fact> {
        self.list(MOST, |unit| {
            let text = &self.document[unit.passage].text[unit.range.clone()];
            unit.kind == Kind::Impact && !denies(text)
        })
    }

    /// Returns the events: sentences with a time before or beside them, and the first sentences
    /// below a heading that is a time.
    pub(super) fn timeline(&self) -> Vec<Event> {
        let mut headed = None;
        let events =
            self.units.iter().filter(|unit| tells_the_past(unit.kind)).filter_map(|unit| {
                let passage = self.document[unit.passage];
                let is_first = headed.replace(&passage.section) != Some(&passage.section);
                let heading = passage.heading();
                let time = match &unit.time {
                    Some(time) => &passage.text[time.clone()],
                    None if is_first && is_time(heading) => heading,
                    None => return None,
                };
                Some(Event { time: time.to_owned(), event: passage.fact(unit.range.clone()) })
            });
        events.take(MOST_EVENTS).collect()
    }

    /// Returns the actions that were planned afterwards: the items below such a heading, else the
    /// recommendations.
    pub(super) fn actions(&self) -> Vec<Fact> {
        let actions = self.list(MOST_ACTIONS, |unit| unit.kind == Kind::Actions);
        if actions.is_empty() {
            return self.list(MOST_ACTIONS, |unit| unit.kind == Kind::Recommendation);
        }
        actions
    }

    /// Returns the first sentences, items and cells that are `wanted`, in the order of the
    /// document.
    fn list(&self, most: usize, wanted: impl Fn(&Unit) -> bool) -> Vec<Fact> {
        let units = self.units.iter().filter(|unit| {
            let words =
                self.document[unit.passage].text[unit.range.clone()].split_ascii_whitespace();
            unit.form != Form::Code
                && words.take(LEAST_WORDS).count() == LEAST_WORDS
                && wanted(unit)
        });
        units.take(most).map(|unit| self.document[unit.passage].fact(unit.range.clone())).collect()
    }
}

/// Returns true if the text below such a heading tells what was, and not what ought to be.
fn tells_the_past(kind: Kind) -> bool {
    !matches!(kind, Kind::Actions | Kind::Recommendation)
}
