//! The first stage: what a question means, as it stands alone.

use wire::common::AnswerMode;
use wire::trial::ModelPart;

use super::conversation::Rewritten;
use super::intent::Intent;
use super::knowledge::Style;
use super::mention::Mentioned;
use super::{Asking, Services, write};
use crate::degraded::Degraded;
use crate::filter::{Condition, Field};
use crate::records::Loaded;
use crate::scope::Grant;
use crate::strategy::examples::Examples;
use crate::strategy::{self};

/// A question that was understood.
pub(super) struct Understood<'a> {
    pub asking: &'a Asking<'a>,
    /// The question as asked, and as it stands alone.
    pub texts: Vec<String>,
    /// What it asks of records.
    pub intent: Intent,
    /// What it names of the documents, where records are gone through.
    pub mentioned: Mentioned,
    /// The scope's records, where these are gone through.
    pub loaded: &'a Loaded,
    /// What is searched: by the caller's filters, and in the files that the question names.
    pub request: strategy::Request,
}

impl Understood<'_> {
    /// The form that stands alone.
    pub(super) fn question(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }

    /// How passages become an answer without a model.
    pub(super) fn style(&self) -> Style {
        self.asking.base.style
    }
}

/// Reads a question over the scope's records, if these are loaded.
pub(super) async fn understood<'a>(
    services: &Services<'_>,
    (asking, grant): (&'a Asking<'a>, &Grant),
    loaded: &'a Loaded,
    degraded: &mut Vec<Degraded>,
) -> Understood<'a> {
    let rewritten = rewritten(services, asking, degraded).await;
    let about = rewritten.as_ref().map(|r| r.about.clone()).unwrap_or_default();
    let asked = asking.question.as_str().to_owned();
    let mut texts: Vec<String> =
        std::iter::once(asked).chain(rewritten.map(|rewritten| rewritten.text)).collect();
    texts.dedup();
    let question = texts.last().map_or("", String::as_str);
    let is_forensic = asking.base.style == Style::Forensic;
    let mentioned = Mentioned::of(&loaded.listed, question);
    let has_lines =
        loaded.listed.len() == 1 || !mentioned.unknown.is_empty() || !mentioned.named.is_empty();
    // A date in a file's name says which file, and not when.
    let bare = mentioned.without_files(question);
    let intent = Intent::read(&bare, is_forensic, is_forensic && has_lines);
    let intent = Intent { about, ..intent };
    let mut filters = asking.filters.clone();
    if !mentioned.files.is_empty() {
        filters.0.push(Condition::AnyOf(Field::Name, mentioned.files.clone()));
    }
    let request = strategy::Request {
        question: asking.question.clone(),
        queries: asking.queries.clone(),
        mode: Some(asking.mode),
        examples: Examples::default(),
        top_k: asking.top_k,
        filters,
        grant: grant.clone(),
        project: None,
        explain: false,
        is_noted: false,
    };
    Understood { asking, texts, intent, mentioned, loaded, request }
}

/// The question as it stands alone, where it does not already: by a model where that is asked for, which also tells whether it
/// leans on the conversation; else by rules.
async fn rewritten(
    services: &Services<'_>,
    asking: &Asking<'_>,
    degraded: &mut Vec<Degraded>,
) -> Option<Rewritten> {
    let question = asking.question.as_str();
    let by_rules = asking.rewritten.clone();
    let has_turns = !asking.conversation.turns().is_empty();
    let is_by_model = has_turns && asking.mode == AnswerMode::Generative;
    let chat = services.chat.filter(|_| is_by_model);
    let model = chat.and_then(|chat| chat.doing(ModelPart::Queries));
    let Some(model) = model else { return by_rules };
    match write::rewrite(model, &asking.conversation, question).await {
        Ok(text) => (text != question).then_some(Rewritten { text, about: Vec::new() }),
        Err(error) => {
            degraded.push(Degraded { part: "rewriting by the language model".into(), error });
            by_rules
        }
    }
}
