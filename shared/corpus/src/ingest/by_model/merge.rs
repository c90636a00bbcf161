//! Merges the model's reading with that of the rules: each field is the model's if the model read
//! anything for it.

use model::facts::{FailureReport, RecordedDecision};

pub(super) fn report(model: FailureReport, rules: FailureReport) -> FailureReport {
    FailureReport {
        symptoms: or(model.symptoms, rules.symptoms),
        root_cause: model.root_cause.or(rules.root_cause),
        contributing_factors: or(model.contributing_factors, rules.contributing_factors),
        resolution: model.resolution.or(rules.resolution),
        impact: or(model.impact, rules.impact),
        timeline: or(model.timeline, rules.timeline),
        checked: or(model.checked, rules.checked),
        denied: or(model.denied, rules.denied),
        actions: or(model.actions, rules.actions),
    }
}

/// Options and status are those of the rules if these read any, because their reasons refer to
/// those options.
pub(super) fn decision(model: RecordedDecision, rules: RecordedDecision) -> RecordedDecision {
    RecordedDecision {
        chosen: model.chosen.or(rules.chosen),
        status: rules.status.or(model.status),
        options: or(rules.options, model.options),
        ..rules
    }
}

fn or<T>(ts: Vec<T>, other: Vec<T>) -> Vec<T> {
    if ts.is_empty() { other } else { ts }
}
