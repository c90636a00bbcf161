//! What became of a document, by its own words.

use model::document::Lifecycle;

/// Words for what became of a document: those of the API, of Python's PEP 1, of Kubernetes' KEPs,
/// of MADR and Nygard's decision records, and of wikis.
const LIFECYCLES: [(Lifecycle, &[&str]); 7] = [
    (Lifecycle::Draft, &["draft", "incomplete", "provisional", "wip", "work in progress"]),
    (Lifecycle::Superseded, &["superseded", "replaced"]),
    (Lifecycle::Deprecated, &["deprecated", "obsolete", "outdated", "archived"]),
    (Lifecycle::Retracted, &["retracted", "withdrawn"]),
    (Lifecycle::Rejected, &["rejected", "declined", "abandoned"]),
    (Lifecycle::Proposed, &["proposed", "deferred"]),
    (
        Lifecycle::Accepted,
        &[
            "accepted",
            "adopted",
            "approved",
            "decided",
            "final",
            "active",
            "implementable",
            "implemented",
        ],
    ),
];

/// Returns what became of a document by the first words that say it: `Superseded by ADR-12`.
pub(crate) fn lifecycle(value: &str) -> Option<Lifecycle> {
    let value = value.trim_start_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let begins = |word: &str| {
        value.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let found = LIFECYCLES.iter().find(|(_, words)| words.iter().any(|word| begins(word)));
    found.map(|(lifecycle, _)| *lifecycle)
}

/// Returns what a title says in brackets or before a colon: `[Draft] Pumps`, `RETRACTED: Pumps`.
pub(super) fn in_title(title: &str) -> Option<Lifecycle> {
    let inside = |open: char, close: char| {
        let (_, rest) = title.split_once(open)?;
        let mut words = rest.split_once(close)?.0.split_whitespace();
        let (word, next) = (words.next()?, words.next());
        // A seat that was "replaced 2025" is no document.
        lifecycle(word).filter(|_| next.is_none_or(|next| next == "by"))
    };
    let before = || {
        let (word, _) = title.split_once(':')?;
        lifecycle(word).filter(|found| *found != Lifecycle::Proposed && !word.trim().contains(' '))
    };
    inside('[', ']').or_else(|| inside('(', ')')).or_else(before)
}
