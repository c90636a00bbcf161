//! Errors as problem details (RFC 9457). The only place that knows status codes.

use serde::Serialize;
use workflow::Error;

/// The body of every error.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    r#type: &'static str,
    title: &'static str,
    pub(crate) status: u16,
    detail: String,
    instance: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldError>,
    /// Seconds until it is worth another try: a header, and no part of the body.
    #[serde(skip)]
    pub(crate) retry_after: Option<u64>,
}

#[derive(Debug, Serialize)]
struct FieldError {
    field: String,
    reason: String,
}

impl Problem {
    /// What the caller is told. A cause never crosses the door.
    pub(crate) fn of(error: &Error, instance: &str) -> Problem {
        let (status, title) = match error {
            Error::Malformed { .. } => (400, "Bad Request"),
            Error::Denied { .. } => (403, "Forbidden"),
            Error::Missing { .. } => (404, "Not Found"),
            Error::Conflict { .. } => (409, "Conflict"),
            Error::TooLarge { .. } => (413, "Content Too Large"),
            Error::Invalid { .. } => (422, "Unprocessable Content"),
            Error::TooMany { .. } => (429, "Too Many Requests"),
            Error::Unavailable { .. } => (503, "Service Unavailable"),
        };
        let errors = match error {
            Error::Malformed { field, reason } | Error::Invalid { field, reason } => {
                vec![FieldError { field: field.to_string(), reason: reason.clone() }]
            }
            Error::Conflict { field, reason } => {
                vec![FieldError { field: (*field).into(), reason: reason.clone() }]
            }
            Error::TooLarge { field, limit, unit } => {
                vec![FieldError {
                    field: (*field).into(),
                    reason: format!("must be at most {limit} {unit}"),
                }]
            }
            _ => Vec::new(),
        };
        Problem {
            r#type: "about:blank",
            title,
            status,
            detail: error.to_string(),
            instance: instance.into(),
            errors,
            retry_after: match error {
                Error::TooMany { retry_after, .. } => Some(*retry_after),
                _ => None,
            },
        }
    }

    /// What a caller is told whose answer is larger than the platform takes.
    pub(crate) fn too_much(instance: &str) -> Problem {
        let reason = "ask for fewer (`top_k`, `limit`), or narrow it down by `filters`";
        Problem {
            r#type: "about:blank",
            title: "Unprocessable Content",
            status: 422,
            detail: format!("the answer has more than 6 MB, which no reply takes: {reason}"),
            instance: instance.into(),
            errors: vec![FieldError { field: "top_k".into(), reason: reason.into() }],
            retry_after: None,
        }
    }

    /// What a caller is told whose token the gateway did not check.
    pub(crate) fn unknown_caller(instance: &str) -> Problem {
        Problem {
            r#type: "about:blank",
            title: "Unauthorized",
            status: 401,
            detail: "the request carries no checked token".into(),
            instance: instance.into(),
            errors: Vec::new(),
            retry_after: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_the_field_and_never_the_cause() {
        let told = |error: Error| serde_json::to_value(Problem::of(&error, "01A")).unwrap();
        insta::assert_json_snapshot!(told(Error::invalid("question", "must not be empty")), @r#"
        {
          "detail": "invalid `question`: must not be empty",
          "errors": [
            {
              "field": "question",
              "reason": "must not be empty"
            }
          ],
          "instance": "01A",
          "status": 422,
          "title": "Unprocessable Content",
          "type": "about:blank"
        }
        "#);
        let unavailable = told(Error::unavailable("the index", "secret host refused"));
        assert_eq!(unavailable["status"], 503);
        assert_eq!(unavailable["detail"], "the index did not answer");
        assert!(!unavailable.to_string().contains("secret"));
    }
}
