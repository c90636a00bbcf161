//! The last stage puts the project's decisions beside the report, and records the question in the
//! project's trail.

use model::Result;
use ports::degraded::{Degraded, Partial};
use ports::question::Question;
use ports::scope::Membership;
use wire::common::Answer;
use wire::decisions::Related;
use wire::trail::{Answered, Asked as Noted};

use crate::Ask;
use crate::fit::Fit;
use crate::question::Asked;

/// The report of a workflow.
#[derive(Debug)]
pub struct Told<R> {
    /// The workflow's name in the trail.
    pub workflow: String,
    /// The report.
    pub report: R,
    /// True if it shows any passage or decision.
    pub is_told: bool,
    /// The passages that it shows, for the trail.
    pub results: Vec<Answered>,
}

impl Ask<'_> {
    /// Puts the report into a reply and records the question in the project's trail. If the record
    /// fails, the reply does not.
    pub async fn reply<R>(
        &self,
        mut asked: Asked,
        decisions: Option<Vec<Related>>,
        fit: Fit,
        told: Told<R>,
    ) -> Partial<Answer<R>> {
        let has_decisions = decisions.as_ref().is_some_and(|all| !all.is_empty());
        let abstained = fit.abstained_unless(told.is_told || has_decisions);
        if let Some(membership) = asked.membership.as_ref().filter(|_| asked.is_noted) {
            let noted = self.note(membership, &asked.question, &told.workflow, told.results).await;
            let failed = noted.err().map(|error| Degraded { part: "trail".into(), error });
            asked.degraded.extend(failed);
        }
        let queries_written = asked.written.iter().map(|query| query.as_str().into()).collect();
        let reply = Answer { report: told.report, queries_written, decisions, abstained };
        Partial { reply, degraded: asked.degraded }
    }

    /// Records a question in the project's trail, with the first passages that answered it.
    ///
    /// # Errors
    /// The errors of the table.
    pub async fn note(
        &self,
        membership: &Membership,
        question: &Question,
        workflow: &str,
        mut results: Vec<Answered>,
    ) -> Result<()> {
        results.truncate(Noted::RESULTS);
        let noted = Noted {
            query_id: self.context.stamp.id.clone(),
            question: text::secret::mask(question.as_str()).into_owned(),
            workflow: workflow.into(),
            results,
            by: self.context.caller.sub.clone(),
            at: self.context.stamp.time,
        };
        self.context.notes.record(&membership.project().project_id, &noted).await
    }
}
