//! Passages like a text.

use ask::lookup::Lookup;
use ask::plan::{Plan, Way};
use ask::reply::Told;
use ask::{Ask, fit, rank};
use model::Result;
use model::evidence::PassageResult;
use model::evidence::PointKind::Passage;
use model::evidence::SearchKind::{Bm25, Dense};
use ports::Trail;
use ports::degraded::Partial;
use views::{Block, Card, ReportView};
use wire::alike::{Alike, AlikeReport, AlikeRequest};
use wire::common::Answer;
use wire::request::WorkflowRequest;
use wire::trail::Answered;

use crate::Workflow;

/// Upper bound for the hits of a search.
const DEPTH: usize = 40;

/// The ways to search for the text.
const WAYS: [Way; 2] = [(Dense, Passage, 1.0), (Bm25, Passage, 0.5)];

impl Workflow for Alike {
    const VIEW: ReportView<AlikeReport> =
        ReportView { kind: |_| "Alike".into(), blocks, is_shown_always: false };

    async fn run(
        ask: &Ask<'_>,
        _: &dyn Trail,
        request: AlikeRequest,
    ) -> Result<Partial<Answer<AlikeReport>>> {
        let mut asked = ask.question(request.common()).await?;
        let plan = Plan::of(&asked, &WAYS, DEPTH).looking_up(Lookup::of(&asked));
        let mut found = ask.search(plan, &mut asked).await?;
        rank::order(&asked, &mut found);
        let fit = fit::verdict(&mut found);
        let best = found.evidence.into_iter().take(asked.top_k.value());
        let results: Vec<PassageResult> = best.map(|one| PassageResult::of(one.passage, one.parts)).collect();
        let told = Told {
            workflow: "alike".into(),
            is_told: !results.is_empty(),
            results: Answered::best(results.iter().map(|one| (one.passage.passage_id, one.score))),
            report: AlikeReport { result_type: "alike".into(), results },
        };
        Ok(ask.reply(asked, found.related, fit, told).await)
    }
}

fn blocks(report: &AlikeReport) -> Vec<Block<'_>> {
    let results = report.results.iter().enumerate();
    vec![Block::Cards(results.map(|(place, one)| Card::result(place + 1, one)).collect())]
}
