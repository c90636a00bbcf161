//! The stages of a question.
//!
//! A workflow is a function that calls them from top to bottom: [`question`] checks what is asked and what may be read, [`plan`] says
//! as data what is searched, [`search`] searches and reads, [`rank`] orders what was found, [`fit`] says whether any of it fits, and
//! [`reply`] puts the project's decisions beside the report and notes the question in its trail.

use ports::chat::Chat;
use ports::context::RequestContext;
use ports::{Embedder, Index, Model};
use wire::common::AnswerMode;
use wire::trial::ModelPart;

use question::Asked;
use rerank::Rerank;
use written::Writer;

pub mod claim;
pub mod embed;
pub mod evaluated;
pub mod evidence;
pub mod examples;
pub mod facet;
pub mod fit;
pub mod fuse;
pub mod grade;
pub mod groups;
pub mod kept_reply;
pub mod lookup;
pub mod marked;
pub mod missing_facts;
pub mod plan;
pub mod queries;
pub mod question;
pub mod rank;
pub mod read;
pub mod related;
pub mod reply;
pub mod rerank;
pub mod search;
pub mod searches;
pub mod settled;
pub mod succession;
pub mod written;

/// Who asks, and the services that a question needs.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// Who asks.
    pub context: RequestContext<'a>,
    /// Embeds what is searched.
    pub embedder: &'a dyn Embedder,
    /// Searches and reads.
    pub index: &'a dyn Index,
    /// Reranks the first results.
    pub rerank: Option<Rerank<'a>>,
    /// Writes queries for questions that come without, and judges what was found.
    pub writer: Option<Writer<'a>>,
}

impl<'a> Ask<'a> {
    /// Without a reranker and a language model.
    pub fn new(
        context: RequestContext<'a>,
        embedder: &'a dyn Embedder,
        index: &'a dyn Index,
    ) -> Ask<'a> {
        Ask { context, embedder, index, rerank: None, writer: None }
    }

    /// Returns true if a question is asked in mode `generative`; the deployment's mode decides where its caller does not say.
    pub(crate) fn is_generative(&self, asked: &Asked) -> bool {
        let mode = asked.mode.or(self.writer.map(|writer| writer.mode));
        mode == Some(AnswerMode::Generative)
    }

    /// The language model, where there is one and a question is asked in mode `generative`.
    pub fn chat(&self, asked: &Asked) -> Option<Chat<'a>> {
        self.writer.and_then(|writer| writer.chat).filter(|_| self.is_generative(asked))
    }

    /// The language model that does this part, where a question is asked in mode `generative`.
    pub fn model(&self, asked: &Asked, part: ModelPart) -> Option<&'a dyn Model> {
        self.chat(asked)?.doing(part)
    }
}
