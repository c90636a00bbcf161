//! Decides to which alternative and which criterion each value of a statement belongs.

use std::cell::LazyCell;
use std::ops::Range;

use super::concept;
use super::near::{closeness, nearest};
use super::read::Statement;
use super::signal::{Signals, Spoken, StatementCriteria};
use super::value::{Placed, owners, values};
use super::wanted::Criterion;
use model::document::Passage;
use model::facts::Side;
use quantity::{self, Dimension, Quantity, quantities};
use text::term::Mention;

/// The criteria in the form in which they are recognized.
pub(super) struct Judge {
    criteria: Vec<Judged>,
    signs: Signals,
}

struct Judged {
    measures: Vec<Dimension>,
    unit: Option<quantity::Unit>,
    /// The quantities in its name, which are not values for it: "cycles at 20 % depth".
    in_name: Vec<Quantity>,
}

/// The passage of a statement, with the criteria in it and in its heading.
pub(super) struct Context<'c> {
    text: &'c str,
    headings: &'c str,
    /// The criteria that the passage mentions.
    mentioned: Spoken,
    heading: Spoken,
}

/// A single fact that a statement gives about an alternative.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fact<'e> {
    /// The alternative by its place; `None` if none is named.
    pub alternative: Option<usize>,
    /// The criterion by its place, and how strongly the statement refers to it, `0.0..=1.0`; `None`
    /// if none is recognized.
    pub criterion: Option<(usize, f64)>,
    /// The value, if there is one.
    pub value: Option<&'e Quantity>,
    /// The way in which the alternative is named.
    pub attribution: Attribution,
    /// The side of the argument, if the statement is one.
    pub side: Option<Side>,
    /// The bytes on which the quote is centered.
    pub center: Range<usize>,
}

/// The way in which a statement shows which alternative it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attribution {
    /// The statement names it, or the head of its row or column does.
    NamedAlternative,
    /// The statement is below it.
    Under,
    /// A language model assigned it.
    Assigned,
}

/// Lower bound for the strength with which a value belongs to a criterion.
const LEAST: f64 = 0.3;

/// The highest possible strength: that of a value with a head and all words of the criterion.
const STRONGEST: f64 = 2.0;

/// Lower bound for the closeness of a word directly beside a value.
const BESIDE: f64 = 0.95;

/// The strength of a weak word beside a value.
const BY_WEAK: f64 = 0.25;

/// Lower bound for the share of a criterion's words in a head that refers to it, if it has several
/// words.
const SPOKEN: f64 = 0.5;

impl Judge {
    pub(super) fn new(criteria: &[Criterion], are_types: bool) -> Judge {
        let mut measures: Vec<Vec<Dimension>> = Vec::new();
        for (place, criterion) in criteria.iter().enumerate() {
            measures.push(match &criterion.unit {
                Some(unit) => vec![unit.dimension()],
                None if are_types => concept::of_type(place).measures,
                None => concept::of_name(&criterion.name).measures,
            });
        }
        let judged = |(measures, criterion): (Vec<Dimension>, &Criterion)| Judged {
            measures,
            unit: criterion.unit.clone(),
            in_name: if are_types { Vec::new() } else { quantities(&criterion.name) },
        };
        Judge {
            criteria: measures.into_iter().zip(criteria).map(judged).collect(),
            signs: if are_types { Signals::of_types() } else { Signals::of(criteria) },
        }
    }

