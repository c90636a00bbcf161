//! The alerts of cases, and what was found for them.

use futures_util::future::try_join_all;
use model::Result;
use ports::{Alerts, cursor};
use wire::alerts::{AlertCase, TeamCase, TeamCases};
use wire::cases::{Case, CaseStatus};

use super::CaseContext;

/// Returns a case with its alerts, and what was found for them.
///
/// # Errors
/// [`model::Error::Missing`] for a case that is foreign or does not exist.
pub async fn alerts(
    context: &CaseContext<'_>,
    store: &dyn Alerts,
    case: &str,
) -> Result<AlertCase> {
    let (case, _) = context.enter(case).await?;
    let alerts = store.alerts(&case.case_id).await?;
    let brief = store.brief(&case.case_id).await?;
    Ok(AlertCase { case, alerts, brief })
}

/// Lists the open cases of a team of the caller's by id, oldest first, with what was found.
///
/// # Errors
/// [`model::Error::Denied`] with the team, for a caller who is not in it.
pub async fn of_team(
    context: &CaseContext<'_>,
    store: &dyn Alerts,
    team: &str,
    limit: Option<&str>,
    cursor: Option<&str>,
) -> Result<TeamCases> {
    context.caller.require(team)?;
    let list = format!("team:{team}/cases");
    let after = cursor.map(|cursor| cursor::read_ulid(&list, cursor)).transpose()?;
    let limit = cursor::limit(limit, 50)?;
    let page = store.team_cases(team, limit, after.as_deref()).await?;
    let open = page.items.into_iter().filter(|case| case.status == CaseStatus::Open);
    let cases = try_join_all(open.map(|case| in_short(store, case))).await?;
    Ok(TeamCases { cases, cursor: page.next.map(|last| cursor::write(&list, &last)) })
}

async fn in_short(store: &dyn Alerts, case: Case) -> Result<TeamCase> {
    let alerts = store.alerts(&case.case_id).await?;
    let brief = store.brief(&case.case_id).await?;
    Ok(AlertCase { case, alerts, brief }.in_short())
}
