//! What a past failure's report tells, on the wire.

use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::evidence::Passage;
use crate::facts::{Fact, FailureReport};

/// Verbatim passages of the document, each with the place where it stands; what the document does not tell is absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct RccaMetadata {
    /// Observations: behavior, error messages. At most 8, best first.
    pub symptoms: Vec<Passage>,
    /// The cause that the document names.
    pub root_cause: Option<Passage>,
    /// Circumstances that helped it to happen or made it worse. At most 6, best first.
    pub contributing_factors: Vec<Passage>,
    /// The measure that ended it, or keeps it from coming back.
    pub resolution: Option<Passage>,
    /// Harm that it did. At most 4, in the document's order.
    pub impact: Vec<Passage>,
    /// Events with their times. At most 20, in the document's order.
    pub timeline: Vec<TimelineEvent>,
    /// Examinations on the way to the cause. At most 4, in the document's order.
    pub checked: Vec<Passage>,
    /// Harm and causes that were not the case. At most 4, in the document's order.
    pub denied: Vec<Passage>,
    /// Measures planned afterwards. At most 6, in the document's order.
    pub actions: Vec<Passage>,
}

/// An event of a failure, with its time.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TimelineEvent {
    /// The time, as the document writes it before the event, beside it or as its heading.
    pub time: String,
    /// The event.
    pub event: Passage,
}

impl RccaMetadata {
    /// What version `version` of a document tells.
    pub(super) fn of(report: &FailureReport, document: Uuid, version: &str) -> RccaMetadata {
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
                .map(|own| TimelineEvent { time: own.time.clone(), event: passage(&own.event) })
                .collect(),
            checked: passages(&report.checked),
            denied: passages(&report.denied),
            actions: passages(&report.actions),
        }
    }
}
