//! Passages without the secrets in them.

use std::borrow::Cow;

use super::Chunk;
use text::secret;

impl Chunk {
    /// The passage with the secrets in it masked, as it leaves the index: nothing behind that quotes one. Spans of the text hold.
    #[must_use]
    pub fn masked(mut self) -> Chunk {
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
        // Facts of a passage are places in its text; a document point has no text.
        let may_tell = self.unmasked.is_some() || self.text.is_empty();
        if may_tell
            && let Ok(facts) = serde_json::to_string(&self.facts)
            && let Cow::Owned(masked) = secret::mask(&facts)
        {
            // Where the mask hid a part of the form, nothing is told of what was read.
            self.facts = serde_json::from_str(&masked).unwrap_or_default();
        }
        self
    }
}
