//! Strategy files. Unknown fields are refused.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use wire::explore::FacetRequest;

use super::field::{FactKind, Field, Rule};
use super::pattern;
use ask::facet;
use ask::facet::Facet;
use model::evidence::BOOST_CAP;
use ports::filter::Filters;
use text::term::Terms;

/// All strategies, sorted by name.
#[derive(Debug, Default)]
pub struct Strategies(Vec<Config>);

/// A strategy, as its file defines it.
#[derive(Debug)]
pub struct Config {
    /// The name of the file without its extension.
    pub name: String,
    pub(super) description: String,
    pub(super) expansions: Vec<String>,
    pub(super) filters: Filters,
    pub(super) facets: Vec<Facet>,
    pub(super) fields: Vec<Field>,
    pub(super) boosts: Vec<WordBoost>,
}

/// A boost for passages that have one of the words.
#[derive(Debug)]
pub(super) struct WordBoost {
    pub name: String,
    pub words: Terms,
    pub share: f64,
}

/// An error in a strategy file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: `{field}` {reason}")]
pub struct Trouble {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The field, such as `output_fields`.
    pub field: String,
    /// The reason.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    description: Spanned<String>,
    query_expansion: Spanned<Vec<Spanned<String>>>,
    facets: Option<Spanned<Vec<FacetRequest>>>,
    output_fields: Option<Spanned<Vec<Spanned<FieldWish>>>>,
    filters: Option<BTreeMap<String, Spanned<toml::Value>>>,
    boosts: Option<Spanned<Vec<Spanned<BoostWish>>>>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a label, or a table of `name` and `pattern` or `fact`")]
enum FieldWish {
    Label(String),
    Pattern(PatternWish),
    Fact(FactWish),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactWish {
    name: String,
    fact: FactKind,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternWish {
    name: String,
    pattern: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoostWish {
    name: String,
    words: Vec<String>,
    share: f64,
}

/// Upper bound for the entries of any list in a file.
const MOST: usize = 20;

/// Upper bound for the characters of a name or word in a file.
const LONGEST: usize = 200;

impl Strategies {
    /// Parses strategy files from their names and texts.
    ///
    /// # Errors
    /// The first [`Trouble`], with file, line and field.
    pub fn parse(files: &[(String, String)]) -> Result<Strategies, Trouble> {
        let mut all: Vec<Config> = files
            .iter()
            .map(|(name, text)| Source { name, text }.config())
            .collect::<Result<_, _>>()?;
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Strategies(all))
    }

    /// Returns the strategies.
    pub fn all(&self) -> &[Config] {
        &self.0
    }
}

/// A file that is being parsed.
struct Source<'f> {
    name: &'f str,
    text: &'f str,
}

impl Source<'_> {
    fn config(&self) -> Result<Config, Trouble> {
        let name = self.name.strip_suffix(".toml").unwrap_or(self.name);
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(self.trouble(
                0,
                "name",
                "must be small letters, digits and `_`, then `.toml`",
            ));
        }
        let file: File = toml::from_str(self.text).map_err(|error| self.unreadable(&error))?;
        let description = file.description.get_ref().trim();
        if description.is_empty() || description.chars().count() > LONGEST {
            let wanted = "must be a text of at most 200 characters";
            return Err(self.trouble(file.description.span().start, "description", wanted));
        }
        Ok(Config {
            name: name.into(),
            description: description.into(),
            expansions: self.expansions(&file.query_expansion)?,
            filters: self.filters(file.filters.as_ref())?,
            facets: self.facets(file.facets.as_ref())?,
            fields: self.fields(file.output_fields.as_ref())?,
            boosts: self.boosts(file.boosts.as_ref())?,
        })
    }

    fn expansions(&self, list: &Spanned<Vec<Spanned<String>>>) -> Result<Vec<String>, Trouble> {
        self.listed("query_expansion", list)?;
        let read = |expansion: &Spanned<String>| {
            self.words("query_expansion", expansion.span().start, expansion.get_ref())?;
            Ok(expansion.get_ref().trim().to_owned())
        };
        list.get_ref().iter().map(read).collect()
    }

    fn filters(
        &self,
        table: Option<&BTreeMap<String, Spanned<toml::Value>>>,
    ) -> Result<Filters, Trouble> {
        let mut conditions = Vec::new();
        for (field, value) in table.into_iter().flatten() {
            let refuse = |reason: String| {
                self.trouble(value.span().start, &format!("filters.{field}"), &reason)
            };
            let json =
                serde_json::to_value(value.get_ref()).map_err(|error| refuse(error.to_string()))?;
            let one = serde_json::Map::from_iter([(field.clone(), json)]);
            let Filters(filters) = Filters::parse(&one).map_err(|error| refuse(reason(&error)))?;
            conditions.extend(filters);
        }
        Ok(Filters(conditions))
    }

