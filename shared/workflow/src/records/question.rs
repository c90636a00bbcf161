//! Turns a question in words into a visible query, by few rules for plain forms and by words that stand in the records.
//!
//! Words that could not be read are listed in `unread` and are never a condition. `form` reads how it is asked (how
//! many, per what, the largest), `noun` finds which column a noun means, `words` finds what the other words stand for in
//! the records of the scope.

use std::collections::BTreeMap;

use wire::records::{
    Condition, ConditionForm, RecordsReply, RecordsRequest, RecordsTotals, Scalar, Select,
};

use super::shape::Shape;
use super::{Loaded, Plan, query, query_as};
use crate::question::Question;
use crate::scope::Scope;
use crate::{Error, Result};

mod form;
mod noun;
mod sure;
mod words;
pub mod written;

use form::Asked;
pub use sure::Sure;
use words::{Meaning, Words};

/// Conditions, each under the name of its column.
pub type Conditions = BTreeMap<String, Condition>;

/// A question as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// The query; a second one where two things are asked, as in "the first and the last".
    pub queries: Vec<RecordsRequest>,
    /// The words that are no condition because nothing in the records stands for them.
    pub unread: Vec<String>,
    /// True if it is asked as one asks for records: how many, the first, per what, the largest, a list.
    pub is_of_records: bool,
    /// True if records are distinguished by more than words: by times, lines, levels, codes, or values of a column.
    pub is_specific: bool,
}

/// The most texts that a record must have: each costs a search of all records.
const TEXTS: usize = 6;

/// The number of records that are shown where a question asks for some.
const SHOWN: u32 = 5;

/// Returns the question of a request, if it has one.
///
/// # Errors
/// [`Error::Invalid`] for an empty or long one, and beside other fields.
pub(super) fn parse(request: &RecordsRequest) -> Result<Option<Question>> {
    let Some(text) = &request.question else { return Ok(None) };
    let RecordsRequest { examples, explain, .. } = *request;
    let question = Some(text.clone());
    let alone = RecordsRequest { question, examples, explain, ..RecordsRequest::default() };
    if alone != *request {
        return Err(Error::invalid(
            "question",
            "stands alone, or beside `examples` and `explain`: send either it or a query",
        ));
    }
    Question::parse(text).map(Some)
}

