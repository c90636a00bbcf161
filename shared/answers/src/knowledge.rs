//! Knowledge bases, each from one file. Unknown fields are refused.

use jiff::SignedDuration;
use serde::Deserialize;

use super::citation::{Place, Template};
use model::document::Passage;
use model::evidence::PointKind::Document;
use model::evidence::{PointKind, SearchKind};
use ports::scope::Scope;

/// All knowledge bases, at most one for each kind of scope.
#[derive(Debug, Default)]
pub struct KnowledgeBases(Vec<KnowledgeBase>);

/// A knowledge base, as its file defines it.
#[derive(Debug, Clone)]
pub struct KnowledgeBase {
    /// The name of the file without its extension.
    pub name: String,
    /// The kind of scope whose documents it has.
    pub scope: ScopeKind,
    /// The way in which passages become an answer without a model.
    pub style: Style,
    /// The instructions for a model.
    pub prompt: String,
    /// The template for citing a place.
    pub citation: Template,
    /// The template for showing a passage to a model.
    pub passage: Template,
    /// The template for naming a document in the line of sources.
    pub source: Template,
    /// Upper bound for the documents that the line of sources names.
    pub sources: usize,
    /// The time for which an answer is cached while the documents stay as they are.
    pub cache: SignedDuration,
    /// The searches for a question: their kinds, the points that they find, and their weights.
    pub searches: Vec<(SearchKind, PointKind, f64)>,
    /// The text of the file. It is a part of the cache key, so that a changed file invalidates old
    /// answers.
    pub text: String,
}

/// A kind of scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScopeKind {
    /// The documents of everyone.
    Global,
    /// The documents of the caller.
    User,
    /// The documents of a case.
    Case,
    /// The documents of a team.
    Team,
}

impl ScopeKind {
    /// Returns the kind of `scope`; `None` for a project, whose decisions are not documents.
    fn of(scope: &Scope) -> Option<ScopeKind> {
        match scope {
            Scope::Global => Some(ScopeKind::Global),
            Scope::User(_) => Some(ScopeKind::User),
            Scope::Case(_) => Some(ScopeKind::Case),
            Scope::Team(_) => Some(ScopeKind::Team),
            Scope::Project(_) => None,
        }
    }
}

/// The way in which passages become an answer without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Records and lines, in document order. Numbers are counted over all of them.
    Forensic,
    /// Whole sections of the one document that fits, with complete lists of steps.
    Procedural,
    /// The paragraphs that explain, with their lists, from a few documents.
    Educational,
}

/// An error in the file of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct Trouble {
    /// The name of the file.
    pub file: String,
    /// The reason, with the name of the field.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scope: ScopeKind,
    style: Style,
    prompt: String,
    citation: String,
    passage: String,
    source: String,
    sources: usize,
    cache_hours: i64,
    /// The lifecycle of its documents, for human readers.
    #[serde(rename = "lifecycle")]
    _lifecycle: String,
    weights: Weights,
}

/// The weights of the ways to search; 0 leaves one out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    dense: f64,
    bm25: f64,
    document_dense: f64,
    document_bm25: f64,
}

impl KnowledgeBase {
    /// Returns the description of a passage, as the knowledge base shows it to a model.
    pub(super) fn header(&self, passage: &Passage) -> String {
        let time = passage.time.map(|(first, _)| first);
        self.passage.show(&Place { passage, lines: passage.lines, time })
    }
}

impl KnowledgeBases {
    /// Parses knowledge bases from file names and texts.
    ///
    /// # Errors
    /// The first [`Trouble`]. Two files for one kind of scope are an error, too.
    pub fn parse(files: &[(String, String)]) -> Result<KnowledgeBases, Trouble> {
        let mut all: Vec<KnowledgeBase> = Vec::new();
        for (name, text) in files {
            let trouble = |reason: String| Trouble { file: name.clone(), reason };
            let base = base(name, text).map_err(trouble)?;
            if let Some(other) = all.iter().find(|a| a.scope == base.scope) {
                return Err(trouble(format!("`scope` is the one of {}.toml already", other.name)));
            }
            all.push(base);
        }
        Ok(KnowledgeBases(all))
    }

