//! Notes a question in the trail of a project.

use wire::trail::{Asked, NewNote};

use super::ProjectContext;
use model::Result;
use ports::question::Question;
use text::secret;

/// Notes a question in the trail that no workflow was asked for the project, or not yet.
pub async fn note(context: &ProjectContext<'_>, project: &str, note: NewNote) -> Result<Asked> {
    context.enter(project).await?;
    let question = Question::parse(&note.question)?;
    let asked = Asked {
        query_id: context.stamp.id.clone(),
        question: secret::mask(question.as_str()).into_owned(),
        workflow: "note".into(),
        results: Vec::new(),
        by: context.caller.sub.clone(),
        at: context.stamp.time,
    };
    context.trail.record(project, &asked).await?;
    Ok(asked)
}
