//! The report of one failure.

use model::document::Passage;
use model::facts::FailureReport;

use super::pick::{self, Scored};
use super::{score, unit};

/// Reads the report of a failure from the passages that tell of it, which are in order.
pub(super) fn read(passages: &[&Passage]) -> FailureReport {
    let units = unit::read(passages);
    let scores = score::score(passages, &units);
    let report = Scored { document: passages, units: &units, scores: &scores };
    let cause = report.best(&pick::ROOT_CAUSE);
    let resolution = report.best(&pick::END);
    let used: Vec<_> = cause.iter().chain(&resolution).cloned().collect();
    FailureReport {
        symptoms: report.several(&pick::SYMPTOMS, &[]),
        root_cause: cause.map(|run| report.fact(run, &pick::ROOT_CAUSE)),
        contributing_factors: report.several(&pick::FACTORS, &used),
        resolution: resolution.map(|run| report.fact(run, &pick::END)),
        impact: report.impact(),
        timeline: report.timeline(),
        checked: report.checked(),
        denied: Vec::new(), // not by rules: half of what they read as denied was not denied
        actions: report.actions(),
    }
}
