//! The symbols that source code defines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A function, method, type or the like that a passage defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// Its name, as the code has it.
    pub name: String,
    /// The keyword of its kind in the language, such as `fn` or `class`; empty where the language
    /// has none.
    pub kind: String,
    /// The line of the document where its definition begins, from 1, comments and attributes left
    /// out.
    pub line: u32,
}

/// Returns the key under which a symbol is looked up: lower-case letters and digits only, so that
/// `rateLimiter`, `rate_limiter` and "rate limiter" are the same.
pub fn symbol_key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_have_one_key() {
        for name in ["rateLimiter", "rate_limiter", "RATE_LIMITER", "rate limiter"] {
            assert_eq!(symbol_key(name), "ratelimiter");
        }
    }
}
