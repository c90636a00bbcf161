//! Guesses the properties of a document that nobody stated.

use model::document::{DocumentType, Origin};
use model::format::Format;

/// Words in a document's kind, name or title, and the kind of text that each suggests; the first
/// match decides.
const WORDS: [(&str, DocumentType); 24] = [
    ("post-mortem", DocumentType::Postmortem),
    ("postmortem", DocumentType::Postmortem),
    ("incident management", DocumentType::Guide),
    ("incident handling", DocumentType::Guide),
    ("incident response", DocumentType::Guide),
    ("incident", DocumentType::Postmortem),
    ("outage", DocumentType::Postmortem),
    ("lesson learned", DocumentType::Postmortem),
    ("failure report", DocumentType::Postmortem),
    ("runbook", DocumentType::Runbook),
    ("playbook", DocumentType::Runbook),
    ("procedure", DocumentType::Runbook),
    ("decision", DocumentType::Decision),
    ("adr", DocumentType::Decision),
    ("proposal", DocumentType::Proposal),
    ("rfc", DocumentType::Proposal),
    ("kep", DocumentType::Proposal),
    ("pep", DocumentType::Proposal),
    ("otep", DocumentType::Proposal),
    ("cfp", DocumentType::Proposal),
    ("handbook", DocumentType::Handbook),
    ("standard", DocumentType::Standard),
    ("reference", DocumentType::Reference),
    ("guide", DocumentType::Guide),
];

/// Infers the kind of text from the document's own word for it, then its name, then its title.
pub(super) fn document_type(
    format: Format,
    kind: Option<&str>,
    name: &str,
    title: &str,
) -> DocumentType {
    match format {
        Format::Log => return DocumentType::Log,
        Format::Config => return DocumentType::Config,
        Format::Code(_) => return DocumentType::Code,
        _ => {}
    }
    let hints = [kind.unwrap_or_default(), name, title];
    hints.iter().find_map(|hint| by_words(hint)).unwrap_or(DocumentType::Other)
}

fn by_words(hint: &str) -> Option<DocumentType> {
    // Only whole words match: "adr" is not in "quadrant". A plural matches its singular.
    let lower: String = hint
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    let spaced = format!(" {} ", lower.replace("post-mortem", "postmortem").replace('-', " "));
    WORDS
        .iter()
        .find(|(word, _)| {
            spaced.contains(&format!(" {word} ")) || spaced.contains(&format!(" {word}s "))
        })
        .map(|(_, kind)| *kind)
}

/// Returns the kind of origin that is usual for a kind of text.
pub(super) fn origin(document_type: DocumentType) -> Origin {
    match document_type {
        DocumentType::Log | DocumentType::Config => Origin::Runtime,
        DocumentType::Textbook => Origin::Textbook,
        DocumentType::Code => Origin::Code,
        DocumentType::Guide | DocumentType::Runbook | DocumentType::Handbook => Origin::Guide,
        _ => Origin::Docs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer(kind: Option<&str>, name: &str, title: &str) -> &'static str {
        document_type(Format::Markdown, kind, name, title).name()
    }

    #[test]
    fn the_kind_then_the_folder_or_name_then_the_title_decide() {
        assert_eq!(infer(Some("incident report (first hand)"), "x.md", "Guide"), "postmortem");
        assert_eq!(infer(Some("post-mortem"), "x.md", ""), "postmortem");
        assert_eq!(infer(None, "runbooks/db.md", "Decision"), "runbook");
        assert_eq!(infer(None, "adr-007.md", ""), "decision");
        assert_eq!(infer(None, "kep-1040-fairness.md", ""), "proposal");
        assert_eq!(infer(None, "a/b.md", "NASA lesson learned"), "postmortem");
        assert_eq!(infer(None, "quadrant.md", "Grfc"), "other");
    }

    #[test]
    fn a_guide_on_incidents_is_no_report_on_one() {
        let kind = |name: &str| document_type(Format::Markdown, None, name, "");
        assert_eq!(kind("ops/incident-handling.md"), DocumentType::Guide);
        assert_eq!(kind("incidents/2026-05-03.md"), DocumentType::Postmortem);
        assert_eq!(kind("postmortems/incident-response-bot.md"), DocumentType::Postmortem);
    }
}
