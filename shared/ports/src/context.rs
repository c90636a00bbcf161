//! Who asks, when, and what knows them.

use crate::question::Stamp;
use crate::scope::Caller;
use crate::{Members, Notes, Profiles};

/// Who asks, when, and what knows them.
#[derive(Clone, Copy)]
pub struct RequestContext<'a> {
    /// Who asks.
    pub caller: &'a Caller,
    /// When.
    pub stamp: &'a Stamp,
    /// Knows who belongs to a case.
    pub members: &'a dyn Members,
    /// Knows who belongs to a project.
    pub profiles: &'a dyn Profiles,
    /// Notes what a project asks.
    pub notes: &'a dyn Notes,
}
