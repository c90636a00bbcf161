//! The workflows that answer from passages. Each has the searches for a question, the report of the
//! results, and what is shown of it.

use ask::Ask;
use model::Result;
use ports::Trail;
use ports::degraded::Partial;
use views::ReportView;
use wire::common::Answer;
use wire::request;

pub mod conflict;
pub mod conflicts;
pub mod custom;
pub mod explore;
pub mod plan;
#[cfg(test)]
mod plans;
pub mod rcca;
pub mod search;
#[cfg(test)]
mod shown_tests;
pub mod trade;

/// A workflow with a function of its own.
#[expect(async_fn_in_trait, reason = "nothing here needs futures that are Send")]
pub trait Workflow: request::Workflow {
    /// Shows its report.
    const VIEW: ReportView<Self::Report>;

    /// Answers a request; `trail` has the decisions of projects.
    ///
    /// # Errors
    /// All that it refuses.
    async fn run(
        ask: &Ask<'_>,
        trail: &dyn Trail,
        request: Self::Request,
    ) -> Result<Partial<Answer<Self::Report>>>;
}
