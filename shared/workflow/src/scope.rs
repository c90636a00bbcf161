//! Whose documents: scopes, and the grant that only the access check makes.

use std::fmt;

use crate::ports::{Members, Profiles};
use crate::project::{Project, Role};
use crate::{Error, Result};

/// Who may put documents into the global knowledge base.
pub const ADMINS: &str = "knowledge-admins";

/// Whose documents a document stands among. Shown and stored as `global`, `user:<sub>`, `case:<id>`, `team:<id>`,
/// `project:<id>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Everyone's.
    Global,
    /// One user's own.
    User(String),
    /// The evidence of one case.
    Case(String),
    /// A team's.
    Team(String),
    /// A project's decisions.
    Project(String),
}

impl Scope {
    /// Reads a scope as it is stored; `None` where it is not one. To name a scope is not yet to may read it.
    pub fn parse(stored: &str) -> Option<Scope> {
        if stored == "global" {
            return Some(Scope::Global);
        }
        let (kind, id) = stored.split_once(':')?;
        let id = Some(id).filter(|id| !id.is_empty())?.to_owned();
        match kind {
            "user" => Some(Scope::User(id)),
            "case" => Some(Scope::Case(id)),
            "team" => Some(Scope::Team(id)),
            "project" => Some(Scope::Project(id)),
            _ => None,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Global => write!(formatter, "global"),
            Scope::User(id) => write!(formatter, "user:{id}"),
            Scope::Case(id) => write!(formatter, "case:{id}"),
            Scope::Team(id) => write!(formatter, "team:{id}"),
            Scope::Project(id) => write!(formatter, "project:{id}"),
        }
    }
}

/// Who asks, as the gateway's authorizer found them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The token's subject.
    pub sub: String,
    /// The token's groups.
    pub groups: Vec<String>,
}

impl Caller {
    fn require(&self, group: &str) -> Result<()> {
        if self.groups.iter().any(|own| own == group) {
            return Ok(());
        }
        Err(Error::Denied { group: group.into() })
    }
}

/// The scopes that the caller may read. Only [`grant`] makes one that is not empty, and the index takes nothing else.
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
        let scope = match name.as_str() {
            "user" => Scope::User(caller.sub.clone()),
            other => Scope::parse(other)
                .filter(|scope| !matches!(scope, Scope::User(_) | Scope::Project(_)))
                .ok_or_else(|| {
                    Error::invalid(
                        "knowledge",
                        format!(
                            "`{other}` must be one of `global`, `user`, `case:<id>`, `team:<id>`"
                        ),
                    )
                })?,
        };
        check(caller, &scope, members).await?;
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    Ok(Grant(scopes))
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

/// Checks that `caller` may put documents into `scope` and see their status.
pub async fn admit(caller: &Caller, scope: &Scope, members: &dyn Members) -> Result<()> {
    match scope {
        Scope::Global => caller.require(ADMINS),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::CaseStatus;
    use crate::testing::FakeMembers;

    const OWN: &str = "01JCASE0000000000000000001";
    const FOREIGN: &str = "01JCASE0000000000000000002";
    const CLOSED: &str = "01JCASE0000000000000000003";

    fn alice() -> (Caller, FakeMembers) {
        let members = FakeMembers::default().with(OWN, "alice").with(FOREIGN, "bob");
        let members = members.with(CLOSED, "alice").with(CLOSED, "bob");
        let caller = Caller { sub: "alice".into(), groups: vec!["platform".into()] };
        (caller, members.at(CLOSED, CaseStatus::Closed))
    }

    fn ask(wanted: &[&str]) -> Result<Vec<String>> {
        let (caller, members) = alice();
        let wanted: Vec<String> = wanted.iter().map(|name| (*name).into()).collect();
        let granted = pollster::block_on(grant(&caller, &wanted, &members))?;
        Ok(granted.scopes().iter().map(Scope::to_string).collect())
    }

    #[test]
    fn without_a_wish_everyone_reads_the_global_knowledge_base() {
        assert_eq!(ask(&[]).unwrap(), ["global"]);
    }

    #[test]
    fn own_documents_own_teams_and_own_cases_are_granted_once_each() {
        assert_eq!(
            ask(&["user", "team:platform", &format!("case:{OWN}"), "user"]).unwrap(),
            ["user:alice".to_owned(), "team:platform".into(), format!("case:{OWN}")]
        );
    }

    #[test]
    fn a_foreign_case_looks_like_one_that_does_not_exist() {
        for case in [FOREIGN, "01JCASE0000000000000000009", "c1", ""] {
            let refusal = one(&Scope::Case(case.into())).unwrap_err().to_string();
            assert_eq!(refusal, format!("no case named `{case}`"));
        }
        let refusal = ask(&[&format!("case:{FOREIGN}")]).unwrap_err().to_string();
        assert_eq!(refusal, format!("no case named `{FOREIGN}`"));
    }

    #[test]
    fn a_closed_case_is_a_conflict_for_its_members_and_does_not_exist_for_others() {
        let closed = Scope::Case(CLOSED.into());
        assert!(matches!(one(&closed), Err(Error::Conflict { field: "case", .. })));
        let (_, members) = alice();
        let carol = Caller { sub: "carol".into(), groups: Vec::new() };
        let refusal = pollster::block_on(grant_one(&carol, &closed, &members)).unwrap_err();
        assert!(matches!(refusal, Error::Missing { kind: "case", .. }));
    }

    fn one(scope: &Scope) -> Result<Grant> {
        let (caller, members) = alice();
        pollster::block_on(grant_one(&caller, scope, &members))
    }

    #[test]
    fn one_scope_is_granted_as_it_is_and_no_foreign_users_nor_a_projects() {
        let granted = [
            Scope::Global,
            Scope::User("alice".into()),
            Scope::Team("platform".into()),
            Scope::Case(OWN.into()),
        ];
        for own in granted {
            assert_eq!(one(&own).unwrap().scopes(), [own]);
        }
        for own in [Scope::User("bob".into()), Scope::Project(OWN.into())] {
            assert!(matches!(one(&own), Err(Error::Missing { .. })), "{own}");
        }
        assert!(matches!(one(&Scope::Team("finance".into())), Err(Error::Denied { .. })));
    }

    #[test]
    fn a_team_needs_its_group() {
        assert_eq!(
            ask(&["team:finance"]).unwrap_err().to_string(),
            "this needs the group `finance`"
        );
    }

    #[test]
    fn another_users_documents_cannot_be_named() {
        assert!(matches!(ask(&["user:bob"]), Err(Error::Invalid { .. })));
        assert!(matches!(ask(&["everything"]), Err(Error::Invalid { .. })));
    }
}
