//! Projects: profiles, status changes and members; questions, decisions and the trail that they
//! form.

use wire::projects::{
    Invitation, InvitationList, InvitedTo, MemberList, Move, NewMove, NewProject, Project,
    ProjectChange, ProjectList, ProjectReply, Role, Status,
};

use model::{Error, Result};
use ports::once::Sender;
use ports::question::Stamp;
use ports::scope::{Caller, Membership};
use ports::{
    Answers, Embedder, Index, Members, Projects, Publisher, Reviews, Tasks, Written, cursor, scope,
    user,
};

mod again;
mod check;
mod decide;
mod note;
mod pending;
mod point;
mod quote;
mod read;
mod reply;
mod resting;
mod settle;

pub use again::index_again;
pub use decide::{decide, related};
pub use note::note;
pub use pending::{Indexer, catch_up, index};
pub use ports::once::Once;
pub use read::{Page, decision, decisions, digests, queries, trail};
pub use reply::Reply;
pub use resting::resting;
pub use settle::move_decision;

/// The caller, the time, and the services that projects need.
pub struct ProjectContext<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The id and the time of the request.
    pub stamp: &'a Stamp,
    /// The store of profiles and members.
    pub projects: &'a dyn Projects,
    /// The store of questions and decisions.
    pub trail: &'a dyn Reviews,
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The embedder of decisions. Nothing else uses it.
    pub embedder: &'a dyn Embedder,
    /// The index of the passages that decisions cite, and of the decisions as passages.
    pub index: &'a dyn Index,
    /// The index to which decisions are written as passages.
    pub publisher: &'a dyn Publisher,
    /// The store of earlier answers, with the passages that they cited.
    pub answers: &'a dyn Answers,
    /// The queue for tasks that cannot be done now.
    pub tasks: &'a dyn Tasks,
}

impl ProjectContext<'_> {
    /// Checks that the caller belongs to the project, and returns its profile.
    async fn enter(&self, project: &str) -> Result<Membership> {
        scope::membership(self.caller, project, self.projects).await
    }

    /// Returns the services that index decisions.
    pub fn indexer(&self) -> Indexer<'_> {
        Indexer {
            trail: self.trail,
            embedder: self.embedder,
            index: self.index,
            publisher: self.publisher,
        }
    }

    fn sender(&self) -> Sender<'_> {
        Sender { caller: self.caller, stamp: self.stamp, requests: self.projects }
    }
}

/// Creates a project whose owner is the caller.
pub async fn create(
    context: &ProjectContext<'_>,
    once: &Once<'_>,
    new: NewProject,
) -> Result<Project> {
    let key = once.key()?;
    if let Some(earlier) = once.earlier(context.sender()).await? {
        return Ok(earlier);
    }
    let now = context.stamp.time;
    let project = check::profile(Project {
        project_id: context.stamp.id.clone(),
        name: new.name,
        domain: new.domain,
        standards: new.standards,
        constraints: new.constraints,
        status: Status::Planning,
        version: 1,
        created_at: now,
        updated_at: now,
        history: Vec::new(),
        needs_review: Vec::new(),
    })?;
    let guard = key.map(|key| once.guard(context.sender(), key, &project)).transpose()?;
    match context.projects.create(&project, &context.caller.sub, guard.as_ref()).await? {
        Written::Done => Ok(project),
        Written::Stale => Err(Error::conflict("name", "a project of this id exists already")),
        Written::Repeated => once.repeated(context.sender()).await,
    }
}

/// Lists the caller's projects by id, oldest first.
pub async fn list(context: &ProjectContext<'_>, page: &Page<'_>) -> Result<ProjectList> {
    let list = format!("user:{}/projects", context.caller.sub);
    let after = page.cursor.map(|cursor| cursor::read_ulid(&list, cursor)).transpose()?;
    let limit = cursor::limit(page.limit, 50)?;
    let found = context.projects.projects(&context.caller.sub, limit, after.as_deref()).await?;
    let (mut projects, mut next) = (found.items, found.next);
    let size = |project: &Project| {
        project.constraints.iter().chain(&project.standards).map(String::len).sum()
    };
    if read::cut_by_size(&mut projects, size) {
        next = projects.last().map(|project| project.project_id.clone());
    }
    Ok(ProjectList { projects, cursor: next.map(|last| cursor::write(&list, &last)) })
}

/// Shows a project with its members.
pub async fn show(context: &ProjectContext<'_>, project: &str) -> Result<ProjectReply> {
    let project = context.enter(project).await?.into_project();
    let members = context.projects.members(&project.project_id).await?;
    Ok(ProjectReply { project, members })
}

/// Changes a profile.
///
/// # Errors
/// [`Error::Conflict`] if it has changed since the caller read it.
pub async fn edit(
    context: &ProjectContext<'_>,
    project: &str,
    change: ProjectChange,
) -> Result<Project> {
    let project = context.enter(project).await?.into_project();
    let profile = project.clone();
    let changed = Project {
        name: change.name.unwrap_or(profile.name),
        domain: change.domain.or(profile.domain).filter(|domain| !domain.is_empty()),
        standards: change.standards.unwrap_or(profile.standards),
        constraints: change.constraints.unwrap_or(profile.constraints),
        ..profile
    };
    replace(context, &project, change.version, check::profile(changed)?).await
}

