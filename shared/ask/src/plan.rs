//! The second stage plans the searches of a question as data.

use std::collections::BTreeSet;

use model::evidence::{PointKind, SearchKind};
use ports::question::Question;
use uuid::Uuid;

use crate::lookup::Lookup;
use crate::question::Asked;

/// The kind of a search, the kind of points that it finds, and its weight, above 0.
pub type Way = (SearchKind, PointKind, f64);

/// Returns true if words are searched in one of these ways.
pub fn has_words(ways: &[Way]) -> bool {
    ways.iter().any(|(kind, ..)| *kind == SearchKind::Bm25)
}

/// One text to search for.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The text.
    pub text: String,
    /// The ways to search for it.
    pub ways: Vec<Way>,
    /// Upper bound for the hits of each of these searches.
    pub depth: usize,
    /// The number of the query, from 0, if the text is a query that stands for the question. `None`
    /// for the question itself and for other texts of the workflow.
    pub query: Option<usize>,
}

/// The part of the results that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All passages that the searches found. Nothing else is read.
    Passages,
    /// The best documents, each with its facts and its best passage: `top_k` documents and a spare
    /// number, because the workflow shows only some kinds of documents.
    Documents {
        /// The number of documents that are read beyond `top_k`.
        spare: usize,
    },
    /// All passages of the `top_k` best documents, including those that no search found.
    EveryPassage,
}

/// The searches and lookups of a question.
#[derive(Debug)]
pub struct Plan {
    /// The texts to search for: the question, its queries, and further texts of the workflow.
    pub probes: Vec<Probe>,
    /// The names, words and strings to look up.
    pub lookup: Lookup,
    /// The kind of the project's decisions to search, if the question is asked for a project.
    pub decisions: PointKind,
    /// The part of the results that is read.
    pub keep: Keep,
    /// The documents to leave out.
    pub excluded: BTreeSet<Uuid>,
}

impl Plan {
    /// Plans searches for the question and for all queries beside it. All of them have the same
    /// weight, and together the weight that the question alone would have.
    pub fn of(asked: &Asked, ways: &[Way], depth: usize) -> Plan {
        let beside: Vec<&Question> = asked.beside().collect();
        let ways = shared(ways, beside.len());
        let probe = |query: Option<usize>, question: &Question| {
            let text = question.as_str().to_owned();
            Probe { text, ways: ways.clone(), depth, query }
        };
        let queries = beside.iter().enumerate().map(|(place, query)| probe(Some(place), query));
        let probes = std::iter::once(probe(None, &asked.question)).chain(queries).collect();
        Plan::of_probes(probes)
    }

    /// Plans searches for these texts alone.
    pub fn of_probes(probes: Vec<Probe>) -> Plan {
        Plan {
            probes,
            lookup: Lookup::default(),
            decisions: PointKind::Accepted,
            keep: Keep::Passages,
            excluded: BTreeSet::new(),
        }
    }

    /// Adds a text of the workflow's own.
    #[must_use]
    pub fn and(mut self, text: String, ways: &[Way], depth: usize) -> Plan {
        self.probes.push(Probe { text, ways: ways.into(), depth, query: None });
        self
    }

    /// Sets the lookup.
    #[must_use]
    pub fn looking_up(self, lookup: Lookup) -> Plan {
        Plan { lookup, ..self }
    }

    /// Sets the part of the results to read.
    #[must_use]
    pub fn keeping(self, keep: Keep) -> Plan {
        Plan { keep, ..self }
    }

    /// Sets the kind of decisions to search.
    #[must_use]
    pub fn deciding(self, decisions: PointKind) -> Plan {
        Plan { decisions, ..self }
    }

    /// Returns the total weight of all searches for evidence.
    pub fn weights(&self) -> f64 {
        self.probes.iter().flat_map(|probe| &probe.ways).map(|(_, _, weight)| weight).sum()
    }
}

/// Returns the ways of a question and of each of `queries` beside it. Together they have the weight
/// that the question alone would have.
#[expect(clippy::cast_precision_loss, reason = "at most a dozen")]
pub fn shared(ways: &[Way], queries: usize) -> Vec<Way> {
    let share = 1.0 / (1 + queries) as f64;
    ways.iter().map(|(kind, of, weight)| (*kind, *of, weight * share)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ports::scope::{Grant, Scope};

    const WAY: Way = (SearchKind::Dense, PointKind::Passage, 1.0);

    fn asked(queries: &[&str]) -> Asked {
        let question = |text: &str| Question::parse(text).unwrap();
        let queries = queries.iter().map(|text| question(text)).collect();
        Asked { queries, ..Asked::of(question("why"), Grant::unchecked(&[Scope::Global])) }
    }

    #[test]
    fn queries_stand_behind_the_question_and_share_its_weight() {
        let plan = Plan::of(&asked(&["pump trips", "bearing seized", "a"]), &[WAY], 9);
        let plan = plan.and("why root cause".into(), &[WAY], 9);
        let texts: Vec<&str> = plan.probes.iter().map(|probe| probe.text.as_str()).collect();
        assert_eq!(texts, ["why", "pump trips", "bearing seized", "a", "why root cause"]);
        let weights: Vec<f64> = plan.probes.iter().map(|probe| probe.ways[0].2).collect();
        assert_eq!(weights, [0.25, 0.25, 0.25, 0.25, 1.0]);
        assert_eq!((plan.probes[0].query, plan.probes[2].query), (None, Some(1)));
    }
}
