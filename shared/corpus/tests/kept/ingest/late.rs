//! Uploads that come when their document or case is gone.

use super::races::Meanwhile;
use super::*;
use ports::{Cases, DocumentCleanup, Files};

const LOG: &str = "2026-11-20T18:10:00Z INFO the seal wore out\n";

#[test]
fn an_upload_without_a_record_leaves_no_records_and_its_file_to_the_sweep() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.log", "01A", LOG.as_bytes()).await;
        corpus.files.put(&upload.records_key(), b"written before the record was lost");
        assert!(corpus.documents.delete_record(&upload.scope, upload.document_id).await.unwrap());
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Gone);
        assert_eq!(corpus.files.keys(), [upload.key()]);
    });
}

#[test]
fn an_upload_that_comes_after_its_case_closed_leaves_no_file() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let id = "01JCASE0000000000000000001";
        let at = "2026-11-20T18:00:00Z".parse().unwrap();
        let case = serde_json::json!({
            "case_id": id, "title": "Broker down", "status": "open", "created_by": "ann",
            "created_at": "2026-11-20T18:00:00Z",
        });
        let case = serde_json::from_value(case).unwrap();
        corpus.cases.create_case(&case, None).await.unwrap();
        let scope = Scope::Case(id.into());
        let upload = corpus.announce_in(&scope, "pump.log", "01A", LOG.as_bytes()).await;
        assert!(corpus.documents.delete_record(&scope, upload.document_id).await.unwrap());
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Gone);
        assert_eq!(corpus.files.keys(), [upload.key()], "an open case may have lost its record");
        assert!(corpus.cases.begin_closing(id, "ann", at).await.unwrap());
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Gone);
        assert_eq!(corpus.files.keys(), Vec::<String>::new());
    });
}

#[test]
fn an_upload_that_comes_after_the_deletion_of_its_document_is_hidden_or_erased_with_it() {
    pollster::block_on(async {
        for is_final in [false, true] {
            let corpus = Corpus::of(&[("pump.md", OLD)]).await;
            let upload = corpus.announce("pump.md", "01B", NEW.as_bytes()).await;
            let Upload { scope, document_id, .. } = &upload;
            let documents = &corpus.documents;
            assert!(documents.begin_deletion(scope, *document_id, "01C", is_final).await.unwrap());
            let until = jiff::Timestamp::MAX;
            documents.finish_deletion(scope, *document_id, "01C", until).await.unwrap();
            assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Gone);
            assert_eq!(corpus.files.read(&upload.key()).await.unwrap(), None);
            assert_eq!(corpus.files.keys().contains(&upload.key()), !is_final);
        }
    });
}

#[test]
fn points_that_the_index_lost_are_written_again_when_the_message_comes_again() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let upload = corpus.announce("pump.md", "01A", OLD.as_bytes()).await;
        corpus.ingest(&upload).await.unwrap();
        corpus.index.delete_version(&upload).await.unwrap();
        assert_eq!(corpus.ingest(&upload).await.unwrap(), Outcome::Indexed { passages: 1 });
        assert_eq!(found(&corpus, "seal").await, 1);
    });
}

fn has_records(corpus: &Corpus, upload: &Upload) -> bool {
    corpus.files.keys().contains(&upload.records_key())
}

#[test]
fn an_upload_that_is_overtaken_leaves_no_records() {
    pollster::block_on(async {
        let corpus = Corpus::default();
        let slow = corpus.announce("pump.log", "01A", LOG.as_bytes()).await;
        let later = Meanwhile(&corpus, Some(("pump.log", "2026-11-20T18:11:00Z INFO dry\n")));
        assert_eq!(corpus.ingest_into(&slow, &later).await.unwrap(), Outcome::Outdated);
        assert!(!has_records(&corpus, &slow));
        assert!(has_records(&corpus, &Upload { version: "01B".into(), ..slow }));
    });
}
