//! The contract of the index: the same tests for the fakes, for `DynamoDB` and for Qdrant.

use jiff::Timestamp;
use uuid::Uuid;

use model::document::{DocumentType, Lifecycle, Origin, Passage, document_id, passage_id};
use model::evidence::PointKind;
use model::facts::{Facts, FailureReport};
use ports::filter::Filters;
use ports::scope::{Grant, Scope};
use ports::{Brings, Index, Point, Publisher, Search, SearchBy};
use text::language::Language;

use super::document_points_contract::document_points;
use super::sample::point;
use super::usual_contract::usual;

pub(super) fn passage(document: Uuid, version: &str, position: u32, text: &str) -> Passage {
    let time: Timestamp = "2026-11-20T18:10:00Z".parse().unwrap();
    let minutes = jiff::SignedDuration::from_mins(i64::from(position));
    Passage {
        id: passage_id(document, version, position),
        scope: Some(Scope::Global),
        document_id: document,
        version: version.into(),
        position,
        name: "a/pump log.md".into(),
        title: "Pump".into(),
        section: "Cause > Deep".into(),
        document_type: DocumentType::Postmortem,
        source: Origin::Docs,
        tags: vec!["pump".into(), "seal".into()],
        author: Some("Ada".into()),
        standard: None,
        commit: None,
        edition: Some("3.4".into()),
        lifecycle: Some(Lifecycle::Superseded),
        language: Some("en".into()),
        severity: if position == 0 { vec!["ERROR".into()] } else { Vec::new() },
        code: vec!["E1042".into()],
        lines: Some((position * 10 + 1, position * 10 + 10)),
        time: Some((time + minutes, time + minutes)),
        assumed: Some("UTC, 2026".into()),
        uri: Some("https://example.com/pump".into()),
        article: Some("KB-7".into()),
        ordinal: Some(2),
        text: text.into(),
        facts: Facts::default(),
        unmasked: None,
    }
}

pub(super) fn dense(direction: usize) -> Search {
    let mut vector = vec![0.1; 8];
    vector[direction] = 1.0;
    Search { of: PointKind::Passage, by: SearchBy::Dense(vector), depth: 10, brings: Brings::Ids }
}

pub(super) fn words(text: &str) -> Search {
    Search {
        of: PointKind::Passage,
        by: SearchBy::Bm25(text.into(), Language::English),
        depth: 10,
        brings: Brings::Ids,
    }
}

