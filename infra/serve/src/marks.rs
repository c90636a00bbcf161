//! What a person marks as right or wrong in answers, which becomes questions for `plumbline
//! evaluate`.

use std::sync::Arc;

use model::Result;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use views::html::{RIGHT, WRONG};

use crate::store::Store;

/// The marks of one answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// The id of the answer, or of the request that gave it where it has none.
    pub(crate) answer_id: String,
    pub(crate) question: String,
    /// The workflow that was chosen; empty where the program chose.
    pub(crate) workflow: String,
    /// True if the answer says that nothing fits.
    abstains: bool,
    /// True if the answer is right, false if it is wrong; `None` where nothing is said of it.
    answer: Option<bool>,
    /// The passages that were shown, as `file:first-last`, each with whether it is right.
    passages: Vec<(String, Option<bool>)>,
}

impl Mark {
    /// Reads the form of [`views::html::Marks`].
    pub(crate) fn of_form(body: &[u8]) -> Mark {
        let fields: Vec<(String, String)> = form_urlencoded::parse(body).into_owned().collect();
        let text = |name: &str| {
            let field = fields.iter().find(|(field, _)| field == name);
            field.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let choice = |name: &str| match text(name).as_str() {
            RIGHT => Some(true),
            WRONG => Some(false),
            _ => None,
        };
        let passages = fields.iter().filter_map(|(name, place)| {
            let number = name.strip_prefix("place.")?;
            Some((place.clone(), choice(&format!("passage.{number}"))))
        });
        Mark {
            answer_id: text("answer_id"),
            question: text("question"),
            workflow: text("workflow"),
            abstains: text("abstains") == "true",
            answer: choice("answer"),
            passages: passages.collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.answer.is_none() && self.passages.iter().all(|(_, is_right)| is_right.is_none())
    }

    /// The places that are right; `None` where the marks do not tell: nothing is marked as right.
    /// If the answer is right, so are all of its passages but those that are marked as wrong.
    pub(crate) fn expected(&self) -> Option<Vec<&str>> {
        let marked = |wanted: &[Option<bool>]| -> Vec<&str> {
            let passages = self.passages.iter().filter(|(_, is_right)| wanted.contains(is_right));
            passages.map(|(place, _)| place.as_str()).collect()
        };
        let right = marked(&[Some(true)]);
        match self.answer {
            _ if !right.is_empty() => Some(right),
            Some(true) if self.abstains => Some(Vec::new()),
            Some(true) => Some(marked(&[None])).filter(|places| !places.is_empty()),
            _ => None,
        }
    }

    /// The line of a file for `plumbline evaluate`, if the marks tell what is right.
    fn line(&self) -> Option<Value> {
        // From the folder's root: a name alone would be any file of that name.
        let expected: Vec<String> =
            self.expected()?.iter().map(|place| format!("/{place}")).collect();
        let mut line = json!({"question": self.question, "expected": expected});
        if !self.workflow.is_empty() {
            line["workflow"] = self.workflow.as_str().into();
        }
        Some(line)
    }
}

/// The marks of a store.
#[derive(Clone)]
pub(crate) struct Marks(pub(crate) Arc<Store>);

impl Marks {
    /// Keeps marks, in the place of those of the same question. Where nothing is marked, these are
    /// forgotten.
    pub(crate) fn keep(&self, mark: &Mark) -> Result<()> {
        let Mark { question, .. } = mark;
        let body = json!(mark).to_string();
        self.0.change(|change| {
            change.execute("DELETE FROM marks WHERE question = ?1", [question])?;
            if !mark.is_empty() {
                let new = "INSERT INTO marks (question, body) VALUES (?1, ?2)";
                change.execute(new, params![question, body])?;
            }
            Ok(())
        })
    }

    /// Returns all marks, those that were kept last at the end.
    pub(crate) fn all(&self) -> Result<Vec<Mark>> {
        let bodies: Vec<String> = self.0.change(|change| {
            let mut rows = change.prepare("SELECT body FROM marks ORDER BY rowid")?;
            rows.query_map([], |row| row.get(0))?.collect()
        })?;
        // What this program wrote it can read.
        Ok(bodies.iter().filter_map(|body| serde_json::from_str(body).ok()).collect())
    }

    /// Returns a file for `plumbline evaluate`: a line for each question of which the marks tell
    /// what is right.
    pub(crate) fn lines(&self) -> Result<String> {
        let marks = self.all()?;
        let mut lines: Vec<String> =
            marks.iter().filter_map(Mark::line).map(|line| line.to_string()).collect();
        lines.push(String::new());
        Ok(lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(form: &str) -> Mark {
        let passages = "place.0=a.md%3A1-3&place.1=b.md&question=Why%3F&answer_id=01A";
        Mark::of_form(format!("{passages}&{form}").as_bytes())
    }

    #[test]
    fn what_is_marked_tells_what_is_right() {
        let expected = |form: &str| {
            mark(form).expected().map(|places| places.into_iter().map(str::to_owned).collect())
        };
        let places = |places: &[&str]| -> Option<Vec<String>> {
            Some(places.iter().map(|place| (*place).to_owned()).collect())
        };
        assert_eq!(expected("passage.1=right"), places(&["b.md"]));
        assert_eq!(expected("passage.1=right&answer=wrong"), places(&["b.md"]));
        assert_eq!(expected("answer=right"), places(&["a.md:1-3", "b.md"]));
        assert_eq!(expected("answer=right&passage.0=wrong"), places(&["b.md"]));
        assert_eq!(expected("answer=right&abstains=true"), places(&[]));
        assert_eq!(expected("answer=right&passage.0=wrong&passage.1=wrong"), None);
        for untold in ["", "answer=wrong", "passage.0=wrong", "answer=wrong&abstains=true"] {
            assert_eq!(expected(untold), None, "{untold}");
        }
    }

    #[test]
    fn the_last_marks_of_a_question_are_kept_and_empty_ones_forget_them() {
        let folder = tempfile::tempdir().unwrap();
        let marks = Marks(Arc::new(Store::open(&folder.path().join("store.db")).unwrap()));
        marks.keep(&mark("passage.0=right")).unwrap();
        marks.keep(&mark("passage.1=right&workflow=rcca")).unwrap();
        let line = r#"{"expected":["/b.md"],"question":"Why?","workflow":"rcca"}"#;
        assert_eq!(marks.lines().unwrap(), format!("{line}\n"));
        marks.keep(&mark("passage.0=wrong")).unwrap();
        assert_eq!((marks.lines().unwrap().as_str(), marks.all().unwrap().len()), ("", 1));
        marks.keep(&mark("")).unwrap();
        assert_eq!(marks.all().unwrap(), []);
    }
}
