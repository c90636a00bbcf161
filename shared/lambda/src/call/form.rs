//! The budget that a caller sets for a reply.

use model::{Error, Result};
use serde::Deserialize;
use serde_json::Value;
use wire::fit::{self, Form};

use super::Call;

impl Call {
    /// Returns the wanted size of the reply, from the body or the query string.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `max_bytes` is not a whole number from 500 to 6,000,000, or if
    /// `explain` is neither true nor false.
    pub fn form(&self) -> Result<Form> {
        #[derive(Default, Deserialize)]
        struct Wanted {
            #[serde(default)]
            explain: Value,
            #[serde(default)]
            max_bytes: Value,
        }
        // A body that is not a JSON object is refused when it is parsed.
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

    /// Returns the knowledge bases that the body names, or everyone's if it names none. `None` if
    /// it names a project, because the reply then contains the project's decisions.
    pub(crate) fn knowledge(&self) -> Option<Vec<String>> {
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
