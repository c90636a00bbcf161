//! Checks the sources and the context that a caller sends with the question.

use wire::search::{AskedWhen, RoutedSource, SearchRequest};

use super::source::Sources;
use ask::question::Asked;
use model::{Error, Result};
use ports::question::Question;

/// Upper bounds for the files and errors, and for the characters of a file's path.
const FILES: usize = 20;
const ERRORS: usize = 5;
const PATH: usize = 500;

/// The sources and the context that a caller sends with the question.
pub(super) struct Context {
    /// The places of the sources that the caller names.
    pub(super) sources: Option<Vec<usize>>,
    pub(super) files: Vec<String>,
    pub(super) errors: Vec<String>,
}

impl Context {
    /// Checks the sources and the context of a request.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a wrong field.
    pub(super) fn parse(sources: &Sources, wanted: &SearchRequest) -> Result<Context> {
        let named = wanted.sources.as_deref().map(|source| places(sources, source)).transpose()?;
        let context = wanted.context.clone().unwrap_or_default();
        let (files, errors) = (context.files, context.errors);
        for (field, count, most) in
            [("context.files", files.len(), FILES), ("context.errors", errors.len(), ERRORS)]
        {
            if count > most {
                return Err(Error::invalid(
                    field,
                    format!("must have at most {most}, not {count}"),
                ));
            }
        }
        let is_path = |text: &String| !text.trim().is_empty() && text.chars().count() <= PATH;
        if let Some(place) = files.iter().position(|file| !is_path(file)) {
            let reason = format!("must have 1 to {PATH} characters");
            return Err(Error::invalid(format!("context.files[{place}]"), reason));
        }
        for (place, message) in errors.iter().enumerate() {
            Question::parse(message).map_err(|error| match error {
                Error::Invalid { reason, .. } => {
                    Error::invalid(format!("context.errors[{place}]"), reason)
                }
                other => other,
            })?;
        }
        Ok(Context { sources: named, files, errors })
    }

    /// Returns the errors, which are searched beside the question and its queries. They do not
    /// influence whether anything fits.
    pub(super) fn errors(&self, asked: &Asked) -> Result<Vec<Question>> {
        let all: Vec<Question> =
            self.errors.iter().map(|error| Question::parse(error)).collect::<Result<_>>()?;
        let is_new = |error: &Question| *error != asked.question && !asked.queries.contains(error);
        Ok(all.into_iter().filter(is_new).collect())
    }

    /// Returns the context as a source of its own, if there is any. `decisions` is the number of
    /// the project's decisions, which count as found; it is `None` without a project.
    pub(super) fn as_source(&self, decisions: Option<usize>) -> Option<RoutedSource> {
        let given = self.files.len() + self.errors.len();
        (decisions.is_some() || given > 0).then(|| RoutedSource {
            name: "context".into(),
            asked: AskedWhen::First,
            found: Some(decisions.unwrap_or_default() + given),
            ms: None,
        })
    }
}

fn places(sources: &Sources, names: &[String]) -> Result<Vec<usize>> {
    let known = || {
        let names: Vec<&str> = sources.all().iter().map(|s| s.name.as_str()).collect();
        names.join(", ")
    };
    if names.is_empty() {
        return Err(Error::invalid("sources", format!("must name at least one of {}", known())));
    }
    let mut places = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let place = sources.place(name).ok_or_else(|| {
            let reason = format!("`{name}` must be one of {}", known());
            Error::invalid(format!("sources[{number}]"), reason)
        })?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    Ok(places)
}
