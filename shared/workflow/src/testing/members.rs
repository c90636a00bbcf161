//! Who belongs to a case, from a list.

use async_trait::async_trait;

use crate::Result;
use crate::ports::Members;

/// A list of cases and their members.
#[derive(Debug, Clone, Default)]
pub struct FakeMembers(Vec<(String, String)>);

impl FakeMembers {
    /// With `user` in the case.
    #[must_use]
    pub fn with(mut self, case: &str, user: &str) -> FakeMembers {
        self.0.push((case.into(), user.into()));
        self
    }
}

#[async_trait]
impl Members for FakeMembers {
    async fn has_member(&self, case: &str, user: &str) -> Result<bool> {
        Ok(self.0.iter().any(|(own, member)| own == case && member == user))
    }
}
