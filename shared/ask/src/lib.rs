//! The stages of a question.
//!
//! A workflow is a function that calls the stages from top to bottom: [`question`] checks the
//! question and the caller's rights, [`plan`] describes the searches as data, [`search`] runs them
//! and reads documents, [`rank`] orders the results, [`fit`] decides whether any of them fits, and
//! [`reply`] puts the project's decisions beside the report and records the question in the
//! project's trail.

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
pub mod evidence;
pub mod exact;
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
pub mod unknown;
pub mod written;

/// The caller, and the services that a question needs.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// The context of the request, with its caller.
    pub context: RequestContext<'a>,
    /// The model that embeds the texts to search for.
    pub embedder: &'a dyn Embedder,
    /// The index to search and read.
    pub index: &'a dyn Index,
    /// The reranker of the first results, if there is one.
    pub rerank: Option<Rerank<'a>>,
    /// The language model that writes queries for questions without any, and judges the results,
    /// if there is one.
    pub writer: Option<Writer<'a>>,
}

impl<'a> Ask<'a> {
    /// Creates it without a reranker and a language model.
    pub fn new(
        context: RequestContext<'a>,
        embedder: &'a dyn Embedder,
        index: &'a dyn Index,
    ) -> Ask<'a> {
        Ask { context, embedder, index, rerank: None, writer: None }
    }

    /// Returns true if a question is asked in mode `generative`. The mode of the deployment applies
    /// if the caller states none.
    pub(crate) fn is_generative(&self, asked: &Asked) -> bool {
        let mode = asked.mode.or(self.writer.map(|writer| writer.mode));
        mode == Some(AnswerMode::Generative)
    }

    /// Returns the language model if there is one and a question is asked in mode `generative`.
    pub fn chat(&self, asked: &Asked) -> Option<Chat<'a>> {
        self.writer.and_then(|writer| writer.chat).filter(|_| self.is_generative(asked))
    }

    /// Returns the language model for this part if a question is asked in mode `generative`.
    pub fn model(&self, asked: &Asked, part: ModelPart) -> Option<&'a dyn Model> {
        self.chat(asked)?.doing(part)
    }
}
