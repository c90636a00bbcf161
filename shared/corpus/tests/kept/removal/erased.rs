//! Tests what an erased document takes along.

use super::*;

#[test]
fn answers_that_cite_a_document_go_with_it_only_where_it_is_erased() {
    pollster::block_on(async {
        for is_final in [false, true] {
            let site = Site::default();
            let upload = site.ingest(&Scope::Global, "pump.md", "01A").await;
            let Upload { scope, document_id, .. } = &upload;
            let documents = &site.corpus.documents;
            assert!(documents.begin_deletion(scope, *document_id, "01B", is_final).await.unwrap());
            let deleted = Removal::Document(Upload { version: "01B".into(), ..upload.clone() });
            assert_eq!(site.run(deleted).await.unwrap(), Outcome::Done);
            let forgotten = documents.forgotten.lock().unwrap().clone();
            let answers = (scope.clone(), *document_id);
            assert_eq!(forgotten, if is_final { vec![answers] } else { Vec::new() });
        }
    });
}