/// Checks that a new version replaces the old one without a gap, that filters and scopes apply to
/// every search, and that passages are returned whole. Vectors have eight dimensions.
pub async fn index_contract(index: &(impl Index + Publisher)) {
    let [one, two] = [Scope::Global, Scope::User("bob".into())].map(|x| Grant::unchecked(&[x]));
    let document = document_id(&Scope::Global, "contract");
    let searches = || vec![dense(0), words("seals")];
    let find = async |grant: &Grant, filters: &str| {
        let filters = Filters::parse(
            serde_json::from_str::<serde_json::Value>(filters).unwrap().as_object().unwrap(),
        )
        .unwrap();
        let searches = index.search(grant, &filters, searches()).await.unwrap();
        searches
            .into_iter()
            .map(|found| found.hits.into_iter().map(|hit| hit.passage_id).collect::<Vec<Uuid>>())
            .collect::<Vec<_>>()
    };
    let nothing: [Vec<Uuid>; 2] = [vec![], vec![]];
    assert_eq!(find(&one, "{}").await, nothing, "an empty index has no hits");

    let passages = [
        passage(document, "01A", 0, "seal wear again"),
        passage(document, "01A", 1, "the motor ran hot"),
    ];
    let ids = passages.clone().map(|passage| passage.id);
    let points: Vec<Point> = passages
        .iter()
        .cloned()
        .enumerate()
        .map(|(direction, passage)| point(passage, direction))
        .collect();
    index.stage(&Scope::Global, points.clone()).await.unwrap();
    assert_eq!(find(&one, "{}").await, nothing, "what is staged is not seen");
    index.stage(&Scope::Global, points).await.unwrap();
    assert!(!index.is_published(&Scope::Global, &ids).await.unwrap());
    index.publish(&Scope::Global, document, "01A", &ids).await.unwrap();
    assert!(index.is_published(&Scope::Global, &ids).await.unwrap());
    let foreign = Scope::User("bob".into());
    assert!(!index.is_published(&foreign, &ids).await.unwrap(), "they are in another scope");
    let missing = [ids[0], passage_id(document, "01A", 2)];
    assert!(!index.is_published(&Scope::Global, &missing).await.unwrap());
    let published = index.publish(&Scope::Global, document, "01A", &missing).await;
    assert!(published.is_err(), "a point that is missing is told");
    assert_eq!(
        find(&one, r#"{"severity": "ERROR"}"#).await[0],
        [ids[0]],
        "the dense search finds and filters"
    );
    assert_eq!(find(&two, "{}").await, nothing, "another scope sees nothing");

    for (filters, expected) in [
        (r#"{"line": {"gte": 11}}"#, vec![ids[1]]),
        (r#"{"line": 10}"#, vec![ids[0]]),
        (r#"{"time": {"gt": "2026-11-20T18:10:00Z"}}"#, vec![ids[1]]),
        (r#"{"time": {"lte": "2026-11-20T18:10:00Z"}}"#, vec![ids[0]]),
        (
            r#"{"document_type": ["runbook", "postmortem"], "tags": "seal", "author": "Ada"}"#,
            vec![ids[0], ids[1]],
        ),
        (r#"{"document_type": "runbook"}"#, vec![]),
        (r#"{"edition": "3.4", "lifecycle": ["draft", "superseded"]}"#, vec![ids[0], ids[1]]),
        (r#"{"edition": "3"}"#, vec![]),
        (r#"{"lifecycle": "draft"}"#, vec![]),
    ] {
        let searches = find(&one, filters).await;
        assert_eq!(searches[0], expected, "{filters}");
        assert!(
            searches[1].iter().all(|id| expected.contains(id)),
            "{filters} holds in the BM25 search, too"
        );
    }

    let mut whole = index.documents(&one, &[document], &[]).await.unwrap();
    whole.sort_by_key(|passage| passage.position);
    assert_eq!(whole, passages, "passages come back as they were");
    assert!(index.documents(&two, &[document], &[ids[0]]).await.unwrap().is_empty());
    assert_eq!(index.passages(&one, &[ids[1], Uuid::nil()]).await.unwrap(), [passages[1].clone()]);
    assert!(index.passages(&two, &ids).await.unwrap().is_empty());
    for brings in [Brings::Passages, Brings::PassagesOnce] {
        let bringing = || Search { brings, ..dense(0) };
        let searches =
            index.search(&one, &Filters::default(), vec![bringing(), bringing()]).await.unwrap();
        let brought = |search: usize| {
            searches[search].hits.iter().filter_map(|hit| hit.passage.as_deref().cloned())
        };
        assert_eq!(
            brought(0).collect::<Vec<_>>(),
            passages,
            "a search brings its passages in its order"
        );
        assert_eq!(
            (searches[1].hits.len(), brought(1).count()),
            (2, 0),
            "each passage comes once a call"
        );
    }
    usual(index, &one, &two).await;
    document_points(index, &one, &two).await;
    replacement(index, &one, document).await;
    decisions(index).await;
    letters_without_blanks(index).await;
    abbreviations(index).await;
    report_with_a_secret(index).await;
}

/// Checks that a secret in the report of a passage is masked, where its own text has none.
async fn report_with_a_secret(index: &(impl Index + Publisher)) {
    let scope = Scope::Project("03J".into());
    let id = document_id(&scope, "mills");
    let other = passage(id, "01A", 1, "The password: hunter2-Zx81 had expired.");
    let cause = other.fact(0..other.text.len());
    let report = FailureReport { root_cause: Some(cause), ..FailureReport::default() };
    let facts = Facts { report: Some(report), ..Facts::default() };
    let first = Passage { facts, ..passage(id, "01A", 0, "The mill stood still.") };
    let ids = [first.id];
    index.stage(&scope, vec![point(first, 3)]).await.unwrap();
    index.publish(&scope, id, "01A", &ids).await.unwrap();
    let found = index.passages(&Grant::unchecked(&[scope]), &ids).await.unwrap();
    let report = found[0].facts.report.as_ref().unwrap();
    assert!(!report.root_cause.as_ref().unwrap().text.contains("hunter2"));
}

/// Checks that a part of a Chinese sentence is found, and that a Latin word beside it is.
async fn letters_without_blanks(index: &(impl Index + Publisher)) {
    let scope = Scope::Project("02J".into());
    let ids = [("logs", "所有Kafka日志的保存期限为90天。"), ("pump", "水泵每天检查一次。")]
        .map(|(name, text)| (document_id(&scope, name), text));
    for (id, text) in ids {
        let passage = Passage { language: Some("zh".into()), ..passage(id, "01A", 0, text) };
        index.stage(&scope, vec![point(passage, 3)]).await.unwrap();
        index.publish(&scope, id, "01A", &[passage_id(id, "01A", 0)]).await.unwrap();
    }
    let grant = Grant::unchecked(&[scope]);
    let search =
        |text: &str| Search { by: SearchBy::Bm25(text.into(), Language::of(text)), ..words(text) };
    let searches = vec![search("日志保存多久？"), search("Kafka 期限"), search("kafka")];
    for ranked in index.search(&grant, &Filters::default(), searches).await.unwrap() {
        let found: Vec<Uuid> = ranked.hits.iter().map(|hit| hit.document_id).collect();
        assert_eq!(found, [ids[0].0]);
    }
}

/// Checks that an abbreviation is found in singular and plural.
async fn abbreviations(index: &(impl Index + Publisher)) {
    let scope = Scope::Project("03J".into());
    let ids = [("one", "A node with one GPU."), ("two", "Nodes with two GPUs.")]
        .map(|(name, text)| (document_id(&scope, name), text));
    for (id, text) in ids {
        index.stage(&scope, vec![point(passage(id, "01A", 0, text), 3)]).await.unwrap();
        index.publish(&scope, id, "01A", &[passage_id(id, "01A", 0)]).await.unwrap();
    }
    let grant = Grant::unchecked(&[scope]);
    let searches = vec![words("GPU"), words("GPUs")];
    for ranked in index.search(&grant, &Filters::default(), searches).await.unwrap() {
        assert_eq!(ranked.hits.len(), 2);
    }
}

/// Checks that decisions are found separately from documents, whatever the filters are, and by
/// their status if a search asks for it.
async fn decisions(index: &(impl Index + Publisher)) {
    let scope = Scope::Project("01J".into());
    let decision = |name: &str, status: &str| {
        let passage = passage(document_id(&scope, name), "01A", 0, "seal decision");
        let passage = Passage { tags: vec![status.into()], ..passage };
        Point { kind: PointKind::Decision, ..point(passage, 2) }
    };
    let points = [decision("one", "accepted"), decision("two", "rejected")];
    let ids = points.clone().map(|point| point.passage.document_id);
    index.stage(&scope, points.into()).await.unwrap();
    for id in ids {
        index.publish(&scope, id, "01A", &[passage_id(id, "01A", 0)]).await.unwrap();
    }
    let grant = Grant::unchecked(&[Scope::Global, scope.clone()]);
    let filter = serde_json::json!({"document_type": "log"});
    let filters = Filters::parse(filter.as_object().unwrap()).unwrap();
    let search = |of: PointKind| Search { of, ..dense(2) };
    let kinds = [PointKind::Decision, PointKind::Accepted, PointKind::Passage];
    let found = index.search(&grant, &filters, kinds.map(search).into()).await.unwrap();
    let counts: Vec<usize> = found.iter().map(|hit| hit.hits.len()).collect();
    assert_eq!(counts, [2, 1, 0]);
    let none = Filters::default();
    let found = index.search(&grant, &none, vec![search(PointKind::Passage)]).await.unwrap();
    assert!(found[0].hits.iter().all(|hit| !ids.contains(&hit.document_id)));
    let stranger = Grant::unchecked(&[Scope::Global]);
    let found = index.search(&stranger, &filters, vec![search(PointKind::Decision)]);
    assert!(found.await.unwrap()[0].hits.is_empty());
}

async fn replacement(index: &(impl Index + Publisher), grant: &Grant, document: Uuid) {
    let versions = async || {
        let mut seen: Vec<String> = index
            .documents(grant, &[document], &[])
            .await
            .unwrap()
            .into_iter()
            .map(|passage| passage.version)
            .collect();
        seen.sort();
        seen
    };
    index
        .stage(&Scope::Global, vec![point(passage(document, "01B", 0, "seal replaced"), 0)])
        .await
        .unwrap();
    assert_eq!(
        versions().await,
        ["01A", "01A"],
        "the old version stays until the new one is published"
    );
    let points = [passage_id(document, "01B", 0)];
    index.publish(&Scope::Global, document, "01B", &points).await.unwrap();
    assert_eq!(versions().await, ["01B"], "the new version replaces the old one whole");
    let found = index.search(grant, &Filters::default(), vec![words("replaced")]).await.unwrap();
    let versions: Vec<&str> = found[0].hits.iter().map(|hit| hit.version.as_str()).collect();
    assert_eq!(versions, ["01B"], "and is found by its words");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FakeIndex;

    #[test]
    fn the_fake_index_keeps_the_contract() {
        pollster::block_on(index_contract(&FakeIndex::default()));
    }
}
