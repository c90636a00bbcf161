//! Finds the records that answer a question exactly, instead of the nearest passages: their number,
//! the first one, groups of them, or all of them.

use wire::common::AnswerMode;
use wire::records::{Condition, RecordsReply, RecordsRequest, RecordsRow, Select};
use wire::trial::ModelPart;

use super::from_records::{Rows, at_lines, is_of_a_number};
use super::pick::asks_why;
use super::understand::Understood;
use super::{Services, record};
use model::Result;
use ports::degraded::Degraded;

use records::question;
use records::question::{Conditions, Understood as Read};

/// The result for a question about records.
pub(super) enum Exact {
    /// The question names a file that does not exist.
    Nothing,
    /// The reply to the query, and the records as passages.
    Records(Box<RecordsReply>, Rows),
}

/// Finds the records; returns `None` if the question is not about records, or if they do not
/// contain what it names. If the language model fails to read the question, the failure is added to
/// `degraded`.
///
/// # Errors
/// Fails as [`records::query`] does.
pub(super) async fn exactly(
    services: &Services<'_>,
    understood: &Understood<'_>,
    degraded: &mut Vec<Degraded>,
) -> Result<Option<Exact>> {
    let Understood { asking, loaded, .. } = understood;
    if is_elsewhere(services, understood)? {
        return Ok(Some(Exact::Nothing));
    }
    let Some(read) = read(services, understood, degraded).await else { return Ok(None) };
    if !is_exact(&read, understood.question()) {
        return Ok(None);
    }
    let is_counted = read.queries.iter().any(is_of_a_number);
    let has_line = read.queries.iter().any(|query| query.conditions.contains_key("line"));
    let has_time = read.unread.is_empty() && read.queries.iter().all(is_of_a_time);
    // A text may tell of a time, too.
    let are_all_read = loaded.documents.len() == loaded.listed.len();
    let reply = question::carry_out(read, loaded, &asking.scope, services.may_go_on)?;
    let is_none = is_counted || has_line || has_time && are_all_read;
    if reply.totals.records == 0 && !is_none {
        return Ok(None);
    }
    let passages = |row: &RecordsRow| {
        row.records.iter().filter_map(|record| record::passage(record, loaded)).collect()
    };
    let rows: Rows = reply.rows.iter().map(passages).collect();
    // The line may be in the hidden part of a long record.
    let is_hidden = |lines| reply.totals.records > 0 && at_lines(&rows, lines).is_empty();
    if reply.query.conditions.get("line").is_some_and(|lines| !is_counted && is_hidden(lines)) {
        return Ok(None);
    }
    Ok(Some(Exact::Records(Box::new(reply), rows)))
}

/// Reads the question as a query: by the language model in mode `generative`, or else by the query
/// that it states.
async fn read(
    services: &Services<'_>,
    understood: &Understood<'_>,
    degraded: &mut Vec<Degraded>,
) -> Option<Read> {
    let Understood { asking, loaded, .. } = understood;
    let given = record::conditions(&asking.filters)?;
    let question = understood.question();
    if asking.mode == AnswerMode::Generative
        && let Some(model) = services.chat.and_then(|chat| chat.doing(ModelPart::Queries))
        && !loaded.documents.is_empty()
    {
        match question::written::write(model, question, loaded).await {
            Ok(read) => return read?.within(&given),
            Err(error) => {
                degraded.push(Degraded { part: "query by the language model".into(), error });
            }
        }
    }
    // A question that depends on earlier turns does not state all of its conditions.
    let stated = Some(&understood.stated).filter(|_| !understood.leans)?;
    question::understand(stated, &given)
}

/// Returns true if the question names a file that is not one of the documents and that no record
/// mentions.
fn is_elsewhere(services: &Services<'_>, understood: &Understood<'_>) -> Result<bool> {
    let Understood { asking, loaded, stated, .. } = understood;
    for name in &stated.mentioned.unknown {
        let text = Condition::Is(name.as_str().into());
        let conditions = Conditions::from([("text".to_owned(), text)]);
        let request = RecordsRequest { conditions, ..RecordsRequest::default() };
        let found = records::query(loaded, &asking.scope, request, services.may_go_on)?;
        if found.totals.records == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_narrowed(query: &RecordsRequest) -> bool {
    query.conditions.keys().any(|key| key != "file")
}

fn is_of_a_time(query: &RecordsRequest) -> bool {
    has_time(&query.conditions)
}

/// Returns true if records are wanted by their time.
pub(super) fn has_time(conditions: &Conditions) -> bool {
    ["time", "clock"].iter().any(|column| conditions.contains_key(*column))
}

/// Returns true if the records are to be examined, instead of the passages nearest in meaning.
fn is_exact(read: &Read, question: &str) -> bool {
    let has_line = read.queries.iter().any(|query| query.conditions.contains_key("line"));
    let is_number = read.queries.iter().any(is_of_a_number);
    let is_whole = read.unread.is_empty();
    // A list by the understood part of the question is an answer, together with the words that were
    // not understood. The first one of too many records may not be the wanted one.
    let is_list =
        read.queries.iter().all(|query| query.select == Select::List && is_narrowed(query));
    let is_asked = read.is_of_records && (is_number || is_list || is_whole);
    // "What happened at 18:10?" asks for the records of a time, and not for a cause.
    let is_why = asks_why(question) && !read.queries.iter().all(is_of_a_time);
    has_line || !is_why && (is_asked || read.is_specific && is_whole)
}
