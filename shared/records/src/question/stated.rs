//! Reads the unambiguous statements of a question: texts in quotes, names as programs write them,
//! whole file names, lines, times and days in ISO 8601, levels, and columns by name.
//!
//! It knows no other words. If a meaningful word is left, the question is not understood, see
//! [`Stated::is_whole`].

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use wire::records::{Condition, RecordsRequest, Scalar};

use super::column::Columns;
use super::form::Form;
use super::{Conditions, name, time};
use crate::mention::Mentioned;
use crate::{Loaded, Plan};
use model::document::file_name;
use text::words::pattern;

/// The unambiguous statements of a question.
#[derive(Debug, Default)]
pub struct Stated {
    /// The conditions for records.
    pub conditions: Conditions,
    /// The ranges of lines, each with its first and last line, in the mentioned file or the only
    /// one.
    pub lines: Vec<(u32, u32)>,
    /// The documents that the question mentions.
    pub mentioned: Mentioned,
    /// The question without its files, lines and times.
    pub rest: String,
    pub(super) form: Form,
    /// The meaningful words that are left.
    pub unread: Vec<String>,
}

static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#""([^"]{2,})"|`([^`]{2,})`|(?:^|\s)'([^']{3,})'(?:\W|$)"#));
static LINES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(\bbetween\s+)?\blines?\s+#?(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\s*(-|–|to|through|until|and|or)\s*(\d{1,3}(?:,\d{3})+|\d{1,7}))?\b",
    )
});

impl Stated {
    /// Reads a question over the records of a scope.
    pub fn read(question: &str, loaded: &Loaded, may_go_on: &(dyn Fn() -> bool + Sync)) -> Stated {
        let mentioned = Mentioned::of(&loaded.listed, question);
        // A date in a file's name selects the file and not a time.
        let rest = mentioned.without_files(question);
        let mut stated = Stated { mentioned, rest, ..Stated::default() };
        stated.read_files(loaded);
        stated.read_lines(loaded);
        stated.read_times(loaded);
        let mut bare = stated.rest.clone();
        let mut texts = take_quoted(&mut bare);
        stated.form = Form::take(&mut bare);
        let columns = Columns::read(&bare, stated.form.is_of_one(), loaded);
        stated.form.of_columns(&columns);
        stated.unread = columns.unread;
        texts.extend(stated.read_names(loaded, may_go_on));
        let all: Vec<Scalar> = texts.iter().map(|text| Scalar::from(text.as_str())).collect();
        if !texts.is_empty() && !stated.hold("text", time::all_of(all), loaded) {
            stated.unread.extend(texts);
        }
        for (column, condition) in columns.conditions {
            if !stated.hold(&column, condition, loaded) {
                stated.unread.push(column);
            }
        }
        stated
    }

    /// Returns true if no meaningful word is left and the question states something about records.
    pub fn is_whole(&self) -> bool {
        self.unread.is_empty() && (self.form.is_told() || !self.conditions.is_empty())
    }

    /// Returns true if the question asks how many, per what, or for a number in a column.
    pub fn asks_for_a_number(&self) -> bool {
        self.form.is_of_a_number()
    }

    /// Adds a condition; returns false if it is impossible, or if the column has another one.
    fn hold(&mut self, column: &str, condition: Condition, loaded: &Loaded) -> bool {
        let conditions = Conditions::from([(column.to_owned(), condition.clone())]);
        let request = RecordsRequest { conditions, ..RecordsRequest::default() };
        let may_hold = !self.conditions.contains_key(column) && Plan::of(&request, loaded).is_ok();
        if may_hold {
            self.conditions.insert(column.to_owned(), condition);
        }
        may_hold
    }

    /// Reads the files with records whose whole name is mentioned.
    fn read_files(&mut self, loaded: &Loaded) {
        let is_named = |name: &&str| self.mentioned.files.iter().any(|file| file == name);
        let documents = loaded.documents.iter().map(|recorded| recorded.document.name.as_str());
        let files: BTreeSet<&str> = documents.filter(is_named).map(file_name).collect();
        if !files.is_empty() {
            let files = files.into_iter().map(Scalar::from).collect();
            self.hold("file", Condition::AnyOf(files), loaded);
        }
    }

    /// Reads the lines, if it is clear to which file they belong.
    fn read_lines(&mut self, loaded: &Loaded) {
        let Mentioned { files, unknown, .. } = &self.mentioned;
        if loaded.listed.len() != 1 && files.is_empty() && unknown.is_empty() {
            return;
        }
        let Some(found) = LINES.captures(&self.rest) else { return };
        let Some((range, lines)) = found.get(0).map(|all| all.range()).zip(lines(&found)) else {
            return;
        };
        self.rest.replace_range(range, " ");
        let number = |line: u32| Scalar::from(line);
        let condition = match lines.as_slice() {
            [(from, to)] if from < to => time::bounds(Some(number(*from)), Some(number(*to))),
            all => Condition::AnyOf(all.iter().map(|(from, _)| number(*from)).collect()),
        };
        self.hold("line", condition, loaded);
        self.lines = lines;
    }

    /// Reads a day and a time of day, or one of the two.
    fn read_times(&mut self, loaded: &Loaded) {
        for _ in 0..2 {
            let Some((range, column, condition)) = time::read(&self.rest) else { return };
            if !self.hold(column, condition, loaded) {
                return;
            }
            self.rest.replace_range(range, " ");
        }
    }

    /// Reads the name of an instance, and returns the other words as programs write them that
    /// records have. Two of them with "and" or "or" may be of one record or of two, and stay
    /// unread.
    fn read_names(
        &mut self,
        loaded: &Loaded,
        may_go_on: &(dyn Fn() -> bool + Sync),
    ) -> Vec<String> {
        let (written, unread): (Vec<String>, Vec<String>) =
            std::mem::take(&mut self.unread).into_iter().partition(|word| name::is_written(word));
        self.unread = unread;
        let joins =
            ["and", "or"].iter().any(|word| self.rest.split_whitespace().any(|w| w == *word));
        let written: BTreeSet<String> = written.into_iter().collect();
        if written.len() > name::MOST || written.len() > 1 && joins {
            self.unread.extend(written);
            return Vec::new();
        }
        let mut texts = Vec::new();
        for word in written {
            if name::is_instance(&word, loaded) {
                if !self.hold("instance", Condition::Is(word.as_str().into()), loaded) {
                    self.unread.push(word);
                }
            } else if name::is_of_records(&word, loaded, may_go_on) {
                texts.push(word);
            } else {
                self.unread.push(word);
            }
        }
        texts
    }
}

/// Removes the texts in quotes from a question and returns them.
fn take_quoted(question: &mut String) -> Vec<String> {
    let text = |found: Captures<'_>| {
        let text = (1..=3).find_map(|group| found.get(group))?.as_str().trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let all = QUOTED.captures_iter(question).filter_map(text).collect();
    *question = QUOTED.replace_all(question, " ").into_owned();
    all
}

/// Returns the ranges of lines in the match.
fn lines(found: &Captures<'_>) -> Option<Vec<(u32, u32)>> {
    let number = |text: &str| text.replace(',', "").parse::<u32>().ok();
    let first = number(&found[2])?;
    let last = found.get(4).and_then(|last| number(last.as_str())).unwrap_or(first);
    let link = found.get(3).map(|link| link.as_str().to_lowercase());
    let are_two = found.get(1).is_none() && link.is_some_and(|link| link == "and" || link == "or");
    let lines = if are_two {
        vec![(first, first), (last, last)]
    } else {
        vec![(first.min(last), first.max(last))]
    };
    Some(lines)
}
