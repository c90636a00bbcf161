//! Cases: creation, members, and closing.

use wire::cases::{Case, CaseList, CaseReply, CaseStatus, NewCase};
use wire::projects::{Invitation, InvitedTo, Role};

use model::{Error, Result};
use ports::once::{Once, Sender};
use ports::question::Stamp;
use ports::scope::Caller;
use ports::{Cases, Removal, Removals, Written, cursor, user};

mod alerts;
mod reply;

pub use alerts::{alerts, of_team};
pub use reply::Reply;

/// Upper bound for the characters of a title.
const TITLE: usize = 200;

/// The caller, the time, and the services that cases need.
pub struct CaseContext<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The id and the time of the request.
    pub stamp: &'a Stamp,
    /// The store of cases and members.
    pub cases: &'a dyn Cases,
    /// The queue for removals of closed cases' data.
    pub removals: &'a dyn Removals,
}

impl CaseContext<'_> {
    /// Checks that the caller belongs to the case, and returns its profile.
    async fn enter(&self, case: &str) -> Result<(Case, Role)> {
        let missing = || Error::Missing { kind: "case", name: case.into() };
        // A text that is not a ULID is not the key of a case, so the table is not read.
        ulid::Ulid::from_string(case).map_err(|_| missing())?;
        self.cases.case_of(case, self.caller).await?.ok_or_else(missing)
    }

    /// Checks that the caller is the owner of the case.
    async fn owned(&self, case: &str) -> Result<Case> {
        match self.enter(case).await? {
            (case, Role::Owner) => Ok(case),
            (_, Role::Member | Role::Invited) => {
                Err(Error::Denied { group: "the case's owners".into() })
            }
        }
    }

    async fn reply(&self, case: Case) -> Result<CaseReply> {
        let members = self.cases.case_members(&case.case_id).await?;
        Ok(CaseReply { case, members })
    }

    fn sender(&self) -> Sender<'_> {
        Sender { caller: self.caller, stamp: self.stamp, requests: self.cases }
    }
}

/// Creates a case whose owner is the caller, or a team of theirs.
///
/// # Errors
/// [`Error::Denied`] with the team, for a caller who is not in it.
pub async fn create(context: &CaseContext<'_>, once: &Once<'_>, new: NewCase) -> Result<Case> {
    if let Some(team) = &new.team {
        context.caller.require(team)?;
    }
    let key = once.key()?;
    if let Some(earlier) = once.earlier(context.sender()).await? {
        return Ok(earlier);
    }
    let case = Case {
        case_id: context.stamp.id.clone(),
        title: title(&new.title)?,
        team: new.team,
        status: CaseStatus::Open,
        created_at: context.stamp.time,
        created_by: context.caller.sub.clone(),
        closed_at: None,
        closed_by: None,
        removed: None,
    };
    let guard = key.map(|key| once.guard(context.sender(), key, &case)).transpose()?;
    match context.cases.create_case(&case, guard.as_ref()).await? {
        Written::Done => Ok(case),
        Written::Stale => Err(Error::conflict("case", "one of this id exists already")),
        Written::Repeated => once.repeated(context.sender()).await,
    }
}

/// Lists the caller's cases by id, oldest first.
pub async fn list(
    context: &CaseContext<'_>,
    limit: Option<&str>,
    cursor: Option<&str>,
) -> Result<CaseList> {
    let list = format!("user:{}/cases", context.caller.sub);
    let after = cursor.map(|cursor| cursor::read_ulid(&list, cursor)).transpose()?;
    let limit = cursor::limit(limit, 50)?;
    let page = context.cases.cases(&context.caller.sub, limit, after.as_deref()).await?;
    let cursor = page.next.map(|last| cursor::write(&list, &last));
    Ok(CaseList { cases: page.items, cursor })
}

/// Returns a case with its members. For a closed case, the reply also tells how much is removed.
pub async fn show(context: &CaseContext<'_>, case: &str) -> Result<CaseReply> {
    let (case, _) = context.enter(case).await?;
    context.reply(case).await
}

