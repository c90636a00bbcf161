use super::*;
use proptest::prelude::*;

fn hit(document: u128, version: &str, raw: f32) -> Hit {
    let document_id = Uuid::from_u128(document);
    let passage_id = passage_id(document_id, version, 0);
    Hit { passage_id, document_id, version: version.into(), raw, passage: None }
}

/// Returns a ranking that is not full and whose usual score is 0.
fn ranking(weight: f64, hits: &[(u128, f32)]) -> Ranking {
    Ranking {
        probe: 0,
        query: None,
        kind: RetrieverKind::Dense,
        of: PointKind::Passage,
        weight,
        depth: 60,
        hits: hits.iter().map(|(document, raw)| hit(*document, "1", *raw)).collect(),
        usual: None,
        best: None,
    }
}

fn order(rankings: &[Ranking]) -> Vec<u128> {
    documents(rankings, usize::MAX).iter().map(|found| found.document_id.as_u128()).collect()
}

#[test]
fn first_in_every_ranking_is_a_perfect_score() {
    let found = documents(&[ranking(1.0, &[(7, 0.9), (8, 0.8)]), ranking(0.5, &[(7, 12.0)])], 9);
    assert!((found[0].fusion - 1.0).abs() < 1e-9);
}

#[test]
fn weights_decide_whose_first_is_first() {
    let (one, two) = ([(1, 0.9), (2, 0.5)], [(2, 0.9), (1, 0.5)]);
    assert_eq!(order(&[ranking(1.0, &one), ranking(0.4, &two)]), [1, 2]);
    assert_eq!(order(&[ranking(0.4, &one), ranking(1.0, &two)]), [2, 1]);
}

#[test]
fn how_far_apart_two_hits_stand_counts_and_not_only_which_is_first() {
    let close = ranking(1.0, &[(1, 0.90), (2, 0.89)]);
    let apart = ranking(0.5, &[(2, 9.0), (1, 3.0)]);
    assert_eq!(order(&[close, apart]), [2, 1]);
}

#[test]
fn what_was_searched_apart_is_measured_by_the_best_of_all() {
    let mut groups = [vec![ranking(1.0, &[(1, 0.8)])], vec![ranking(1.0, &[(2, 0.4)])]];
    level(&mut groups);
    let fusion = |rankings: &[Ranking]| documents(rankings, 1)[0].fusion;
    assert!((fusion(&groups[0]) - 1.0).abs() < 1e-6 && (fusion(&groups[1]) - 0.5).abs() < 1e-6);
}

#[test]
fn a_score_is_measured_from_what_is_usual() {
    let hits = [(1, 0.9), (2, 0.8), (3, 0.7)];
    let usual = Usual { mean: 0.7, spread: Some(0.05) };
    let found = documents(&[Ranking { usual: Some(usual), ..ranking(1.0, &hits) }], 9);
    let of = |found: &Found| (found.rankings[0].score, found.rankings[0].z_score.unwrap());
    for (hit, (score, z_score)) in found.iter().zip([(1.0, 4.0), (0.5, 2.0), (0.0, 0.0)]) {
        assert!((of(hit).0 - score).abs() < 1e-6 && (of(hit).1 - z_score).abs() < 1e-5);
    }
}

#[test]
fn what_a_full_ranking_does_not_list_counts_as_its_last() {
    let (one, two) = ([(1, 0.9), (2, 0.6)], [(3, 9.0)]);
    let found = documents(&[Ranking { depth: 2, ..ranking(1.0, &one) }, ranking(1.0, &two)], 9);
    let third = found.iter().find(|hit| hit.document_id.as_u128() == 3).unwrap();
    let ranks: Vec<_> = third.rankings.iter().map(|ranking| (ranking.rank, ranking.raw)).collect();
    assert_eq!(ranks, [(None, None), (Some(1), Some(9.0))]);
    assert!((third.rankings[0].score - 0.6 / 0.9).abs() < 1e-6);
    let first = found.iter().find(|hit| hit.document_id.as_u128() == 1).unwrap();
    assert_eq!(first.rankings.len(), 1, "the second has room for more: it does not have the first");
}

#[test]
fn of_two_versions_only_the_higher_one_counts() {
    let hits = vec![hit(1, "1", 0.9), hit(2, "1", 0.8), hit(1, "2", 0.7)];
    let found = documents(&[Ranking { hits, ..ranking(1.0, &[]) }], 9);
    assert_eq!(found[0].document_id.as_u128(), 2);
    assert_eq!(found[1].passage_id, hit(1, "2", 0.7).passage_id);
}

#[test]
fn of_several_points_of_a_document_the_best_counts() {
    let points = ranking(1.0, &[(2, 0.9), (2, 0.8), (1, 0.7)]);
    let passages = passage_scores(&[Ranking { of: PointKind::Document, ..points }]);
    let ranks = |document| -> Vec<Option<usize>> {
        let parts = passages.parts(Uuid::from_u128(document), Uuid::nil());
        parts.rankings.iter().map(|ranking| ranking.rank).collect()
    };
    assert_eq!((ranks(2), ranks(1)), (vec![Some(1)], vec![Some(2)]));
}

#[test]
fn a_document_point_counts_for_every_passage_of_its_document() {
    let point = Ranking { of: PointKind::Document, ..ranking(1.0, &[(2, 0.9), (1, 0.5)]) };
    let passages = passage_scores(&[ranking(0.5, &[(1, 0.9), (2, 0.8)]), point]);
    let parts =
        |document| passages.parts(Uuid::from_u128(document), hit(document, "1", 0.0).passage_id);
    let ranks: Vec<_> = parts(1).rankings.iter().map(|ranking| ranking.rank).collect();
    assert_eq!(ranks, [Some(1), Some(2)]);
    assert!(parts(2).fusion > parts(1).fusion);
    let unfound = passages.parts(Uuid::from_u128(2), Uuid::nil());
    assert_eq!((unfound.rankings.len(), passages.has(Uuid::nil())), (1, false));
    assert!(passages.parts(Uuid::nil(), Uuid::nil()).total <= 0.0);
}

/// Generates rankings of invented hits, best first.
fn rankings(lists: &[(f64, Vec<(u128, f32)>)]) -> Vec<Ranking> {
    let sorted = |list: &Vec<(u128, f32)>| {
        let mut list = list.clone();
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
        list
    };
    lists
        .iter()
        .map(|(weight, list)| Ranking { depth: 15, ..ranking(*weight, &sorted(list)) })
        .collect()
}

proptest! {
    #[test]
    fn the_legs_give_the_fused_score_exactly(lists in prop::collection::vec((0.1f64..2.0, prop::collection::vec((0u128..30, 0.01f32..1.0), 0..20)), 1..6)) {
        let rankings = rankings(&lists);
        let most: f64 = rankings.iter().map(|ranking| ranking.weight).sum();
        for found in documents(&rankings, usize::MAX) {
            let sum: f64 = found.rankings.iter().map(|ranking| ranking.weight * ranking.score).sum();
            prop_assert!((found.fusion - sum / most).abs() < 1e-12);
            prop_assert!(found.fusion > 0.0 && found.fusion <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn every_document_is_found_once_and_best_first(lists in prop::collection::vec((0.5f64..1.0, prop::collection::vec((0u128..30, 0.01f32..1.0), 0..20)), 1..6)) {
        let found = documents(&rankings(&lists), usize::MAX);
        let mut ids: Vec<Uuid> = found.iter().map(|found| found.document_id).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), found.len());
        prop_assert!(found.windows(2).all(|pair| pair[0].fusion >= pair[1].fusion));
    }
}
