//! Numbered sources.

use console::style;
use model::evidence::Place;
use uuid::Uuid;
use wire::decisions::DecisionSource;

use super::Detail;
use crate::wording::wrapped;

/// The place of a passage, as it is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CitedPlace<'a> {
    passage_id: Uuid,
    title: &'a str,
    file: &'a str,
    section: Option<&'a str>,
    lines: Option<(u32, u32)>,
}

impl<'a> From<&'a Place> for CitedPlace<'a> {
    fn from(source: &'a Place) -> CitedPlace<'a> {
        CitedPlace {
            passage_id: source.passage_id,
            title: &source.title,
            file: &source.file,
            section: source.section.as_deref(),
            lines: source.lines,
        }
    }
}

impl<'a> From<&'a DecisionSource> for CitedPlace<'a> {
    fn from(source: &'a DecisionSource) -> CitedPlace<'a> {
        CitedPlace {
            passage_id: source.passage_id,
            title: &source.title,
            file: &source.file,
            section: source.section.as_deref(),
            lines: source.lines,
        }
    }
}

impl CitedPlace<'_> {
    /// Returns a place as in `pumps/pump-7.md:3-9, "Cause"`.
    pub(crate) fn short(&self) -> String {
        let lines = self.lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
        let section = self.section.map(|section| format!(", \"{section}\""));
        format!("{}{lines}{}", self.file, section.unwrap_or_default())
    }

    /// The document's title, too.
    pub(crate) fn long(&self) -> String {
        format!("{}, {}", self.title, self.short())
    }
}

/// The sources of what is shown, in the order in which they are cited first.
#[derive(Debug, Default)]
pub(super) struct Citations<'a>(Vec<CitedPlace<'a>>);

impl<'a> Citations<'a> {
    /// Returns the passage's number as `[n]`, the same wherever it is cited.
    pub(super) fn cite(&mut self, source: impl Into<CitedPlace<'a>>) -> String {
        let source = source.into();
        let known = self.0.iter().position(|known| known.passage_id == source.passage_id);
        let place = known.unwrap_or_else(|| {
            self.0.push(source);
            self.0.len() - 1
        });
        style(format!("[{}]", place + 1)).cyan().to_string()
    }

    /// Lists what the numbers stand for, with the passages' ids where all is shown.
    pub(super) fn listed(&self, detail: Detail, width: usize) -> Vec<String> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![String::new(), style("Sources").bold().to_string()];
        for (place, source) in self.0.iter().enumerate() {
            let text = format!("{} {}", style(format!("[{}]", place + 1)).cyan(), source.long());
            lines.extend(wrapped(&text, "  ", "      ", width));
            if detail == Detail::All {
                lines.push(style(format!("      passage {}", source.passage_id)).dim().to_string());
            }
        }
        lines
    }
}
