//! Plurals of abbreviations: stemmers keep the ending of "GPUs" and "VMs".

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use crate::words::pattern;

/// Returns a text with its abbreviations in the singular: `GPU` for `GPUs`.
pub fn singular(text: &str) -> Cow<'_, str> {
    static PLURAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b([A-Z]{2,})s\b"));
    PLURAL.replace_all(text, "$1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_ending_behind_capitals_is_removed() {
        let text = "GPUs of two VMs, K8s, ReplicaSets, iOS and status";
        assert_eq!(singular(text), "GPU of two VM, K8s, ReplicaSets, iOS and status");
    }
}
