//! Filters in Qdrant's terms. Each begins with the scopes that the grant allows.

use jiff::Timestamp;
use model::document::DocumentType;
use model::evidence::PointKind;
use ports::filter::{Condition as Wanted, Filters};
use ports::scope::{Grant, Scope};
use qdrant_client::qdrant::{Condition, DatetimeRange, Filter, PointId, Range};
use uuid::Uuid;
use wire::decisions::DecisionStatus;

/// Returns the filter for what is live, granted and wanted.
pub(super) fn search(grant: &Grant, filters: &Filters) -> Filter {
    let mut must = granted(grant);
    must.extend(filters.0.iter().map(condition));
    Filter::must(must)
}

/// The first `whole` passages of these documents, and those in `passages` besides.
pub(super) fn documents(
    grant: &Grant,
    documents: &[Uuid],
    passages: &[Uuid],
    whole: u32,
) -> Filter {
    let first =
        Condition::range("position", Range { lt: Some(f64::from(whole)), ..Range::default() });
    let mut must = granted(grant);
    must.push(kind(PointKind::Passage));
    must.push(Condition::matches(
        "document_id",
        documents.iter().map(Uuid::to_string).collect::<Vec<_>>(),
    ));
    must.push(Filter::should([first, named(passages.iter().copied())]).into());
    Filter::must(must)
}

/// These passages.
pub(super) fn passages(grant: &Grant, ids: &[Uuid]) -> Filter {
    let mut must = granted(grant);
    must.push(kind(PointKind::Passage));
    must.push(named(ids.iter().copied()));
    Filter::must(must)
}

/// These document points and passages.
pub(super) fn points(grant: &Grant, ids: &[Uuid]) -> Filter {
    let mut must = granted(grant);
    let kinds = [PointKind::Passage, PointKind::Document].map(|kind| kind.name().to_owned());
    must.push(Condition::matches("kind", kinds.to_vec()));
    must.push(named(ids.iter().copied()));
    Filter::must(must)
}

/// These passages, and the document points of these documents.
pub(super) fn embeddings(grant: &Grant, ids: &[Uuid]) -> Filter {
    let passage = Filter::must([kind(PointKind::Passage), named(ids.iter().copied())]);
    let texts: Vec<String> = ids.iter().map(Uuid::to_string).collect();
    let of_document = Condition::matches("document_id", texts);
    let document_point = Filter::must([kind(PointKind::Document), of_document]);
    let mut must = granted(grant);
    must.push(Filter::should([Condition::from(passage), Condition::from(document_point)]).into());
    Filter::must(must)
}

/// Returns the condition for the points with these ids.
pub(super) fn named(ids: impl Iterator<Item = Uuid>) -> Condition {
    Condition::has_id(ids.map(|id| PointId::from(id.to_string())))
}

/// The passages of a scope that can be found.
pub(super) fn passages_of(scope: &Scope) -> Filter {
    Filter::must([
        Condition::matches("scope", scope.to_string()),
        Condition::matches("live", true),
        kind(PointKind::Passage),
    ])
}

/// Everything of one document in a scope, whether live or not.
pub(super) fn document(scope: &Scope, document: Uuid) -> Vec<Condition> {
    vec![
        Condition::matches("scope", scope.to_string()),
        Condition::matches("document_id", document.to_string()),
    ]
}

/// Returns the condition for what a point stands for.
pub(super) fn kind(kind: PointKind) -> Condition {
    let name = Condition::matches("kind", kind.name().to_owned());
    let more = match kind {
        PointKind::Passage | PointKind::Document | PointKind::Decision => return name,
        PointKind::FailureReport => ("document_type", DocumentType::Postmortem.name()),
        PointKind::Accepted => ("tags", DecisionStatus::Accepted.name()),
    };
    Filter::must([name, Condition::matches(more.0, more.1.to_owned())]).into()
}

fn granted(grant: &Grant) -> Vec<Condition> {
    let scopes: Vec<String> = grant.scopes().iter().map(Scope::to_string).collect();
    vec![Condition::matches("scope", scopes), Condition::matches("live", true)]
}

fn condition(wanted: &Wanted) -> Condition {
    match wanted {
        Wanted::AnyOf(field, values) => Condition::matches(field.name(), values.clone()),
        Wanted::Lines(ranges) => any(ranges.iter().map(|(from, to)| {
            let starts = Range { lte: Some(f64::from(*to)), ..Range::default() };
            let ends = Range { gte: Some(f64::from(*from)), ..Range::default() };
            Filter::must([
                Condition::range("line_first", starts),
                Condition::range("line_last", ends),
            ])
        })),
        Wanted::Times(ranges) => any(ranges.iter().map(|(from, to)| {
            let starts = DatetimeRange { lte: Some(instant(*to)), ..DatetimeRange::default() };
            let ends = DatetimeRange { gte: Some(instant(*from)), ..DatetimeRange::default() };
            Filter::must([
                Condition::datetime_range("time_first", starts),
                Condition::datetime_range("time_last", ends),
            ])
        })),
        Wanted::Document(id) => Condition::matches("document_id", id.to_string()),
    }
}

fn any(filters: impl Iterator<Item = Filter>) -> Condition {
    Filter::should(filters.map(Condition::from)).into()
}

fn instant(time: Timestamp) -> qdrant_client::qdrant::Timestamp {
    qdrant_client::qdrant::Timestamp { seconds: time.as_second(), nanos: time.subsec_nanosecond() }
}
