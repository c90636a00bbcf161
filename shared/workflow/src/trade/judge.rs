//! Which value of a statement belongs to which alternative and which criterion.

use std::ops::Range;

use super::ask::Criterion;
use super::concept::{self, Signs};
use super::near::{closeness, nearest};
use super::read::Statement;
use crate::document::Chunk;
use crate::quantity::{self, Dimension, Quantity, quantities};
use crate::term::{Mention, Terms};
use crate::topic::Topic;

/// The criteria, ready to be recognized.
pub(super) struct Judge {
    criteria: Vec<Judged>,
    /// All criteria's words; a mention's number is its criterion's place.
    words: Vec<Terms>,
    /// Words that may tell a time.
    weak: Terms,
}

struct Judged {
    topic: Topic,
    measures: Vec<Dimension>,
    unit: Option<quantity::Unit>,
}

/// What a statement says of an alternative.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fact {
    /// The alternative by its place; `None` where none is named.
    pub alternative: Option<usize>,
    /// The criterion by its place, and how strongly it shows, `0.0..=1.0`; `None` where none is recognized.
    pub criterion: Option<(usize, f64)>,
    /// The value, where there is one.
    pub value: Option<Quantity>,
    /// How the alternative is told.
    pub told: Told,
    /// Whether it is a pro or a con.
    pub argues: bool,
    /// What the quote is centered on.
    pub center: Range<usize>,
}

/// How a statement tells which alternative it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// By itself, or by the head of its row or column.
    Named,
    /// By what it stands below.
    Under,
    /// By the document's title only.
    Titled,
}

/// From this strength on a value belongs to a criterion.
const LEAST: f64 = 0.3;

/// No value shows more strongly than this: by a head and by all words of the criterion.
const STRONGEST: f64 = 2.0;

/// How strongly a weak word tells.
const BY_WEAK: f64 = 0.25;

/// A head speaks of a criterion of several words where it has this share of them.
const SPOKEN: f64 = 0.5;

impl Judge {
    pub(super) fn new(criteria: &[Criterion], are_types: bool) -> Judge {
        let signs = |place: usize, name: &str| {
            if are_types { concept::of_type(place) } else { concept::of_name(name) }
        };
        let weak = Terms::new(concept::WEAK.into_iter().map(|word| (0, word)));
        let mut judge = Judge { criteria: Vec::new(), words: Vec::new(), weak };
        for (place, criterion) in criteria.iter().enumerate() {
            let Signs { words, mut measures } = signs(place, &criterion.name);
            if let Some(unit) = &criterion.unit {
                measures = vec![unit.dimension()];
            }
            let names = words.into_iter().chain([criterion.name.as_str()]);
            judge.words.push(Terms::new(names.map(|word| (place, word))));
            let topic = Topic::of(&criterion.name);
            judge.criteria.push(Judged { topic, measures, unit: criterion.unit.clone() });
        }
        judge
    }

