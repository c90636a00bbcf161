//! The budget of a reply, as its caller sets it.

use std::time::Instant;

use ask::kept_reply;
use model::{Error, Result};
use ports::SearchCache;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::fit::{self, Form};
use wire::meta::Reply;

use super::Call;

impl Call {
    /// Returns how much of the reply is wanted, by the body or the query string.
    ///
    /// # Errors
    /// [`Error::Invalid`] where `max_bytes` is no whole number from 500 to 6,000,000, or `explain` is not true or false.
    pub fn form(&self) -> Result<Form> {
        #[derive(Default, Deserialize)]
        struct Wanted {
            #[serde(default)]
            explain: Value,
            #[serde(default)]
            max_bytes: Value,
        }
        // The reading of the body refuses one that is no JSON object.
        let mut wanted: Wanted = serde_json::from_slice(&self.body).unwrap_or_default();
        for (name, value) in
            [("explain", &mut wanted.explain), ("max_bytes", &mut wanted.max_bytes)]
        {
            if let Some(text) = self.query(name) {
                *value = serde_json::from_str(text).unwrap_or_else(|_| text.into());
            }
        }
        let explain = match wanted.explain {
            Value::Null => false,
            Value::Bool(explain) => explain,
            _ => return Err(Error::invalid("explain", "must be true or false")),
        };
        let allowed = fit::LEAST as u64..=fit::MOST as u64;
        let max_bytes = match wanted.max_bytes {
            Value::Null => Some(fit::DEFAULT as u64),
            value => value.as_u64().filter(|bytes| allowed.contains(bytes)),
        };
        let max_bytes = max_bytes.and_then(|bytes| usize::try_from(bytes).ok());
        let max_bytes = max_bytes.ok_or_else(|| {
            Error::invalid("max_bytes", "must be a whole number from 500 to 6000000")
        })?;
        Ok(Form { explain, max_bytes })
    }

    /// Returns a report with its receipt, within the budget that the caller sets. What has no room is kept in `replies`, whole, and
    /// `meta.answer_id` says under which id; not where a part is missing or a project is named.
    ///
    /// # Errors
    /// As [`Call::form`].
    pub async fn fitted(
        &self,
        report: impl Serialize,
        begun: Instant,
        replies: Option<&dyn SearchCache>,
    ) -> Result<Value> {
        let form = self.form()?;
        let meta = self.receipt.meta(&self.stamp.id, begun);
        let report = serde_json::to_value(report);
        let report = report.map_err(|error| Error::unavailable("the answer", error))?;
        let mut reply = serde_json::to_value(Reply { report: &report, left_out: None, meta })
            .map_err(|error| Error::unavailable("the answer", error))?;
        let fitted = fit::fitted(reply.clone(), form);
        let is_cut = self.route.starts_with("POST ") && fitted.get("left_out").is_some();
        let is_whole = !self.receipt.is_degraded() && self.has_time();
        let knowledge = self.knowledge().filter(|_| is_cut && is_whole);
        let Some((replies, knowledge)) = replies.zip(knowledge) else {
            return Ok(fitted);
        };
        let kept = kept_reply::keep(replies, &self.caller, &self.stamp, (knowledge, report));
        match kept.await {
            Ok(()) => {
                reply["meta"]["answer_id"] = self.stamp.id.as_str().into();
                Ok(fit::fitted(reply, form))
            }
            // The reply says to ask again.
            Err(error) => {
                tracing::warn!(%error, "a reply could not be kept");
                Ok(fitted)
            }
        }
    }

    /// The knowledge bases that the body names, everyone's where it names none; `None` where it names a project, whose decisions
    /// are in the reply.
    fn knowledge(&self) -> Option<Vec<String>> {
        #[derive(Default, Deserialize)]
        struct Named {
            #[serde(default)]
            knowledge: Vec<String>,
            #[serde(default)]
            project_id: Option<String>,
        }
        let named: Named = serde_json::from_slice(&self.body).ok()?;
        let everyones = || vec!["global".into()];
        let bases = if named.knowledge.is_empty() { everyones() } else { named.knowledge };
        named.project_id.is_none().then_some(bases)
    }
}
