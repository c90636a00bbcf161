//! A paragraph that a language model writes from passages which a workflow found: each claim is
//! cited and checked, and it is kept as an answer.

use ports::Answers;
use ports::chat::Chat;
use ports::question::Stamp;
use ports::scope::Scope;
use wire::common::AnswerMode;
use wire::trial::ModelPart;

use super::Given;
use super::cache::{Cache, Kept};
use super::extract::Extracted;
use super::kept;
use super::knowledge::KnowledgeBase;
use super::render::drafted;
use super::verify::verified;
use super::write::{Written, write};
use model::Result;
use model::document::Passage;

/// A paragraph that is wanted.
pub struct Paragraph<'a> {
    /// The knowledge base whose instructions and citations it has.
    pub base: &'a KnowledgeBase,
    /// The scope that it is kept for: whoever may read that may read it.
    pub scope: Scope,
    /// The question that it answers.
    pub question: &'a str,
    /// The passages that it is written from, best first.
    pub passages: &'a [&'a Passage],
}

impl Paragraph<'_> {
    /// Has `chat` write and check it, and keeps it under the id of `stamp`. Returns `None` if the
    /// model does not write answers, or no claim stands in what it cites.
    ///
    /// # Errors
    /// [`model::Error::Unavailable`] if the model fails or does not keep to the form.
    pub async fn written(
        &self,
        chat: Chat<'_>,
        store: &dyn Answers,
        stamp: &Stamp,
    ) -> Result<Option<Given>> {
        let Some(writer) = chat.doing(ModelPart::Write) else { return Ok(None) };
        let written = write(writer, self.base, self.question, self.passages).await?;
        let Written { drafts, removed } = written;
        let extracted = Extracted { drafts, removed, ..Extracted::default() };
        let verified = verified(extracted, self.base, chat.doing(ModelPart::Check)).await;
        if verified.drafts.is_empty() {
            return Ok(None);
        }
        let mode = AnswerMode::Generative.name().into();
        let kept = Kept { answer_id: None, mode, corpus: 0, cache: Cache::Off };
        let report = drafted(&self.scope, self.base, &verified);
        let mut given = Given { report, kept, degraded: verified.degraded.into_iter().collect() };
        kept::keep_once(store, &self.scope, stamp, &mut given).await;
        Ok(Some(given))
    }
}
