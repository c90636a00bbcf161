//! The parts of a score, folded; shown only if the request has `explain`.

use maud::{Markup, html};
use model::evidence::{RankingScore, RetrieverKind, ScoreParts};

/// Returns the parts of a score: each ranking with its rank, score and weight, each boost, and the
/// sum.
pub(crate) fn parts(parts: &ScoreParts) -> Markup {
    html! {
        @if parts.is_shown {
            details {
                summary { "Score " (three(parts.total)) }
                ul.plain {
                    @for ranking in &parts.rankings { li { (line(ranking)) } }
                    li { "together " (three(parts.fusion)) }
                    @for boost in &parts.boosts { li { (boost.name) ": +" (three(boost.share)) " of what is left to 1" } }
                }
            }
        }
    }
}

fn line(ranking: &RankingScore) -> String {
    let retriever = match ranking.retriever {
        RetrieverKind::Dense => "meaning",
        RetrieverKind::Bm25 => "words",
        RetrieverKind::Exact => "exact words",
        RetrieverKind::Symbol => "symbols",
        RetrieverKind::Rerank => "reranker",
    };
    let query = ranking.query.map(|query| format!(", query {}", query + 1)).unwrap_or_default();
    let rank = ranking.rank.map_or("not listed".into(), |rank| format!("rank {rank}"));
    let (score, weight) = (three(ranking.score), three(ranking.weight));
    format!(
        "{retriever} of the {}{query}: {rank}, score {score}, weight {weight}",
        ranking.of.name()
    )
}

/// Returns a number with at most three decimals.
fn three(number: f64) -> String {
    format!("{}", (number * 1_000.0).round() / 1_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::evidence::PointKind;

    #[test]
    fn the_fold_is_there_only_where_the_parts_are_shown() {
        let ranking = RankingScore {
            probe: 0,
            query: Some(0),
            retriever: RetrieverKind::Dense,
            of: PointKind::Document,
            rank: Some(2),
            raw: Some(0.5),
            z_score: None,
            score: 0.75,
            weight: 0.7,
        };
        let mut score = ScoreParts::new(vec![ranking], 0.75);
        score.boost("project domain: pumps", 0.1);
        assert_eq!(parts(&score).into_string(), "");
        score.is_shown = true;
        let fold = parts(&score).into_string();
        for part in [
            "Score 0.775",
            "meaning of the document, query 1: rank 2, score 0.75, weight 0.7",
            "project domain: pumps: +0.1",
        ] {
            assert!(fold.contains(part), "{part} in {fold}");
        }
    }
}
