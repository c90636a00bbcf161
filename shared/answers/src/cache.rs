//! What stands beside an answer.

/// Whether an answer had been given before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// It was asked for by its id.
    Off,
    /// It is new.
    Miss,
    /// It had been.
    Hit {
        /// How long ago it was made, in seconds.
        age: i64,
        /// How much longer it may be given, in seconds.
        left: i64,
    },
}

/// What stands beside an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The id under which the answer is kept; `None` where it could not be.
    pub answer_id: Option<String>,
    /// By which mode it was made.
    pub mode: String,
    /// What the documents were then.
    pub corpus: u64,
    /// Whether it had been given before.
    pub cache: Cache,
}
