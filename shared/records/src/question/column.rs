//! The words of a question about columns: a column's name with a value, the columns to group by, a
//! number, a level.

use std::sync::LazyLock;

use model::level::{self, severity};
use regex::Regex;
use wire::records::{Condition, ConditionForm, Scalar, Select};

use super::{Conditions, time};
use crate::Loaded;
use crate::names::Names;
use text::words::pattern;

static TOKEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\w/@][\w./:@#%*-]*[\w/*]|\w|[<>]=?|="));

/// Words of a question that do not change its query. Other words do, such as "not" and "most".
const WORDLESS: &str = " a an the of in on at to for from by is are was were be been there do does did have has had we i you it me our \
    my please and that this these those all any with what which when were give tell get got record records line lines entry entries row \
    rows message messages event events log logs logged file occur occurred happen happened ";

/// Words before the name of a column by which records are grouped.
const PER: [&str; 7] = ["per", "by", "each", "every", "distinct", "different", "unique"];

/// Words that ask for a number in a column.
const NUMBERS: [(&str, Select); 10] = [
    ("largest", Select::Max),
    ("highest", Select::Max),
    ("maximum", Select::Max),
    ("smallest", Select::Min),
    ("lowest", Select::Min),
    ("minimum", Select::Min),
    ("average", Select::Mean),
    ("mean", Select::Mean),
    ("total", Select::Sum),
    ("sum", Select::Sum),
];

/// Words after a level which confirm that it is one.
const OF_RECORDS: [&str; 6] = ["records", "lines", "entries", "messages", "level", "events"];

/// Words after a code which confirm that it is one.
const OF_CODES: [&str; 3] = ["errors", "responses", "codes"];

/// The statements about columns.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) conditions: Conditions,
    pub(super) group_by: Vec<String>,
    pub(super) number: Option<(Select, String)>,
    pub(super) unread: Vec<String>,
}

/// The words of a question, and which of them are read.
struct Reader<'l> {
    tokens: Vec<(String, bool)>,
    names: Names<'l>,
    columns: Columns,
}

impl Columns {
    /// Reads the words of a question over the columns of a scope.
    pub(super) fn read(question: &str, is_of_one: bool, loaded: &Loaded) -> Columns {
        let tokens = TOKEN.find_iter(question).map(|found| (found.as_str().to_owned(), false));
        let mut reader = Reader {
            tokens: tokens.collect(),
            names: Names::of(loaded),
            columns: Columns::default(),
        };
        for place in 0..reader.tokens.len() {
            if !reader.tokens[place].1 {
                reader.read_column(place);
            }
        }
        reader.read_codes(is_of_one);
        reader.read_levels(is_of_one);
        let is_left = |(token, is_read): &(String, bool)| {
            !is_read && !WORDLESS.contains(&format!(" {} ", token.to_lowercase()))
        };
        let left = reader.tokens.iter().filter(|token| is_left(token));
        reader.columns.unread = left.map(|(token, _)| token.clone()).collect();
        reader.columns
    }
}

