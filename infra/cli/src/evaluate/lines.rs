//! Files of JSON lines.

use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

/// Reads a file with a value on each line; empty lines are left out.
///
/// # Errors
/// Names the line that is none.
pub fn read_lines<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let shown = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("{shown} cannot be read"))?;
    parsed(&text, &shown)
}

/// Reads the lines of a text; `shown` names it.
///
/// # Errors
/// Names the line that is none.
pub(super) fn parsed<T: DeserializeOwned>(text: &str, shown: &str) -> Result<Vec<T>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| format!("line {} of {shown}", number + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_none_is_named_by_its_number() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("q.jsonl");
        std::fs::write(&file, "7\n\n\"seven\"\n").unwrap();
        let error = read_lines::<u32>(&file).unwrap_err().to_string();
        assert!(error.starts_with("line 3 of "), "{error}");
        std::fs::write(&file, "7\n\n8\n").unwrap();
        assert_eq!(read_lines::<u32>(&file).unwrap(), [7, 8]);
    }
}
