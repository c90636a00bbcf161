//! Assigns passages to facets by their content, not by the probe that found them.

use super::definition;
use super::sorted::served;
use ask::evidence::Evidence;
use ask::facet::Facet;
use model::document::Passage;
use model::evidence::{BOOST_CAP, Boost};
use text::question::QuestionTerms;

/// The known uses of a passage, for facets without words of the caller's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Good {
    /// The passage defines a thing.
    Definition,
    /// The passage shows an instance.
    Example,
    /// The passage makes demands.
    Standard,
    /// The passage gives advice.
    Practice,
}

/// The facets for a caller who names none, each with the words to search for and the use that
/// serves it.
const STANDARD: [(&str, &str, Good); 4] = [
    ("definitions", "definition terminology", Good::Definition),
    ("examples", "example case study", Good::Example),
    ("standards", "standard requirement", Good::Standard),
    ("best_practices", "best practice guidance", Good::Practice),
];

/// Returns the meaning of a facet, for a language model.
pub(super) fn meaning(facet: &Facet) -> String {
    let meaning = match good(&facet.name) {
        Some(Good::Definition) => "it says what the subject, or a term, part or kind of it, is.",
        Some(Good::Example) => {
            "it shows an instance: a case, a command, a configuration, code, what somebody did."
        }
        Some(Good::Standard) => "it says what must, shall or should be so, as a rule that binds.",
        Some(Good::Practice) => "it advises how to do it well, or what to avoid.",
        None => return facet.probe.clone(),
    };
    meaning.into()
}

/// Lower bound for the strength with which a passage serves a facet.
const LEAST: f64 = 0.5;

pub(super) fn standard_facets() -> Vec<Facet> {
    STANDARD
        .iter()
        .map(|(name, probe, _)| Facet { name: (*name).into(), probe: (*probe).into() })
        .collect()
}

fn good(name: &str) -> Option<Good> {
    STANDARD.iter().find(|(x, _, _)| *x == name).map(|(_, _, good)| *good)
}

/// The assignment of passages to facets.
pub(super) struct Serves<'a> {
    facets: Vec<Kind>,
    topic: &'a QuestionTerms,
}

/// The judgement that a passage serves a facet.
pub(super) enum By {
    /// The judgement of a language model, with its degree above 0, up to 1.
    Model(f64),
    /// The judgement of rules, with the boost of the score.
    Rules(Boost),
}

enum Kind {
    Known(Good),
    /// A facet of the caller's own, with the words of its probe.
    Custom(QuestionTerms),
}

impl<'a> Serves<'a> {
    pub(super) fn new(facets: &[Facet], topic: &'a QuestionTerms) -> Serves<'a> {
        let kind = |facet: &Facet| match good(&facet.name) {
            Some(good) => Kind::Known(good),
            None => Kind::Custom(QuestionTerms::of(&facet.probe)),
        };
        Serves { facets: facets.iter().map(kind).collect(), topic }
    }

    /// Returns the facets that the passage serves, by their places: as a language model sorted it,
    /// if one did, or else by rules.
    pub(super) fn facets(&self, evidence: &Evidence) -> Vec<(usize, By)> {
        let Some(served) = served(&evidence.parts) else {
            let places = self.by_rules(evidence).into_iter();
            return places.map(|(place, boost)| (place, By::Rules(boost))).collect();
        };
        let places = served.into_iter().filter(|(_, much)| *much > 0.0);
        places.map(|(place, much)| (place, By::Model(much))).collect()
    }

    fn by_rules(&self, evidence: &Evidence) -> Vec<(usize, Boost)> {
        let strengths = known(&evidence.passage, self.topic);
        let mut served = Vec::new();
        for (place, kind) in self.facets.iter().enumerate() {
            let (name, strength) = match kind {
                Kind::Known(good) => (reason(*good), strengths[*good as usize]),
                Kind::Custom(words) => by_words(words, &evidence.passage),
            };
            if strength >= LEAST {
                let share = (BOOST_CAP * strength * 1_000.0).round() / 1_000.0;
                served.push((place, Boost { name: name.into(), share }));
            }
        }
        served
    }
}

fn reason(good: Good) -> &'static str {
    match good {
        Good::Definition => "defines",
        Good::Example => "gives an instance",
        Good::Standard => "demands",
        Good::Practice => "advises",
    }
}

/// Returns how strongly the passage serves a facet of the caller's own, by the words of the facet.
fn by_words(words: &QuestionTerms, passage: &Passage) -> (&'static str, f64) {
    let share = words.share(&[&passage.text, &passage.section]);
    ("has the facet's words", if share > 0.0 { share.max(LEAST) } else { 0.0 })
}

/// Returns how strongly the passage serves each known facet, in the order of [`Good`].
fn known(passage: &Passage, topic: &QuestionTerms) -> [f64; 4] {
    let [example, standard, practice] =
        passage.facts.explore.map(|explore| f64::from(explore) / 1_000.0);
    let mut strengths = [definition::strength(passage, topic), example, standard, practice];
    if introduces(passage, topic) {
        for good in [Good::Definition, Good::Practice] {
            let strength = &mut strengths[good as usize];
            *strength = if *strength >= 0.3 { (*strength + 0.3).min(1.0) } else { *strength };
        }
    }
    strengths
}

/// Returns true if the passage opens a document whose title contains the whole subject. Such a
/// passage introduces its subject.
fn introduces(passage: &Passage, topic: &QuestionTerms) -> bool {
    passage.position <= 1 && topic.share(&[&passage.title]) >= 1.0
}
