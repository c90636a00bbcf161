//! Tests that the table gives back what it keeps for a while as it was.

use ports::{
    Answers, Cached, ConflictStore, DocumentCleanup, Documents, FoundConflicts, Keeping,
    KeptAnswer, KeptSearch, Record, SearchCache, Unfinished,
};
use std::collections::{BTreeMap, BTreeSet};
use testing::{caller, keys_contract, live, record};
use uuid::Uuid;

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
        documents: BTreeMap::new(),
        cache: Some(("k".into(), until)),
        made_at: now,
        vectors: vec![("v".into(), vec![0.5, -1.0])],
        vectors_until: until,
    };
    table.keep(&keeping).await.unwrap();
    assert_eq!(table.answer(ID, now).await.unwrap(), Some(answer.clone()));
    assert_eq!(table.answer(ID, until).await.unwrap(), None);
    let read = table.read_cache(&answer.scope, &caller("ann"), "k", &["v".into()]).await.unwrap();
    let KeptAnswer { answer_id, body, corpus, expires_at, .. } = answer;
    let cached = Cached { answer_id, body, corpus, made_at: now, expires_at };
    assert_eq!(read.cached, Some(cached));
    assert_eq!(read.vectors["v"], [0.5, -1.0]);
}

#[tokio::test]
async fn an_answer_that_cites_an_erased_document_goes_and_others_stay() {
    let table = Dynamo::start().await.table(None);
    let now: jiff::Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
    let until = "2026-11-20T19:00:00Z".parse().unwrap();
    let (erased, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let ann = Scope::User("ann".into());
    let keep = async |scope: &Scope, id: &str, cited: &[(&Scope, Uuid)]| {
        let mut documents: BTreeMap<Scope, BTreeSet<Uuid>> = BTreeMap::new();
        for (of, document) in cited {
            documents.entry((*of).clone()).or_default().insert(*document);
        }
        let keeping = Keeping {
            answer: KeptAnswer {
                answer_id: id.into(),
                scope: scope.clone(),
                mode: "extractive".into(),
                corpus: 3,
                body: "{}".into(),
                expires_at: until,
            },
            documents,
            cache: Some((id.into(), until)),
            made_at: now,
            vectors: Vec::new(),
            vectors_until: until,
        };
        table.keep(&keeping).await.unwrap();
    };
    let team = Scope::Team("a".into());
    keep(&ann, "01CITES", &[(&ann, other), (&ann, erased)]).await;
    keep(&ann, "01OTHER", &[(&ann, other)]).await;
    keep(&ann, "01NOTHING", &[]).await;
    keep(&team, "01TEAM", &[(&ann, erased), (&team, other)]).await;
    keep(&Scope::Global, "01GLOBAL", &[(&Scope::Global, erased)]).await;
    table.forget_answers(&ann, erased).await.unwrap();
    let is_kept = async |id: &str| table.answer(id, now).await.unwrap().is_some();
    assert!(!is_kept("01CITES").await && !is_kept("01TEAM").await);
    assert!(is_kept("01OTHER").await && is_kept("01NOTHING").await && is_kept("01GLOBAL").await);
    let again = async |scope: &Scope, key: &str| {
        table.read_cache(scope, &caller("ann"), key, &[]).await.unwrap().cached.is_some()
    };
    assert!(!again(&ann, "01CITES").await && !again(&ann, "01OTHER").await);
    assert!(again(&Scope::Global, "01GLOBAL").await);
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

#[tokio::test]
async fn each_change_of_a_scope_counts_once_in_every_reading_of_its_counter() {
    let table = Dynamo::start().await.table(None);
    let (one, other) = (Scope::Team("a".into()), Scope::Team("a/b".into()));
    table.touch(&one).await.unwrap();
    assert_eq!(table.corpus_of(&one).await.unwrap(), 0, "nothing was there to count");
    for scope in [&one, &other] {
        let record = Record { scope: scope.clone(), ..record("first.md", "01A") };
        table.announce(&record, None).await.unwrap();
        let live = live("01A", &record);
        assert!(table.settle(scope, record.document_id, &live).await.unwrap());
    }
    for _ in 0..20 {
        table.touch(&one).await.unwrap();
    }
    assert_eq!(table.corpus_of(&one).await.unwrap(), 21);
    let scopes = [one.clone(), other.clone()];
    assert_eq!(table.search(&scopes, &other, "k").await.unwrap().0, [21, 1]);
    assert_eq!(table.conflicts(&other).await.unwrap().0, 1);
    assert_eq!(table.read_cache(&one, &caller("ann"), "k", &[]).await.unwrap().corpus, 21);
    table.delete_corpus_counter(&one).await.unwrap();
    assert_eq!(table.corpus_of(&one).await.unwrap(), 0);
    assert_eq!(table.corpus_of(&other).await.unwrap(), 1);
}

#[tokio::test]
async fn unfinished_work_of_many_is_listed_once_in_the_order_of_its_beginning() {
    let table = Dynamo::start().await.table(None);
    let versions: Vec<String> = (0..40).map(|number| format!("01A{number:02}")).collect();
    for version in &versions {
        table.announce(&record(&format!("{version}.md"), version), None).await.unwrap();
    }
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = table.unfinished("02", 7, after.as_deref()).await.unwrap();
        listed.extend(page.items.into_iter().map(|item| match item {
            Unfinished::Document(record) => record.version,
            other => panic!("{other:?}"),
        }));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(listed, versions);
}

#[tokio::test]
async fn keys_are_kept_as_the_contract_says() {
    keys_contract(&Dynamo::start().await.table(None)).await;
}
