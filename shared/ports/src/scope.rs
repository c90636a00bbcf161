//! Scopes, and the grants that only an access check creates.

pub use crate::caller::{Caller, GroupSettings, RequiredScopes};
pub use model::scope::Scope;

use wire::projects::{Project, Role};

use crate::{Members, Pending, Profiles};
use model::{Error, Result};

/// The scopes that the caller may read. Only [`grant`] creates one that is not empty, or a store
/// that kept such a grant. The index accepts nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant(Vec<Scope>);

impl Grant {
    /// Returns the scopes, which are at least one.
    pub fn scopes(&self) -> &[Scope] {
        &self.0
    }

    /// Returns the grant of both.
    #[must_use]
    pub fn and(mut self, other: Grant) -> Grant {
        self.0.extend(other.0);
        self
    }

    /// Returns the same grant with the project's decisions.
    #[must_use]
    pub fn with(mut self, membership: &Membership) -> Grant {
        self.0.push(Scope::Project(membership.project.project_id.clone()));
        self
    }

    /// Returns the grant from the time at which a decision was saved. It is used only to check that
    /// its passages still exist, never to show them.
    pub fn of_pending(pending: &Pending) -> Grant {
        Grant(pending.scopes.clone())
    }

    /// Returns the grant for the knowledge base of a changed document. Its passages are compared
    /// with the quotes of decisions; other users see only those from the global knowledge base.
    pub fn of_watched(scope: &Scope) -> Grant {
        Grant(vec![scope.clone()])
    }

    /// Returns the grant for the knowledge base that a scheduled job examines. The results are
    /// shown only to those who may read it.
    pub fn of_scheduled(scope: &Scope) -> Grant {
        Grant(vec![scope.clone()])
    }

    /// Returns a grant without a check, for a test corpus.
    #[cfg(feature = "testing")]
    pub fn unchecked(scopes: &[Scope]) -> Grant {
        Grant(scopes.to_vec())
    }
}

/// Checks that `caller` may read each of the knowledge bases in `wanted`: `global`, `user`,
/// `case:<id>`, `team:<id>`. An empty list means `global`.
///
/// # Errors
/// [`Error::Invalid`] with the name that is not a knowledge base, [`Error::Denied`] with the
/// missing group; a foreign case looks like one that does not exist.
pub async fn grant(caller: &Caller, wanted: &[String], members: &dyn Members) -> Result<Grant> {
    if wanted.is_empty() {
        return Ok(Grant(vec![Scope::Global]));
    }
    if wanted.len() > 16 {
        return Err(Error::invalid("knowledge", "must name at most 16 knowledge bases"));
    }
    let mut scopes = Vec::with_capacity(wanted.len());
    for name in wanted {
        let scope = named(caller, name)?;
        check(caller, &scope, members).await?;
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    Ok(Grant(scopes))
}

/// Returns the knowledge base that the caller calls `global`, `user`, `case:<id>` or `team:<id>`.
pub fn named(caller: &Caller, name: &str) -> Result<Scope> {
    if name == "user" {
        return Ok(Scope::User(caller.sub.clone()));
    }
    let scope = Scope::parse(name);
    let scope = scope.filter(|scope| !matches!(scope, Scope::User(_) | Scope::Project(_)));
    scope.ok_or_else(|| {
        let reason = format!("`{name}` must be one of `global`, `user`, `case:<id>`, `team:<id>`");
        Error::invalid("knowledge", reason)
    })
}

/// Checks that `caller` may read this one knowledge base.
///
/// # Errors
/// [`Error::Missing`] if it is foreign or does not exist, [`Error::Denied`] with the missing group,
/// and [`Error::Conflict`] for a closed case.
pub async fn grant_one(caller: &Caller, scope: &Scope, members: &dyn Members) -> Result<Grant> {
    check(caller, scope, members).await?;
    Ok(Grant(vec![scope.clone()]))
}

/// A project of which the caller is a member. Only [`membership`] creates one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    project: Project,
    role: Role,
}

impl Membership {
    /// Returns the project's profile.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Returns the profile by value, to be changed.
    pub fn into_project(self) -> Project {
        self.project
    }

    /// Checks that the caller may also manage the project.
    ///
    /// # Errors
    /// [`Error::Denied`] for a member who is not the owner.
    pub fn require_owner(&self) -> Result<()> {
        match self.role {
            Role::Owner => Ok(()),
            Role::Member | Role::Invited => {
                Err(Error::Denied { group: "the project's owners".into() })
            }
        }
    }
}

/// Checks that `caller` is a member of the project, and returns its profile, both in one read.
///
/// # Errors
/// [`Error::Missing`] for a stranger, as for a project that does not exist.
pub async fn membership(
    caller: &Caller,
    project: &str,
    profiles: &dyn Profiles,
) -> Result<Membership> {
    let missing = || Error::Missing { kind: "project", name: project.into() };
    // A text that is not a ULID is not a key, so the table is not read.
    ulid::Ulid::from_string(project).map_err(|_| missing())?;
    let found = profiles.project(project, &caller.sub).await?;
    found.map(|(project, role)| Membership { project, role }).ok_or_else(missing)
}

/// Checks that `caller` may put documents into `scope`.
pub async fn admit(caller: &Caller, scope: &Scope, members: &dyn Members) -> Result<()> {
    match scope {
        Scope::Global => caller.require(&caller.admin_group),
        _ => check(caller, scope, members).await,
    }
}

async fn check(caller: &Caller, scope: &Scope, members: &dyn Members) -> Result<()> {
    match scope {
        Scope::Global => Ok(()),
        Scope::User(sub) if *sub == caller.sub => Ok(()),
        Scope::User(sub) => Err(Error::Missing { kind: "user", name: sub.clone() }),
        Scope::Team(team) => caller.require(team),
        Scope::Case(case) => {
            let missing = || Error::Missing { kind: "case", name: case.clone() };
            // A text that is not a ULID is not a key, so the table is not read.
            ulid::Ulid::from_string(case).map_err(|_| missing())?;
            members.case(case, caller).await?.ok_or_else(missing)?.require_open()
        }
        // Access to a project requires a membership.
        Scope::Project(project) => Err(Error::Missing { kind: "project", name: project.clone() }),
    }
}