    /// Reads the parts that are the same for all statements of a passage.
    pub(super) fn context<'c>(&self, passage: &'c Passage) -> Context<'c> {
        let heading = self.signs.spoken(passage.heading());
        let mentioned = self.signs.spoken(&passage.text);
        Context { text: &passage.text, headings: &passage.section, mentioned, heading }
    }

    /// Returns the facts of a statement, one for each value; without values, one for each
    /// alternative and criterion that it mentions.
    pub(super) fn facts<'e>(
        &self,
        context: &Context<'_>,
        statement: &Statement<'e>,
    ) -> Vec<Fact<'e>> {
        let focus = &context.text[statement.focus.clone()];
        let values = values(focus, statement);
        let named = owners(statement);
        let words = context.mentioned.within(&statement.focus);
        let head = statement.head.map(|head| self.signs.spoken(head)).unwrap_or_default();
        let mentioned = StatementCriteria { words: &words, head: &head, heading: &context.heading };
        let around = [focus, statement.head.unwrap_or_default(), context.headings];
        let may_be = |number: &usize| self.signs.may_be(*number, &around);
        let possible: Vec<usize> = (0..self.criteria.len()).filter(may_be).collect();
        if values.is_empty() {
            return self.qualities(statement, &named, focus, &possible, &mentioned);
        }
        let attribution = attribution_of(statement);
        let is_in_order =
            values.len() > 1 && named.len() == values.len() && focus.contains("respectively");
        let weak = LazyCell::new(|| concept::WEAK_WORDS.find(focus));
        let mut facts = Vec::new();
        for (place, Placed { quantity, at }) in values.iter().enumerate() {
            let owner = match (named.as_slice(), statement.under) {
                ([], under) => under,
                (named, _) if is_in_order => Some(named[place].number),
                (named, _) => nearest(focus, at, named, &values),
            };
            let dimension = measure(quantity);
            let strengths = possible.iter().map(|number| {
                let number = *number;
                let by_words = self.strength_of_words(number, focus, at, &mentioned);
                let is_time = dimension == Dimension::Time
                    && weak.iter().any(|word| closeness(focus, word, at) >= BESIDE);
                (number, self.strength(number, quantity, dimension, by_words, is_time))
            });
            let strong = strengths.filter(|(_, strength)| *strength >= LEAST);
            // Of equally strong criteria the first one is chosen.
            let best = strong.rev().max_by(|a, b| a.1.total_cmp(&b.1));
            let begin = statement.focus.start;
            facts.push(Fact {
                alternative: owner,
                criterion: best.map(|(number, strength)| (number, (strength / STRONGEST).min(1.0))),
                value: Some(quantity),
                attribution,
                side: statement.side,
                center: begin + at.start..begin + at.end,
            });
        }
        facts
    }

    /// Returns how strongly the words around a value refer to a criterion.
    fn strength_of_words(
        &self,
        number: usize,
        focus: &str,
        value: &Range<usize>,
        mentioned: &StatementCriteria<'_>,
    ) -> f64 {
        let in_head = self.signs.share(number, &[mentioned.head]);
        let by_head = match (mentioned.head.has(number), in_head) {
            (true, share) if share > 0.0 => 1.1,
            (true, _) => 0.7,
            (false, share) if share >= SPOKEN => share,
            (false, _) => 0.0,
        };
        let mentions = mentioned.words.mentions.iter().filter(|mention| mention.number == number);
        let by_words = mentions.map(|mention| closeness(focus, mention, value)).fold(0.0, f64::max);
        let by_topic = if self.signs.share(number, &[mentioned.words, mentioned.head]) > 0.0 {
            self.signs.weight(number, &[mentioned.words, mentioned.head, mentioned.heading])
        } else {
            0.0
        };
        let by_heading = if mentioned.heading.has(number) { 0.35 } else { 0.0 };
        by_head.max(by_words) + by_topic + by_heading
    }

    /// Returns how strongly a value belongs to a criterion, by the words around it and by its
    /// dimension.
    fn strength(
        &self,
        number: usize,
        value: &Quantity,
        dimension: Dimension,
        by_words: f64,
        is_weak: bool,
    ) -> f64 {
        let Judged { measures, unit, in_name } = &self.criteria[number];
        if in_name
            .iter()
            .any(|other| other.unit == value.unit && other.number.total_cmp(&value.number).is_eq())
        {
            return 0.0;
        }
        let is_measured = measures.contains(&dimension);
        let by_words = if is_weak && is_measured { by_words.max(BY_WEAK) } else { by_words };
        let speaks = matches!(dimension, Dimension::Money | Dimension::Rank);
        let fits = match unit {
            Some(unit) if value.in_unit(unit).is_some() => 0.5,
            _ if is_measured && (by_words > 0.0 || speaks) => 0.3,
            _ if is_measured || measures.is_empty() => 0.0,
            _ => -0.9,
        };
        by_words + fits
    }

    /// Returns the facts of a statement without values: one for each alternative, and for each
    /// criterion that its words or head mention.
    fn qualities<'e>(
        &self,
        statement: &Statement<'e>,
        named: &[Mention],
        focus: &str,
        possible: &[usize],
        mentioned: &StatementCriteria<'_>,
    ) -> Vec<Fact<'e>> {
        let is_cell = statement.head.is_some();
        if statement.is_code || (!is_cell && focus.split_whitespace().count() < LEAST_WORDS) {
            return Vec::new();
        }
        let mut criteria: Vec<Option<(usize, f64)>> = Vec::new();
        for number in possible.iter().copied() {
            let share = self.signs.share(number, &[mentioned.words, mentioned.head]);
            if mentioned.words.has(number) || mentioned.head.has(number) {
                criteria.push(Some((number, 0.3)));
            } else if share >= SPOKEN {
                criteria.push(Some((number, 0.25 * share)));
            }
        }
        if criteria.is_empty() {
            let by_heading = possible.iter().copied().find(|number| mentioned.heading.has(*number));
            criteria.push(by_heading.map(|number| (number, 0.1)));
        }
        let mut owners: Vec<Option<usize>> =
            named.iter().map(|mention| Some(mention.number)).collect();
        owners.sort_unstable();
        owners.dedup();
        if owners.is_empty() {
            owners.push(statement.under);
        }
        let begin = statement.focus.start;
        let center =
            statement.named.first().map_or(begin..begin, |mention| mention.start..mention.end);
        let fact = |alternative: Option<usize>, criterion: Option<(usize, f64)>| Fact {
            alternative,
            criterion,
            value: None,
            attribution: attribution_of(statement),
            side: statement.side,
            center: center.clone(),
        };
        owners
            .iter()
            .flat_map(|owner| criteria.iter().map(|criterion| fact(*owner, *criterion)))
            .collect()
    }
}

/// Returns the way in which a statement shows which alternative it is about.
fn attribution_of(statement: &Statement) -> Attribution {
    if statement.is_assigned {
        return Attribution::Assigned;
    }
    if !statement.named.is_empty() || statement.head.is_some() {
        return Attribution::NamedAlternative;
    }
    Attribution::Under
}

/// Returns the dimension of a value. Money per time is money, and a number of things per another
/// thing is a count.
pub(super) fn measure(value: &Quantity) -> Dimension {
    let dimension = value.dimension();
    let is_money = || {
        let over = value.unit.split('/').next().unwrap_or_default();
        quantity::unit(over).is_some_and(|unit| unit.dimension() == Dimension::Money)
    };
    match dimension {
        Dimension::Rate if is_money() => Dimension::Money,
        Dimension::Rate if value.si.is_none() => Dimension::Count,
        dimension => dimension,
    }
}

/// Lower bound for the words of a statement without a value.
const LEAST_WORDS: usize = 4;
