//! The searches of probes, and the rankings that they fill.

use crate::fuse::Ranking;
use crate::strategy::Probe;
use model::evidence::{PointKind, SearchKind};
use ports::{Search, SearchBy};
use text::language::Language;

/// The most decisions that a search for them brings.
const DECISIONS: usize = 20;

/// How a project's decisions are searched: by the question alone.
const DECISION_SEARCHES: [(SearchKind, f64); 2] =
    [(SearchKind::Dense, 1.0), (SearchKind::Bm25, 0.5)];

/// Searches to send in one call, each with the ranking that its hits fill.
#[derive(Debug, Default, Clone)]
pub struct Plan {
    /// What each search is to fill.
    pub rankings: Vec<Ranking>,
    /// The searches, one for each ranking.
    pub searches: Vec<Search>,
}

/// Returns the language of all probes together: a query of bare terms is in the language of the question beside it.
pub fn language(probes: &[(Probe, Vec<f32>)]) -> Language {
    let texts: Vec<&str> = probes.iter().map(|(probe, _)| probe.text.as_str()).collect();
    Language::of(&texts.join("\n"))
}

impl Plan {
    /// Searches the decisions nearest to a probe.
    pub fn of_decisions(
        of: PointKind,
        (probe, vector): &(Probe, Vec<f32>),
        language: Language,
    ) -> Plan {
        let mut plan = Plan::default();
        for (kind, weight) in DECISION_SEARCHES {
            let asked = Asked { probe: 0, query: None, depth: DECISIONS };
            plan.add(asked, (kind, of, weight), by(kind, (&probe.text, language), vector), true);
        }
        plan
    }

    /// Searches all probes; those for passages bring them where `brings_passages` is set.
    pub fn of_probes(
        probes: &[(Probe, Vec<f32>)],
        brings_passages: bool,
        language: Language,
    ) -> Plan {
        let (mut plan, mut numbers) = (Plan::default(), 0..);
        for (probe, vector) in probes {
            let Probe { query, depth, .. } = *probe;
            // The caller's queries stand for the question.
            let number = if query.is_some() { 0 } else { numbers.next().unwrap_or_default() };
            for (kind, of, weight) in &probe.searches {
                let asked = Asked { probe: number, query, depth };
                let brings = brings_passages && *of == PointKind::Passage;
                let by = by(*kind, (&probe.text, language), vector);
                plan.add(asked, (*kind, *of, *weight), by, brings);
            }
        }
        plan
    }

    fn add(
        &mut self,
        Asked { probe, query, depth }: Asked,
        (kind, of, weight): (SearchKind, PointKind, f64),
        by: SearchBy,
        brings_chunks: bool,
    ) {
        let kind = kind.into();
        let ranking = Ranking {
            probe,
            query,
            kind,
            of,
            weight,
            depth,
            hits: Vec::new(),
            usual: None,
            best: None,
        };
        self.rankings.push(ranking);
        self.searches.push(Search { of, by, depth, brings_chunks });
    }
}

/// The probe that is searched, and the most hits.
struct Asked {
    probe: usize,
    query: Option<usize>,
    depth: usize,
}

fn by(kind: SearchKind, (text, language): (&str, Language), vector: &[f32]) -> SearchBy {
    match kind {
        SearchKind::Dense => SearchBy::Dense(vector.to_vec()),
        SearchKind::Bm25 => SearchBy::Bm25(text.into(), language),
    }
}