/// Invites a user. They become a member when they [`join`].
///
/// # Errors
/// [`Error::Conflict`] if the case is closed.
pub async fn invite(context: &CaseContext<'_>, case: &str, user: &str) -> Result<CaseReply> {
    let case = context.owned(case).await?;
    user::check(user)?;
    case.status.require_open()?;
    let invitation = Invitation {
        to: InvitedTo::Case,
        id: case.case_id.clone(),
        title: case.title.clone(),
        by: context.caller.sub.clone(),
        at: context.stamp.time,
    };
    if !context.cases.invite_to_case(user, &invitation).await? {
        CaseStatus::Closing.require_open()?;
    }
    context.reply(case).await
}

/// Makes the caller a member, if they are invited and the case is open.
pub async fn join(context: &CaseContext<'_>, case: &str) -> Result<CaseReply> {
    context.cases.join_case(case, &context.caller.sub).await?;
    show(context, case).await
}

/// Removes the caller from the members, or declines their invitation.
async fn leave(context: &CaseContext<'_>, case: &str) -> Result<CaseReply> {
    let missing = || Error::Missing { kind: "case", name: case.into() };
    let own = context.cases.case_of(case, context.caller).await?;
    if own.is_some_and(|(_, role)| role == Role::Owner) {
        let reason = "a case cannot be without its owner: make a member the owner first";
        return Err(Error::conflict("user", reason));
    }
    if !context.cases.remove_case_member(case, &context.caller.sub).await? {
        return Err(missing());
    }
    let case = context.cases.case_profile(case).await?.ok_or_else(missing)?;
    Ok(CaseReply { case, members: Vec::new() })
}

/// Removes a member, or takes an invitation back. The user `me` is the caller, who leaves.
///
/// # Errors
/// [`Error::Conflict`] for the owner, because a case always has one, and if the case is closed.
pub async fn remove_member(context: &CaseContext<'_>, case: &str, user: &str) -> Result<CaseReply> {
    if user == user::ME {
        return leave(context, case).await;
    }
    let case = context.owned(case).await?;
    user::check(user)?;
    case.status.require_open()?;
    if user == context.caller.sub {
        return Err(Error::conflict("user", "a case cannot be without its owner"));
    }
    if !context.cases.remove_case_member(&case.case_id, user).await? {
        return Err(Error::Missing { kind: "member", name: user.into() });
    }
    context.reply(case).await
}

/// Makes a member the owner. The previous owner stays as a member.
///
/// # Errors
/// [`Error::Missing`] for a user who is not a member, and [`Error::Conflict`] if the case is
/// closed.
pub async fn hand_over(context: &CaseContext<'_>, case: &str, user: &str) -> Result<CaseReply> {
    let case = context.owned(case).await?;
    user::check_owner(user)?;
    case.status.require_open()?;
    let from = &context.caller.sub;
    if user != from && !context.cases.hand_over_case(&case.case_id, from, user).await? {
        return Err(Error::Missing { kind: "member", name: user.into() });
    }
    context.reply(case).await
}

/// Closes a case. From now on nobody can read or write its evidence, which is removed later.
pub async fn close(context: &CaseContext<'_>, case: &str) -> Result<Case> {
    let case = context.owned(case).await?;
    if case.status == CaseStatus::Open {
        context.cases.begin_closing(&case.case_id, &context.caller.sub, context.stamp.time).await?;
    }
    let case = context.owned(&case.case_id).await?;
    // A repeated request sends the removal again, because sending it may have failed before.
    if case.status == CaseStatus::Closing {
        context.removals.send(&[Removal::Case { case_id: case.case_id.clone() }]).await?;
    }
    Ok(case)
}

fn title(title: &str) -> Result<String> {
    let title = title.trim();
    let count = title.chars().count();
    if count == 0 || count > TITLE || title.chars().any(char::is_control) {
        let reason = format!("must have 1 to {TITLE} characters and no control characters");
        return Err(Error::invalid("title", reason));
    }
    Ok(title.into())
}

#[cfg(test)]
mod tests;
