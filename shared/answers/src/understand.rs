//! The first stage: what a question means, as it stands alone.

use wire::common::AnswerMode;
use wire::trial::ModelPart;

use super::conversation::Rewritten;
use super::knowledge::Style;
use super::{Asking, Services, write};
use ask::question::Asked;
use ports::degraded::Degraded;
use ports::filter::{Condition, Field, Filters};
use ports::scope::Grant;
use records::Loaded;
use records::question::Stated;
use text::question::QuestionTerms;

/// A question that was understood.
pub(super) struct Understood<'a> {
    pub asking: &'a Asking<'a>,
    /// The question as asked, and as it stands alone.
    pub texts: Vec<String>,
    /// What it states beyond doubt.
    pub stated: Stated,
    /// True if it leans on what was spoken of before.
    pub leans: bool,
    /// The words of what it is about.
    pub words: QuestionTerms,
    /// The scope's records, where these are gone through.
    pub loaded: &'a Loaded,
    /// The caller's filters, and the files that the question names.
    pub filters: Filters,
    /// What may be read.
    pub grant: &'a Grant,
}

impl Understood<'_> {
    /// What is searched.
    pub(super) fn asked(&self) -> Asked {
        Asked {
            queries: self.asking.queries.clone(),
            examples: self.asking.examples.clone(),
            mode: Some(self.asking.mode),
            top_k: self.asking.top_k,
            filters: self.filters.clone(),
            ..Asked::of(self.asking.question.clone(), self.grant.clone())
        }
    }

    /// The form that stands alone.
    pub(super) fn question(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }

    /// The words for which nothing was counted, although it is asked how many, per what and the like.
    pub(super) fn uncounted(&self) -> Vec<String> {
        let may_count = self.style() == Style::Forensic && self.stated.asks_for_a_number();
        if may_count { self.stated.unread.clone() } else { Vec::new() }
    }

    /// How passages become an answer without a model.
    pub(super) fn style(&self) -> Style {
        self.asking.base.style
    }
}

/// Reads a question over the scope's records, if these are loaded.
pub(super) async fn understood<'a>(
    services: &Services<'_>,
    (asking, grant): (&'a Asking<'a>, &'a Grant),
    loaded: &'a Loaded,
    degraded: &mut Vec<Degraded>,
) -> Understood<'a> {
    let rewritten = rewritten(services, asking, degraded).await;
    let leans = rewritten.as_ref().is_some_and(|rewritten| !rewritten.about.is_empty());
    let asked = asking.question.as_str().to_owned();
    let mut texts: Vec<String> =
        std::iter::once(asked).chain(rewritten.map(|rewritten| rewritten.text)).collect();
    texts.dedup();
    // The words that rules add in brackets were spoken of before, and state nothing of their own.
    let alone = if leans { texts.first() } else { texts.last() };
    let stated = Stated::read(alone.map_or("", String::as_str), loaded);
    let words = QuestionTerms::of(&stated.rest);
    let mut filters = asking.filters.clone();
    if !stated.mentioned.files.is_empty() {
        filters.0.push(Condition::AnyOf(Field::Name, stated.mentioned.files.clone()));
    }
    Understood { asking, texts, stated, leans, words, loaded, filters, grant }
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
