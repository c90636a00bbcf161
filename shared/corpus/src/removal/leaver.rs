//! Removes a user: their place in cases and projects, and their documents.

use jiff::Timestamp;
use wire::cases::CaseStatus;
use wire::projects::{InvitedTo, Member, Role};

use super::whole::{Left, Whole};
use super::{Outcome, Services};
use model::Result;
use ports::Removal;
use ports::scope::Scope;
use ports::user;

/// The number of cases or projects in one page.
const PAGE: u32 = 100;

/// Lets a user go from all cases and projects, and then removes their documents. What others belong
/// to is handed over to the first of them; what nobody else belongs to is removed.
pub(super) async fn remove(services: &Services<'_>, user: &str, now: Timestamp) -> Result<Outcome> {
    for invitation in services.projects.invitations(user).await? {
        match invitation.to {
            InvitedTo::Project => services.projects.remove_member(&invitation.id, user).await?,
            InvitedTo::Case => services.cases.remove_case_member(&invitation.id, user).await?,
        };
    }
    leave_cases(services, user, now).await?;
    leave_projects(services, user).await?;
    let scope = Scope::User(user.into());
    let mut documents = Whole { services, scope, since: now, counts: None };
    match documents.remove().await? {
        Left::Nothing | Left::Others => Ok(Outcome::Done),
        Left::More => {
            services.removals.send(&[Removal::User { user: user.into() }]).await?;
            Ok(Outcome::Continued)
        }
    }
}

/// Leaves all cases. A case that was closed has nothing but its title and stays.
async fn leave_cases(services: &Services<'_>, user: &str, now: Timestamp) -> Result<()> {
    let mut after = None;
    loop {
        let page = services.cases.cases(user, PAGE, after.as_deref()).await?;
        for case in &page.items {
            let id = case.case_id.as_str();
            let members = services.cases.case_members(id).await?;
            match heir(&members, user) {
                Heir::NotNeeded => {}
                Heir::Member(other) => {
                    services.cases.hand_over_case(id, user, other).await?;
                }
                Heir::Nobody => {
                    if case.status == CaseStatus::Open {
                        services.cases.begin_closing(id, user, now).await?;
                        services.removals.send(&[Removal::Case { case_id: id.into() }]).await?;
                    }
                    continue;
                }
            }
            services.cases.remove_case_member(id, user).await?;
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

async fn leave_projects(services: &Services<'_>, user: &str) -> Result<()> {
    let mut after = None;
    loop {
        let page = services.projects.projects(user, PAGE, after.as_deref()).await?;
        for project in &page.items {
            let id = project.project_id.as_str();
            let members = services.projects.members(id).await?;
            match heir(&members, user) {
                Heir::NotNeeded => {}
                Heir::Member(other) => {
                    services.projects.hand_over(id, user, other).await?;
                }
                Heir::Nobody => {
                    services.publisher.delete_scope(&Scope::Project(id.into())).await?;
                    services.projects.erase(id).await?;
                    continue;
                }
            }
            services.projects.remove_member(id, user).await?;
        }
        after = page.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// Who becomes the owner when a user goes.
#[derive(Debug, PartialEq, Eq)]
enum Heir<'a> {
    /// The user is not the owner.
    NotNeeded,
    Member(&'a str),
    Nobody,
}

fn heir<'a>(members: &'a [Member], leaver: &str) -> Heir<'a> {
    let is_owner = members.iter().any(|one| one.user == leaver && one.role == Role::Owner);
    let may_own = |one: &&Member| one.role == Role::Member && !user::is_program(&one.user);
    let mut others = members.iter().filter(|one| one.user != leaver).filter(may_own);
    match (is_owner, others.next()) {
        (false, _) => Heir::NotNeeded,
        (true, Some(other)) => Heir::Member(&other.user),
        (true, None) => Heir::Nobody,
    }
}
