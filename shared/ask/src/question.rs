//! The first stage checks the question and its caller's rights, and has a language model write queries beside it.

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

/// A question that was checked, and what may be read for it.
#[derive(Debug)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The caller's queries: other wordings, terms that are expected, a sentence that the document sought may contain.
    pub queries: Vec<Question>,
    /// The queries that a language model wrote, where the caller has none.
    pub written: Vec<Question>,
    /// The sources that it named with them.
    pub route: Option<WrittenRoute>,
    /// Errors that the asker sees. They are searched as queries are.
    pub errors: Vec<Question>,
    /// The mode that the caller asks for; the deployment's where absent.
    pub mode: Option<AnswerMode>,
    /// Passages and documents that are like what is sought, and others that are not.
    pub examples: Examples,
    /// The number of results that are wanted.
    pub top_k: TopK,
    /// The filters that a passage must satisfy.
    pub filters: Filters,
    /// The scopes that may be read.
    pub grant: Grant,
    /// The project that it is asked for.
    pub project: Option<String>,
    /// The caller's membership of the project, once it was read.
    pub membership: Option<Membership>,
    /// True if the reply shows the parts of scores.
    pub explain: bool,
    /// True if the project's trail notes the question.
    pub is_noted: bool,
    /// The parts that the reply lacks.
    pub degraded: Vec<Degraded>,
}

impl Ask<'_> {
    /// Checks what is asked and what may be read, before anything is; then a language model writes queries, where it is to.
    ///
    /// # Errors
    /// [`model::Error::Invalid`] names what the caller can repair; see also [`scope::grant`].
    pub async fn question(&self, fields: CommonFields<'_>) -> Result<Asked> {
        let mut asked = self.checked(fields).await?;
        self.write_queries(&mut asked, &[]).await?;
        Ok(asked)
    }

    /// The same without written queries.
    ///
    /// # Errors
    /// As [`Ask::question`].
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

    /// Has a language model write queries in mode `generative`, where the caller sends none and its trial lets it. It chooses sources of
    /// `choices`, too. That it fails is noted.
    ///
    /// # Errors
    /// [`model::Error::Missing`] for a stranger to the project, who costs no call of the model.
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

    /// Checks that the caller belongs to the project, if one is named, and reads its profile.
    ///
    /// # Errors
    /// See [`scope::membership`].
    pub async fn membership(&self, project: Option<&str>) -> Result<Option<Membership>> {
        let Some(project) = project else { return Ok(None) };
        scope::membership(self.context.caller, project, self.context.profiles).await.map(Some)
    }
}

impl Asked {
    /// A question within a grant, and nothing besides.
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

    /// The words of the question, or of one of the caller's queries.
    pub fn terms(&self) -> QuestionTerms {
        let queries = self.queries.iter().map(Question::as_str);
        QuestionTerms::of(self.question.as_str()).or(queries)
    }

    /// The texts that stand for the question beside itself: all queries, and errors.
    pub(crate) fn beside(&self) -> impl Iterator<Item = &Question> {
        self.queries.iter().chain(&self.written).chain(&self.errors)
    }
}