/// Answers the question of a request as far as it can be read; without rows where nothing in it is about records.
pub(super) fn answer(
    (question, request): (&Question, &RecordsRequest),
    loaded: &Loaded,
    scope: &Scope,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<RecordsReply> {
    let read = understand(question.as_str(), loaded, &Conditions::new(), may_go_on);
    let Some(mut read) = read else {
        let gaps = loaded.gaps(None);
        return Ok(RecordsReply {
            result_type: "records".into(),
            knowledge: scope.to_string(),
            unread: vec![question.as_str().to_owned()],
            totals: RecordsTotals { records: 0, ..loaded.totals() },
            all_records_read: loaded.is_whole && gaps.is_empty(),
            not_read_left: gaps.left(),
            not_read: gaps.told(),
            ..RecordsReply::default()
        });
    };
    for query in &mut read.queries {
        (query.examples, query.explain) = (request.examples, request.explain);
    }
    carry_out_by(read, |query| query_as(Shape::asked(&query)?, loaded, scope, query, may_go_on))
}

/// Runs the queries of a question that was understood; fails as [`query`] does.
pub fn carry_out(
    read: Understood,
    loaded: &Loaded,
    scope: &Scope,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<RecordsReply> {
    carry_out_by(read, |request| query(loaded, scope, request, may_go_on))
}

fn carry_out_by(
    read: Understood,
    mut run: impl FnMut(RecordsRequest) -> Result<RecordsReply>,
) -> Result<RecordsReply> {
    let mut replies = Vec::new();
    for request in read.queries {
        replies.push(run(request)?);
    }
    let mut replies = replies.into_iter();
    let mut reply = replies.next().unwrap_or_default();
    for other in replies {
        reply.rows.extend(other.rows);
        reply.rows_left += other.rows_left;
        reply.all_records_read &= other.all_records_read;
        reply.also = Some(Box::new(other.query));
    }
    reply.unread = read.unread;
    Ok(reply)
}

/// Reads a question over the loaded records. Returns `None` where nothing in it is about records, or where it asks for
/// something else than `given`, which must hold.
pub fn understand(
    question: &str,
    loaded: &Loaded,
    given: &Conditions,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Option<Understood> {
    let sure = Sure::read(question, loaded);
    let mut conditions = sure.conditions.clone();
    hold(&mut conditions, given)?;
    let mut asked = Asked::read(&sure.bare, &sure.meant);
    let words = Words::of(&sure.intent, &asked, &sure.mentioned, &sure.meant);
    let mut unread = std::mem::take(&mut asked.unread);
    unread.extend(read_words(words, &mut conditions, (loaded, may_go_on)));
    hold(&mut conditions, given)?;
    // The value of a setting is to be shown, not counted.
    if conditions.contains_key("key") {
        asked.list_instead_of_count();
    }
    let is_bare = conditions.len() == given.len();
    let is_specific = conditions.keys().any(|column| !matches!(column.as_str(), "text" | "file"));
    let of_nothing = is_bare && !unread.is_empty() && !asked.is_grouped();
    let is_understood = !is_bare || asked.is_plain() && !of_nothing;
    is_understood.then(|| Understood {
        queries: asked.queries(&conditions),
        unread,
        is_of_records: asked.is_plain(),
        is_specific,
    })
}

/// Adds the conditions that are given; returns `None` where the question asks for something else.
fn hold(conditions: &mut Conditions, given: &Conditions) -> Option<()> {
    for (column, condition) in given {
        if conditions.get(column).is_some_and(|asked| asked != condition) {
            return None;
        }
        conditions.insert(column.clone(), condition.clone());
    }
    Some(())
}

impl Understood {
    /// Limits the queries to the records for which `given` holds; returns `None` where they ask for something else.
    pub fn within(mut self, given: &Conditions) -> Option<Understood> {
        self.queries.iter_mut().try_for_each(|request| hold(&mut request.conditions, given))?;
        Some(self)
    }
}

/// Makes conditions of the words that stand for something in the records; returns the other words.
fn read_words(
    words: Words,
    conditions: &mut Conditions,
    (loaded, may_go_on): (&Loaded, &(dyn Fn() -> bool + Sync)),
) -> Vec<String> {
    let mut unread = Vec::new();
    let mut texts: Vec<(String, String)> = Vec::new();
    for (word, meaning) in words.all {
        match meaning {
            Some(Meaning::Value(column, value)) if conditions.contains_key(&column) => {
                // "GET and POST" means either; a condition that was read otherwise is not changed.
                match conditions.get_mut(&column) {
                    Some(condition @ Condition::Is(_)) => add(condition, &value),
                    _ => unread.push(word),
                }
            }
            Some(Meaning::Value(column, value)) => {
                let mut narrowed = conditions.clone();
                narrowed.insert(column, Condition::Is(value.as_str().into()));
                // A part of a name may mean something else.
                if value.contains('*') && count(&narrowed, loaded, may_go_on) == 0 {
                    unread.push(word);
                } else {
                    *conditions = narrowed;
                }
            }
            Some(Meaning::Class(_)) if conditions.contains_key("code") => unread.push(word),
            Some(Meaning::Class(class)) => {
                let bound = |hundreds: u16| Some(Scalar::from(u32::from(hundreds) * 100));
                let (gte, lt) = (bound(class), bound(class + 1));
                let codes =
                    Condition::Bounds(ConditionForm { gte, lt, ..ConditionForm::default() });
                conditions.insert("code".into(), codes);
                let request =
                    RecordsRequest { conditions: conditions.clone(), ..RecordsRequest::default() };
                // Where no code is a number none is between two.
                if Plan::of(&request, loaded).is_err() {
                    conditions.remove("code");
                    unread.push(word);
                }
            }
            Some(Meaning::Text(text)) => texts.push((word, text)),
            None => unread.push(word),
        }
    }
    unread.extend(read_texts(texts, conditions, (loaded, may_go_on)));
    unread
}

/// Turns a condition on one value into one on either of two.
fn add(condition: &mut Condition, value: &str) {
    if let Condition::Is(first) = condition
        && first.text() != value
    {
        *condition = Condition::AnyOf(vec![first.clone(), value.into()]);
    }
}

/// Makes one condition of texts, the rarest first: the text that the fewest records have says most. A text that no
/// record has together with those before would hide all records; its word is returned instead.
fn read_texts(
    mut texts: Vec<(String, String)>,
    conditions: &mut Conditions,
    (loaded, may_go_on): (&Loaded, &(dyn Fn() -> bool + Sync)),
) -> Vec<String> {
    let having = |all: &[Scalar]| {
        let mut narrowed = conditions.clone();
        narrowed.insert("text".into(), all_of(all.to_vec()));
        count(&narrowed, loaded, may_go_on)
    };
    let mut unread: Vec<String> =
        texts.split_off(texts.len().min(TEXTS)).into_iter().map(|(word, _)| word).collect();
    if texts.len() > 1 {
        texts.sort_by_cached_key(|(_, text)| having(&[text.as_str().into()]));
    }
    let mut all: Vec<Scalar> = Vec::new();
    for (word, text) in texts {
        all.push(text.as_str().into());
        if having(&all) == 0 {
            all.pop();
            unread.push(word);
        }
    }
    if !all.is_empty() {
        conditions.insert("text".into(), all_of(all));
    }
    unread
}

fn all_of(all: Vec<Scalar>) -> Condition {
    Condition::Bounds(ConditionForm { all, ..ConditionForm::default() })
}

fn count(conditions: &Conditions, loaded: &Loaded, may_go_on: &(dyn Fn() -> bool + Sync)) -> u64 {
    let request = RecordsRequest { conditions: conditions.clone(), ..RecordsRequest::default() };
    let found = query(loaded, &Scope::Global, request, may_go_on);
    found.map_or(0, |reply| reply.totals.records)
}

impl Asked {
    fn list_instead_of_count(&mut self) {
        if self.selects == [Select::Count] && !self.is_grouped() {
            self.selects = vec![Select::List];
        }
    }

    fn queries(&self, conditions: &Conditions) -> Vec<RecordsRequest> {
        let select = |select: Select| RecordsRequest {
            question: None,
            conditions: conditions.clone(),
            group_by: self.group_by.clone(),
            select,
            of: self.of.clone().filter(|_| select.is_of_numbers() || self.order.is_some()),
            percentile: self.percentile.filter(|_| select == Select::Percentile),
            order: self.order.clone(),
            limit: self.limit.or((select == Select::List).then_some(SHOWN)),
            examples: None,
            explain: false,
            max_bytes: None,
        };
        self.selects.iter().map(|kind| select(*kind)).collect()
    }
}
