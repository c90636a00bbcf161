//! Tests answers that a language model writes and checks.

use ports::Model;
use std::sync::Mutex;

use async_trait::async_trait;

use super::*;
use ports::{Completion, Prompt};

/// A model with given replies: first a query, then claims, then their grades.
#[derive(Default)]
struct Scripted {
    query: Option<Value>,
    grades: Option<Value>,
    /// The prompts that asked for grades.
    told: Mutex<Vec<String>>,
    claims: Mutex<Vec<Option<Value>>>,
}

#[async_trait]
impl Model for Scripted {
    async fn complete(&self, prompt: &Prompt<'_>) -> Result<Completion> {
        let answer = match prompt.tool.unwrap().name {
            "query" => self.query.clone(),
            "queries" => Some(json!({"queries": ["pool exhausted", "Which pool was exhausted?"]})),
            "grades" => {
                self.told.lock().unwrap().push(prompt.user.to_owned());
                self.grades.clone()
            }
            _ => {
                assert!(prompt.user.contains("<passage id=\"p1\""));
                self.claims.lock().unwrap().remove(0)
            }
        };
        let content = answer.ok_or_else(|| Error::unavailable("the language model", "slow"))?;
        Ok(Completion { content, tokens_in: 7, tokens_out: 3 })
    }
}

fn written(site: &Site, claims: Option<Value>) -> Given {
    checked(site, claims, &[1, 1, 1])
}

/// Returns an answer with these claims, which a model grades with `grades`.
fn checked(site: &Site, claims: Option<Value>, grades: &[u8]) -> Given {
    told(site, claims, grades).0
}

/// Returns the same, with the prompts for the checks.
fn told(site: &Site, claims: Option<Value>, grades: &[u8]) -> (Given, Vec<String>) {
    let request = json!({"question": "Which pool was exhausted?", "mode": "generative"});
    let grades = (1..).zip(grades).map(|(number, grade)| (format!("c{number}"), json!(grade)));
    let (query, grades) = (Some(json!({})), Some(grades.collect()));
    let model = Scripted { query, grades, claims: Mutex::new(vec![claims]), ..Scripted::default() };
    let given = site.ask_with(&case(), request, Some(&model)).unwrap();
    (given, model.told.into_inner().unwrap())
}

#[test]
fn of_what_a_model_writes_only_what_stands_in_its_passages_is_kept() {
    let claim = |text: &str, cited: &str| json!({"text": text, "citations": [cited]});
    let claims = json!({"claims": [
        claim("The pool db-main was exhausted after 30000 ms (E1042).", "p1"),
        claim("The pool was exhausted after 99 ms.", "p1"),
        claim("The pool db-main was exhausted.", "p9"),
    ]});
    let given = written(&evidence(), Some(claims));
    assert_eq!(given.report.support, Support { claims: 3, supported: 1, dropped: 2, removed: 1 });
    assert_eq!(given.report.claims.len(), 1);
    assert!(given.report.citations[0].quote.contains("db-main exhausted"));
    assert_eq!(given.report.queries_written, ["pool exhausted"], "but not the question itself");
    let none = Some(json!({"claims": [claim("It was 12.", "p1")]}));
    let none = checked(&evidence(), none, &[0]);
    assert_eq!(none.report.abstained.unwrap().reason, AbstentionReason::BelowThreshold);
}

#[test]
fn a_model_checks_what_another_wrote_in_other_words() {
    let claim = |text: &str| json!({"text": text, "citations": ["p1"]});
    let claims = || {
        Some(json!({"claims": [
            claim("All connections of db-main were taken, which E1042 tells."),
            claim("The pool db-main never came back after E1042."),
            claim("The pool was exhausted after 99 ms."),
        ]}))
    };
    let (given, told) = told(&evidence(), claims(), &[1, 0, 1]);
    assert!(told[0].contains("\nc2 (p1): The pool db-main never came back"), "{}", told[0]);
    assert!(
        !told[0].contains("99 ms") && !told[0].contains("c3"),
        "what rules refuse costs nothing"
    );
    assert_eq!(given.report.support, Support { claims: 3, supported: 1, dropped: 2, removed: 0 });
    assert!(given.report.answer.contains("were taken"), "{}", given.report.answer);
    assert!(!given.report.answer.contains("99 ms"), "a number that stands nowhere");
    assert!(given.degraded.is_empty());
    let unchecked = checked(&evidence(), claims(), &[]);
    assert_eq!(unchecked.degraded[0].part, "check of the claims");
    assert_eq!(unchecked.report.support.supported, 0, "by rules alone");
}

#[test]
fn a_model_that_fails_leaves_the_documents_own_words_and_is_named() {
    for claims in [None, Some(json!({"claims": "none"}))] {
        let given = written(&evidence(), claims);
        assert_eq!(given.degraded[0].part, "language model");
        assert!(given.report.answer.contains("db-main exhausted"));
    }
}

#[test]
fn a_model_reads_the_question_as_a_query_and_the_rules_where_it_cannot() {
    let ask = |query: Option<Value>| {
        let request = json!({"question": "How many ERROR entries?", "mode": "generative"});
        let model = Scripted { query, ..Scripted::default() };
        evidence().ask_with(&case(), request, Some(&model)).unwrap()
    };
    let query = json!({"where": {"code": "E1042"}, "select": "count"});
    let given = ask(Some(json!({"is_of_records": true, "queries": [query], "unread": ["soon"]})));
    assert!(given.report.answer.starts_with("2 records with code E1042; not read: soon"));
    assert_eq!((given.report.queries_written.len(), given.degraded.len()), (0, 0));
    for query in [None, Some(json!({"is_of_records": true, "queries": [{"where": {"x": 1}}]}))] {
        let given = ask(query);
        assert!(given.report.answer.starts_with("3 records with level ERROR"));
        assert_eq!(given.degraded[0].part, "query by the language model");
    }
}