    /// Returns the knowledge base of `scope`, if there is one.
    pub fn base_of(&self, scope: &Scope) -> Option<&KnowledgeBase> {
        let kind = ScopeKind::of(scope)?;
        self.0.iter().find(|x| x.scope == kind)
    }
}

fn base(name: &str, text: &str) -> Result<KnowledgeBase, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let within = |field: &str, is_within: bool, wanted: &str| {
        if is_within { Ok(()) } else { Err(format!("`{field}` must be {wanted}")) }
    };
    within("prompt", !file.prompt.trim().is_empty(), "what a model is told")?;
    within("sources", (1..=50).contains(&file.sources), "between 1 and 50")?;
    within("cache_hours", (0..=24 * 90).contains(&file.cache_hours), "between 0 and 2160")?;
    Ok(KnowledgeBase {
        name: name.strip_suffix(".toml").unwrap_or(name).into(),
        scope: file.scope,
        style: file.style,
        prompt: file.prompt.trim().into(),
        citation: Template::parse(&file.citation).map_err(|why| format!("`citation` {why}"))?,
        passage: Template::parse(&file.passage).map_err(|why| format!("`passage` {why}"))?,
        source: Template::parse(&file.source).map_err(|why| format!("`source` {why}"))?,
        sources: file.sources,
        cache: SignedDuration::from_hours(file.cache_hours),
        searches: searches(&file.weights)?,
        text: text.into(),
    })
}

fn searches(weights: &Weights) -> Result<Vec<(SearchKind, PointKind, f64)>, String> {
    let all = [
        (SearchKind::Dense, PointKind::Passage, weights.dense),
        (SearchKind::Bm25, PointKind::Passage, weights.bm25),
        (SearchKind::Dense, Document, weights.document_dense),
        (SearchKind::Bm25, Document, weights.document_bm25),
    ];
    if all.iter().any(|(_, _, weight)| !(0.0..=10.0).contains(weight)) {
        return Err("`weights` must be between 0 and 10".into());
    }
    let searches: Vec<_> = all.into_iter().filter(|(_, _, weight)| *weight > 0.0).collect();
    if searches.iter().all(|(_, of, _)| *of != PointKind::Passage) {
        return Err("`weights` must search passages: one of `dense`, `bm25`".into());
    }
    Ok(searches)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "scope = \"team\"\nstyle = \"procedural\"\nprompt = \"Answer.\"\n\
        citation = '\"{title}\"[ section {section}]'\npassage = \"{title}\"\nsource = \"{title}\"\nsources = 3\ncache_hours = 24\n\
        lifecycle = \"until deleted\"\n[weights]\ndense = 1.0\nbm25 = 0.5\ndocument_dense = 0.0\ndocument_bm25 = 0.0\n";

    fn parse(text: &str) -> Result<KnowledgeBases, String> {
        let files = [("team.toml".to_owned(), text.to_owned())];
        KnowledgeBases::parse(&files).map_err(|trouble| trouble.to_string())
    }

    #[test]
    fn a_file_makes_a_knowledge_base_for_its_scope_alone() {
        let bases = parse(FILE).unwrap();
        assert_eq!(bases.base_of(&Scope::Team("a".into())).unwrap().searches.len(), 2);
        assert!(bases.base_of(&Scope::Global).is_none());
        assert!(bases.base_of(&Scope::Project("p".into())).is_none());
    }

    #[test]
    fn a_bad_file_is_refused_by_file_and_field() {
        let refusal = |from: &str, to: &str| parse(&FILE.replace(from, to)).unwrap_err();
        assert!(refusal("sources = 3", "sources = 0").starts_with("team.toml: `sources` must be"));
        assert!(refusal("{title}\"[", "{titel}\"[").contains("`citation` names `{titel}`"));
        assert!(refusal("\"team\"", "\"planet\"").contains("unknown variant `planet`"));
        assert!(refusal("sources = 3", "sauces = 3").contains("unknown field `sauces`"));
        assert!(refusal("dense = 1.0\nbm25 = 0.5", "dense = 0\nbm25 = 0").contains("`weights`"));
        let twice =
            [("a.toml".to_owned(), FILE.to_owned()), ("b.toml".to_owned(), FILE.to_owned())];
        let trouble = KnowledgeBases::parse(&twice).unwrap_err().to_string();
        assert_eq!(trouble, "b.toml: `scope` is the one of a.toml already");
    }
}
