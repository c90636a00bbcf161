//! The spellings of an id.

use std::fmt::Write;

use serde_json::Value;

/// A way to spell an id.
#[derive(Debug, Clone, Copy)]
pub(super) enum Spelling {
    Plain,
    Lower,
    Upper,
    Encoded,
    EncodedTwice,
    /// With its first letter or digit in a look-alike of another script.
    LookAlike,
    /// After this prefix.
    Behind(&'static str),
    /// Before this suffix.
    Before(&'static str),
}

impl Spelling {
    pub(super) const ALL: [Spelling; 17] = [
        Spelling::Lower,
        Spelling::Upper,
        Spelling::Encoded,
        Spelling::EncodedTwice,
        Spelling::LookAlike,
        Spelling::Behind("user:"),
        Spelling::Behind("case:"),
        Spelling::Behind("team:"),
        Spelling::Behind("x/../"),
        Spelling::Behind("../"),
        Spelling::Behind(" "),
        Spelling::Before("\0"),
        Spelling::Before("/"),
        Spelling::Before("#"),
        Spelling::Before("\u{200b}"),
        Spelling::Before("%2F"),
        Spelling::Before("%00"),
    ];

    /// Returns the id as it should arrive.
    pub(super) fn decoded(self, id: &str) -> String {
        match self {
            Spelling::Plain | Spelling::Encoded => id.into(),
            Spelling::Lower => id.to_lowercase(),
            Spelling::Upper => id.to_uppercase(),
            Spelling::EncodedTwice => encoded(id),
            Spelling::LookAlike => look_alike(id),
            Spelling::Behind(before) => format!("{before}{id}"),
            Spelling::Before(after) => format!("{id}{after}"),
        }
    }

    /// Returns the id as spelled in a path.
    pub(super) fn in_path(self, id: &str) -> String {
        let spelled = match self {
            Spelling::Plain | Spelling::Lower | Spelling::Upper => self.decoded(id),
            Spelling::LookAlike => encoded(&self.decoded(id)),
            Spelling::Encoded => encoded(id),
            Spelling::EncodedTwice => encoded(id).replace('%', "%25"),
            // Dots that lead upward are sent unchanged; characters that are invalid in a path are
            // encoded.
            Spelling::Behind(before) => format!("{before}{id}"),
            Spelling::Before(after) => format!("{id}{}", encoded(after)),
        };
        spelled.replace(' ', "%20")
    }

    /// Removes the id, in any of its forms, from a reply.
    pub(super) fn without(self, id: &str, reply: &str) -> String {
        let quoted = |text: String| Value::from(text).to_string().trim_matches('"').to_owned();
        // The gateway decodes a path that is encoded twice to this form.
        let half = encoded(id).replace('%', "%25");
        // A knowledge base is `case:ID`, and some replies name the id alone.
        let bare = id.rsplit(':').next().unwrap_or(id).to_owned();
        let forms = [self.in_path(id), half, quoted(self.decoded(id)), id.to_owned(), bare];
        let reply = forms.iter().fold(reply.to_owned(), |reply, form| reply.replace(form, "ID"));
        // Some refusals name the first letter that cannot be: that of a look-alike is the caller's.
        reply.chars().filter(|letter| !is_wide(*letter)).collect()
    }
}

fn is_wide(letter: char) -> bool {
    ('\u{ff01}'..='\u{ff5e}').contains(&letter)
}

/// Returns the text with its first letter or digit in full width, which NFKC folds to the plain
/// one.
fn look_alike(text: &str) -> String {
    let wide = |letter: char| char::from_u32(u32::from(letter) + 0xfee0).unwrap_or(letter);
    let mut is_first = true;
    let letters = text.chars().map(|letter| match letter {
        letter if letter.is_ascii_alphanumeric() && std::mem::take(&mut is_first) => wide(letter),
        letter => letter,
    });
    letters.collect()
}

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        let _ = write!(encoded, "%{byte:02X}");
        encoded
    })
}
