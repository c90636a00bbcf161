//! The places of a section above its statements.

use std::collections::HashMap;
use std::ops::Range;

use model::facts::{Place, Statement, Statements, span};

/// All places of the consecutive passages so far. A passage keeps those that it needs, with new
/// numbers.
#[derive(Default)]
pub(super) struct Places {
    all: Vec<Known>,
    passage: usize,
}

struct Known {
    passage: usize,
    range: Range<usize>,
    text: String,
    below: Option<usize>,
}

/// Upper bound for the bytes of a place in an earlier passage.
const LONGEST: usize = 200;

/// Returns the number in the form that statements use; `None` if the number is too large.
pub(super) fn number(place: usize) -> Option<u16> {
    u16::try_from(place).ok()
}

impl Places {
    pub(super) fn next_passage(&mut self) {
        self.passage += 1;
    }

    /// Adds a place and returns its number. A place whose number is too large for statements is not
    /// stored.
    pub(super) fn add(&mut self, text: &str, range: Range<usize>, below: Option<usize>) -> usize {
        if number(self.all.len()).is_none() {
            return self.all.len();
        }
        let part = &text[range.clone()];
        let text = part[..part.floor_char_boundary(LONGEST)].to_owned();
        self.all.push(Known { passage: self.passage, range, text, below });
        self.all.len() - 1
    }

    /// Returns the statements of the passage with the places that they need, under new numbers.
    pub(super) fn used_by(&self, mut list: Vec<Statement>) -> Statements {
        let mut used = UsedPlaces { places: self, numbers: HashMap::new(), kept: Vec::new() };
        for statement in &mut list {
            statement.below = statement.below.and_then(|place| used.number(place.into()));
            statement.heads = statement
                .heads
                .and_then(|(row, column)| used.number(row.into()).zip(used.number(column.into())));
        }
        Statements { places: used.kept, list }
    }
}

/// The places of one passage.
struct UsedPlaces<'p> {
    places: &'p Places,
    numbers: HashMap<usize, u16>,
    kept: Vec<Place>,
}

impl UsedPlaces<'_> {
    fn number(&mut self, place: usize) -> Option<u16> {
        if let Some(number) = self.numbers.get(&place) {
            return Some(*number);
        }
        let known = self.places.all.get(place)?;
        let below = known.below.and_then(|outer| self.number(outer));
        let is_here = known.passage == self.places.passage;
        let at = is_here.then(|| span(&known.range));
        let text = if is_here { String::new() } else { known.text.clone() };
        let number = number(self.kept.len())?;
        self.kept.push(Place { at, text, below });
        self.numbers.insert(place, number);
        Some(number)
    }
}
