//! How much of the records that were found is shown.

use wire::records::{RecordsRequest, Select};

use model::{Error, Result};

/// The most records that are shown of a group.
pub(super) const SHOWN: usize = 5;

/// The most bytes of a record that are shown: in any reply, and in one that nobody asked to explain.
const LONGEST: usize = 2_000;
const SHORT: usize = 400;

/// How much of the records that were found is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// The most records of a group, or of one number.
    pub(super) examples: usize,
    /// The most bytes of a record.
    pub(super) longest: usize,
    /// True if a long record is shown around what was matched, and not from its beginning.
    pub(super) is_centred: bool,
    /// True if document, version, zone and columns are shown.
    pub(super) is_explained: bool,
}

impl Shape {
    /// Records with all that an answer needs of them.
    pub(super) const WHOLE: Shape =
        Shape { examples: SHOWN, longest: LONGEST, is_centred: false, is_explained: true };

    /// Reads what a query asks to see.
    ///
    /// # Errors
    /// [`Error::Invalid`] for none or too many examples.
    pub(super) fn asked(request: &RecordsRequest) -> Result<Shape> {
        let has_own = matches!(
            request.select,
            Select::List | Select::First | Select::Last | Select::Min | Select::Max
        );
        let examples = match request.examples.map(usize::try_from) {
            None if has_own => SHOWN,
            None => 0,
            Some(Ok(examples @ 1..=SHOWN)) => examples,
            Some(_) => return Err(Error::invalid("examples", "must be from 1 to 5")),
        };
        let longest = if request.explain { LONGEST } else { SHORT };
        Ok(Shape { examples, longest, is_centred: true, is_explained: request.explain })
    }
}
