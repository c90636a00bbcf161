//! The kinds of knowledge bases.

/// A kind of knowledge base. Each has routes below a path of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// The documents of everyone.
    Global,
    /// The documents of the caller.
    User,
    /// The documents of a case.
    Case,
    /// The documents of a team.
    Team,
}

impl Base {
    /// All kinds.
    pub const ALL: [Base; 4] = [Base::Global, Base::User, Base::Case, Base::Team];

    pub(super) fn path(self) -> &'static str {
        match self {
            Base::Global => "/v1/global",
            Base::User => "/v1/users/me",
            Base::Case => "/v1/cases/{case_id}",
            Base::Team => "/v1/teams/{team_id}",
        }
    }
}
