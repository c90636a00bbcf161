//! Checks the evidence pack of a decision, without any service.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use wire::decisions::{DecisionReply, DecisionSource};

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

/// A pack as its file holds it.
struct Pack<'p> {
    /// The reply of the API, as the page holds it.
    data: &'p str,
    /// The same, read. It is as it is: what is made printable has another hash.
    reply: DecisionReply,
}

/// Computes the hash of every source of the pack in `file` again, and compares the page with its
/// data; fails where one differs.
pub(crate) fn run(file: &Path) -> Result<()> {
    let page = std::fs::read_to_string(file)
        .with_context(|| format!("{} cannot be read", file.display()))?;
    let pack = read(&page)?;
    let sources = &pack.reply.decided.sources;
    let out = console::Term::stdout();
    for source in sources {
        let label = match finding(source) {
            Finding::Intact => "intact ",
            Finding::Altered => "ALTERED",
            Finding::Masked => "masked ",
            Finding::Excerpt => "excerpt",
        };
        out.write_line(&printable(&format!("{label}  {}  {}", source.file, source.hash)))?;
    }
    let having = |wanted| sources.iter().filter(|source| finding(source) == wanted).count();
    let altered = having(Finding::Altered);
    if altered > 0 {
        bail!("{} not what was recorded", count(altered, "source"));
    }
    let recorded = pack.reply.decided.decision.source_count;
    if recorded != sources.len() {
        bail!("{} of {recorded} sources are in the pack", sources.len());
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
    out.write_line(shown(&page, &pack)?)?;
    Ok(out.write_line(UNSIGNED)?)
}

/// The words for what no check of the file alone can tell.
const UNSIGNED: &str =
    "A pack has no signature: `plumbline project decision` shows the decision as it is recorded.";

/// Compares what the page shows with its data, from which the same version of Plumbline makes the
/// same page.
fn shown(page: &str, pack: &Pack<'_>) -> Result<&'static str> {
    if !page.contains(&format!("content=\"{}\"", views::html::GENERATOR)) {
        return Ok(
            "The page was made by another version: what it shows was not compared with its data.",
        );
    }
    if views::html::pack(&pack.reply, pack.data) != page {
        bail!("the page shows something else than its data");
    }
    Ok("The page shows its data.")
}

fn read(page: &str) -> Result<Pack<'_>> {
    let (_, data) = page.split_once("id=\"pack\">").context("the file is no evidence pack")?;
    let (data, _) = data.split_once("</script>").context("the file is cut off")?;
    Ok(Pack { data, reply: serde_json::from_str(data).context("its data are damaged")? })
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
    use wire::testing::reply;

    fn pack(quote: &str, is_excerpt: bool) -> String {
        let hash = "a591a6d40bf420404a011733cfb7b190d62c65bf0bcda32b57b277d9ad9f146e";
        let source = json!({
            "passage_id": uuid::Uuid::nil(), "relevance": 1.0, "document_id": uuid::Uuid::nil(), "file": "a.md",
            "title": "A", "section": null, "quote": quote, "hash": hash,
            "is_excerpt": is_excerpt,
        });
        let decision: DecisionReply = reply(json!({"sources": [source], "source_count": 1}));
        views::html::pack(&decision, &serde_json::to_string(&decision).unwrap())
    }

    fn check(page: &str) -> Result<()> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), page).unwrap();
        run(file.path())
    }

    #[test]
    fn a_quote_that_was_changed_is_found() {
        let of = |quote: &str, is_excerpt: bool| {
            let page = pack(quote, is_excerpt);
            finding(&read(&page).unwrap().reply.decided.sources[0])
        };
        assert_eq!(of("Hello World", false), Finding::Intact);
        assert_eq!(of("Hello, World", false), Finding::Altered);
        assert_eq!(of("Hello ******", false), Finding::Masked);
        assert_eq!(of("World", true), Finding::Excerpt);
        assert!(read("<html></html>").is_err());
    }

    #[test]
    fn a_page_that_shows_something_else_than_its_data_is_found() {
        let page = pack("Hello World", false);
        check(&page).unwrap();
        let refused = |page: String| check(&page).unwrap_err().to_string();
        let shown = page.replacen("Hello World", "Hello Mars", 1);
        assert_eq!(refused(shown), "the page shows something else than its data");
        let fewer = page.replace("\"source_count\":1", "\"source_count\":2");
        assert_eq!(refused(fewer), "1 of 2 sources are in the pack");
        check(&page.replace(views::html::GENERATOR, "Plumbline 0.0.1")).unwrap();
    }
}
