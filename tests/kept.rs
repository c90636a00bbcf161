//! Tests that the table gives back what it keeps for a while as it was.

use ports::{
    Answers, Cached, ConflictStore, FoundConflicts, Keeping, KeptAnswer, KeptSearch, SearchCache,
};

use super::*;

const ID: &str = "01JANSWER00000000000000001";

#[tokio::test]
async fn an_answer_comes_back_under_its_id_and_under_its_key_until_it_expires() {
    let table = Dynamo::start().await.table(None);
    let now: jiff::Timestamp = "2026-11-20T18:00:00.25Z".parse().unwrap();
    let until = "2026-11-20T19:00:00Z".parse().unwrap();
    let answer = KeptAnswer {
        answer_id: ID.into(),
        scope: Scope::User("ann".into()),
        mode: "extractive".into(),
        corpus: 3,
        body: "{\"answer\":\"It ran dry.\"}".into(),
        expires_at: until,
    };
    let keeping = Keeping {
        answer: answer.clone(),
        cache: Some(("k".into(), until)),
        made_at: now,
        vectors: vec![("v".into(), vec![0.5, -1.0])],
        vectors_until: until,
    };
    table.keep(&keeping).await.unwrap();
    assert_eq!(table.answer(ID, now).await.unwrap(), Some(answer.clone()));
    assert_eq!(table.answer(ID, until).await.unwrap(), None);
    let read = table.read_cache(&answer.scope, "ann", "k", &["v".into()]).await.unwrap();
    let KeptAnswer { answer_id, body, corpus, expires_at, .. } = answer;
    let cached = Cached { answer_id, body, corpus, made_at: now, expires_at };
    assert_eq!(read.cached, Some(cached));
    assert_eq!(read.vectors["v"], [0.5, -1.0]);
}

#[tokio::test]
async fn a_search_and_the_conflicts_of_a_knowledge_base_come_back_as_they_were_kept() {
    let table = Dynamo::start().await.table(None);
    let scopes = [Scope::Global, Scope::Team("a".into())];
    let kept = KeptSearch {
        body: "{}".into(),
        corpus: vec![2, 0],
        expires_at: "2026-11-20T19:00:00Z".parse().unwrap(),
    };
    table.keep_search(&Scope::Global, "k", &kept).await.unwrap();
    let read = table.search(&scopes, &Scope::Global, "k").await.unwrap();
    assert_eq!(read, (vec![0, 0], Some(kept)));
    for confirmed_by in [None, Some("acme.judge".to_owned())] {
        let found = FoundConflicts {
            body: "[]".into(),
            found_at: "2026-11-20T18:00:00.25Z".parse().unwrap(),
            corpus: 2,
            passages: 40,
            is_complete: false,
            confirmed_by,
        };
        table.keep_conflicts(&Scope::Global, &found).await.unwrap();
        assert_eq!(table.conflicts(&Scope::Global).await.unwrap(), (0, Some(found)));
    }
}
