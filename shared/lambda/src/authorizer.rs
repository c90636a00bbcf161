//! The gateway's authorizer of API keys: what it is asked, what it says, and what functions behind
//! it read of that (HTTP API, Lambda authorizer with payload version 2.0 and simple responses).

use lambda_runtime::{LambdaEvent, service_fn};
use model::Result;
use ports::scope::Caller;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The question of the gateway: may the request with this header pass?
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Question {
    /// The values of the identity sources; here the header `authorization` alone.
    identity_source: Option<Vec<String>>,
}

/// The answer. The gateway refuses the request with 403 where it is not authorized.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict {
    is_authorized: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Keyed>,
}

/// The program with a key, as functions behind the authorizer get it. The gateway passes texts, so
/// that lists are JSON in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyed {
    sub: String,
    scopes: String,
    groups: String,
}

impl Keyed {
    fn of(caller: &Caller) -> Keyed {
        let list = |names: &[String]| json!(names).to_string();
        Keyed {
            sub: caller.sub.clone(),
            scopes: list(&caller.scopes),
            groups: list(&caller.groups),
        }
    }

    /// Returns the caller; `None` if the lists cannot be read.
    pub fn caller(&self, admin_group: &str) -> Option<Caller> {
        let list = |names: &str| serde_json::from_str::<Vec<String>>(names).ok();
        Some(Caller {
            sub: Some(self.sub.clone()).filter(|sub| !sub.is_empty())?,
            groups: list(&self.groups)?,
            scopes: list(&self.scopes)?,
            has_key: true,
            admin_group: admin_group.into(),
        })
    }
}

/// Answers the gateway's questions until the environment ends. `find` returns who has the key in a
/// token. Where it fails, the gateway answers 500 and asks again with the next request.
///
/// # Errors
/// Returns the platform's error if it cannot be reached.
pub async fn serve_authorizer(
    find: impl AsyncFn(&str) -> Result<Option<Caller>>,
) -> std::result::Result<(), crate::Error> {
    crate::log_as_json();
    let find = &find;
    lambda_runtime::run(service_fn(async |event: LambdaEvent<Question>| {
        answer(find, &event.payload).await.map_err(crate::Error::from)
    }))
    .await
}

async fn answer(
    find: &impl AsyncFn(&str) -> Result<Option<Caller>>,
    question: &Question,
) -> Result<Verdict> {
    let sources = question.identity_source.as_deref().unwrap_or_default();
    let caller = match sources {
        [header] => match bearer(header) {
            Some(token) => find(token).await?,
            None => None,
        },
        _ => None,
    };
    Ok(Verdict { is_authorized: caller.is_some(), context: caller.as_ref().map(Keyed::of) })
}

/// Returns the token in a header `authorization` (RFC 6750).
pub fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Error;

    fn ci() -> Caller {
        Caller {
            sub: "key-1".into(),
            groups: vec!["EU, ops".into()],
            scopes: vec!["read".into(), "write".into()],
            has_key: true,
            admin_group: "admins".into(),
        }
    }

    async fn asked(question: serde_json::Value) -> Result<serde_json::Value> {
        let find = async |token: &str| match token {
            "good" => Ok(Some(ci())),
            "away" => Err(Error::unavailable("the table", "it is away")),
            _ => Ok(None),
        };
        let verdict = answer(&find, &serde_json::from_value(question).unwrap()).await?;
        Ok(serde_json::to_value(verdict).unwrap())
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_good_key_passes_with_what_it_allows_and_nothing_else_does() {
        let passed = asked(json!({"identitySource": ["bearer  good "]})).await.unwrap();
        assert_eq!(passed["isAuthorized"], true);
        let keyed: Keyed = serde_json::from_value(passed["context"].clone()).unwrap();
        assert_eq!(keyed.caller("admins"), Some(ci()));
        let refused = json!({"isAuthorized": false});
        for sources in [
            json!(["Bearer bad"]),
            json!(["good"]),
            json!(["Bearer good", "x"]),
            json!([]),
            json!(null),
        ] {
            let question = json!({ "identitySource": sources });
            assert_eq!(asked(question.clone()).await.unwrap(), refused, "{question}");
        }
        assert!(asked(json!({"identitySource": ["Bearer away"]})).await.is_err());
    }

    #[test]
    fn what_no_authorizer_wrote_is_nobody() {
        let keyed = |sub: &str, groups: &str| Keyed {
            sub: sub.into(),
            scopes: "[]".into(),
            groups: groups.into(),
        };
        assert!(keyed("key-1", "[]").caller("admins").is_some());
        assert_eq!(keyed("", "[]").caller("admins"), None);
        assert_eq!(keyed("key-1", "admins").caller("admins"), None);
    }
}
