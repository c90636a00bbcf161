//! The first stage understands a question and rewrites it to stand alone.

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
    /// The question as asked, and in its rewritten form.
    pub texts: Vec<String>,
    /// The conditions that it certainly states.
    pub stated: Stated,
    /// True if it depends on earlier turns.
    pub leans: bool,
    /// The words of its subject.
    pub words: QuestionTerms,
    /// The records of the scope, if its style examines them.
    pub loaded: &'a Loaded,
    /// The caller's filters, with the files that the question names.
    pub filters: Filters,
    /// The scopes that may be read.
    pub grant: &'a Grant,
}

impl Understood<'_> {
    /// Returns the question in the form for the search.
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

    /// Returns the form of the question that stands alone.
    pub(super) fn question(&self) -> &str {
        self.texts.last().map_or("", String::as_str)
    }

    /// Returns the words that prevented a count, if the question asks for a number, groups or the
    /// like.
    pub(super) fn uncounted(&self) -> Vec<String> {
        let may_count = self.style() == Style::Forensic && self.stated.asks_for_a_number();
        if may_count { self.stated.unread.clone() } else { Vec::new() }
    }

    /// Returns the way in which passages become an answer without a model.
    pub(super) fn style(&self) -> Style {
        self.asking.base.style
    }
}

/// Reads a question, with the scope's records if they are loaded.
pub(super) async fn understood<'a>(
    services: &Services<'_>,
    asking: &'a Asking<'a>,
    grant: &'a Grant,
    loaded: &'a Loaded,
    degraded: &mut Vec<Degraded>,
) -> Understood<'a> {
    let rewritten = rewritten(services, asking, degraded).await;
    let leans = rewritten.as_ref().is_some_and(|rewritten| !rewritten.about.is_empty());
    let asked = asking.question.as_str().to_owned();
    let mut texts: Vec<String> =
        std::iter::once(asked).chain(rewritten.map(|rewritten| rewritten.text)).collect();
    texts.dedup();
    // The words that rules add in brackets come from earlier turns, and state no conditions.
    let alone = if leans { texts.first() } else { texts.last() };
    let stated = Stated::read(alone.map_or("", String::as_str), loaded, services.may_go_on);
    let words = QuestionTerms::of(&stated.rest);
    let mut filters = asking.filters.clone();
    if !stated.mentioned.files.is_empty() {
        filters.0.push(Condition::AnyOf(Field::Name, stated.mentioned.files.clone()));
    }
    Understood { asking, texts, stated, leans, words, loaded, filters, grant }
}

/// Returns the question in a form that stands alone, if it does not already: by a model in mode
/// `generative`, which also decides whether the question depends on the conversation; otherwise by
/// rules.
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
