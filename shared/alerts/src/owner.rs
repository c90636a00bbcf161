//! Finds who owns what fired: by a table of owners, or else by the runbook's front matter.

use std::collections::BTreeMap;

use model::document::Passage;
use model::{Error, Result};
use ports::Documents;
use ports::scope::{Caller, Scope};
use wire::alerts::{CaseAlert, Owner};
use wire::records::{Condition, RecordsRequest, Scalar, Select};

use crate::route::AlertRoute;

/// The columns of a table of owners.
const SERVICE: &str = "service";
const OWNER: &str = "owner";

/// Returns the owner; `None` where no document says it.
///
/// # Errors
/// The errors of the table and of the files.
pub(crate) async fn find(
    services: &records::Services<'_>,
    caller: &Caller,
    route: &AlertRoute,
    alerts: &[CaseAlert],
    runbooks: &[&Passage],
) -> Result<Option<Owner>> {
    if let Some(owner) = in_table(services, caller, route, alerts).await? {
        return Ok(Some(owner));
    }
    for runbook in runbooks {
        if let Some(owner) = in_front_matter(services.documents, runbook).await? {
            return Ok(Some(owner));
        }
    }
    Ok(None)
}

async fn in_table(
    services: &records::Services<'_>,
    caller: &Caller,
    route: &AlertRoute,
    alerts: &[CaseAlert],
) -> Result<Option<Owner>> {
    let service = alerts.iter().find_map(|alert| alert.alert.service.as_deref());
    let Some((file, service)) = route.owners.as_ref().zip(service) else { return Ok(None) };
    for scope in [Scope::Team(route.team.clone()), Scope::Global] {
        let found = match records::run(services, caller, &scope, query(file, service)).await {
            Ok(found) => found,
            Err(error @ Error::Unavailable { .. }) => return Err(error),
            // A knowledge base without such a column refuses the query.
            Err(_) => continue,
        };
        let record = found.rows.into_iter().flat_map(|row| row.records).next();
        let owner = record.and_then(|record| {
            let owner = record.columns.get(OWNER).filter(|owner| !owner.is_empty())?.clone();
            let line = Some(record.line.unwrap_or(record.lines.0));
            Some(Owner { owner, line, file: record.file })
        });
        if owner.is_some() {
            return Ok(owner);
        }
    }
    Ok(None)
}

async fn in_front_matter(documents: &dyn Documents, runbook: &Passage) -> Result<Option<Owner>> {
    let Some(scope) = &runbook.scope else { return Ok(None) };
    let record = documents.document(scope, runbook.document_id).await?;
    let read_as = record.and_then(|record| record.live?.about?.read_as);
    let owner = read_as.and_then(|read_as| read_as.owner);
    Ok(owner.map(|owner| Owner { owner, file: runbook.name.clone(), line: None }))
}

fn query(file: &str, service: &str) -> RecordsRequest {
    let is = |text: &str| Condition::Is(Scalar::Text(text.into()));
    RecordsRequest {
        conditions: BTreeMap::from([("file".into(), is(file)), (SERVICE.into(), is(service))]),
        select: Select::List,
        limit: Some(1),
        explain: true,
        ..RecordsRequest::default()
    }
}
