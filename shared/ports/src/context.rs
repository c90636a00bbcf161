//! The context of a request: the caller, the time, and the stores that know the caller.

use crate::question::Stamp;
use crate::scope::Caller;
use crate::{Members, Notes, Profiles};

/// The context of a request.
#[derive(Clone, Copy)]
pub struct RequestContext<'a> {
    /// The caller.
    pub caller: &'a Caller,
    /// The id and the time of the request.
    pub stamp: &'a Stamp,
    /// Knows the members of cases.
    pub members: &'a dyn Members,
    /// Knows the members of projects.
    pub profiles: &'a dyn Profiles,
    /// Records the questions of a project.
    pub notes: &'a dyn Notes,
}
