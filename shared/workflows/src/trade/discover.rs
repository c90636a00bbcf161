//! Discovers alternatives if the caller lists none: in the question, and in the options that
//! documents list.

use std::collections::HashSet;

use super::wanted::Alternative;
use ask::evidence::Evidence;
use model::document::Passage;
use text::option;
use text::question::QuestionTerms;
use text::term::{Terms, stems};

/// Upper bound for the alternatives that are taken from documents.
const MOST: usize = 8;

/// Upper bound for the alternatives that are taken from a question. All of them are searched for.
const MOST_ASKED: usize = 20;

/// Returns the options that a question compares: "A or B", "A vs B", "A, B or C".
pub(super) fn in_question(question: &str) -> Vec<Alternative> {
    let question = question.replace(" vs. ", " vs ").replace(". ", "?");
    let part = question.split([':', '?']).find(|part| joint(part).is_some());
    let Some(part) = part else { return Vec::new() };
    let joints = [" versus ", " vs ", " or ", ", ", " against "];
    let mut spaced = format!(" {part} ");
    for joint in joints {
        spaced = spaced.replace(joint, "|");
    }
    let parts: Vec<&str> = spaced.split('|').collect();
    let last = parts.len() - 1;
    let cleaned = |(place, name): (usize, &&str)| {
        // The verb of the question precedes the first name, and the purpose follows the last name.
        let name = if place == 0 { after_verb(name) } else { name };
        let name = if place == last { before_purpose(name) } else { name };
        option::name(name)
    };
    let names: Vec<String> = parts.iter().enumerate().filter_map(cleaned).collect();
    let mut found = if names.len() < 2 { Vec::new() } else { distinct(names) };
    found.truncate(MOST_ASKED);
    found
}

fn joint(text: &str) -> Option<usize> {
    [" versus ", " vs ", " or "].iter().filter_map(|joint| text.find(joint)).min()
}

fn after_verb(text: &str) -> &str {
    let verbs = [
        " use ",
        " choose ",
        " take ",
        " between ",
        " compare ",
        " with ",
        " we ",
        " is ",
        " are ",
        " in ",
        " of ",
        " by ",
        " on ",
        " for ",
        " to ",
        " be ",
    ];
    let end = verbs.iter().filter_map(|verb| Some(text.rfind(verb)? + verb.len())).max();
    &text[end.unwrap_or(0)..]
}

fn before_purpose(text: &str) -> &str {
    let purposes =
        [" for ", " as ", " in ", " on ", " at ", " to ", " when ", " with ", " if ", " and "];
    let end = purposes.iter().filter_map(|purpose| text.find(purpose)).min();
    &text[..end.unwrap_or(text.len())]
}

/// Returns the options of the question that documents mention. If fewer than two are mentioned, it
/// returns those of the best document on the question that lists any. `evidence` comes in reading
/// order.
pub(super) fn alternatives(
    proposed: &[Alternative],
    evidence: &[Evidence],
    topic: &QuestionTerms,
) -> Vec<Alternative> {
    let is_known = |alternative: &&Alternative| {
        let terms = Terms::proper([(0, alternative.names[0].as_str())], []);
        evidence.iter().any(|evidence| terms.are_in(&evidence.passage.text))
    };
    let known: Vec<Alternative> = proposed.iter().filter(is_known).cloned().collect();
    if known.len() > 1 {
        return known;
    }
    let of_document = |document: &[Evidence]| {
        let names: Vec<String> =
            document.iter().flat_map(|passage| listed(&passage.passage)).collect();
        let found = distinct(names);
        (found.len() > 1).then_some(found)
    };
    let documents = evidence.chunk_by(|a, b| a.passage.document_id == b.passage.document_id);
    let mut documents =
        documents.filter(|document| document.iter().any(|passage| passage.is_of(topic)));
    let mut found = documents.find_map(of_document).unwrap_or(known);
    found.truncate(MOST);
    found
}

/// Returns a note on the alternatives that were discovered.
pub(super) fn note(found: &[Alternative]) -> String {
    if found.is_empty() {
        return "No alternatives were given, and none were found in the question or the documents."
            .into();
    }
    let names: Vec<&str> = found.iter().map(|alternative| alternative.names[0].as_str()).collect();
    format!("No alternatives were given; found: {}.", names.join(", "))
}

/// Returns the options that a passage's document lists, or that its title compares: "A vs B".
fn listed(passage: &Passage) -> Vec<String> {
    let mut names =
        passage.facts.decision.iter().flat_map(|decision| decision.options.clone()).collect();
    if passage.position == 0 && joint(&passage.title.replace(" vs. ", " vs ")).is_some() {
        names = in_question(&passage.title)
            .into_iter()
            .flat_map(|alternative| alternative.names)
            .collect();
    }
    names
}

fn distinct(names: Vec<String>) -> Vec<Alternative> {
    let mut seen = HashSet::new();
    let new = names.into_iter().filter(|name| seen.insert(stems(name)));
    new.map(|name| Alternative { names: vec![name] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use testing::passages;

    fn asked(question: &str) -> Vec<String> {
        in_question(question).into_iter().flat_map(|alternative| alternative.names).collect()
    }

    #[test]
    fn a_question_may_name_its_options() {
        assert_eq!(
            asked("Bugsnag or Sentry for front-end error tracking: price?"),
            ["Bugsnag", "Sentry"]
        );
        assert_eq!(asked("Which monorepo tool: Bazel, Nx or Lerna?"), ["Bazel", "Nx", "Lerna"]);
        assert_eq!(
            asked("Should we use Postgres vs MongoDB in the new service?"),
            ["Postgres", "MongoDB"]
        );
        assert_eq!(asked("Should agents be written in Go or Rust?"), ["Go", "Rust"]);
        assert_eq!(asked("Postgres vs. MongoDB?"), ["Postgres", "MongoDB"]);
        assert_eq!(asked("Node.js or Deno? Or none."), ["Node.js", "Deno"]);
        assert_eq!(asked("Which broker is best?"), [""; 0]);
        let many: Vec<String> = (0..400).map(|number| format!("a{number}")).collect();
        assert_eq!(in_question(&format!("{} or zz", many.join(", "))).len(), MOST_ASKED);
    }

    #[test]
    fn documents_list_their_options_or_are_titled_by_them() {
        let all = |text: &str| passages(text).iter().flat_map(listed).collect::<Vec<_>>();
        let items = "# ADR\n\n## Considered options\n\n- **Kafka** - known\n- [NATS](x.md): small\n\n## Decision\n\n- not an option\n";
        assert_eq!(all(items), ["Kafka", "NATS"]);
        assert_eq!(all("# Kafka vs NATS\n\nText.\n"), ["Kafka", "NATS"]);
    }
}
