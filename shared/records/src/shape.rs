//! The amount of each found record that is shown.

use wire::records::{RecordsRequest, Select};

use model::{Error, Result};

/// Upper bound for the records of a group that are shown.
pub(super) const SHOWN: usize = 5;

/// Upper bounds for the bytes of a shown record: in any reply, and in one without explanations.
const LONGEST: usize = 2_000;
const SHORT: usize = 400;

/// The amount of the found records that is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Upper bound for the records of a group, or of one number.
    pub(super) examples: usize,
    /// Upper bound for the bytes of a record.
    pub(super) longest: usize,
    /// True if a long record is shown around the match, and not from its beginning.
    pub(super) is_centred: bool,
    /// True if document, version, zone and columns are shown.
    pub(super) is_explained: bool,
}

impl Shape {
    /// The shape with all data that an answer needs.
    pub(super) const WHOLE: Shape =
        Shape { examples: SHOWN, longest: LONGEST, is_centred: false, is_explained: true };

    /// Returns the shape that a query asks for.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a number of examples that is zero or too large.
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
