//! Answers, decisions and trails as people read them: pages, and Markdown.
//!
//! A page is one file of HTML: no script, no font and no picture is fetched, and its policy forbids both. It is light or dark as
//! the reader's system is, and can be printed.

mod custom;
mod explore;
mod layout;
mod pack;
mod parts;
mod plan;
mod prose;
mod rcca;
mod score;
mod search;
mod trade;
pub mod trail;

pub use custom::custom;
pub use explore::explore;
pub use layout::GENERATOR;
pub use pack::pack;
pub use plan::plan;
pub use rcca::rcca;
pub use search::search;
pub use trade::trade;

use wire::meta::MissingPart;

/// The question and the missing parts, which a page shows beside the answer.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The question.
    pub question: &'a str,
    /// The parts that the answer had to do without.
    pub missing: &'a [MissingPart],
}