impl Reader<'_> {
    fn word(&self, place: usize) -> Option<String> {
        self.tokens
            .get(place)
            .filter(|(_, is_read)| !is_read)
            .map(|(token, _)| token.to_lowercase())
    }

    fn mark(&mut self, places: std::ops::Range<usize>) {
        for (_, is_read) in &mut self.tokens[places] {
            *is_read = true;
        }
    }

    /// Returns the column that the words from `place` on name, and the number of these words.
    fn column(&self, place: usize) -> Option<(String, usize)> {
        let one = self.word(place)?;
        let two = self.word(place + 1).map(|next| format!("{one}_{next}"));
        let tries = two.into_iter().map(|two| (two, 2)).chain([(one, 1)]);
        let mut tries = tries.flat_map(|(name, count)| {
            let singular = name.strip_suffix('s').map(|name| (name.to_owned(), count));
            [Some((name.clone(), count)), singular].into_iter().flatten()
        });
        tries.find_map(|(name, count)| Some((self.names.known(&name)?, count)))
    }

    /// Reads a column with its value, as a column to group by, or as the number that is wanted.
    fn read_column(&mut self, place: usize) {
        let before = place.checked_sub(1).and_then(|before| self.word(before));
        let is_per = before.as_deref().is_some_and(|word| PER.contains(&word));
        if let Some(part) = self.word(place).filter(|word| is_per && self.names.group(word).is_ok())
            && self.column(place).is_none()
        {
            self.columns.group_by.push(part);
            return self.mark(place - 1..place + 1);
        }
        let Some((column, count)) = self.column(place) else { return };
        if self.read_value(&column, place, count) {
            return;
        }
        if is_per && self.names.group(&column).is_ok() {
            self.columns.group_by.push(column);
            return self.mark(place - 1..place + count);
        }
        let of = before.and_then(|word| NUMBERS.iter().find(|(name, _)| *name == word));
        if let Some((_, select)) = of.filter(|_| self.names.named(&column).has_order())
            && self.columns.number.is_none()
        {
            self.columns.number = Some((*select, column));
            self.mark(place - 1..place + count);
        }
    }

    /// Reads the value of a column: `status 503`, `took > 3s`, `503 or 504`.
    fn read_value(&mut self, column: &str, place: usize, count: usize) -> bool {
        // No record has two values in one column.
        if self.columns.conditions.contains_key(column) {
            return false;
        }
        let mut at = place + count;
        let link = self.word(at).filter(|word| matches!(word.as_str(), "=" | "is" | "was"));
        at += usize::from(link.is_some());
        let sign = self.word(at).filter(|word| word.starts_with(['<', '>']));
        if let Some(sign) = sign {
            let Some(value) = self.word(at + 1) else { return false };
            let value = Some(Scalar::from(value.as_str()));
            let none = ConditionForm::default();
            let form = match sign.as_str() {
                ">" => ConditionForm { gt: value, ..none },
                ">=" => ConditionForm { gte: value, ..none },
                "<" => ConditionForm { lt: value, ..none },
                _ => ConditionForm { lte: value, ..none },
            };
            self.columns.conditions.insert(column.to_owned(), Condition::Bounds(form));
            self.mark(place..at + 2);
            return true;
        }
        let mut values: Vec<Scalar> = Vec::new();
        while let Some(value) = self.word(at).filter(|value| self.names.has_value(column, value)) {
            values.push(value.as_str().into());
            at += 1;
            let is_joined = self.word(at).is_some_and(|word| word == "or" || word == "and");
            let has_next =
                || self.word(at + 1).is_some_and(|next| self.names.has_value(column, &next));
            if is_joined && has_next() {
                at += 1;
            }
        }
        if values.is_empty() {
            return false;
        }
        let condition = match values.as_slice() {
            [one] => Condition::Is(one.clone()),
            _ => Condition::AnyOf(values),
        };
        self.columns.conditions.insert(column.to_owned(), condition);
        self.mark(place..at);
        true
    }

    /// Reads a known code in the plural, or before the word for what has it: "404s", "502
    /// responses". "The last 500 errors" may be of a code or of a number.
    fn read_codes(&mut self, is_of_one: bool) {
        for place in 0..self.tokens.len() {
            let Some(word) = self.word(place) else { continue };
            let code = word.strip_suffix('s').unwrap_or(&word);
            let is_before = !is_of_one
                && self.word(place + 1).is_some_and(|next| OF_CODES.contains(&next.as_str()));
            let is_code = code.len() == 3 && self.names.has_value("code", code);
            if is_code
                && (code != word || is_before)
                && !self.columns.conditions.contains_key("code")
            {
                self.columns.conditions.insert("code".into(), Condition::Is(code.into()));
                self.mark(place..place + 1 + usize::from(is_before));
            }
        }
    }

    /// Reads levels. A word is a level if it is in capitals, in the plural, after "first" or
    /// "last", or before "entries".
    fn read_levels(&mut self, is_of_one: bool) {
        if !self.names.has_any("level") || self.columns.conditions.contains_key("level") {
            return;
        }
        let errors = level::from("ERROR");
        let mut levels: Vec<(usize, Vec<&str>)> = Vec::new();
        for place in 0..self.tokens.len() {
            let Some(word) = self.word(place) else { continue };
            let token = &self.tokens[place].0;
            let next = self.word(place + 1).unwrap_or_default();
            let is_named = token.chars().all(char::is_uppercase) || OF_RECORDS.contains(&&*next);
            let all: Vec<&str> = match word.as_str() {
                // Before these words it describes a file or a code, and is not the level of a
                // record.
                _ if matches!(next.as_str(), "log" | "logs" | "file" | "code" | "codes") => vec![],
                "error" if is_of_one => errors.to_vec(),
                "warning" if is_of_one => vec!["WARN"],
                "errors" => errors.to_vec(),
                "warnings" => vec!["WARN"],
                _ => severity(token).filter(|_| is_named).into_iter().collect(),
            };
            if !all.is_empty() {
                levels.push((place, all));
            }
        }
        // "The first error and the last warning" asks for one level each.
        if levels.is_empty() || is_of_one && levels.len() > 1 {
            return;
        }
        for (place, _) in &levels {
            self.mark(*place..place + 1);
        }
        let values = levels.iter().flat_map(|(_, all)| all).map(|level| Scalar::from(*level));
        let condition = match levels.as_slice() {
            [(_, all)] if *all == errors => time::bounds(Some(errors[0].into()), None),
            _ => Condition::AnyOf(values.collect()),
        };
        self.columns.conditions.insert("level".into(), condition);
    }
}
