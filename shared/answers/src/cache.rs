//! The data beside an answer.

/// The use of the cache for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// The answer was requested by its id.
    Off,
    /// The answer is new.
    Miss,
    /// The answer is a cached one.
    Hit {
        /// The age of the answer, in seconds.
        age: i64,
        /// The remaining time in the cache, in seconds.
        left: i64,
    },
}

/// The data beside an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The id under which the answer is kept; `None` if it could not be kept.
    pub answer_id: Option<String>,
    /// The mode in which it was made.
    pub mode: String,
    /// The version of the documents at that time.
    pub corpus: u64,
    /// The use of the cache.
    pub cache: Cache,
}