/// Moves a project to another status.
///
/// # Errors
/// [`Error::Conflict`] with both statuses, or with both versions if it has changed since the caller
/// read it.
pub async fn move_status(
    context: &ProjectContext<'_>,
    project: &str,
    wanted: NewMove,
) -> Result<Project> {
    let project = context.enter(project).await?.into_project();
    let reason = check::reason(wanted.reason)?;
    check::version(project.version, wanted.version)?;
    let to = project.status.advance(wanted.to)?;
    let by = context.caller.sub.clone();
    let step = Move { from: project.status, to, by, at: context.stamp.time, reason };
    let mut moved = Project { status: to, ..project.clone() };
    moved.history.push(step);
    replace(context, &project, wanted.version, moved).await
}

/// Replaces `project` by `changed`, provided that the table still has the `version` that the caller
/// has seen.
async fn replace(
    context: &ProjectContext<'_>,
    project: &Project,
    version: u64,
    changed: Project,
) -> Result<Project> {
    check::version(project.version, version)?;
    check::clock(project.updated_at, context.stamp.time)?;
    let changed = Project { version: version + 1, updated_at: context.stamp.time, ..changed };
    match context.projects.update(&changed).await? {
        Written::Done => Ok(changed),
        Written::Stale | Written::Repeated => {
            let now = context.enter(&project.project_id).await?.into_project();
            let needs_review = now.needs_review.clone();
            // If the answer to a write was lost, the write is sent again and finds its own result.
            let is_own = now == Project { needs_review, ..changed };
            if is_own { Ok(now) } else { Err(check::stale(now.version, version)) }
        }
    }
}

/// Invites a user. They become a member when they [`join`].
pub async fn invite(context: &ProjectContext<'_>, project: &str, user: &str) -> Result<MemberList> {
    let membership = context.enter(project).await?;
    membership.require_owner()?;
    user::check(user)?;
    let invitation = Invitation {
        to: InvitedTo::Project,
        id: project.into(),
        title: membership.project().name.clone(),
        by: context.caller.sub.clone(),
        at: context.stamp.time,
    };
    context.projects.invite(user, &invitation).await?;
    Ok(MemberList { members: context.projects.members(project).await? })
}

/// Makes the caller a member, if they are invited.
pub async fn join(context: &ProjectContext<'_>, project: &str) -> Result<ProjectReply> {
    context.projects.join(project, &context.caller.sub).await?;
    show(context, project).await
}

/// Lists the projects and the cases to which the caller is invited.
pub async fn invitations(context: &ProjectContext<'_>) -> Result<InvitationList> {
    let invitations = context.projects.invitations(&context.caller.sub).await?;
    Ok(InvitationList { invitations })
}

/// Removes the caller from the members, or declines their invitation.
async fn leave(context: &ProjectContext<'_>, project: &str) -> Result<MemberList> {
    let missing = || Error::Missing { kind: "project", name: project.into() };
    let own = context.projects.project(project, &context.caller.sub).await?;
    if own.is_some_and(|(_, role)| role == Role::Owner) {
        let reason = "a project cannot be without its owner: make a member the owner first";
        return Err(Error::conflict("user", reason));
    }
    let has_left = context.projects.remove_member(project, &context.caller.sub).await?;
    has_left.then(|| MemberList { members: Vec::new() }).ok_or_else(missing)
}

/// Removes a member, or takes an invitation back. The user `me` is the caller, who leaves.
///
/// # Errors
/// [`Error::Conflict`] for the owner, because a project always has one.
pub async fn remove_member(
    context: &ProjectContext<'_>,
    project: &str,
    user: &str,
) -> Result<MemberList> {
    if user == user::ME {
        return leave(context, project).await;
    }
    context.enter(project).await?.require_owner()?;
    user::check(user)?;
    if user == context.caller.sub {
        return Err(Error::conflict("user", "a project cannot be without its owner"));
    }
    if !context.projects.remove_member(project, user).await? {
        return Err(Error::Missing { kind: "member", name: user.into() });
    }
    Ok(MemberList { members: context.projects.members(project).await? })
}

/// Makes a member the owner. The previous owner stays as a member.
///
/// # Errors
/// [`Error::Missing`] for a user who is not a member.
pub async fn hand_over(
    context: &ProjectContext<'_>,
    project: &str,
    user: &str,
) -> Result<MemberList> {
    context.enter(project).await?.require_owner()?;
    user::check_owner(user)?;
    let from = &context.caller.sub;
    if user != from && !context.projects.hand_over(project, from, user).await? {
        return Err(Error::Missing { kind: "member", name: user.into() });
    }
    Ok(MemberList { members: context.projects.members(project).await? })
}
