//! Removes all data of a closing case.

use wire::cases::CaseStatus;

use super::whole::{Counts, Left, Whole};
use super::{Outcome, Services};
use model::Result;
use ports::Removal;
use ports::scope::Scope;

/// Removes all data of a closing case and then marks it as closed.
pub(super) async fn remove(services: &Services<'_>, case_id: &str) -> Result<Outcome> {
    let Some(case) = services.cases.case_profile(case_id).await? else {
        return Ok(Outcome::Kept);
    };
    match case.status {
        CaseStatus::Open => return Ok(Outcome::Kept),
        CaseStatus::Closed => return Ok(Outcome::Done),
        CaseStatus::Closing => {}
    }
    let mut closing = Whole {
        services,
        scope: Scope::Case(case_id.into()),
        since: case.closed_at.unwrap_or(case.created_at),
        counts: Some(Counts { case_id: case_id.into(), counted: case.removed.unwrap_or_default() }),
    };
    let left = closing.remove().await?;
    match left {
        Left::Nothing => {
            services.cases.forget_alerts(case_id).await?;
            services.cases.end_closing(case_id).await.map(|()| Outcome::Done)
        }
        Left::Others => Ok(Outcome::Kept),
        Left::More => {
            services.removals.send(&[Removal::Case { case_id: case_id.into() }]).await?;
            Ok(Outcome::Continued)
        }
    }
}
