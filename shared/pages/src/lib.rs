//! Answers, decisions and trails for people: as pages and as Markdown.
//!
//! A page is one HTML file. It fetches no script, no font and no picture, and its policy forbids
//! them. It follows the light or dark mode of the reader's system, and it can be printed.

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

/// The question and the missing parts, which a page shows besides the answer.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The question.
    pub question: &'a str,
    /// The parts that the answer lacks.
    pub missing: &'a [MissingPart],
}
