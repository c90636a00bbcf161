//! When a document is the one that was meant, and how shares are told.

/// Returns true if the name of a file and that of a document are the same; either may have folders
/// before it.
pub fn names_document(name: &str, doc: &str) -> bool {
    is_file(name, doc) || is_file(doc, name)
}

/// Returns true if a file is the one that is wanted, which may leave folders out. With `/` at its
/// beginning it leaves out none.
pub(super) fn is_file(file: &str, wanted: &str) -> bool {
    match wanted.strip_prefix('/') {
        Some(whole) => file == whole,
        None => file == wanted || file.ends_with(&format!("/{wanted}")),
    }
}

/// Formats a share, as `0.83`, or `-` if the whole is 0.
#[expect(clippy::cast_precision_loss, reason = "counts of questions")]
pub fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "-".into() } else { format!("{:.2}", part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_may_be_named_with_or_without_its_folders() {
        assert!(names_document("trade/a.md", "trade/a.md"));
        assert!(names_document("a.md", "trade/a.md"));
        assert!(names_document("corpus/trade/a.md", "trade/a.md"));
        assert!(!names_document("ba.md", "a.md"));
        assert!(is_file("docs/a.md", "a.md") && !is_file("a.md", "docs/a.md"));
        assert!(is_file("a.md", "/a.md") && !is_file("docs/a.md", "/a.md"));
    }
}
