//! Questions in words. A language model translates them into a visible query; without a model only
//! unambiguous statements are read.

use std::collections::BTreeMap;

use wire::records::{
    ColumnShown, ColumnsRequest, Condition, Kind, RecordsReply, RecordsRequest, RecordsTotals,
    Select,
};
use wire::trial::ModelPart;

use super::shape::Shape;
use super::{Loaded, Services, columns, query, query_as};
use model::{Error, Result};
use ports::question::Question;
use ports::scope::Scope;

mod column;
mod form;
mod name;
mod stated;
mod time;
pub mod written;

pub use stated::Stated;

/// The conditions, each under the name of its column.
pub type Conditions = BTreeMap<String, Condition>;

/// A question as it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Understood {
    /// The query. There are two if the question asks for two things, as in "the first and the
    /// last".
    pub queries: Vec<RecordsRequest>,
    /// The words that became no condition.
    pub unread: Vec<String>,
    /// True if the question is asked in a form for records: how many, the first, per what, the
    /// largest, a list.
    pub is_of_records: bool,
    /// True if more than words selects the records: times, lines, levels, codes, or values of a
    /// column.
    pub is_specific: bool,
}

/// The number of records that are shown for a question that asks for some.
const SHOWN: u32 = 5;

/// Returns the question of a request, if there is one.
///
/// # Errors
/// [`Error::Invalid`] for a question that is empty, too long, or next to other fields.
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

/// The number of columns that are shown if a question is not understood.
const COLUMNS: u32 = 20;

/// Answers the question of a request. If it is not understood, the reply has the columns and the
/// way to write the query.
pub(super) async fn answer(
    question: &Question,
    request: &RecordsRequest,
    loaded: &Loaded,
    scope: &Scope,
    services: &Services<'_>,
) -> Result<RecordsReply> {
    let model = services.chat.and_then(|chat| chat.doing(ModelPart::Queries));
    let model = model.filter(|_| !loaded.documents.is_empty());
    let written = match model {
        Some(model) => Some(written::write(model, question.as_str(), loaded).await),
        None => None,
    };
    let (read, failed, left) = match written {
        Some(Ok(read)) => (read, None, Vec::new()),
        other => {
            let failed = other.and_then(Result::err).map(|error| error.to_string());
            let stated = Stated::read(question.as_str(), loaded, services.may_go_on);
            (understand(&stated, &Conditions::new()), failed, stated.unread)
        }
    };
    let Some(mut read) = read else {
        let unread = if left.is_empty() { vec![question.as_str().to_owned()] } else { left };
        return Ok(not_read(unread, loaded, scope, failed));
    };
    for query in &mut read.queries {
        (query.examples, query.explain) = (request.examples, request.explain);
    }
    let may_go_on = services.may_go_on;
    let run = |query| query_as(Shape::asked(&query)?, loaded, scope, query, may_go_on);
    let reply = carry_out_by(read, run)?;
    Ok(RecordsReply {
        hint: failed.map(|failed| format!("{failed}, so rules read the question")),
        ..reply
    })
}

/// Returns the reply with the columns, and the way to write the query.
fn not_read(
    unread: Vec<String>,
    loaded: &Loaded,
    scope: &Scope,
    failed: Option<String>,
) -> RecordsReply {
    let request = ColumnsRequest { limit: Some(COLUMNS), ..ColumnsRequest::default() };
    let shown = columns::shown(loaded, &request);
    let gaps = loaded.gaps(None);
    let failed = failed.map_or_else(String::new, |failed| format!("{failed}; "));
    RecordsReply {
        result_type: "records".into(),
        knowledge: scope.to_string(),
        unread,
        hint: Some(format!("{failed}{}", advice(&shown.columns))),
        columns: shown.columns,
        columns_left: shown.columns_left,
        totals: RecordsTotals { records: 0, ..loaded.totals() },
        all_records_read: loaded.is_whole && gaps.is_empty(),
        not_read_left: gaps.left(),
        not_read: gaps.told(),
        ..RecordsReply::default()
    }
}

/// Upper bound for the bytes of a value in the advice on a query.
const EXAMPLE: usize = 40;

/// Returns the advice on writing a query, with a query over one of these columns.
fn advice(columns: &[ColumnShown]) -> String {
    let is_of_texts = |column: &&ColumnShown| column.kinds == [Kind::Text];
    let value = |column: &ColumnShown| {
        let value = column.examples.first().filter(|value| value.len() <= EXAMPLE)?;
        Some((column.name.clone(), Condition::Is(value.as_str().into())))
    };
    let condition = columns.iter().filter(is_of_texts).find_map(value);
    let query = |condition| RecordsRequest {
        conditions: Conditions::from([condition]),
        select: Select::Count,
        ..RecordsRequest::default()
    };
    let query = condition.and_then(|condition| serde_json::to_string(&query(condition)).ok());
    let such_as = query.map_or_else(String::new, |query| format!(", such as {query}"));
    format!(
        "nothing was counted, as not all of the question was read; send a query over these columns instead{such_as}"
    )
}

/// Runs the queries of an understood question; fails as [`query`] does.
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

/// Translates the statements of a question into queries. Returns `None` if they are not all of the
/// question, or if they contradict the conditions in `given`.
pub fn understand(stated: &Stated, given: &Conditions) -> Option<Understood> {
    let mut conditions = stated.conditions.clone();
    hold(&mut conditions, given)?;
    let is_read = stated.is_whole() || !stated.lines.is_empty();
    let queries = stated.form.queries(&conditions);
    let is_specific = conditions.keys().any(|column| !matches!(column.as_str(), "text" | "file"));
    (is_read && !queries.is_empty()).then(|| Understood {
        queries,
        unread: stated.unread.clone(),
        is_of_records: stated.form.is_told(),
        is_specific,
    })
}

/// Adds the conditions in `given`; returns `None` if the question contradicts them.
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
    /// Restricts the queries to the records that satisfy `given`; returns `None` if they contradict
    /// it.
    pub fn within(mut self, given: &Conditions) -> Option<Understood> {
        self.queries.iter_mut().try_for_each(|request| hold(&mut request.conditions, given))?;
        Some(self)
    }
}
