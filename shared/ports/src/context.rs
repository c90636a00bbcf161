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
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The profiles and members of projects.
    pub profiles: &'a dyn Profiles,
    /// The store that records the questions of a project.
    pub notes: &'a dyn Notes,
}
