//! Whose documents: scopes, and the grant that only the access check makes.

pub use model::scope::Scope;

use wire::projects::{Project, Role};

use crate::{Members, Pending, Profiles};
use model::{Error, Result};

/// Where a token names its groups, and which of them means more than a team, both as the issuer has them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupSettings {
    /// The claim with the names.
    pub claim: String,
    /// The group of those who may put documents into the global knowledge base.
    pub admins: String,
}

/// Who asks, as the gateway's authorizer found them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The token's subject.
    pub sub: String,
    /// The token's groups.
    pub groups: Vec<String>,
    /// The group that the caller needs for the global knowledge base, theirs or not: [`GroupSettings::admins`].
    pub admin_group: String,
}

impl Caller {
    /// Checks that the caller belongs to a group.
    ///
    /// # Errors
    /// [`Error::Denied`] names the group.
    pub fn require(&self, group: &str) -> Result<()> {
        if self.groups.iter().any(|g| g == group) {
            return Ok(());
        }
        Err(Error::Denied { group: group.into() })
    }
}

/// The scopes that the caller may read. Only [`grant`] makes one that is not empty, or what kept one that it made; the
/// index takes nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant(Vec<Scope>);

impl Grant {
    /// The scopes, at least one.
    pub fn scopes(&self) -> &[Scope] {
        &self.0
    }

    /// The same, and the project's decisions.
    #[must_use]
    pub fn with(mut self, membership: &Membership) -> Grant {
        self.0.push(Scope::Project(membership.project.project_id.clone()));
        self
    }

    /// What was granted when a decision was saved. It is used to see whether its passages are still there, never to show any.
    pub fn of_pending(pending: &Pending) -> Grant {
        Grant(pending.scopes.clone())
    }

    /// The knowledge base of a document that changed. Its passages are compared with what decisions quote of it; what is told of
    /// them to others is everyone's.
    pub fn of_watched(scope: &Scope) -> Grant {
        Grant(vec![scope.clone()])
    }

    /// The knowledge base that a scheduled job looks through. What it finds is shown to those alone who may read that.
    pub fn of_scheduled(scope: &Scope) -> Grant {
        Grant(vec![scope.clone()])
    }

    /// A grant without a check, for a test corpus.
    #[cfg(feature = "testing")]
    pub fn unchecked(scopes: &[Scope]) -> Grant {
        Grant(scopes.to_vec())
    }
}

/// Checks that `caller` may read each of the knowledge bases in `wanted`: `global`, `user`, `case:<id>`,
/// `team:<id>`; none named means `global`.
///
/// # Errors
/// [`Error::Invalid`] names what is no knowledge base, [`Error::Denied`] the group that is lacking;
/// a foreign case looks like one that does not exist.
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

/// The knowledge base that the caller means by `global`, `user`, `case:<id>` or `team:<id>`.
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
/// [`Error::Missing`] for what is foreign or does not exist, [`Error::Denied`] names the group that is lacking, and
/// [`Error::Conflict`] a case that is closed.
pub async fn grant_one(caller: &Caller, scope: &Scope, members: &dyn Members) -> Result<Grant> {
    check(caller, scope, members).await?;
    Ok(Grant(vec![scope.clone()]))
}

/// A project that the caller belongs to. Only [`membership`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    project: Project,
    role: Role,
}

impl Membership {
    /// The project's profile.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The profile, to be changed.
    pub fn into_project(self) -> Project {
        self.project
    }

    /// Checks that the caller may also manage the project.
    ///
    /// # Errors
    /// [`Error::Denied`] for a member who does not own it.
    pub fn require_owner(&self) -> Result<()> {
        match self.role {
            Role::Owner => Ok(()),
            Role::Member => Err(Error::Denied { group: "the project's owners".into() }),
        }
    }
}

/// Checks that `caller` belongs to the project, and brings its profile: both in one read.
///
/// # Errors
/// [`Error::Missing`] for a stranger, as for a project that does not exist.
pub async fn membership(
    caller: &Caller,
    project: &str,
    profiles: &dyn Profiles,
) -> Result<Membership> {
    let missing = || Error::Missing { kind: "project", name: project.into() };
    // What is no id is no key either: nothing is asked for it.
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
            // What is no id is no key either: nothing is asked for it.
            ulid::Ulid::from_string(case).map_err(|_| missing())?;
            members.case(case, &caller.sub).await?.ok_or_else(missing)?.require_open()
        }
        // Its only way in is a membership.
        Scope::Project(project) => Err(Error::Missing { kind: "project", name: project.clone() }),
    }
}
