//! Who belongs to a case, from a list.

use std::collections::HashMap;

use async_trait::async_trait;
use wire::cases::CaseStatus;

use model::Result;
use ports::Members;

/// A list of cases and their members.
#[derive(Debug, Clone, Default)]
pub struct FakeMembers {
    members: Vec<(String, String)>,
    statuses: HashMap<String, CaseStatus>,
}

impl FakeMembers {
    /// With `user` in the case, which is open unless said otherwise.
    #[must_use]
    pub fn with(mut self, case: &str, user: &str) -> FakeMembers {
        self.members.push((case.into(), user.into()));
        self
    }

    /// With the case at `status`.
    #[must_use]
    pub fn at(mut self, case: &str, status: CaseStatus) -> FakeMembers {
        self.statuses.insert(case.into(), status);
        self
    }
}

#[async_trait]
impl Members for FakeMembers {
    async fn case(&self, case: &str, user: &str) -> Result<Option<CaseStatus>> {
        let is_member = self.members.iter().any(|(m, member)| m == case && member == user);
        let status = self.statuses.get(case).copied().unwrap_or(CaseStatus::Open);
        Ok(Some(status).filter(|_| is_member))
    }
}
