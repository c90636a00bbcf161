//! The ways to group records.

use super::when::Part;

/// A way to group records.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum By {
    File,
    Instance,
    Template,
    Column(String),
    /// A part of the record's time.
    Time(Part),
    /// A part of the dates in a column.
    Part(String, Part),
}

impl By {
    /// Returns true for parts of time, which are ordered by time.
    pub(super) fn is_of_time(&self) -> bool {
        matches!(self, By::Time(_) | By::Part(..))
    }
}
