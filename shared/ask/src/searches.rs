//! The searches of a plan, in the groups in which they are sent.

use model::evidence::SearchKind::{Bm25, Dense};
use model::evidence::{PointKind, SearchKind};
use ports::{Brings, Search, SearchBy};
use text::language::Language;

use crate::fuse::Ranking;
use crate::groups::Groups;
use crate::plan::{Keep, Plan, Probe, Way};

/// The searches of a plan, and the rankings that their results fill.
#[derive(Debug)]
pub struct Searches {
    /// The rankings of decisions, one for each search.
    pub decisions: Vec<Ranking>,
    /// The rankings of evidence, one for each search.
    pub evidence: Vec<Ranking>,
    /// The searches.
    pub groups: Groups<Search>,
}

impl Searches {
    /// Returns the searches of a plan, given a vector for each probe. Without vectors only words
    /// are searched. Decisions are searched only `in_project`.
    pub fn of(plan: &Plan, vectors: &[Vec<f32>], in_project: bool) -> Searches {
        // A query of single terms is in the language of the question.
        let texts: Vec<&str> = plan.probes.iter().map(|probe| probe.text.as_str()).collect();
        let language = Language::of(&texts.join("\n"));
        let probes = || {
            let probes = plan.probes.iter().enumerate();
            probes.map(|(place, probe)| (probe, vectors.get(place)))
        };
        let is_made = |vector: Option<&Vec<f32>>, kind| vector.is_some() || kind != Dense;
        let of_decisions = probes().take(1).filter(|_| in_project).flat_map(|(probe, vector)| {
            let ways = DECISION_WAYS.into_iter().filter(move |(kind, _)| is_made(vector, *kind));
            let ways = ways.map(|(kind, weight)| (kind, plan.decisions, weight));
            ways.map(move |way| searched(way, 0, None, DECISIONS, &probe.text, language, vector))
        });
        let mut numbers = 0..;
        let of_evidence = probes().flat_map(|(probe, vector)| {
            // Queries stand for the question and share its number.
            let number = probe.query.map_or_else(|| numbers.next().unwrap_or_default(), |_| 0);
            let Probe { text, ways, depth, query } = probe;
            let one =
                move |way: &Way| searched(*way, number, *query, *depth, text, language, vector);
            ways.iter().filter(move |(kind, ..)| is_made(vector, *kind)).map(one)
        });
        let (decisions, of_decisions) = of_decisions.unzip();
        let (evidence, mut of_evidence): (Vec<Ranking>, Vec<Search>) = of_evidence.unzip();
        let keeps_passages = plan.keep == Keep::Passages;
        for search in of_evidence.iter_mut().filter(|_| !keeps_passages) {
            search.brings = Brings::Ids;
        }
        // Few passages have a string. Where passages are read anyway, these are read in the same
        // call.
        let brings = if keeps_passages { Brings::PassagesOnce } else { Brings::Passages };
        let exact = plan.lookup.literals.iter().map(|literal| literal.searches(language, brings));
        let exact = exact.collect();
        let groups = Groups { decisions: of_decisions, evidence: of_evidence, exact };
        Searches { decisions, evidence, groups }
    }
}

/// Upper bound for the decisions that one search finds.
const DECISIONS: usize = 20;

/// The ways to search a project's decisions; only the question is searched.
const DECISION_WAYS: [(SearchKind, f64); 2] = [(Dense, 1.0), (Bm25, 0.5)];

/// Returns one search with the ranking that it fills. The search brings passages and
/// decisions whole, but not documents.
fn searched(
    (kind, of, weight): Way,
    probe: usize,
    query: Option<usize>,
    depth: usize,
    text: &str,
    language: Language,
    vector: Option<&Vec<f32>>,
) -> (Ranking, Search) {
    let by = match kind {
        Dense => SearchBy::Dense(vector.cloned().unwrap_or_default()),
        Bm25 => SearchBy::Bm25(text.to_owned(), language),
    };
    let brings = match of {
        PointKind::Passage => Brings::PassagesOnce,
        PointKind::Decision | PointKind::Accepted => Brings::Passages,
        PointKind::Document | PointKind::FailureReport => Brings::Ids,
    };
    let ranking = Ranking {
        probe,
        query,
        kind: kind.into(),
        of,
        weight,
        depth,
        hits: Vec::new(),
        usual: None,
        best: None,
    };
    (ranking, Search { of, by, depth, brings })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Asked;
    use ports::question::Question;
    use ports::scope::{Grant, Scope};

    const WAY: Way = (SearchKind::Dense, PointKind::Passage, 1.0);

    fn asked() -> Asked {
        let question = |text: &str| Question::parse(text).unwrap();
        let asked = Asked::of(question("why"), Grant::unchecked(&[Scope::Global]));
        Asked { queries: vec![question("pump trips")], ..asked }
    }

    #[test]
    fn queries_stand_for_the_question() {
        let plan = Plan::of(&asked(), &[WAY], 9).and("why root cause".into(), &[WAY], 9);
        let searches = Searches::of(&plan, &[vec![], vec![], vec![]], false);
        let numbers: Vec<usize> = searches.evidence.iter().map(|ranking| ranking.probe).collect();
        assert_eq!(numbers, [0, 0, 1]);
    }

    #[test]
    fn without_vectors_only_words_are_searched() {
        let ways = [WAY, (Bm25, PointKind::Passage, 0.5)];
        let searches = Searches::of(&Plan::of(&asked(), &ways, 9), &[], true);
        let by_words = |search: &Search| matches!(search.by, SearchBy::Bm25(..));
        assert_eq!((searches.decisions.len(), searches.evidence.len()), (1, 2));
        assert_eq!(searches.groups.evidence.len(), 2);
        assert!(searches.groups.all().all(by_words));
    }

    #[test]
    fn each_search_stands_in_the_group_that_it_is_for() {
        let plan = Plan::of(&asked(), &[WAY], 9).deciding(PointKind::Decision);
        let searches = Searches::of(&plan, &[vec![1.0], vec![0.5]], true);
        assert_eq!((searches.decisions.len(), searches.groups.decisions.len()), (2, 2));
        assert_eq!((searches.evidence.len(), searches.groups.evidence.len()), (2, 2));
        assert_eq!(searches.groups.evidence[0].brings, Brings::PassagesOnce);
        let plan = plan.keeping(Keep::EveryPassage);
        let documents = Searches::of(&plan, &[vec![1.0], vec![0.5]], false);
        assert!(documents.decisions.is_empty());
        assert_eq!(documents.groups.evidence[0].brings, Brings::Ids);
    }
}
