//! Knowledge bases over documents in memory.

use ask::Ask;
use ask::written::Writer;
use ports::Model;
use serde_json::Value;

use super::super::*;
use model::document::{Attributes, document_id};
use model::object::Upload;
use ports::{
    Documents, Embedded, Embedder, Indexing, Live, Point, Publisher, Purpose, Record, Status,
};
use testing::{
    FakeAnswers, FakeContext, FakeDocuments, FakeEmbedder, FakeFiles, FakeIndex, FakeMembers,
};

pub(super) const CASE: &str = "01JDC0FFEE0000000000000000";
pub(super) const OTHER: &str = "01JDC0FFEE0000000000000001";

pub(super) const LOG: &str = "\
2026-11-20T18:09:58Z INFO gateway: listening on 8080
2026-11-20T18:10:05Z ERROR gateway: E1042 pool db-main exhausted after 30000 ms
2026-11-20T18:10:09Z WARN gateway: retry 1 for order 77
2026-11-20T18:12:40Z ERROR worker: E1042 pool db-main exhausted after 30000 ms
2026-11-20T18:31:00Z ERROR worker: E2001 certificate of mailer expired
";

pub(super) const RUNBOOK: &str = "\
# Queue Backlog Runbook

## Meaning

The payment queue grows faster than the workers empty it.

## Mitigation

1. Check the workers: `ctl workers list`.
2. Scale them up: `ctl workers scale 8`.

## Notes

Written in spring.
";

pub(super) struct Site {
    pub context: FakeContext,
    pub index: FakeIndex,
    pub documents: FakeDocuments,
    pub answers: FakeAnswers,
    pub files: FakeFiles,
    pub bases: KnowledgeBases,
}

fn bases() -> KnowledgeBases {
    let file = |scope: &str, style: &str, citation: &str| {
        let text = format!(
            "scope = \"{scope}\"\nstyle = \"{style}\"\nprompt = \"Answer.\"\ncitation = '{citation}'\n\
             passage = \"{{name}}\"\nsource = \"{{file}}\"\nsources = 3\ncache_hours = 1\nlifecycle = \"x\"\n\
             [weights]\ndense = 1.0\nbm25 = 1.0\ndocument_dense = 0.0\ndocument_bm25 = 0.0\n"
        );
        (format!("{scope}.toml"), text)
    };
    let files = [
        file("case", "forensic", "{file}:{lines}[ ({time})]"),
        file("user", "procedural", "\"{title}\"[ section {section}]"),
        file("team", "procedural", "team \"{title}\""),
        file("global", "educational", "[{article} ]\"{title}\""),
    ];
    KnowledgeBases::parse(&files).unwrap()
}

fn live(records: u64) -> Live {
    Live {
        version: "01A".into(),
        hash: String::new(),
        bytes: 0,
        attributes: Attributes::default(),
        passages: 1,
        records,
        indexing: Indexing::default(),
        embedded: 3,
        assumed: None,
        model_reading: None,
        about: None,
    }
}

impl Site {
    pub(super) fn new(documents: &[(Scope, &str, &str)]) -> Site {
        let members = FakeMembers::default().with(CASE, "ann").with(OTHER, "bob");
        let context = FakeContext { members, ..FakeContext::default() };
        let answers = FakeAnswers { members: context.members.clone(), ..FakeAnswers::default() };
        let site = Site {
            context,
            index: FakeIndex::default(),
            documents: FakeDocuments::default(),
            answers,
            files: FakeFiles::default(),
            bases: bases(),
        };
        for (scope, name, text) in documents {
            site.add(scope, name, text, &Status::Indexed);
        }
        site
    }

    pub(super) fn add(&self, scope: &Scope, name: &str, text: &str, status: &Status) {
        self.add_version("01A", (scope, name, text), status);
    }

    /// Removes a document.
    pub(super) fn remove(&self, scope: &Scope, name: &str) {
        let document = document_id(scope, name);
        pollster::block_on(async {
            self.documents.begin_deletion(scope, document, "01Z", false).await.unwrap();
            self.index.delete_up_to(scope, document, "01Z", &[]).await.unwrap();
        });
    }

    pub(super) fn add_version(
        &self,
        version: &str,
        (scope, name, text): (&Scope, &str, &str),
        status: &Status,
    ) {
        let mut record = Record {
            scope: scope.clone(),
            document_id: document_id(scope, name),
            name: name.into(),
            content_type: "text/plain".into(),
            bytes: text.len() as u64,
            attributes: Attributes::default(),
            status: status.clone(),
            version: version.into(),
            live: None,
            deleted: None,
            kept: None,
            is_final: false,
            first: "01A".into(),
            prior: "01A".into(),
            updated_at: String::new(),
        };
        pollster::block_on(async {
            if *status != Status::Indexed {
                self.documents.announce(&record, None).await.unwrap();
                return;
            }
            let reading = reading::read(&record, version, text.as_bytes()).unwrap();
            let upload = Upload {
                scope: scope.clone(),
                document_id: record.document_id,
                version: version.into(),
            };
            let assumed = reading.entries.iter().find_map(|entry| entry.passage.assumed.clone());
            let records = reading.records.map_or(0, |record| {
                self.files.put(&upload.records_key(), &record.bytes);
                record.count
            });
            record.live = Some(Live { version: version.into(), assumed, ..live(records) });
            self.documents.announce(&record, None).await.unwrap();
            let texts: Vec<String> =
                reading.entries.iter().map(|entry| entry.meaning.clone()).collect();
            let vectors = FakeEmbedder.embed(&texts, Purpose::Document).await.unwrap();
            let points = reading.entries.into_iter().zip(vectors).map(|(r, vector)| Point {
                kind: r.kind,
                passage: r.passage,
                words: r.words,
                embedded: Embedded::of(&FakeEmbedder.space(), &r.meaning),
                meaning: r.meaning,
                vector,
            });
            self.index.stage(scope, points.collect()).await.unwrap();
            let ids = self.index.ids(&upload);
            self.index.publish(scope, record.document_id, version, &ids).await.unwrap();
        });
    }

    pub(super) fn ask_with(
        &self,
        scope: &Scope,
        request: Value,
        model: Option<&dyn Model>,
    ) -> Result<Given> {
        self.ask_by(&FakeEmbedder, scope, request, model)
    }

    /// Asks with another embedding model.
    pub(super) fn ask_by(
        &self,
        embedder: &dyn Embedder,
        scope: &Scope,
        request: Value,
        model: Option<&dyn Model>,
    ) -> Result<Given> {
        let chat = model.map(|model| testing::chat(model, "writer"));
        let writer = Some(Writer { chat, kept: &self.answers, mode: AnswerMode::Extractive });
        let services = Services {
            bases: &self.bases,
            ask: Ask { writer, ..Ask::new(self.context.context(), embedder, &self.index) },
            embed_model: "fake",
            documents: &self.documents,
            answers: &self.answers,
            chat,
            files: &self.files,
            may_go_on: &|| true,
        };
        let request = serde_json::from_value(request).unwrap();
        pollster::block_on(run(&services, scope.clone(), request))
    }

    /// Returns an answer by its id.
    pub(super) fn stored(&self, id: &str) -> Result<Given> {
        let library = Library { index: &self.index, documents: &self.documents };
        pollster::block_on(stored(&self.answers, &library, &self.context.context(), id))
    }

    pub(super) fn ask(&self, scope: &Scope, question: &str) -> AnswerReport {
        self.ask_with(scope, serde_json::json!({"question": question}), None).unwrap().report
    }
}
