//! Reports documents that were found but have no facts, with the reason.

use std::collections::{BTreeSet, HashSet};

use uuid::Uuid;

use crate::evidence::Evidence;
use model::Error;
use model::facts::READER;
use ports::degraded::Degraded;
use text::language::Language;

/// Reports the documents that an older reader or none has read, and those in a language that the
/// reader does not know.
pub fn missing_facts(evidence: &[Evidence]) -> Vec<Degraded> {
    let reasons = [outdated(evidence), foreign(evidence)];
    let degraded = |reason| Degraded {
        part: "facts".into(),
        error: Error::Conflict { field: "facts", reason },
    };
    reasons.into_iter().flatten().map(degraded).collect()
}

fn outdated(evidence: &[Evidence]) -> Option<String> {
    // The evidence has the facts of a document, the passage those of a passage.
    let reader = |found: &Evidence| found.facts.reader.max(found.passage.facts.reader);
    let old = evidence.iter().filter(|e| reader(e) < READER);
    let documents: HashSet<Uuid> = old.map(|old| old.passage.document_id).collect();
    let many = documents.len();
    (many > 0).then(|| {
        format!("{many} of the documents found were read by an older version: `plumbline reindex` reads them again")
    })
}

/// Reports the documents in a language without lexicons.
fn foreign(evidence: &[Evidence]) -> Option<String> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut documents: HashSet<Uuid> = HashSet::new();
    for passage in evidence {
        let language = passage.passage.language.as_deref().and_then(Language::of_tag);
        if let Some(language) = language.filter(|language| !language.has_lexicons()) {
            names.insert(language.name());
            documents.insert(passage.passage.document_id);
        }
    }
    let (many, names) = (documents.len(), names.into_iter().collect::<Vec<_>>().join(" or "));
    (many > 0).then(|| {
        format!(
            "{many} of the documents found are in {names}, of which Plumbline knows no phrases: \
             they are found and cited, and their fields stay empty"
        )
    })
}
