//! The second stage: the searches of a question, as data.

use std::collections::BTreeSet;

use model::evidence::{PointKind, SearchKind};
use ports::question::Question;
use uuid::Uuid;

use crate::lookup::Lookup;
use crate::question::Asked;

/// The kind of a search, the kind of points that it finds, and its weight, above 0.
pub type Way = (SearchKind, PointKind, f64);

/// One text to search for.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The text.
    pub text: String,
    /// The ways to search it.
    pub ways: Vec<Way>,
    /// The most hits that each of these searches gives.
    pub depth: usize,
    /// The query that it is, from 0: one that stands for the question. Absent for the question itself and what is searched besides.
    pub query: Option<usize>,
}

/// The part of the findings that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Passages as the searches found them, however many. Nothing else is read.
    Passages,
    /// The best documents, each with its facts and the passage that was found best: `top_k` and so many more, because the workflow
    /// shows some kinds of them only.
    Documents {
        /// The number of documents that are read beyond `top_k`.
        spare: usize,
    },
    /// All passages of the `top_k` best documents, those that no search found among them.
    EveryPassage,
}

/// The searches and lookups of a question.
#[derive(Debug)]
pub struct Plan {
    /// The texts to search for: the question, its queries, and what the workflow searches besides.
    pub probes: Vec<Probe>,
    /// Names, words and strings to look up.
    pub lookup: Lookup,
    /// The kind of the project's decisions that are searched, where the question is for a project.
    pub decisions: PointKind,
    /// The part of the findings that is read.
    pub keep: Keep,
    /// Documents that are left out.
    pub excluded: BTreeSet<Uuid>,
}

impl Plan {
    /// Searches the question and all queries beside it. They count alike, and together as much as the question alone would.
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

    /// Searches these texts alone.
    pub fn of_probes(probes: Vec<Probe>) -> Plan {
        Plan {
            probes,
            lookup: Lookup::default(),
            decisions: PointKind::Accepted,
            keep: Keep::Passages,
            excluded: BTreeSet::new(),
        }
    }

    /// Searches a text of the workflow's own, too.
    #[must_use]
    pub fn and(mut self, text: String, ways: &[Way], depth: usize) -> Plan {
        self.probes.push(Probe { text, ways: ways.into(), depth, query: None });
        self
    }

    /// Looks this up.
    #[must_use]
    pub fn looking_up(self, lookup: Lookup) -> Plan {
        Plan { lookup, ..self }
    }

    /// Reads this.
    #[must_use]
    pub fn keeping(self, keep: Keep) -> Plan {
        Plan { keep, ..self }
    }

    /// Searches these decisions.
    #[must_use]
    pub fn deciding(self, decisions: PointKind) -> Plan {
        Plan { decisions, ..self }
    }

    /// The weights of all searches for what answers together.
    pub fn weights(&self) -> f64 {
        self.probes.iter().flat_map(|probe| &probe.ways).map(|(_, _, weight)| weight).sum()
    }
}

/// The ways of a question, and of each of so many queries beside it, which count as much together as the question alone would.
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
