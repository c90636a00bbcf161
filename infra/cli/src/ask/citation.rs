//! Numbered sources.

use console::style;

use crate::answer::Source;
use crate::wording::wrapped;

/// The sources of what is shown, in the order in which they are cited first.
#[derive(Debug, Default)]
pub(super) struct Citations<'a>(Vec<&'a Source>);

impl<'a> Citations<'a> {
    /// `[n]`: the passage's number, the same wherever it is cited.
    pub(super) fn cite(&mut self, source: &'a Source) -> String {
        let known = self.0.iter().position(|known| known.chunk_id == source.chunk_id);
        let place = known.unwrap_or_else(|| {
            self.0.push(source);
            self.0.len() - 1
        });
        style(format!("[{}]", place + 1)).cyan().to_string()
    }

    /// What the numbers stand for.
    pub(super) fn listed(&self, width: usize) -> Vec<String> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut lines = vec![String::new(), style("Sources").bold().to_string()];
        for (place, source) in self.0.iter().enumerate() {
            let number = format!("[{}]", place + 1);
            let text =
                format!("{} {}, {}", style(number).cyan(), source.document_title, source.place());
            lines.extend(wrapped(&text, "  ", "      ", width));
        }
        lines
    }
}
