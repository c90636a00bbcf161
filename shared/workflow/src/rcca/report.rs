//! What a past failure's report tells, as passages.

use uuid::Uuid;
use wire::rcca::{RccaMetadata, TimelineEvent};

use crate::evidence::Passage;
use crate::facts::{Fact, FailureReport};

/// What version `version` of a document tells.
pub(super) fn metadata(report: &FailureReport, document: Uuid, version: &str) -> RccaMetadata {
    let passage = |fact: &Fact| Passage::of_fact(fact, document, version);
    let passages = |facts: &[Fact]| facts.iter().map(passage).collect();
    RccaMetadata {
        symptoms: passages(&report.symptoms),
        root_cause: report.root_cause.as_ref().map(passage),
        contributing_factors: passages(&report.contributing_factors),
        resolution: report.resolution.as_ref().map(passage),
        impact: passages(&report.impact),
        timeline: report
            .timeline
            .iter()
            .map(|r| TimelineEvent { time: r.time.clone(), event: passage(&r.event) })
            .collect(),
        checked: passages(&report.checked),
        denied: passages(&report.denied),
        actions: passages(&report.actions),
    }
}
