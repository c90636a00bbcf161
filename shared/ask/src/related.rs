//! Finds a project's decisions that bear on a question, and raises evidence by the project's
//! profile.

use uuid::Uuid;
use wire::decisions::{Decision, DecisionStatus, Related};
use wire::projects::Project;

use crate::evidence::{Evidence, best_first};
use model::document::{DocumentType, Origin, Passage, document_id, passage_id};
use model::evidence::ScoreParts;
use model::facts::{Facts, FailureReport};
use ports::scope::Scope;
use ports::usual::RATHER_NEAR;
use text::language::Language;
use text::question::QuestionTerms;
use text::term::Terms;

/// Returns the decisions among `found` that bear on `question`, best first, at most `most`.
pub fn related(mut found: Vec<Evidence>, question: &str, most: usize) -> Vec<Related> {
    let topic = QuestionTerms::of_matter(question);
    found.retain(|hit| is_near(&hit.parts) || hit.is_of(&topic));
    best_first(&mut found);
    found.into_iter().filter_map(|hit| to_related(hit.passage, hit.parts)).take(most).collect()
}

/// Returns true if a decision is near enough to the question to bear on it, whatever words it uses.
fn is_near(parts: &ScoreParts) -> bool {
    parts.rankings.iter().filter_map(|ranking| ranking.z_score).any(|p| p >= RATHER_NEAR)
}

/// Returns `None` for a point that was not made from a decision.
fn to_related(passage: Passage, score_parts: ScoreParts) -> Option<Related> {
    Some(Related {
        decision_id: passage.name.strip_prefix(PREFIX)?.into(),
        decision: passage.title,
        status: DecisionStatus::parse(passage.tags.first()?)?,
        decided_at: passage.time?.0,
        content: passage.text,
        score: score_parts.total,
        strength: score_parts.strength,
        score_parts,
    })
}

/// The prefix of a decision's id in its name in the index.
const PREFIX: &str = "decisions/";

/// Returns the id of the document that holds a decision in the index.
pub fn document(project: &str, decision: &str) -> Uuid {
    document_id(&Scope::Project(project.into()), &format!("{PREFIX}{decision}"))
}

/// Returns a decision as a document with one passage in the project's scope; `version` is the ULID
/// of the change.
pub fn passage(project: &str, decision: &Decision, version: &str) -> Passage {
    let document = document(project, &decision.decision_id);
    let mut text = format!("{}\n\n{}\n", decision.decision, decision.rationale);
    if !decision.alternatives.is_empty() {
        text = format!("{text}\nAlternatives: {}\n", decision.alternatives.join("; "));
    }
    Passage {
        id: passage_id(document, version, 0),
        scope: None,
        document_id: document,
        version: version.into(),
        position: 0,
        name: format!("{PREFIX}{}", decision.decision_id),
        title: decision.decision.clone(),
        section: String::new(),
        document_type: DocumentType::Decision,
        source: Origin::Docs,
        tags: vec![decision.status.name().into()],
        author: Some(decision.by.clone()),
        standard: None,
        commit: None,
        edition: None,
        lifecycle: None,
        language: Language::detect(&text).map(|language| language.tag().to_owned()),
        severity: Vec::new(),
        code: Vec::new(),
        lines: None,
        time: Some((decision.decided_at, decision.decided_at)),
        assumed: None,
        uri: None,
        article: None,
        ordinal: None,
        text,
        facts: Facts::default(),
        unmasked: None,
    }
}

/// The boosts by a project's profile: the share of the gap to 1, for a standard, the domain, and a
/// constraint.
const SHARES: [f64; 3] = [0.1, 0.05, 0.05];

/// Lower bound for the share of a domain's or a constraint's words that evidence must have.
const ENOUGH: f64 = 0.6;

/// Raises the scores of evidence that mentions the project's standards, its domain or its
/// constraints.
pub fn weigh(project: &Project, evidence: &mut [Evidence]) {
    let standards = Terms::new(project.standards.iter().map(String::as_str).enumerate());
    let wide = project.domain.iter().map(|domain| ("domain", domain, SHARES[1]));
    let wide = wide
        .chain(project.constraints.iter().map(|constraint| ("constraint", constraint, SHARES[2])));
    let wide: Vec<_> =
        wide.map(|(kind, text, share)| (kind, text, share, QuestionTerms::of(text))).collect();
    for passage in evidence {
        let attributes = [Some(&passage.passage.title), passage.passage.standard.as_ref()];
        let attributes = attributes.into_iter().flatten().chain(&passage.passage.tags);
        let facts = passage.facts.report.iter().flat_map(FailureReport::all).map(|fact| &fact.text);
        let texts = [&passage.passage.text, &passage.passage.section].into_iter().chain(facts);
        let texts: Vec<&str> = attributes.chain(texts).map(String::as_str).collect();
        let mut named: Vec<usize> =
            texts.iter().flat_map(|text| standards.find(text)).map(|t| t.number).collect();
        named.sort_unstable();
        named.dedup();
        let mut boosts: Vec<(String, f64)> = named
            .into_iter()
            .map(|number| (format!("project standard: {}", project.standards[number]), SHARES[0]))
            .collect();
        let served = wide.iter().filter(|(.., topic)| topic.share(&texts) >= ENOUGH);
        boosts.extend(
            served.map(|(kind, text, share, _)| (format!("project {kind}: {text}"), *share)),
        );
        for (name, share) in boosts {
            passage.parts.boost(&name, share);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use testing::{passages, ranking_at};

    #[test]
    fn a_decision_in_other_words_bears_on_what_it_is_rather_near_to() {
        let passage = passages("# Valkey\n\nWe keep sessions in it.\n").swap_remove(0);
        let passage = Passage {
            name: format!("{PREFIX}01"),
            tags: vec!["accepted".into()],
            time: Some((Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH)),
            ..passage
        };
        let at = |z_score| {
            let parts = ScoreParts::new(vec![ranking_at(z_score)], 0.5);
            vec![Evidence::of(passage.clone(), parts)]
        };
        assert_eq!(related(at(RATHER_NEAR + 0.1), "Which pump runs dry?", 5).len(), 1);
        assert!(related(at(RATHER_NEAR - 0.1), "Which pump runs dry?", 5).is_empty());
    }
}
