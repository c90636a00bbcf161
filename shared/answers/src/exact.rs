//! The records that answer a question exactly, and not the nearest passages: how many, the first, per what, all of them.

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

/// What is known of records that a question names.
pub(super) enum Exact {
    /// It names a file that is not there.
    Nothing,
    /// The reply to its query, and the records as passages.
    Records(Box<RecordsReply>, Rows),
}

/// Finds the records; `None` where the question is not of them, or where nothing it names stands in them. `degraded` takes
/// the failure of the language model that was to read it.
///
/// # Errors
/// As [`records::query`].
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
    let reply = question::carry_out(read, loaded, &asking.scope, services.may_go_on)?;
    if reply.totals.records == 0 && !is_counted && !has_line {
        return Ok(None);
    }
    let chunks = |row: &RecordsRow| {
        row.records.iter().filter_map(|record| record::chunk(record, loaded)).collect()
    };
    let rows: Rows = reply.rows.iter().map(chunks).collect();
    // The line may stand behind what is shown of a long record.
    let is_hidden = |lines| reply.totals.records > 0 && at_lines(&rows, lines).is_empty();
    if reply.query.conditions.get("line").is_some_and(|lines| !is_counted && is_hidden(lines)) {
        return Ok(None);
    }
    Ok(Some(Exact::Records(Box::new(reply), rows)))
}

/// The question as a query: as the language model reads it in mode `generative`, else as far as it states one.
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
    // A question that leans on what was said before does not say all that it means.
    let stated = Some(&understood.stated).filter(|_| !understood.leans)?;
    question::understand(stated, &given)
}

/// Returns true if a file is named that is none of the documents, and of which no record tells.
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

/// Whether the records are to be gone through, and not the passages that are nearest in meaning.
fn is_exact(read: &Read, question: &str) -> bool {
    let has_line = read.queries.iter().any(|query| query.conditions.contains_key("line"));
    let is_number = read.queries.iter().any(is_of_a_number);
    let is_whole = read.unread.is_empty();
    // A list by what was read of it is one, with the rest told; the first of too many is not the one that is meant.
    let is_list =
        read.queries.iter().all(|query| query.select == Select::List && is_narrowed(query));
    let is_asked = read.is_of_records && (is_number || is_list || is_whole);
    has_line || !asks_why(question) && (is_asked || read.is_specific && is_whole)
}
