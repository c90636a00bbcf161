//! The members of cases, from a list.

use std::collections::HashMap;

use async_trait::async_trait;
use wire::cases::CaseStatus;

use model::Result;
use ports::Members;
use ports::scope::Caller;

/// A list of cases and their members.
#[derive(Debug, Clone, Default)]
pub struct FakeMembers {
    members: Vec<(String, String)>,
    statuses: HashMap<String, CaseStatus>,
}

impl FakeMembers {
    /// Adds `user` to the case, which is open by default.
    #[must_use]
    pub fn with(mut self, case: &str, user: &str) -> FakeMembers {
        self.members.push((case.into(), user.into()));
        self
    }

    /// Sets the status of the case.
    #[must_use]
    pub fn at(mut self, case: &str, status: CaseStatus) -> FakeMembers {
        self.statuses.insert(case.into(), status);
        self
    }
}

#[async_trait]
impl Members for FakeMembers {
    async fn case(&self, case: &str, caller: &Caller) -> Result<Option<CaseStatus>> {
        let is_member = self.members.iter().any(|(m, member)| m == case && *member == caller.sub);
        let status = self.statuses.get(case).copied().unwrap_or(CaseStatus::Open);
        Ok(Some(status).filter(|_| is_member))
    }
}
