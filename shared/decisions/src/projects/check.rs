//! Checks what callers may write.

use std::collections::HashSet;

use jiff::Timestamp;
use serde::Serialize;
use wire::decisions::{Decided, Decision, NewDecision};
use wire::projects::Project;

use model::{Error, Result};

/// Upper bound for the sources of a decision.
const SOURCES: usize = 50;

/// Upper bound for the stored answers that a decision names.
const ANSWERS: usize = 16;

/// Upper bounds for the bytes of a decision with its sources, and of one with its history, as JSON.
/// An item of the table has at most 400 KB.
const DECIDED: usize = 200_000;
const GROWN: usize = 300_000;

/// Upper bounds for the alternatives of a decision, and for the standards and constraints of a
/// project.
const ALTERNATIVES: usize = 100;
const LISTED: usize = 50;

/// Upper bounds for the characters of a name, of an entry of a list, of a decision or a reason, and
/// of a rationale.
const NAME: usize = 200;
const ENTRY: usize = 500;
const REASON: usize = 1_000;
const RATIONALE: usize = 10_000;

fn text(field: &str, text: &str, most: usize) -> Result<String> {
    let text = text.trim();
    let count = text.chars().count();
    if count == 0 || count > most {
        return Err(Error::invalid(field.to_owned(), format!("must have 1 to {most} characters")));
    }
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some(control) = text.chars().find(|c| is_control(*c)) {
        let reason = format!("must not hold the control character U+{:04X}", u32::from(control));
        return Err(Error::invalid(field.to_owned(), reason));
    }
    Ok(text.into())
}

/// Returns a text that has one line.
fn line(field: &str, value: &str, most: usize) -> Result<String> {
    if value.trim().contains(['\n', '\r', '\t']) {
        return Err(Error::invalid(field.to_owned(), "must be one line"));
    }
    text(field, value, most)
}

fn lines(field: &str, texts: &[String], count: usize, most: usize) -> Result<Vec<String>> {
    if texts.len() > count {
        return Err(Error::invalid(field.to_owned(), format!("must have at most {count} entries")));
    }
    let mut seen = HashSet::new();
    let one = |(place, entry): (usize, &String)| {
        let field = format!("{field}[{place}]");
        let entry = line(&field, entry, most)?;
        if !seen.insert(entry.to_lowercase()) {
            return Err(Error::invalid(field, format!("names `{entry}` a second time")));
        }
        Ok(entry)
    };
    texts.iter().enumerate().map(one).collect()
}

pub(super) fn profile(project: Project) -> Result<Project> {
    Ok(Project {
        name: line("name", &project.name, NAME)?,
        domain: project.domain.map(|domain| line("domain", &domain, NAME)).transpose()?,
        standards: lines("standards", &project.standards, LISTED, NAME)?,
        constraints: lines("constraints", &project.constraints, LISTED, ENTRY)?,
        ..project
    })
}

pub(super) fn reason(reason: Option<String>) -> Result<Option<String>> {
    reason.map(|reason| text("reason", &reason, REASON)).transpose()
}

/// Returns the decision with its texts trimmed, if they have valid sizes.
pub(super) fn decision(new: NewDecision) -> Result<NewDecision> {
    if new.sources.len() > SOURCES {
        return Err(Error::invalid("sources", format!("must have at most {SOURCES} entries")));
    }
    if new.answers.len() > ANSWERS {
        return Err(Error::invalid("answers", format!("must have at most {ANSWERS} entries")));
    }
    let mut seen = HashSet::new();
    for (place, source) in new.sources.iter().enumerate() {
        if !(0.0..=1.0).contains(&source.relevance) {
            let field = format!("sources[{place}].relevance");
            return Err(Error::invalid(field, "must be between 0 and 1"));
        }
        if !seen.insert(source.passage_id) {
            let field = format!("sources[{place}].passage_id");
            return Err(Error::invalid(field, "is named a second time"));
        }
    }
    Ok(NewDecision {
        decision: decided(&new.decision)?,
        rationale: rationale(&new.rationale)?,
        alternatives: lines("alternatives", &new.alternatives, ALTERNATIVES, ENTRY)?,
        ..new
    })
}

/// Checks the size of a decision together with its sources, because one item of the table must hold
/// all of it.
///
/// # Errors
/// [`Error::Invalid`] if there are too many bytes.
pub(super) fn size(decided: &Decided) -> Result<()> {
    bytes("alternatives", decided, DECIDED)
}

/// Checks the size of a decision with its history.
///
/// # Errors
/// [`Error::Invalid`] if there are too many bytes.
pub(super) fn grown(decision: &Decision) -> Result<()> {
    bytes("reason", decision, GROWN)
}

fn bytes(field: &'static str, value: &impl Serialize, most: usize) -> Result<()> {
    let size = serde_json::to_vec(value).map_or(usize::MAX, |json| json.len());
    if size <= most {
        return Ok(());
    }
    Err(Error::invalid(
        field,
        format!("makes {size} bytes of the decision; at most {most} are kept"),
    ))
}

/// Returns the rationale, which has up to 10,000 characters.
pub(super) fn rationale(rationale: &str) -> Result<String> {
    text("rationale", rationale, RATIONALE)
}

/// Returns the choice, which has one line.
pub(super) fn decided(decision: &str) -> Result<String> {
    line("decision", decision, ENTRY)
}

/// Returns `time`.
///
/// # Errors
/// [`Error::Invalid`] if `time` is in the future.
pub(super) fn past(field: &'static str, time: Timestamp, now: Timestamp) -> Result<Timestamp> {
    if time > now {
        return Err(Error::invalid(field, format!("must not be after now, {now}")));
    }
    Ok(time)
}

/// Checks that a change comes after the last one, written at `last`.
///
/// # Errors
/// [`Error::Conflict`] if it comes before.
pub(super) fn clock(last: Timestamp, now: Timestamp) -> Result<()> {
    if now < last {
        let reason = format!("the last change is of {last}, and our clock says {now}: try again");
        return Err(Error::conflict("version", reason));
    }
    Ok(())
}

/// Checks that two versions are equal.
///
/// # Errors
/// [`Error::Conflict`] with both versions.
pub(super) fn version(there: u64, wanted: u64) -> Result<()> {
    if there == wanted { Ok(()) } else { Err(stale(there, wanted)) }
}

pub(super) fn stale(there: u64, wanted: u64) -> Error {
    Error::conflict("version", format!("it is at version {there}, and the change is of {wanted}"))
}
