use serde_json::json;
use wire::decisions::{Decision, NewRelated};

use ask::related;
use decisions::projects::{related as find, *};
use model::{Error, Result};
use ports::IndexCleanup;
use ports::scope::Scope;
use testing::{Corpus, FakeContext};
use wire::decisions::{ReindexDecisionsReply, ReindexDecisionsRequest};

struct Site {
    context: FakeContext,
    corpus: Corpus,
    project: String,
}

impl Site {
    fn new() -> Site {
        pollster::block_on(async {
            let (mut context, corpus) = (FakeContext::default(), Corpus::default());
            let project = context.project(&corpus, json!({"name": "Pump"})).await;
            for decision in ["Use carbon seals", "Buy two pumps"] {
                let new = json!({"decision": decision, "rationale": "It lasts."});
                context.decide(&corpus, &project, new).await.unwrap();
            }
            Site { context, corpus, project }
        })
    }

    fn again(&mut self) -> Result<ReindexDecisionsReply> {
        self.context.tick();
        let project_context = self.context.project_context(&self.corpus);
        pollster::block_on(index_again(&project_context, &ReindexDecisionsRequest::default()))
    }

    fn found(&self, decision: &str) -> Vec<String> {
        let wanted: NewRelated = serde_json::from_value(json!({ "decision": decision })).unwrap();
        let project_context = self.context.project_context(&self.corpus);
        let found = pollster::block_on(find(&project_context, &self.project, wanted)).unwrap();
        found.decisions.into_iter().map(|decision| decision.decision).collect()
    }
}

#[test]
fn decisions_that_a_lost_index_had_are_found_again() {
    let mut site = Site::new();
    let scope = Scope::Project(site.project.clone());
    pollster::block_on(site.corpus.index.delete_scope(&scope)).unwrap();
    assert!(site.found("carbon seals").is_empty());
    site.context.caller.groups.push(site.context.caller.admin_group.clone());
    assert_eq!(
        site.again().unwrap(),
        ReindexDecisionsReply { indexed: 2, ..ReindexDecisionsReply::default() }
    );
    assert_eq!(site.found("carbon seals"), ["Use carbon seals"]);
    assert_eq!(site.again().unwrap().indexed, 2);
    assert_eq!(site.corpus.index.size(), 2, "each stands there once");
}

#[test]
fn only_an_admin_may_ask() {
    assert!(matches!(Site::new().again(), Err(Error::Denied { .. })));
}

#[test]
fn what_changed_meanwhile_is_taken_away_and_told() {
    let mut site = Site::new();
    site.context.tick();
    let project_context = site.context.project_context(&site.corpus);
    pollster::block_on(async {
        let page = project_context.trail.decisions_of_all(9, None).await.unwrap();
        let (project, decision) = page.items.into_iter().next().unwrap();
        let before = Decision { status: wire::decisions::DecisionStatus::Proposed, ..decision };
        let version = &project_context.stamp.id;
        assert!(
            !decisions::projects::index(&project_context.indexer(), &project, &before, version)
                .await
                .unwrap()
        );
        let document = related::document(&project, &before.decision_id);
        assert!(site.corpus.index.held().iter().all(|s| s.passage.document_id != document));
    });
}