    fn facets(&self, list: Option<&Spanned<Vec<FacetRequest>>>) -> Result<Vec<Facet>, Trouble> {
        let Some(list) = list else { return Ok(Vec::new()) };
        facet::parse(list.get_ref()).map_err(|error| match &error {
            model::Error::Invalid { field, .. } => {
                self.trouble(list.span().start, field, &reason(&error))
            }
            _ => self.trouble(list.span().start, "facets", &error.to_string()),
        })
    }

    fn fields(
        &self,
        list: Option<&Spanned<Vec<Spanned<FieldWish>>>>,
    ) -> Result<Vec<Field>, Trouble> {
        let Some(list) = list else { return Ok(Vec::new()) };
        self.listed("output_fields", list)?;
        let mut fields: Vec<Field> = Vec::new();
        for wish in list.get_ref() {
            let at = wish.span().start;
            let refuse = |reason: &str| self.trouble(at, "output_fields", reason);
            let field = match wish.get_ref() {
                FieldWish::Label(name) => Field {
                    name: name.clone(),
                    rule: Rule::Label(Terms::new([(0, name.as_str())])),
                },
                FieldWish::Fact(FactWish { name, fact: FactKind::Requirement }) => {
                    Field { name: name.clone(), rule: Rule::Requirement }
                }
                FieldWish::Pattern(PatternWish { name, pattern }) => {
                    let pattern = pattern::parse(pattern).map_err(|reason| refuse(&reason))?;
                    Field { name: name.clone(), rule: Rule::Pattern(pattern) }
                }
            };
            self.words("output_fields", at, &field.name)?;
            if fields.iter().any(|f| f.name == field.name) {
                return Err(refuse(&format!("has `{}` twice", field.name)));
            }
            fields.push(field);
        }
        Ok(fields)
    }

    fn boosts(
        &self,
        list: Option<&Spanned<Vec<Spanned<BoostWish>>>>,
    ) -> Result<Vec<WordBoost>, Trouble> {
        let Some(list) = list else { return Ok(Vec::new()) };
        self.listed("boosts", list)?;
        let boost = |wish: &Spanned<BoostWish>| {
            let (at, BoostWish { name, words, share }) = (wish.span().start, wish.get_ref());
            self.words("boosts.name", at, name)?;
            if words.is_empty() || words.len() > MOST {
                return Err(self.trouble(at, "boosts.words", "must have 1 to 20 entries"));
            }
            words.iter().try_for_each(|word| self.words("boosts.words", at, word))?;
            if !(*share > 0.0 && *share <= BOOST_CAP) {
                return Err(self.trouble(at, "boosts.share", "must be above 0 and at most 0.3"));
            }
            let words = Terms::new(words.iter().map(|word| (0, word.as_str())));
            Ok(WordBoost { name: name.clone(), words, share: *share })
        };
        list.get_ref().iter().map(boost).collect()
    }

    fn listed<T>(&self, field: &str, list: &Spanned<Vec<T>>) -> Result<(), Trouble> {
        if (1..=MOST).contains(&list.get_ref().len()) {
            return Ok(());
        }
        Err(self.trouble(list.span().start, field, "must have 1 to 20 entries"))
    }

    fn words(&self, field: &str, at: usize, text: &str) -> Result<(), Trouble> {
        if text.contains(char::is_alphanumeric) && text.chars().count() <= LONGEST {
            return Ok(());
        }
        Err(self.trouble(at, field, "must have words, and at most 200 characters each"))
    }

    /// Converts an error of the TOML parser. Its field is the one in the message, or else the one
    /// of the line.
    fn unreadable(&self, error: &toml::de::Error) -> Trouble {
        let at = error.span().map_or(0, |span| span.start);
        let message = error.message();
        let named = ["unknown field `", "missing field `", "duplicate key `"]
            .iter()
            .find_map(|words| message.split_once(words))
            .and_then(|(_, rest)| rest.split('`').next());
        let above = self.text[..at.min(self.text.len())].rsplit('\n').find_map(key);
        let here = self.text[at.min(self.text.len())..].lines().next().and_then(key);
        let field = named.or(here).or(above).unwrap_or("file");
        self.trouble(at, field, &format!("cannot be read: {}", message.trim().replace('\n', "; ")))
    }

    fn trouble(&self, at: usize, field: &str, reason: &str) -> Trouble {
        let line = self.text[..at.min(self.text.len())].matches('\n').count() + 1;
        Trouble { file: self.name.into(), line, field: field.into(), reason: reason.into() }
    }
}

/// Returns the key to which a line assigns a value.
fn key(line: &str) -> Option<&str> {
    let (key, _) = line.split_once('=')?;
    Some(key.trim()).filter(|key| !key.is_empty() && !key.contains([' ', '#', '"', '{', '[']))
}

fn reason(error: &model::Error) -> String {
    match error {
        model::Error::Invalid { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
