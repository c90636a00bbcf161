//! The contract of decisions that need review.

use uuid::Uuid;
use wire::decisions::{Decision, Nearest, Review};
use wire::projects::Project;

use super::{at, id, source};
use ports::{Projects, Reviews, Span, Written};

pub(super) async fn reviews<S: Projects + Reviews>(store: &S, project: &str, decision: &Decision) {
    let resting = store.resting_on(Uuid::from_u128(70)).await.unwrap();
    let mut found: Vec<&str> = resting.iter().map(|r| r.decision.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, [id(20), id(21)]);
    assert!(resting.iter().all(|r| r.project == project && r.source == source(1, 70)));
    assert!(store.resting_on(Uuid::from_u128(72)).await.unwrap().is_empty());
    let review = Review {
        passage_id: Uuid::from_u128(1),
        document_id: Uuid::from_u128(70),
        file: "a/seal.md".into(),
        was: "The seal lasted.".into(),
        nearest: Some(Nearest {
            passage_id: Uuid::from_u128(3),
            hash: "cd".into(),
            text: Some("The seal broke.".into()),
        }),
        since: at(30),
    };
    assert!(store.is_cited(Uuid::from_u128(70)).await.unwrap());
    assert!(!store.is_cited(Uuid::from_u128(72)).await.unwrap());
    // Every field has its maximum size: changes to its sources must never make a decision too large
    // for its item.
    let most = |number: u128| Review {
        passage_id: Uuid::from_u128(number),
        file: "\u{1F4A7}".repeat(512),
        was: noise(1_000, number),
        nearest: review
            .nearest
            .clone()
            .map(|r| Nearest { text: Some(noise(1_000, number + 50)), ..r }),
        ..review.clone()
    };
    let needs_review: Vec<Review> = (0..50).map(most).collect();
    let rationale = noise(180_000, 7);
    let flagged = Decision { version: 2, rationale, needs_review, ..decision.clone() };
    assert_eq!(store.revise(project, &[&flagged], None).await.unwrap(), Written::Done);
    let named = [decision.decision_id.clone()];
    let found = store.decisions_named(project, &named).await.unwrap();
    assert_eq!(found, std::slice::from_ref(&flagged), "and comes back as it was");
    let listed = store.decisions(project, &Span::default(), 10).await.unwrap();
    assert!(listed.contains(&flagged));
    assert_eq!(store.revise(project, &[&flagged], None).await.unwrap(), Written::Stale);
    let profile = store.profile(project).await.unwrap().unwrap();
    assert_eq!(profile.needs_review, std::slice::from_ref(&decision.decision_id));
    let edited = Project { version: profile.version + 1, needs_review: Vec::new(), ..profile };
    store.update(&edited).await.unwrap();
    let profile = store.profile(project).await.unwrap().unwrap();
    assert_eq!(profile.needs_review.len(), 1, "an edit leaves what needs review");
    let cleared = Decision { version: 3, needs_review: Vec::new(), ..flagged };
    assert_eq!(store.revise(project, &[&cleared], None).await.unwrap(), Written::Done);
    assert!(store.profile(project).await.unwrap().unwrap().needs_review.is_empty());
    let found = store.decisions_named(project, &named).await.unwrap();
    assert_eq!(found, [cleared]);
}

/// Returns characters that hardly compress, including control characters.
fn noise(count: usize, seed: u128) -> String {
    let mut state = u64::try_from(seed).unwrap() * 2 + 1;
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(u8::try_from(state >> 57).unwrap().max(1))
    };
    (0..count).map(next).collect()
}
