//! Sources, each from one file. Unknown fields are refused.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::SignedDuration;
use serde::Deserialize;
use wire::search::Intent;

use model::document::{DocumentType, Origin, Passage};
use ports::filter::{Condition, Field, Filters};

/// All sources, sorted by the names of their files.
#[derive(Debug, Default, Clone)]
pub struct Sources {
    all: Vec<SourceConfig>,
    /// The text of the files. It is a part of the cache key, so that a changed file invalidates old
    /// answers.
    pub(super) text: String,
}

/// A source, as its file describes it.
#[derive(Debug, Clone)]
pub struct SourceConfig {
    /// The name of the file without its extension.
    pub name: String,
    /// A description of its content and its use, on one line.
    pub description: String,
    /// The filters for the passages that belong to it.
    pub passages: Filters,
    /// The time for which an answer from it may be cached while no document changes.
    pub cache: SignedDuration,
    /// Upper bound for the time of its search.
    pub patience: Duration,
    authority: BTreeMap<Intent, f64>,
    half_life: BTreeMap<Intent, f64>,
}

/// An error in the file of a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {reason}")]
pub struct Trouble {
    /// The name of the file.
    pub file: String,
    /// The reason, with the name of the field.
    pub reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    description: String,
    asked_for: String,
    #[serde(default)]
    origins: Vec<Origin>,
    #[serde(default)]
    document_types: Vec<DocumentType>,
    #[serde(default)]
    names: Vec<String>,
    cache_minutes: i64,
    patience_ms: u64,
    authority: BTreeMap<Intent, f64>,
    half_life_days: BTreeMap<Intent, f64>,
}

impl Sources {
    /// Parses the files of sources from their names and texts.
    ///
    /// # Errors
    /// The first [`Trouble`], with the file and the reason.
    pub fn parse(files: &[(String, String)]) -> Result<Sources, Trouble> {
        let all = files.iter().map(|(name, text)| {
            SourceConfig::parse(name, text).map_err(|reason| Trouble { file: name.clone(), reason })
        });
        let all: Vec<SourceConfig> = all.collect::<Result<_, _>>()?;
        if all.is_empty() {
            let (file, reason) = ("sources".into(), "there is no file of a source".into());
            return Err(Trouble { file, reason });
        }
        let texts: Vec<&str> =
            files.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]).collect();
        let text = texts.join("\n");
        Ok(Sources { all, text })
    }

    /// Returns all sources.
    pub fn all(&self) -> &[SourceConfig] {
        &self.all
    }

    /// Returns the name and the description of each source, for a language model to choose from.
    pub(super) fn choices(&self) -> Vec<(&str, &str)> {
        self.all.iter().map(|source| (source.name.as_str(), source.description.as_str())).collect()
    }

    /// Returns the place of the source with this name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.all.iter().position(|source| source.name == name)
    }
}

impl File {
    /// Returns the conditions for the passages that belong to the source.
    fn passages(&self) -> Vec<Condition> {
        let origins = self.origins.iter().map(|origin| origin.name().to_owned());
        let types = self.document_types.iter().map(|kind| kind.name().to_owned());
        let conditions = [
            (Field::Source, origins.collect::<Vec<String>>()),
            (Field::DocumentType, types.collect()),
            (Field::Name, self.names.clone()),
        ];
        let given = conditions.into_iter().filter(|(_, values)| !values.is_empty());
        given.map(|(field, values)| Condition::AnyOf(field, values)).collect()
    }
}

impl SourceConfig {
    fn parse(name: &str, text: &str) -> Result<SourceConfig, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let passages = file.passages();
        if passages.is_empty() {
            return Err("`origins`, `document_types` or `names` must say what belongs to it".into());
        }
        if let Some(wrong) = file.authority.values().find(|value| !(0.0..=1.0).contains(*value)) {
            return Err(format!("`authority` must be between 0 and 1, not {wrong}"));
        }
        let is_age = |days: &f64| days.is_finite() && *days > 0.0;
        if let Some(wrong) = file.half_life_days.values().find(|days| !is_age(days)) {
            return Err(format!("`half_life_days` must be above 0, not {wrong}"));
        }
        Ok(SourceConfig {
            name: name.trim_end_matches(".toml").into(),
            description: format!("{}. {}", file.description, file.asked_for),
            passages: Filters(passages),
            cache: SignedDuration::from_mins(file.cache_minutes),
            patience: Duration::from_millis(file.patience_ms),
            authority: file.authority,
            half_life: file.half_life_days,
        })
    }

    /// Returns the authority of the source for an intent, `0.0..=1.0`.
    pub fn authority(&self, intent: Intent) -> f64 {
        self.authority.get(&intent).copied().unwrap_or_default()
    }

    /// Returns the mean authority over all intents, `0.0..=1.0`.
    #[expect(clippy::cast_precision_loss, reason = "seven")]
    pub fn mean_authority(&self) -> f64 {
        let all = Intent::ALL.map(|(intent, _)| self.authority(intent));
        all.iter().sum::<f64>() / all.len() as f64
    }

    /// Returns the age in days at which a document counts half as fresh; `None` if age does not
    /// count.
    pub fn half_life(&self, intent: Intent) -> Option<f64> {
        self.half_life.get(&intent).copied()
    }

    /// Returns true if a passage belongs to the source.
    pub fn has(&self, passage: &Passage) -> bool {
        self.passages.allow(passage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "description = \"code\"\nasked_for = \"Its places.\"\norigins = [\"code\"]\ncache_minutes = 30\npatience_ms = 900\n[authority]\nlocate = 1.0\n[half_life_days]\n";

    fn read(text: &str) -> Result<Sources, Trouble> {
        Sources::parse(&[("code.toml".into(), text.into())])
    }

    #[test]
    fn a_source_is_what_its_file_says() {
        let sources = read(FILE).unwrap();
        let code = &sources.all()[sources.place("code").unwrap()];
        assert_eq!(
            (code.cache, code.patience),
            (SignedDuration::from_mins(30), Duration::from_millis(900))
        );
        assert!(
            (code.authority(Intent::Locate) - 1.0).abs() < 1e-9
                && code.authority(Intent::Use).abs() < 1e-9
        );
        assert_eq!(code.half_life(Intent::Locate), None);
        assert_eq!(code.description, "code. Its places.");
    }

    #[test]
    fn a_wrong_file_is_refused_by_its_field() {
        for (wrong, field) in [
            (FILE.replace("origins = [\"code\"]", "origins = []"), "origins"),
            (FILE.replace("locate = 1.0", "locate = 2"), "authority"),
            (FILE.replace("locate = 1.0", "loiter = 1"), "loiter"),
        ] {
            let refused = read(&wrong).unwrap_err().to_string();
            assert!(refused.starts_with("code.toml") && refused.contains(field), "{refused}");
        }
    }
}
