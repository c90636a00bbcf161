//! The demo corpus and its readers, in memory.

use std::fs;
use std::path::Path;
use std::time::Duration;

use answers::KnowledgeBases;
use async_trait::async_trait;
use ports::Clock;
use ports::scope::Scope;
use serde_json::json;
use testing::{Corpus, FakeContext, FakeMembers};
use workflows::custom::Strategies;
use workflows::search::Sources;

/// The case of `ann`, which contains a log.
pub(crate) const CASE: &str = "01JDC0FFEE0000000000000000";

const TEAM: &str = "# Handover of the pumps\n\nThe spare seal of pump P-203 lies in cabinet 4.\n\n## Symptoms\n\nP-203 is loud below 900 rpm.\n";
const OWN: &str = "# My notes on certificates\n\n1. Look at the expiry date: `certs list`.\n2. Renew what expires within 30 days: `certs renew NAME`.\n";

/// All data and services that a request needs.
pub(crate) struct Site {
    pub(crate) context: FakeContext,
    pub(crate) corpus: Corpus,
    pub(crate) project: String,
    pub(crate) bases: KnowledgeBases,
    pub(crate) sources: Sources,
    pub(crate) strategies: Strategies,
}

impl Site {
    /// Returns the demo corpus for everyone, and one or two documents for a team, a user and a
    /// case.
    pub(crate) async fn of_the_demo_corpus() -> Site {
        let members = FakeMembers::default().with(CASE, "ann");
        let mut context = FakeContext { members: members.clone(), ..FakeContext::default() };
        context.caller.groups = vec!["pumps".into()];
        let mut corpus = Corpus::default();
        corpus.answers.members = members;
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let shipped = root.join("corpus");
        for (name, text) in files(&shipped) {
            add(&corpus, &Scope::Global, &name, text.as_bytes()).await;
        }
        add(&corpus, &Scope::Team("pumps".into()), "handover.md", TEAM.as_bytes()).await;
        add(&corpus, &Scope::User("ann".into()), "certificates.md", OWN.as_bytes()).await;
        let log = fs::read(shipped.join("logs/checkout-api.log")).unwrap();
        add(&corpus, &Scope::Case(CASE.into()), "checkout-api.log", &log).await;
        let profile = json!({"name": "Pump station", "standards": ["NBS 210"], "domain": "pumps"});
        let project = context.project(&corpus, profile).await;
        let decision = json!({"decision": "Replace the seals of all pumps", "rationale": "They leak.", "status": "accepted"});
        context.decide(&corpus, &project, decision).await.unwrap();
        context.tick();
        let infra = root.parent().unwrap().join("infra");
        Site {
            context,
            corpus,
            project,
            bases: KnowledgeBases::parse(&files(&infra.join("knowledge"))).unwrap(),
            sources: Sources::parse(&files(&infra.join("sources"))).unwrap(),
            strategies: Strategies::parse(&files(&infra.join("strategies"))).unwrap(),
        }
    }
}

async fn add(corpus: &Corpus, scope: &Scope, name: &str, bytes: &[u8]) {
    let upload = corpus.announce_in(scope, name, "01A", bytes).await;
    corpus.ingest(&upload).await.unwrap();
}

/// Returns the files in a folder and its subfolders, by their relative path, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// A clock that never advances.
pub(crate) struct Stopped;

#[async_trait]
impl Clock for Stopped {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    async fn wait(&self, _: Duration) {
        std::future::pending::<()>().await;
    }
}
