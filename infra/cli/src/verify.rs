//! Checks the evidence pack of a decision, without any service.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use wire::decisions::DecisionSource;

use crate::wording::{count, printable};

/// The result of comparing the hash of a source with its quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// The quote has the hash that was recorded.
    Intact,
    /// The quote has another hash.
    Altered,
    /// Secrets in the quote are masked, while the hash is that of the passage as it was uploaded.
    Masked,
    /// The quote is a part of the passage, of which alone the hash is known.
    Excerpt,
}

/// Computes the hash of every source of the pack in `file` again; fails where one differs.
pub(crate) fn run(file: &Path) -> Result<()> {
    let page = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let sources = sources(&page)?;
    let out = console::Term::stdout();
    for source in &sources {
        let label = match finding(source) {
            Finding::Intact => "intact ",
            Finding::Altered => "ALTERED",
            Finding::Masked => "masked ",
            Finding::Excerpt => "excerpt",
        };
        out.write_line(&printable(&format!("{label}  {}  {}", source.name, source.hash)))?;
    }
    let having = |wanted| sources.iter().filter(|source| finding(source) == wanted).count();
    let altered = having(Finding::Altered);
    if altered > 0 {
        bail!("{} not what was recorded", count(altered, "source"));
    }
    out.write_line(&format!("{} checked", count(having(Finding::Intact), "source")))?;
    for (unchecked, why) in [
        (having(Finding::Masked), "secrets are masked"),
        (having(Finding::Excerpt), "a part of the passage is quoted"),
    ] {
        if unchecked > 0 {
            out.write_line(&format!("{} not checked: {why}", count(unchecked, "source")))?;
        }
    }
    Ok(())
}

/// The sources in the data of a pack.
fn sources(page: &str) -> Result<Vec<DecisionSource>> {
    let (_, data) = page.split_once("id=\"pack\">").context("the file is no evidence pack")?;
    let (data, _) = data.split_once("</script>").context("the file is cut off")?;
    let mut reply: serde_json::Value = serde_json::from_str(data).context("its data is damaged")?;
    // As it is: what is made printable has another hash.
    serde_json::from_value(reply["sources"].take()).context("its data is damaged")
}

fn finding(source: &DecisionSource) -> Finding {
    let hash = Sha256::digest(source.quote.as_bytes());
    let hash = hash.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    match hash == source.hash {
        true => Finding::Intact,
        false if source.is_excerpt => Finding::Excerpt,
        false if source.quote.contains("***") => Finding::Masked,
        false => Finding::Altered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pack(quote: &str, is_excerpt: bool) -> String {
        let hash = "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e";
        let source = json!({
            "chunk_id": uuid::Uuid::nil(), "relevance": 1.0, "document_id": uuid::Uuid::nil(), "name": "a.md",
            "document_title": "A", "section_title": null, "quote": quote, "hash": hash,
            "is_excerpt": is_excerpt,
        });
        format!("<html><script id=\"pack\">{}</script></html>", json!({ "sources": [source] }))
    }

    #[test]
    fn a_quote_that_was_changed_is_found() {
        let of = |quote: &str| finding(&sources(&pack(quote, false)).unwrap()[0]);
        assert_eq!(of("Hello World"), Finding::Intact);
        assert_eq!(of("Hello, World"), Finding::Altered);
        assert_eq!(of("Hello ******"), Finding::Masked);
        assert_eq!(finding(&sources(&pack("World", true)).unwrap()[0]), Finding::Excerpt);
        assert!(sources("<html></html>").is_err());
    }
}
