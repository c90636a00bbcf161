use super::*;
use jiff::SignedDuration;
use ports::trail::ulid_at;
use ports::{Files, Hiding, Task};
use testing::{FakeDocuments, FakeFiles, stamp};

/// The time of the sweep, and the id of an upload that was announced a number of hours before.
const NOW: &str = "2026-11-20T18:00:00Z";

/// The age in hours at which an upload without a record is removed.
const OLD: i64 = 31 * 24;

fn before(hours: i64) -> String {
    ulid_at(stamp(NOW).time - SignedDuration::from_hours(hours))
}

/// Sweeps one place and returns the number of mended items.
async fn sweep(site: &Site, place: Orphans) -> usize {
    let outcome = sweep_with(site, &site.corpus.documents, place).await;
    let Outcome::Swept { mended, .. } = outcome else { panic!("{outcome:?}") };
    mended
}

/// Sweeps one place with this table.
async fn sweep_with(site: &Site, documents: &FakeDocuments, place: Orphans) -> Outcome {
    run(&site.services(documents), Removal::Orphans(place), stamp(NOW).time).await.unwrap()
}

/// Returns a site with `count` documents of this age.
async fn site_with(count: usize, hours: i64) -> Site {
    let site = Site::default();
    for number in 0..count {
        site.ingest(&Scope::Global, &format!("{number:02}.md"), &before(hours)).await;
    }
    site
}

/// Returns the keys of the files that are not marked as deleted.
async fn present(site: &Site) -> Vec<String> {
    site.corpus.files.present("", None).await.unwrap().items
}

/// Stages the points of an upload, as an interrupted ingest does.
async fn stage(site: &Site, upload: &Upload) {
    let copy = Corpus::default();
    let again =
        copy.announce_in(&upload.scope, "x.md", &upload.version, b"# X\n\nThe seal leaks.\n").await;
    copy.ingest(&again).await.unwrap();
    let mut points = copy.index.held();
    for point in &mut points {
        point.passage.document_id = upload.document_id;
    }
    site.corpus.index.stage(&upload.scope, points).await.unwrap();
}

#[test]
fn a_run_looks_everywhere() {
    let removals = FakeRemovals::default();
    let event = r#"{"sweep": "orphans"}"#;
    pollster::block_on(hand_out(&removals, serde_json::from_str(event).unwrap())).unwrap();
    assert_eq!(removals.take().len(), 3);
}

#[test]
fn points_whose_document_is_gone_are_taken_away_and_no_others() {
    pollster::block_on(async {
        let site = Site::default();
        site.ingest(&Scope::Global, "a.md", &before(OLD)).await;
        let old = site.ingest(&Scope::User("bob".into()), "b.md", &before(OLD)).await;
        let young = site.ingest(&Scope::User("bob".into()), "c.md", &before(29 * 24)).await;
        assert_eq!(sweep(&site, Orphans::Points(None)).await, 0);
        for gone in [&old, &young] {
            site.corpus.documents.delete_record(&gone.scope, gone.document_id).await.unwrap();
        }
        assert_eq!(sweep(&site, Orphans::Points(None)).await, 1);
        assert_eq!(site.corpus.index.size(), 4, "a young one stays");
        assert!(!site.corpus.index.sees(&old));
    });
}

#[test]
fn points_that_were_staged_and_given_up_go_after_a_day_and_what_is_live_stays() {
    pollster::block_on(async {
        for (hours, is_failed, expected) in [(30, true, 1), (30, false, 0), (20, true, 0)] {
            let site = Site::default();
            let live = site.ingest(&Scope::Global, "a.md", &before(100)).await;
            let staged = site.corpus.announce("a.md", &before(hours), b"# A\n\nNew.\n").await;
            stage(&site, &staged).await;
            if is_failed {
                let failed = Status::Failed { reason: "the index did not answer".into() };
                let Upload { scope, document_id, version } = &staged;
                site.corpus.documents.mark(scope, *document_id, version, &failed).await.unwrap();
            }
            let mended = sweep(&site, Orphans::Points(None)).await;
            assert_eq!(mended, expected, "after {hours} hours, failed: {is_failed}");
            assert!(site.corpus.index.sees(&live));
            assert_eq!(site.corpus.index.size(), 4 - 2 * expected);
        }
    });
}

#[test]
fn points_and_files_below_what_is_live_are_taken_away() {
    pollster::block_on(async {
        let site = Site::default();
        let old = site.ingest(&Scope::Global, "a.md", &before(100)).await;
        let live = site.ingest(&Scope::Global, "a.md", &before(90)).await;
        let next = site.corpus.announce("a.md", &before(80), b"# A\n\nNext.\n").await;
        stage(&site, &old).await;
        assert_eq!(sweep(&site, Orphans::Points(None)).await, 1);
        assert_eq!(site.corpus.index.size(), 2);
        assert_eq!(sweep(&site, Orphans::Files(None)).await, 1);
        assert_eq!(present(&site).await, [live.key(), next.key()]);
    });
}

#[test]
fn files_whose_document_is_gone_are_hidden_after_a_month_and_foreign_ones_are_not_ours() {
    pollster::block_on(async {
        let site = Site::default();
        let old = site.ingest(&Scope::Global, "a.md", &before(OLD)).await;
        let young = site.ingest(&Scope::Global, "b.md", &before(29 * 24)).await;
        site.corpus.files.put("documents/readme.txt", b"x");
        for upload in [&old, &young] {
            site.corpus.documents.delete_record(&upload.scope, upload.document_id).await.unwrap();
        }
        assert_eq!(sweep(&site, Orphans::Files(None)).await, 1);
        assert_eq!(present(&site).await, [young.key(), "documents/readme.txt".into()]);
        assert_eq!(sweep(&site, Orphans::Files(None)).await, 0, "it is hidden once");
        let versions = site.corpus.files.list(&old.key(), None).await.unwrap().items;
        assert_eq!(versions.len(), 2, "the version stays below its mark");
    });
}

