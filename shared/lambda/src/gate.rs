//! The gate that a request passes before it is handled: it identifies the caller's groups and
//! limits the caller's rate.

use model::{Error, Result};
use ports::question::Stamp;
use ports::scope::{Caller, GroupSettings};
use ports::{Quota, Rate, SearchCache};

/// The settings that identify and limit callers.
pub struct Gate<'a> {
    groups: GroupSettings,
    quota: Option<(&'a dyn Quota, Rate)>,
    /// The store of whole replies that exceeded the caller's budget.
    replies: Option<&'a dyn SearchCache>,
}

impl<'a> Gate<'a> {
    /// Returns a gate that reads groups as `groups` states, and limits callers to this rate,
    /// counted by `quota`.
    pub fn new(groups: GroupSettings, rate: Option<Rate>, quota: &'a dyn Quota) -> Gate<'a> {
        Gate { groups, quota: rate.map(|rate| (quota, rate)), replies: None }
    }

    /// Returns the same gate, which also stores whole the replies that exceed the budget.
    #[must_use]
    pub fn keeping(self, replies: &'a dyn SearchCache) -> Gate<'a> {
        Gate { replies: Some(replies), ..self }
    }

    pub(crate) fn replies(&self) -> Option<&'a dyn SearchCache> {
        self.replies
    }

    pub(crate) fn groups(&self) -> &GroupSettings {
        &self.groups
    }

    /// Admits a request of the caller.
    ///
    /// # Errors
    /// [`Error::TooMany`] if the caller has used up the quota. If the quota cannot be counted, the
    /// request is admitted: the services behind the gate report their own failures.
    pub async fn admit(&self, caller: &Caller, stamp: &Stamp) -> Result<()> {
        let Some((quota, rate)) = self.quota else { return Ok(()) };
        match quota.take(&caller.sub, rate, stamp.time).await {
            Ok(None) => Ok(()),
            Ok(Some(wait)) => {
                let retry_after = u64::try_from(wait).unwrap_or(1).div_ceil(1_000);
                let Rate { per_minute, burst } = rate;
                let reason = format!(
                    "at most {per_minute} requests a minute, {burst} at once, are answered for one caller: \
                     try again in {retry_after} s"
                );
                Err(Error::TooMany { reason, retry_after })
            }
            Err(error) => {
                tracing::warn!(%error, "the caller's requests could not be counted");
                Ok(())
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use async_trait::async_trait;
    use jiff::Timestamp;

    use super::*;

    /// A quota that makes callers wait for this number of milliseconds.
    pub(crate) struct Counting(pub(crate) i64);

    impl Counting {
        pub(crate) fn gate(&self) -> Gate<'_> {
            let groups = GroupSettings { claim: "groups".into(), admins: "admins".into() };
            Gate::new(groups, Some(Rate { per_minute: 600, burst: 200 }), self)
        }
    }

    #[async_trait]
    impl Quota for Counting {
        async fn take(&self, caller: &str, _: Rate, _: Timestamp) -> Result<Option<i64>> {
            if caller == "nobody" {
                return Err(Error::unavailable("the table", "away"));
            }
            Ok(Some(self.0).filter(|wait| *wait > 0))
        }
    }

    #[tokio::test(flavor = "current_thread")]
    async fn callers_pass_where_nobody_can_count() {
        let caller = |sub: &str| Caller {
            sub: sub.into(),
            groups: Vec::new(),
            admin_group: "admins".into(),
        };
        let stamp = Stamp { id: "01A".into(), time: Timestamp::UNIX_EPOCH };
        let used_up = Counting(1);
        assert!(used_up.gate().admit(&caller("nobody"), &stamp).await.is_ok());
        let refused = used_up.gate().admit(&caller("ann"), &stamp).await;
        assert!(matches!(refused, Err(Error::TooMany { retry_after: 1, .. })));
    }
}
