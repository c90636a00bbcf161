//! The first stage checks the question and its caller's rights, and has a language model write
//! queries.

use model::Result;
use ports::WrittenRoute;
use ports::degraded::Degraded;
use ports::filter::Filters;
use ports::question::{Question, TopK};
use ports::scope::{self, Grant, Membership};
use text::question::QuestionTerms;
use wire::common::AnswerMode;
use wire::request::CommonFields;
use wire::trial::ModelPart;

use crate::Ask;
use crate::examples::Examples;
use crate::queries;
use crate::written::{Choice, Written};

/// A checked question, with the scopes that may be read for it.
#[derive(Debug)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The caller's queries: other wordings, expected terms, a sentence that the wanted document
    /// may contain.
    pub queries: Vec<Question>,
    /// The queries that a language model wrote, if the caller sends none.
    pub written: Vec<Question>,
    /// The sources that the model chose with the queries.
    pub route: Option<WrittenRoute>,
    /// The errors that the asker sees. They are searched like queries.
    pub errors: Vec<Question>,
    /// The mode that the caller asks for. If absent, the mode of the deployment applies.
    pub mode: Option<AnswerMode>,
    /// Examples of wanted and unwanted passages and documents.
    pub examples: Examples,
    /// The number of results to show.
    pub top_k: TopK,
    /// The filters that a passage must satisfy.
    pub filters: Filters,
    /// The scopes that may be read.
    pub grant: Grant,
    /// The project for which the question is asked.
    pub project: Option<String>,
    /// The caller's membership of the project, once it has been read.
    pub membership: Option<Membership>,
    /// True if the reply shows the parts of scores.
    pub explain: bool,
    /// True if the question is recorded in the project's trail.
    pub is_noted: bool,
    /// The parts that the reply lacks.
    pub degraded: Vec<Degraded>,
}

impl Ask<'_> {
    /// Checks the question and the caller's rights before anything is read. Then a language model
    /// writes queries, if they are wanted.
    ///
    /// # Errors
    /// [`model::Error::Invalid`] for a field that the caller can correct; see also
    /// [`scope::grant`].
    pub async fn question(&self, fields: CommonFields<'_>) -> Result<Asked> {
        let mut asked = self.checked(fields).await?;
        self.write_queries(&mut asked, &[]).await?;
        Ok(asked)
    }

    /// Does the same without written queries.
    ///
    /// # Errors
    /// Fails as [`Ask::question`] does.
    pub async fn checked(&self, fields: CommonFields<'_>) -> Result<Asked> {
        let question = Question::parse(fields.question)?;
        let queries = queries::parse(&question, fields.queries)?;
        let examples = Examples::parse(fields.like, fields.unlike)?;
        let top_k = TopK::parse(fields.top_k)?;
        let filters = Filters::parse(fields.filters)?;
        let grant =
            scope::grant(self.context.caller, fields.knowledge, self.context.members).await?;
        Ok(Asked {
            queries,
            mode: fields.mode,
            examples,
            top_k,
            filters,
            project: fields.project_id.map(str::to_owned),
            explain: fields.explain,
            is_noted: fields.is_noted,
            ..Asked::of(question, grant)
        })
    }

    /// Has a language model write queries in mode `generative`, if the caller sends none and its
    /// trial allows it. The model also chooses sources among `choices`. A failure of the model is
    /// recorded in `degraded`.
    ///
    /// # Errors
    /// [`model::Error::Missing`] for a caller outside the project. The model is not called for such
    /// a caller.
    pub async fn write_queries(&self, asked: &mut Asked, choices: &[Choice<'_>]) -> Result<()> {
        let Some(writer) = self.writer.filter(|_| self.is_generative(asked)) else {
            return Ok(());
        };
        let is_served = writer.chat.is_none_or(|chat| chat.doing(ModelPart::Queries).is_some());
        if !asked.queries.is_empty() || !is_served {
            return Ok(());
        }
        self.membership(asked.project.as_deref()).await?;
        let Asked { question, grant, .. } = &*asked;
        match writer.written(question, choices, grant, self.context.stamp.time).await {
            Ok(Written { queries, route }) => (asked.written, asked.route) = (queries, route),
            Err(error) => {
                asked.degraded.push(Degraded { part: "queries_written".into(), error });
            }
        }
        Ok(())
    }

    /// Checks that the caller belongs to the project and reads its profile, if a project is named.
    ///
    /// # Errors
    /// See [`scope::membership`].
    pub async fn membership(&self, project: Option<&str>) -> Result<Option<Membership>> {
        let Some(project) = project else { return Ok(None) };
        scope::membership(self.context.caller, project, self.context.profiles).await.map(Some)
    }
}

impl Asked {
    /// Creates a question within a grant, with defaults for all else.
    pub fn of(question: Question, grant: Grant) -> Asked {
        Asked {
            question,
            queries: Vec::new(),
            written: Vec::new(),
            route: None,
            errors: Vec::new(),
            mode: None,
            examples: Examples::default(),
            top_k: TopK::DEFAULT,
            filters: Filters::default(),
            grant,
            project: None,
            membership: None,
            explain: false,
            is_noted: false,
            degraded: Vec::new(),
        }
    }

    /// Returns the words of the question, with those of the caller's queries as other wordings.
    pub fn terms(&self) -> QuestionTerms {
        let queries = self.queries.iter().map(Question::as_str);
        QuestionTerms::of(self.question.as_str()).or(queries)
    }

    /// Returns the texts that stand for the question beside itself: all queries, and errors.
    pub(crate) fn beside(&self) -> impl Iterator<Item = &Question> {
        self.queries.iter().chain(&self.written).chain(&self.errors)
    }
}