    /// What the statement says, value by value; without values, one fact per alternative and criterion it speaks of.
    pub(super) fn facts(&self, chunk: &Chunk, statement: &Statement) -> Vec<Fact> {
        let focus = &chunk.text[statement.focus.clone()];
        let heading = chunk.heading();
        let mentions: Vec<Vec<Mention>> =
            self.words.iter().map(|words| words.find(focus)).collect();
        let values = results(focus, quantities(focus));
        let named = owners(statement);
        if values.is_empty() {
            return self.qualities(statement, &named, &mentions, (focus, heading));
        }
        let told = how_told(statement);
        let is_in_order = focus.contains("respectively") && named.len() == values.len();
        let mut facts = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let owner = match (named.as_slice(), statement.under) {
                ([], under) => under.or(statement.titled),
                (named, _) if is_in_order => Some(named[place].number),
                (named, _) => nearest(focus, value, named, &values),
            };
            let head = statement.head.as_deref();
            let strengths = (0..self.criteria.len()).map(|number| {
                (number, self.strength(number, value, &mentions[number], (focus, head, heading)))
            });
            let shown = strengths.filter(|(_, strength)| *strength >= LEAST);
            // Of equally strong ones the first.
            let best = shown.rev().max_by(|a, b| a.1.total_cmp(&b.1));
            let center = statement.focus.start + value.start..statement.focus.start + value.end;
            facts.push(Fact {
                alternative: owner,
                criterion: best.map(|(number, strength)| (number, (strength / STRONGEST).min(1.0))),
                value: Some(value.clone()),
                told,
                argues: statement.argues,
                center,
            });
        }
        facts
    }

    /// How strongly a value shows to be of a criterion, by where it stands and what it measures.
    fn strength(
        &self,
        number: usize,
        value: &Quantity,
        mentions: &[Mention],
        (focus, head, heading): (&str, Option<&str>, &str),
    ) -> f64 {
        let Judged { topic, measures, unit } = &self.criteria[number];
        let by_head = match head {
            Some(head) if self.words[number].are_in(head) => {
                if topic.share(&[head]) > 0.0 {
                    1.1
                } else {
                    0.7
                }
            }
            Some(head) if topic.share(&[head]) >= SPOKEN => topic.share(&[head]),
            _ => 0.0,
        };
        let is_time = value.dimension() == Dimension::Time && measures.contains(&Dimension::Time);
        let by_weak = if is_time && self.weak.are_in(focus) { BY_WEAK } else { 0.0 };
        let by_words = mentions.iter().map(|own| closeness(focus, own, value)).fold(0.0, f64::max);
        let near = [focus, head.unwrap_or_default()];
        let by_topic = match topic.share(&near) {
            0.0 => 0.0,
            _ => topic.weight(&[near[0], near[1], heading]),
        };
        let by_heading = if self.words[number].are_in(heading) { 0.35 } else { 0.0 };
        let told = by_head.max(by_words).max(by_weak) + by_topic + by_heading;
        let dimension = measure(value);
        let speaks = matches!(dimension, Dimension::Money | Dimension::Rank);
        let fits = match unit {
            Some(unit) if value.in_unit(unit).is_some() => 0.5,
            _ if measures.contains(&dimension) && (told > 0.0 || speaks) => 0.3,
            _ if measures.contains(&dimension) || measures.is_empty() => 0.0,
            _ => -0.9,
        };
        told + fits
    }

    /// What a statement without values says: of each alternative, by each criterion that its words or head tell.
    fn qualities(
        &self,
        statement: &Statement,
        named: &[Mention],
        mentions: &[Vec<Mention>],
        (focus, heading): (&str, &str),
    ) -> Vec<Fact> {
        let is_cell = statement.head.is_some();
        if statement.is_code || (!is_cell && focus.split_whitespace().count() < LEAST_WORDS) {
            return Vec::new();
        }
        let head = statement.head.as_deref().unwrap_or_default();
        let mut told: Vec<Option<(usize, f64)>> = Vec::new();
        for (number, own) in mentions.iter().enumerate() {
            let is_told = !own.is_empty() || (!head.is_empty() && self.words[number].are_in(head));
            let share = self.criteria[number].topic.share(&[focus, head]);
            if is_told || share >= SPOKEN {
                told.push(Some((number, if is_told { 0.3 } else { 0.25 * share })));
            }
        }
        if told.is_empty() {
            let by_heading =
                (0..self.words.len()).find(|number| self.words[*number].are_in(heading));
            told.push(by_heading.map(|number| (number, 0.1)));
        }
        let mut owners: Vec<Option<usize>> = named.iter().map(|own| Some(own.number)).collect();
        owners.sort_unstable();
        owners.dedup();
        if owners.is_empty() {
            owners.push(statement.under.or(statement.titled));
        }
        let begin = statement.focus.start;
        let center = statement.named.first().map_or(begin..begin, |own| own.start..own.end);
        let fact = |alternative: Option<usize>, criterion: Option<(usize, f64)>| Fact {
            alternative,
            criterion,
            value: None,
            told: how_told(statement),
            argues: statement.argues,
            center: center.clone(),
        };
        owners
            .iter()
            .flat_map(|owner| told.iter().map(|criterion| fact(*owner, *criterion)))
            .collect()
    }
}

fn how_told(statement: &Statement) -> Told {
    if !statement.named.is_empty() || statement.head.is_some() {
        return Told::Named;
    }
    if statement.titled.is_some() { Told::Titled } else { Told::Under }
}

/// What a value measures; money per time is money, and so many things per another are a count.
pub(super) fn measure(value: &Quantity) -> Dimension {
    let dimension = value.dimension();
    let over = value.unit.split('/').next().unwrap_or_default();
    let is_money = quantity::unit(over).is_some_and(|unit| unit.dimension() == Dimension::Money);
    match dimension {
        Dimension::Rate if is_money => Dimension::Money,
        Dimension::Rate if value.si.is_none() => Dimension::Count,
        dimension => dimension,
    }
}

/// The alternatives named in the focus, by their bytes there. A pro or con belongs to what it stands below, whatever it
/// compares that with.
fn owners(statement: &Statement) -> Vec<Mention> {
    if statement.argues && statement.under.is_some() {
        return Vec::new();
    }
    let begin = statement.focus.start;
    statement.named.iter().map(|own| shifted(*own, begin)).collect()
}

/// Of an equation only what it comes to: in "2 MB * 5000 = 10 GB" that is 10 GB.
fn results(focus: &str, mut values: Vec<Quantity>) -> Vec<Quantity> {
    if let Some(equals) = focus.rfind(" = ")
        && values.iter().any(|value| value.start > equals)
    {
        values.retain(|value| value.start > equals);
    }
    values
}

/// A statement without a value must say at least so many words.
const LEAST_WORDS: usize = 4;

fn shifted(mention: Mention, by: usize) -> Mention {
    Mention { start: mention.start - by, end: mention.end - by, ..mention }
}
