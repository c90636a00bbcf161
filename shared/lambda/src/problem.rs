//! Turns errors into problem details (RFC 9457). This is the only place that knows status codes.

use model::Error;
use wire::problem::{FieldProblem, Problem, ProblemCode};

/// The reply to a request that failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) problem: Problem,
    /// The seconds after which another try makes sense.
    pub(crate) retry_after: Option<u64>,
    /// The scope that the token lacks.
    pub(crate) scope: Option<String>,
}

impl Refusal {
    /// Returns the refusal for the caller and logs the cause.
    pub(crate) fn logged(error: &Error, instance: &str) -> Refusal {
        if let Error::Unavailable { service, cause } = error {
            tracing::error!(service, cause = cause.to_string(), "a service did not answer");
        }
        Refusal::of(error, instance)
    }

    /// Returns the refusal for the caller. It never contains the cause.
    pub(crate) fn of(error: &Error, instance: &str) -> Refusal {
        let (status, title, code) = match error {
            Error::Malformed { .. } => (400, "Bad Request", ProblemCode::Malformed),
            Error::Unproven { .. } => (401, "Unauthorized", ProblemCode::Unauthorized),
            Error::Denied { .. } | Error::Unscoped { .. } => {
                (403, "Forbidden", ProblemCode::Forbidden)
            }
            Error::Missing { .. } => (404, "Not Found", ProblemCode::NotFound),
            Error::Conflict { .. } => (409, "Conflict", ProblemCode::Conflict),
            Error::TooLarge { .. } => (413, "Content Too Large", ProblemCode::TooLarge),
            Error::Invalid { .. } => (422, "Unprocessable Content", ProblemCode::Invalid),
            Error::TooMany { .. } => (429, "Too Many Requests", ProblemCode::RateLimited),
            Error::Unavailable { .. } => (503, "Service Unavailable", ProblemCode::Unavailable),
        };
        let errors = match error {
            Error::Malformed { field, reason } | Error::Invalid { field, reason } => {
                vec![FieldProblem { field: field.to_string(), reason: reason.clone() }]
            }
            Error::Conflict { field, reason } => {
                vec![FieldProblem { field: (*field).into(), reason: reason.clone() }]
            }
            Error::TooLarge { field, limit, unit } => {
                vec![FieldProblem {
                    field: (*field).into(),
                    reason: format!("must be at most {limit} {unit}"),
                }]
            }
            _ => Vec::new(),
        };
        let retry_after = match error {
            Error::TooMany { retry_after, .. } => Some(*retry_after),
            _ => None,
        };
        let scope = match error {
            Error::Unscoped { scope } => Some(scope.clone()),
            _ => None,
        };
        let problem =
            Problem { errors, ..problem(status, title, code, error.to_string(), instance) };
        Refusal { problem, retry_after, scope }
    }

    /// Returns the refusal for an answer that is larger than the platform accepts.
    pub(crate) fn too_much(instance: &str) -> Refusal {
        let reason = "ask for fewer (`top_k`, `limit`), or narrow it down by `filters`";
        let detail = format!("the answer has more than 6 MB, which no reply takes: {reason}");
        let errors = vec![FieldProblem { field: "top_k".into(), reason: reason.into() }];
        let problem = problem(422, "Unprocessable Content", ProblemCode::Invalid, detail, instance);
        Refusal { problem: Problem { errors, ..problem }, retry_after: None, scope: None }
    }

    /// Returns the refusal for a caller whose token the gateway did not check.
    pub(crate) fn unknown_caller(instance: &str) -> Refusal {
        let detail = "the request carries no access token that was checked".into();
        let problem = problem(401, "Unauthorized", ProblemCode::Unauthorized, detail, instance);
        Refusal { problem, retry_after: None, scope: None }
    }
}

/// Returns the problem details of an error and logs the cause; `instance` is the request's id.
pub fn problem_of(error: &Error, instance: &str) -> Problem {
    Refusal::logged(error, instance).problem
}

/// Returns the status code of an error.
pub fn status_of(error: &Error) -> u16 {
    Refusal::of(error, "").problem.status
}

fn problem(status: u16, title: &str, code: ProblemCode, detail: String, instance: &str) -> Problem {
    Problem {
        kind: "about:blank".into(),
        code,
        title: title.into(),
        status,
        detail,
        instance: instance.into(),
        errors: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_the_field_and_never_the_cause() {
        let problem_json =
            |error: Error| serde_json::to_value(Refusal::of(&error, "01A").problem).unwrap();
        insta::assert_json_snapshot!(problem_json(Error::invalid("question", "must not be empty")), @r#"
        {
          "code": "invalid",
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
        let unavailable = problem_json(Error::unavailable("the index", "secret host refused"));
        assert_eq!(unavailable["status"], 503);
        assert_eq!(unavailable["detail"], "the index did not answer");
        assert!(!unavailable.to_string().contains("secret"));
    }
}
