//! The gate that a request passes before it is handled: it identifies the caller's groups,
//! limits the caller's rate, and asks tokens for their scopes.

use model::{Error, Result};
use ports::scope::{GroupSettings, RequiredScopes};
use ports::{Quota, Rate, SearchCache};
use wire::route::Effect;

use crate::call::Call;

/// The settings that identify and limit callers.
pub struct Gate<'a> {
    groups: GroupSettings,
    scopes: RequiredScopes,
    quota: Option<(&'a dyn Quota, Rate)>,
    /// The store of whole replies that exceeded the caller's budget.
    replies: Option<&'a dyn SearchCache>,
}

impl<'a> Gate<'a> {
    /// Returns a gate that reads groups as `groups` states, asks tokens for these scopes, and
    /// limits callers to this rate, counted by `quota`.
    pub fn new(
        groups: GroupSettings,
        scopes: RequiredScopes,
        rate: Option<Rate>,
        quota: &'a dyn Quota,
    ) -> Gate<'a> {
        Gate { groups, scopes, quota: rate.map(|rate| (quota, rate)), replies: None }
    }

    /// Returns the same gate, which also stores whole the replies that exceed the budget.
    #[must_use]
    pub fn keeping(self, replies: &'a dyn SearchCache) -> Gate<'a> {
        Gate { replies: Some(replies), ..self }
    }

    /// Returns the same gate, which limits no rate.
    #[must_use]
    pub fn unlimited(self) -> Gate<'a> {
        Gate { quota: None, ..self }
    }

    pub(crate) fn replies(&self) -> Option<&'a dyn SearchCache> {
        self.replies
    }

    pub(crate) fn groups(&self) -> &GroupSettings {
        &self.groups
    }

    /// Admits a request.
    ///
    /// # Errors
    /// [`Error::Unscoped`] if the token lacks a scope. [`Error::TooMany`] if the caller has used up
    /// the quota. If the quota cannot be counted, the request is admitted: the services behind the
    /// gate report their own failures.
    pub async fn admit(&self, call: &Call) -> Result<()> {
        self.check_scopes(call)?;
        let Some((quota, rate)) = self.quota else { return Ok(()) };
        match quota.take(&call.caller.sub, rate, call.stamp.time).await {
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

    fn check_scopes(&self, call: &Call) -> Result<()> {
        let of_keys = call.caller.has_key.then(RequiredScopes::of_keys);
        let RequiredScopes { read, write, reveal } = of_keys.as_ref().unwrap_or(&self.scopes);
        let writes = call.route.entry().effect != Effect::Read;
        let reveals = call.query("reveal").is_some_and(|value| value != "false");
        call.caller.require_scope(read.as_ref())?;
        call.caller.require_scope(write.as_ref().filter(|_| writes))?;
        call.caller.require_scope(reveal.as_ref().filter(|_| reveals))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::HashMap;
    use std::time::SystemTime;

    use async_trait::async_trait;
    use jiff::Timestamp;
    use ports::question::Stamp;
    use ports::scope::Caller;
    use wire::route::{AnswerRoute, Base, DocumentRoute, Route, SearchRoute};

    use super::*;
    use crate::Asking;

    /// A quota that makes callers wait for this number of milliseconds.
    pub(crate) struct Counting(pub(crate) i64);

    impl Counting {
        pub(crate) fn gate(&self) -> Gate<'_> {
            let groups = GroupSettings {
                claim: "groups".into(),
                admins: "admins".into(),
                scope_prefix: None,
            };
            let rate = Rate { per_minute: 600, burst: 200 };
            Gate::new(groups, RequiredScopes::default(), Some(rate), self)
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

    fn call(sub: &str, route: Route, scopes: &[&str]) -> Call {
        let caller = Caller {
            sub: sub.into(),
            groups: Vec::new(),
            scopes: scopes.iter().map(ToString::to_string).collect(),
            has_key: false,
            admin_group: "admins".into(),
        };
        let stamp = Stamp { id: "01A".into(), time: Timestamp::UNIX_EPOCH };
        Call::new(Asking::of(route), caller, stamp, SystemTime::now())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn callers_pass_where_nobody_can_count() {
        let used_up = Counting(1);
        let search = Route::Search(SearchRoute::Search);
        assert!(used_up.gate().admit(&call("nobody", search, &[])).await.is_ok());
        let refused = used_up.gate().admit(&call("ann", search, &[])).await;
        assert!(matches!(refused, Err(Error::TooMany { retry_after: 1, .. })));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_key_needs_its_scopes_where_tokens_need_none() {
        let counting = Counting(0);
        let gate = counting.gate();
        let (search, trial) =
            (Route::Search(SearchRoute::Search), Route::Answer(AnswerRoute::TryModel));
        let lacking = async |route: Route, scopes: &[&str], has_key: bool| {
            let mut call = call("key-1", route, scopes);
            call.caller.has_key = has_key;
            match gate.admit(&call).await {
                Err(Error::Unscoped { scope }) => scope,
                other => format!("{other:?}"),
            }
        };
        assert_eq!(lacking(trial, &[], false).await, "Ok(())");
        assert_eq!(lacking(search, &[], true).await, "read");
        assert_eq!(lacking(trial, &["read"], true).await, "write");
        assert_eq!(lacking(trial, &["read", "write"], true).await, "Ok(())");
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_token_needs_the_scopes_of_what_a_request_does() {
        let counting = Counting(0);
        let named = |name: &str| Some(name.to_owned());
        let scopes =
            RequiredScopes { read: named("read"), write: named("write"), reveal: named("reveal") };
        let gate = Gate { scopes, ..counting.gate() };
        let lacking = async |call: Call| match gate.admit(&call).await {
            Err(Error::Unscoped { scope }) => scope,
            other => format!("{other:?}"),
        };
        let search = Route::Search(SearchRoute::Search);
        let delete = Route::Documents(DocumentRoute::DeleteDocumentOf(Base::User));
        assert_eq!(lacking(call("ann", search, &[])).await, "read");
        assert_eq!(lacking(call("ann", search, &["read"])).await, "Ok(())");
        assert_eq!(lacking(call("ann", delete, &["read"])).await, "write");
        assert_eq!(lacking(call("ann", delete, &["read", "write"])).await, "Ok(())");
        let query = HashMap::from([("reveal".to_owned(), "true".to_owned())]);
        let passage = Route::Answer(AnswerRoute::ReadPassageOf(Base::User));
        let revealing = |scopes: &[&str]| {
            let Call { caller, stamp, .. } = call("ann", passage, scopes);
            let asking = Asking { query: query.clone(), ..Asking::of(passage) };
            Call::new(asking, caller, stamp, SystemTime::now())
        };
        assert_eq!(lacking(revealing(&["read", "write"])).await, "reveal");
        assert_eq!(lacking(revealing(&["read", "reveal"])).await, "Ok(())");
    }
}
