use std::sync::LazyLock;

use async_trait::async_trait;
use corpus::beside::*;
use corpus::ingest::{self, Outcome};
use model::Result;
use model::document::document_id;
use model::facts::READER;
use model::object::Upload;
use ports::{Collection, Documents, Embedder, IndexCleanup, Indexing, Publisher, Purpose};
use testing::{Corpus, FakeEmbedder, FakeIndex, INDEXING};
use text::secret::MASKER;

const PUMP: &str = "# Pump\n\n## Cause\n\nThe seal wore out.\n\n## Cure\n\nIt was replaced.\n";

/// Another model, whose vectors are the same ones backwards.
struct Other;

#[async_trait]
impl Embedder for Other {
    fn space(&self) -> String {
        "other/64".into()
    }

    async fn embed(&self, texts: &[String], purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        let mut vectors = FakeEmbedder.embed(texts, purpose).await?;
        for vector in &mut vectors {
            vector.reverse();
        }
        Ok(vectors)
    }
}

static BOTH: LazyLock<Indexing> = LazyLock::new(|| {
    let second = Collection { name: "second".into(), space: "other/64".into() };
    let collections = INDEXING.collections.iter().cloned().chain([second]).collect();
    Indexing { reader: READER, masker: MASKER, read_model: String::new(), collections }
});

async fn ingest_beside(corpus: &Corpus, second: &FakeIndex, upload: &Upload) -> Outcome {
    let beside = Beside { used: &corpus.index, other: (second, &Other) };
    let services = corpus.services(&corpus.documents, &beside);
    let services = ingest::Services { indexing: &BOTH, ..services };
    ingest::run(&services, upload).await.unwrap()
}

#[test]
fn what_is_written_stands_in_both_each_in_its_own_space() {
    let (corpus, second) = (Corpus::default(), FakeIndex::default());
    let upload = pollster::block_on(corpus.announce("pump.md", "01A", PUMP.as_bytes()));
    pollster::block_on(ingest_beside(&corpus, &second, &upload));
    let spaces = |index: &FakeIndex| -> Vec<String> {
        let mut spaces: Vec<String> = index.held().into_iter().map(|i| i.embedded.space).collect();
        spaces.dedup();
        spaces
    };
    assert_eq!(spaces(&corpus.index), ["words/64"]);
    assert_eq!(spaces(&second), ["other/64"]);
    assert_eq!(corpus.index.size(), second.size());
    let id = document_id(&upload.scope, "pump.md");
    let record = pollster::block_on(corpus.documents.document(&upload.scope, id)).unwrap().unwrap();
    assert!(record.live.unwrap().indexing.covers(&BOTH));
}

#[test]
fn the_same_bytes_are_new_where_the_second_does_not_have_them() {
    let (corpus, second) = (Corpus::default(), FakeIndex::default());
    pollster::block_on(async {
        let first = corpus.announce("pump.md", "01A", PUMP.as_bytes()).await;
        corpus.ingest(&first).await.unwrap();
        let again = corpus.announce("pump.md", "01B", PUMP.as_bytes()).await;
        assert!(matches!(ingest_beside(&corpus, &second, &again).await, Outcome::Indexed { .. }));
        let third = corpus.announce("pump.md", "01C", PUMP.as_bytes()).await;
        assert_eq!(ingest_beside(&corpus, &second, &third).await, Outcome::Unchanged);
    });
}

#[test]
fn what_broke_off_between_the_two_goes_on_and_hides_nothing() {
    let (corpus, second) = (Corpus::default(), FakeIndex::default());
    pollster::block_on(async {
        let upload = corpus.announce("pump.md", "01A", PUMP.as_bytes()).await;
        ingest_beside(&corpus, &second, &upload).await;
        let ids = second.ids(&upload);
        let Upload { scope, document_id, version } = &upload;
        second.delete_up_to(scope, *document_id, version, &[]).await.unwrap();
        let beside = Beside { used: &corpus.index, other: (&second, &Other) };
        assert!(!beside.is_published(scope, &ids).await.unwrap());
        beside.stage(scope, corpus.index.held()).await.unwrap();
        assert!(corpus.index.sees(&upload), "it was hidden in the first");
        beside.publish(scope, *document_id, version, &ids).await.unwrap();
        assert!(second.sees(&upload));
        assert_eq!(second.size(), ids.len());
    });
}

#[test]
fn what_is_taken_away_goes_from_both_and_traces_come_from_both() {
    let (corpus, second) = (Corpus::default(), FakeIndex::default());
    pollster::block_on(async {
        let both = corpus.announce("pump.md", "01A", PUMP.as_bytes()).await;
        ingest_beside(&corpus, &second, &both).await;
        let one = corpus.announce("fan.md", "01A", PUMP.as_bytes()).await;
        corpus.ingest(&one).await.unwrap();
        let beside = Beside { used: &corpus.index, other: (&second, &Other) };
        second.delete_up_to(&one.scope, one.document_id, "01A", &[]).await.unwrap();
        corpus.index.delete_version(&both).await.unwrap();
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = beside.traces(1, after).await.unwrap();
            found.extend(page.items.into_iter().map(|item| item.of));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        found.sort_by_key(|hit| hit.document_id == one.document_id);
        assert_eq!(found, [both, one.clone()]);
        assert!(beside.delete_scope(&one.scope).await.unwrap() > 0);
        assert_eq!((corpus.index.size(), second.size()), (0, 0));
    });
}
