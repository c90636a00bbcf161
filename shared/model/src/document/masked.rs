//! Passages with their secrets masked.

use std::borrow::Cow;

use super::Passage;
use text::secret;

impl Passage {
    /// Returns the passage with its secrets masked. The index returns only such passages, so that
    /// no later stage quotes a secret. Spans of the text stay valid.
    #[must_use]
    pub fn masked(mut self) -> Passage {
        if let Cow::Owned(text) = secret::mask(&self.text) {
            self.unmasked = Some(self.hash());
            self.text = text;
        }
        for text in self.labels() {
            if let Cow::Owned(masked) = secret::mask(text) {
                *text = masked;
            }
        }
        // The facts of a passage are spans of its text, so they contain a secret only if the text
        // does. A document point has no text, and a report tells of other passages, too.
        let has_others = self.text.is_empty() || self.facts.report.is_some();
        let may_tell = self.unmasked.is_some() || has_others;
        if may_tell
            && let Ok(facts) = serde_json::to_string(&self.facts)
            && let Cow::Owned(masked) = secret::mask(&facts)
        {
            // If the mask hides a part of the JSON itself, all facts are dropped.
            self.facts = serde_json::from_str(&masked).unwrap_or_default();
        }
        self
    }

    /// Returns all free text of a passage beside its own.
    fn labels(&mut self) -> impl Iterator<Item = &mut String> {
        let Passage { name, title, section, tags, author, standard, uri, article, .. } = self;
        let optional = [author, standard, uri, article].into_iter().flatten();
        [name, title, section].into_iter().chain(tags).chain(optional)
    }
}
