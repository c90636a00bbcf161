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
        for heading in [&mut self.title, &mut self.section] {
            if let Cow::Owned(text) = secret::mask(heading) {
                *heading = text;
            }
        }
        if let Some(uri) = &self.uri {
            self.uri = Some(secret::mask(uri).into_owned());
        }
        // The facts of a passage are spans of its text, so they contain a secret only if the text
        // does. A document point has no text.
        let may_tell = self.unmasked.is_some() || self.text.is_empty();
        if may_tell
            && let Ok(facts) = serde_json::to_string(&self.facts)
            && let Cow::Owned(masked) = secret::mask(&facts)
        {
            // If the mask hides a part of the JSON itself, all facts are dropped.
            self.facts = serde_json::from_str(&masked).unwrap_or_default();
        }
        self
    }
}
