//! Tests the current state of an answer's citations.

use super::site::*;
use super::*;
use ports::Status;

const POLICY: &str = "# Backups\n\nBackups of the ledger are kept for 30 days in the vault.\n";

/// Returns a site that was asked about the policy, and the id of the answer.
fn asked() -> (Site, String) {
    let site = Site::new(&[(Scope::Global, "policy.md", POLICY)]);
    let request = json!({"question": "How long are backups of the ledger kept in the vault?"});
    let given = site.ask_with(&Scope::Global, request, None).unwrap();
    assert!(given.report.answer.contains("30 days"), "{}", given.report.answer);
    assert_eq!((given.report.now, &given.report.citations[0].now), (None, &None));
    let id = given.kept.answer_id.unwrap();
    (site, id)
}

fn replaced(text: &str) -> AnswerReport {
    let (site, id) = asked();
    site.add_version("01B", (&Scope::Global, "policy.md", text), &Status::Indexed);
    site.stored(&id).unwrap().report
}

fn freshness_of(report: &AnswerReport) -> (Currency, CitationStanding) {
    (report.now.unwrap(), report.citations[0].now.as_ref().unwrap().standing)
}

#[test]
fn an_answer_whose_words_stand_is_current_also_where_they_moved() {
    let (site, id) = asked();
    assert_eq!(
        freshness_of(&site.stored(&id).unwrap().report),
        (Currency::Current, CitationStanding::AsQuoted)
    );
    let moved = replaced(&format!("# Notes\n\nNothing of it.\n\n{POLICY}"));
    assert_eq!(freshness_of(&moved), (Currency::Current, CitationStanding::Moved));
    assert_eq!(moved.citations[0].now.as_ref().unwrap().lines, Some((7, 7)));
}

#[test]
fn an_answer_whose_words_went_is_stale() {
    let changed = replaced("# Backups\n\nSee the handbook of the storage team.\n");
    assert_eq!(freshness_of(&changed), (Currency::Stale, CitationStanding::Changed));
    let (site, id) = asked();
    site.remove(&Scope::Global, "policy.md");
    assert_eq!(
        freshness_of(&site.stored(&id).unwrap().report),
        (Currency::Stale, CitationStanding::Gone)
    );
}

#[test]
fn an_answer_is_contradicted_by_another_value_or_by_denial() {
    for now in [
        "Backups of the ledger are kept for 14 days in the vault.",
        "Backups of the ledger are no longer kept for 30 days in the vault.",
    ] {
        let report = replaced(&format!("# Backups\n\n{now}\n"));
        assert_eq!(freshness_of(&report), (Currency::Contradicted, CitationStanding::Changed));
        assert_eq!(report.citations[0].now.as_ref().unwrap().instead.as_deref(), Some(now));
    }
    let other = replaced("# Backups\n\nBackups of the archive are kept for 14 days on tape.\n");
    assert_eq!(freshness_of(&other), (Currency::Stale, CitationStanding::Changed));
}
