//! Reads what a question states beyond doubt: texts in quotes, whole names of files, lines, times and days of ISO 8601, levels, and
//! columns by their names.
//!
//! It knows no other words. Where one is left that says something the question is not read, see [`Stated::is_whole`].

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use wire::records::{Condition, RecordsRequest, Scalar};

use super::column::Columns;
use super::form::Form;
use super::{Conditions, time};
use crate::mention::Mentioned;
use crate::{Loaded, Plan};
use model::document::file_name;
use text::words::pattern;

/// What a question states beyond doubt.
#[derive(Debug, Default)]
pub struct Stated {
    /// What records must satisfy.
    pub conditions: Conditions,
    /// The lines that are named, each range with its ends, of the file that is named or the only one.
    pub lines: Vec<(u32, u32)>,
    /// What it names of the documents.
    pub mentioned: Mentioned,
    /// The question without the files, lines and times that it names.
    pub rest: String,
    pub(super) form: Form,
    /// The words that are left and say something.
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
    pub fn read(question: &str, loaded: &Loaded) -> Stated {
        let mentioned = Mentioned::of(&loaded.listed, question);
        // A date in a file's name says which file, and not when.
        let rest = mentioned.without_files(question);
        let mut stated = Stated { mentioned, rest, ..Stated::default() };
        stated.read_files(loaded);
        stated.read_lines(loaded);
        stated.read_times(loaded);
        let mut bare = stated.rest.clone();
        stated.read_texts(&mut bare, loaded);
        stated.form = Form::take(&mut bare);
        let columns = Columns::read(&bare, stated.form.is_of_one(), loaded);
        stated.form.of_columns(&columns);
        stated.unread = columns.unread;
        for (column, condition) in columns.conditions {
            if !stated.hold(&column, condition, loaded) {
                stated.unread.push(column);
            }
        }
        stated
    }

    /// Returns true if no word is left that says something, and if something of records is said.
    pub fn is_whole(&self) -> bool {
        self.unread.is_empty() && (self.form.is_told() || !self.conditions.is_empty())
    }

    /// Returns true if it is asked how many, per what, or for a number of a column.
    pub fn asks_for_a_number(&self) -> bool {
        self.form.is_of_a_number()
    }

    /// Adds a condition; returns false where it cannot be carried out, or where the column has another one.
    fn hold(&mut self, column: &str, condition: Condition, loaded: &Loaded) -> bool {
        let conditions = Conditions::from([(column.to_owned(), condition.clone())]);
        let request = RecordsRequest { conditions, ..RecordsRequest::default() };
        let may_hold = !self.conditions.contains_key(column) && Plan::of(&request, loaded).is_ok();
        if may_hold {
            self.conditions.insert(column.to_owned(), condition);
        }
        may_hold
    }

    /// Reads the files with records that are named whole.
    fn read_files(&mut self, loaded: &Loaded) {
        let is_named = |name: &&str| self.mentioned.files.iter().any(|file| file == name);
        let documents = loaded.documents.iter().map(|recorded| recorded.document.name.as_str());
        let files: BTreeSet<&str> = documents.filter(is_named).map(file_name).collect();
        if !files.is_empty() {
            let files = files.into_iter().map(Scalar::from).collect();
            self.hold("file", Condition::AnyOf(files), loaded);
        }
    }

    /// Reads the lines that are named, where it is known of which file.
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

    /// Reads a day and a time of day, or one of them.
    fn read_times(&mut self, loaded: &Loaded) {
        for _ in 0..2 {
            let Some((range, column, condition)) = time::read(&self.rest) else { return };
            if !self.hold(column, condition, loaded) {
                return;
            }
            self.rest.replace_range(range, " ");
        }
    }

    /// Reads the texts in quotes.
    fn read_texts(&mut self, bare: &mut String, loaded: &Loaded) {
        let text = |found: Captures<'_>| {
            let text = (1..=3).find_map(|group| found.get(group))?.as_str().trim();
            (!text.is_empty()).then(|| Scalar::from(text))
        };
        let all: Vec<Scalar> = QUOTED.captures_iter(bare).filter_map(text).collect();
        if !all.is_empty() && self.hold("text", time::all_of(all), loaded) {
            *bare = QUOTED.replace_all(bare, " ").into_owned();
        }
    }
}

/// The ranges of lines that are named.
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