#[test]
fn a_table_that_lost_its_records_takes_neither_files_nor_points_with_it() {
    pollster::block_on(async {
        for hours in [1, OLD] {
            let site = site_with(30, hours).await;
            let restored = FakeDocuments::default();
            for place in [Orphans::Files(None), Orphans::Points(None)] {
                let outcome = sweep_with(&site, &restored, place).await;
                assert_eq!(outcome, Outcome::Refused { seen: 30, mended: 0, missing: 30 });
            }
            assert_eq!(present(&site).await.len(), 30);
            assert_eq!(site.corpus.index.size(), 60, "a document point and a passage of each");
        }
    });
}

#[test]
fn a_refused_page_ends_the_sweep_and_keeps_what_a_record_would_let_go() {
    pollster::block_on(async {
        let mut site = Site::default();
        site.corpus.files = FakeFiles::paged(25);
        // The first upload of each document is over. The second page begins with the second upload
        // of the thirteenth document.
        for version in [before(OLD), before(OLD - 1)] {
            for number in 0..40 {
                site.ingest(&Scope::Global, &format!("{number:02}.md"), &version).await;
            }
        }
        let keys = site.corpus.files.keys();
        let known = site.corpus.documents.documents(&Scope::Global, 40, None).await.unwrap().items;
        for record in &known[14..] {
            site.corpus.documents.delete_record(&record.scope, record.document_id).await.unwrap();
        }
        let outcome = sweep_with(&site, &site.corpus.documents, Orphans::Files(None)).await;
        assert_eq!(outcome, Outcome::Refused { seen: 50, mended: 13, missing: 22 });
        for key in &keys[25..] {
            assert!(site.corpus.files.read(key).await.unwrap().is_some(), "{key}");
        }
        assert_eq!(site.removals.take(), [], "nothing is sent on");
    });
}

#[test]
fn twenty_old_uploads_without_a_record_go() {
    pollster::block_on(async {
        let site = site_with(20, OLD).await;
        let restored = FakeDocuments::default();
        for place in [Orphans::Files(None), Orphans::Points(None)] {
            let outcome = sweep_with(&site, &restored, place).await;
            assert_eq!(outcome, Outcome::Swept { seen: 20, mended: 20 });
        }
        assert_eq!(present(&site).await, Vec::<String>::new());
        assert_eq!(site.corpus.files.keys().len(), 20, "their versions stay");
        assert_eq!(site.corpus.index.size(), 0);
    });
}

#[test]
fn the_alarm_waits_for_the_words_that_the_log_has() {
    let template = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/template.yaml"));
    assert!(template.contains(&format!("FilterPattern: '\"{REFUSED}\"'")));
}

#[test]
fn an_upload_that_never_came_fails_after_a_day_and_one_that_came_is_waited_for() {
    pollster::block_on(async {
        let site = Site::default();
        let late = site.corpus.announce("late.md", &before(30), b"x").await;
        file_deletion::upload(&site.corpus.files, &late).await.unwrap();
        let fresh = site.corpus.announce("fresh.md", &before(20), b"x").await;
        file_deletion::upload(&site.corpus.files, &fresh).await.unwrap();
        let queued = site.corpus.announce("queued.md", &before(30), b"x").await;
        let stuck = site.corpus.announce("stuck.md", &before(217), b"x").await;
        assert_eq!(sweep(&site, Orphans::Unfinished(None)).await, 2);
        let reason = |text: &str| Status::Failed { reason: text.into() };
        let never = reason("the upload never came; announce it again");
        assert_eq!(site.corpus.status(&late).await, never);
        assert_eq!(site.corpus.status(&fresh).await, Status::Waiting);
        assert_eq!(site.corpus.status(&queued).await, Status::Waiting);
        let stuck = site.corpus.status(&stuck).await;
        assert_eq!(stuck, reason("it was never read to its end; upload it again"));
    });
}

#[test]
fn a_deletion_whose_message_was_lost_is_sent_again() {
    pollster::block_on(async {
        let site = Site::default();
        let upload = site.ingest(&Scope::Global, "a.md", &before(100)).await;
        let removal = site.delete(&upload, &before(25)).await;
        assert_eq!(sweep(&site, Orphans::Unfinished(None)).await, 1);
        assert_eq!(site.removals.take(), [removal]);
    });
}

#[test]
fn a_sweep_of_more_than_one_message_takes_goes_on_where_it_stopped() {
    pollster::block_on(async {
        let mut site = Site::default();
        site.corpus.files = FakeFiles::paged(3);
        for number in 0..70 {
            site.corpus.files.put(&format!("documents/left-{number:02}"), b"x");
        }
        assert_eq!(sweep(&site, Orphans::Files(None)).await, 0);
        let rest = site.removals.take();
        let [Removal::Orphans(place @ Orphans::Files(Some(last)))] = &rest[..] else {
            panic!("{rest:?}")
        };
        assert_eq!(last, "documents/left-59");
        sweep(&site, place.clone()).await;
        assert_eq!(site.removals.take(), []);
    });
}

#[test]
fn a_decision_that_was_never_indexed_is_handed_on() {
    pollster::block_on(async {
        let site = Site::default();
        let decision = ["project", "decision"].map(str::to_owned);
        site.corpus.documents.pending.lock().unwrap().push(decision);
        assert_eq!(sweep(&site, Orphans::Unfinished(None)).await, 1);
        let (project_id, decision_id) = ("project".into(), "decision".into());
        assert_eq!(site.corpus.tasks.take(), [Task::Decision { project_id, decision_id }]);
    });
}
