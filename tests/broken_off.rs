//! Tests that work interrupted by a kill or by a closing case is completed later, or not done at
//! all.

use ports::{Answers, Cases, Keeping, KeptAnswer, QueryCache, WrittenQueries};
use testing::open_case;

use super::*;

#[tokio::test]
async fn an_answer_that_is_made_while_its_case_closes_is_not_kept() {
    let dynamo = Dynamo::start().await;
    let table = dynamo.table(None);
    let now: jiff::Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let case = open_case("01JCASE0000000000000000001", "ann", now);
    table.create_case(&case, None).await.unwrap();
    let keeping = |id: &str| Keeping {
        answer: KeptAnswer {
            answer_id: id.into(),
            scope: Scope::Case(case.case_id.clone()),
            mode: "extractive".into(),
            corpus: 1,
            body: "{}".into(),
            expires_at: now + jiff::SignedDuration::from_hours(1),
        },
        documents: std::collections::BTreeMap::new(),
        cache: Some((id.into(), now + jiff::SignedDuration::from_hours(1))),
        made_at: now,
        vectors: Vec::new(),
        vectors_until: now,
    };
    table.keep(&keeping("01A")).await.unwrap();
    assert!(table.answer("01A", now).await.unwrap().is_some());
    table.begin_closing(&case.case_id, "ann", now).await.unwrap();
    assert!(table.keep(&keeping("01B")).await.is_err());
    assert_eq!(table.answer("01B", now).await.unwrap(), None);
}

#[tokio::test]
async fn what_a_model_wrote_of_a_question_is_not_kept_when_its_case_closes() {
    let dynamo = Dynamo::start().await;
    let table = dynamo.table(None);
    let now: jiff::Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let case = open_case("01JCASE0000000000000000001", "ann", now);
    table.create_case(&case, None).await.unwrap();
    let scope = Scope::Case(case.case_id.clone());
    let until = now + jiff::SignedDuration::from_hours(1);
    let written = WrittenQueries::default();
    table.keep_queries(&scope, "before", &written, until).await.unwrap();
    assert!(table.queries(&scope, "before", now).await.unwrap().is_some());
    table.begin_closing(&case.case_id, "ann", now).await.unwrap();
    assert!(table.keep_queries(&scope, "meanwhile", &written, until).await.is_err());
    assert_eq!(table.queries(&scope, "meanwhile", now).await.unwrap(), None);
}
