//! Scores by some of the rankings.

use super::{WHOLE, share, weight_of};
use model::evidence::{RankingScore, RetrieverKind, ScoreParts};

/// Computes the score by only those rankings for which `counts` returns true. Without the ranking
/// of exact strings, these have the total weight `weights`. The ranking of exact strings has the
/// share `exact` of this score, as it has of the complete score. Boosts stay.
pub fn by(
    parts: &ScoreParts,
    counts: impl Fn(&RankingScore) -> bool,
    weights: f64,
    exact: f64,
) -> ScoreParts {
    let of_exact = weight_of(exact, weights);
    let mut rankings: Vec<RankingScore> =
        parts.rankings.iter().filter(|ranking| counts(ranking)).cloned().collect();
    for ranking in rankings.iter_mut().filter(|ranking| is_exact(ranking)) {
        ranking.weight = of_exact;
    }
    let fusion = rankings.iter().map(share).sum::<f64>() / (weights + of_exact);
    let mut score = ScoreParts::new(rankings, fusion);
    score.is_shown = parts.is_shown;
    for boost in &parts.boosts {
        score.boost(&boost.name, boost.share);
    }
    score
}

/// Returns the share of exact strings in the scores of one answer, `0.0..=0.5`.
pub fn exact_share<'s>(all: impl IntoIterator<Item = &'s ScoreParts>) -> f64 {
    let rankings = all.into_iter().flat_map(|parts| &parts.rankings);
    let shares = rankings.filter(|ranking| is_exact(ranking)).filter_map(|ranking| ranking.raw);
    shares.map(f64::from).fold(0.0, f64::max).min(WHOLE)
}

fn is_exact(ranking: &RankingScore) -> bool {
    ranking.retriever == RetrieverKind::Exact
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::ranking_at;

    fn parts(rankings: [(usize, RetrieverKind, f64, f64); 3], raw: f32) -> ScoreParts {
        let ranking = |(probe, retriever, weight, score)| RankingScore {
            probe,
            retriever,
            weight,
            score,
            raw: Some(raw),
            ..ranking_at(1.0)
        };
        ScoreParts::new(rankings.map(ranking).into(), 0.5)
    }

    #[test]
    fn a_score_by_some_rankings_is_for_exact_strings_as_much_as_the_score_by_all() {
        use RetrieverKind::{Dense, Exact};
        // Exact strings have a quarter of the whole weight: 1 beside 1 and 2.
        let all = parts([(0, Dense, 1.0, 0.6), (1, Dense, 2.0, 1.0), (0, Exact, 1.0, 1.0)], 0.25);
        let exact = exact_share([&all]);
        assert!((exact - 0.25).abs() < 1e-9);
        let some = by(&all, |ranking| ranking.probe == 0, 1.0, exact);
        assert!((some.fusion - (0.75 * 0.6 + 0.25)).abs() < 1e-9, "{some:?}");
        let weights: f64 = some.rankings.iter().map(|ranking| ranking.weight).sum();
        let sum: f64 = some.rankings.iter().map(share).sum();
        assert!((sum / weights - some.fusion).abs() < 1e-9, "the parts give the score");
        let none = parts([(0, Dense, 1.0, 0.6), (1, Dense, 2.0, 1.0), (2, Dense, 1.0, 1.0)], 0.25);
        assert!(exact_share([&none]).abs() < 1e-9);
    }
}
