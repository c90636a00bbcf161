//! Lists questions and decisions: the trail and its parts, newest first, page by page.

use std::collections::HashMap;

use futures_util::future::try_join_all;
use jiff::{SignedDuration, Timestamp};
use wire::decisions::{Decided, Decision, DecisionList, DecisionReply, DecisionSource};
use wire::projects::Project;
use wire::trail::{DigestList, QueryList, TrailEntry, TrailPage};

use super::{ProjectContext, check};
use ask::succession;
use model::{Error, Result};
use ports::scope::Membership;
use ports::trail::ulid_at;
use ports::{Span, cursor};

/// The wanted part of a list, from the query string.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page<'a> {
    /// The number of entries, 1 to 100.
    pub limit: Option<&'a str>,
    /// The end of the previous part.
    pub cursor: Option<&'a str>,
}

/// The number of entries of a page, unless the caller states one.
const LIMIT: u32 = 50;

/// The approximate upper bound for the bytes of a page. A function can return at most 6 MB.
const PAGE: usize = 2_500_000;

/// The approximate upper bound for the bytes of a source.
const SOURCE: usize = 3_000;

/// Upper bound for the decisions that are shown on top because they need review.
const REVIEWS: usize = 10;

/// Lists the questions of the project.
pub async fn queries(
    context: &ProjectContext<'_>,
    project: &str,
    page: &Page<'_>,
) -> Result<QueryList> {
    context.enter(project).await?;
    let list = format!("project:{project}/queries");
    let (span, limit) = span(&list, page)?;
    let mut queries = context.trail.questions(project, &span, limit + 1).await?;
    let more = cut(&mut queries, limit);
    let cursor = queries.last().filter(|_| more).map(|query| cursor::write(&list, &query.query_id));
    Ok(QueryList { queries, cursor })
}

/// Lists the decisions of the project, with their sources.
pub async fn decisions(
    context: &ProjectContext<'_>,
    project: &str,
    page: &Page<'_>,
) -> Result<DecisionList> {
    context.enter(project).await?;
    let list = format!("project:{project}/decisions");
    let (span, limit) = span(&list, page)?;
    let mut found = context.trail.decisions(project, &span, limit + 1).await?;
    let more = cut(&mut found, limit) | cut_by_size(&mut found, size);
    let decisions = all_with_sources(context, project, found).await?;
    let end = decisions.last().filter(|_| more).map(|end| &end.decision.decision_id);
    let cursor = end.map(|end| cursor::write(&list, end));
    Ok(DecisionList { decisions, cursor })
}

/// Returns a decision with its sources, and the line of succession that contains it.
pub async fn decision(
    context: &ProjectContext<'_>,
    project: &str,
    id: &str,
) -> Result<DecisionReply> {
    let membership = context.enter(project).await?;
    let decision = one(context, &membership, id).await?;
    let line = succession::line(context.trail, project, &decision).await?;
    let decided = with_sources(context, project, decision).await?;
    Ok(DecisionReply { decided, line })
}

/// Returns a page of the trail, as it is or as it was at a time.
pub async fn trail(
    context: &ProjectContext<'_>,
    project: &str,
    page: &Page<'_>,
    as_of: Option<&str>,
) -> Result<TrailPage> {
    let project = context.enter(project).await?.into_project();
    let id = project.project_id.clone();
    let as_of = as_of.map(|as_of| time(as_of, context.stamp.time)).transpose()?;
    let list = format!("project:{id}/trail");
    let (mut span, limit) = span(&list, page)?;
    if let Some(time) = as_of {
        // Entries of the same millisecond are included.
        let end = ulid_at(time + SignedDuration::from_millis(1));
        span.below = Some(span.below.map_or(end.clone(), |below| below.min(end)));
    }
    let (entries, more) = entries(context, &id, &span, limit, as_of).await?;
    let cursor = entries.last().filter(|_| more).map(|last| cursor::write(&list, last.id()));
    let needs_review =
        if as_of.is_some() { Vec::new() } else { reviews(context, &project).await? };
    Ok(TrailPage { project: as_was(project, as_of), as_of, entries, needs_review, cursor })
}

/// Returns the profile with its status at that time. Its other fields at that time are not stored.
fn as_was(mut project: Project, as_of: Option<Timestamp>) -> Project {
    let Some(time) = as_of else { return project };
    if let Some(later) = project.history.iter().find(|change| change.at > time) {
        project.status = later.from;
    }
    project.history.retain(|change| change.at <= time);
    project.needs_review.clear();
    project
}

/// Returns the next entries of both kinds, with true if there are more.
async fn entries(
    context: &ProjectContext<'_>,
    project: &str,
    span: &Span,
    limit: u32,
    as_of: Option<Timestamp>,
) -> Result<(Vec<TrailEntry>, bool)> {
    let questions = context.trail.questions(project, span, limit + 1);
    let decisions = context.trail.decisions(project, span, limit + 1);
    let (questions, decisions) = futures_util::future::try_join(questions, decisions).await?;
    let as_was = |decision: Decision| match as_of {
        Some(time) => decision.as_of(time),
        None => Some(decision),
    };
    let decisions = decisions.into_iter().filter_map(as_was);
    let decisions = decisions.map(|decision| Decided { decision, sources: Vec::new() });
    let mut entries: Vec<TrailEntry> = questions.into_iter().map(TrailEntry::Question).collect();
    entries.extend(decisions.map(TrailEntry::Decision));
    entries.sort_by(|a, b| b.id().cmp(a.id()));
    let size = |entry: &TrailEntry| match entry {
        TrailEntry::Question(entry) => entry.question.len() + 100 * entry.results.len(),
        TrailEntry::Decision(entry) => size(&entry.decision),
    };
    let more = cut(&mut entries, limit) | cut_by_size(&mut entries, size);
    fill(context, project, &mut entries).await?;
    Ok((entries, more))
}

async fn fill(
    context: &ProjectContext<'_>,
    project: &str,
    entries: &mut [TrailEntry],
) -> Result<()> {
    let mut decisions: Vec<&mut Decided> = Vec::new();
    for entry in entries {
        if let TrailEntry::Decision(decided) = entry {
            decisions.push(decided);
        }
    }
    let supported = decisions.iter().filter(|decision| decision.decision.source_count > 0);
    let ids: Vec<String> =
        supported.map(|supported| supported.decision.decision_id.clone()).collect();
    let mut sources = sources(context, project, &ids).await?;
    for decision in decisions {
        decision.sources = sources.remove(&decision.decision.decision_id).unwrap_or_default();
    }
    Ok(())
}

/// Returns the sources of these decisions, newest first, in one read.
async fn sources(
    context: &ProjectContext<'_>,
    project: &str,
    decisions: &[String],
) -> Result<HashMap<String, Vec<DecisionSource>>> {
    let mut sources: HashMap<String, Vec<DecisionSource>> = HashMap::new();
    if let (Some(last), Some(first)) = (decisions.iter().max(), decisions.iter().min()) {
        for (decision, source) in context.trail.sources(project, first, last).await? {
            sources.entry(decision).or_default().push(source);
        }
    }
    for list in sources.values_mut() {
        list.sort_by(|a, b| b.relevance.total_cmp(&a.relevance));
    }
    Ok(sources)
}

async fn all_with_sources(
    context: &ProjectContext<'_>,
    project: &str,
    decisions: Vec<Decision>,
) -> Result<Vec<Decided>> {
    let ids: Vec<String> = decisions.iter().map(|decision| decision.decision_id.clone()).collect();
    let mut sources = sources(context, project, &ids).await?;
    let decided = |decision: Decision| {
        let sources = sources.remove(&decision.decision_id).unwrap_or_default();
        Decided { decision, sources }
    };
    Ok(decisions.into_iter().map(decided).collect())
}

pub(super) async fn with_sources(
    context: &ProjectContext<'_>,
    project: &str,
    decision: Decision,
) -> Result<Decided> {
    let id = decision.decision_id.clone();
    let sources = sources(context, project, std::slice::from_ref(&id)).await?.remove(&id);
    Ok(Decided { decision, sources: sources.unwrap_or_default() })
}

/// Returns the decisions that need review, with their sources. They need not follow each other.
async fn reviews(context: &ProjectContext<'_>, project: &Project) -> Result<Vec<Decided>> {
    let mut ids = project.needs_review.clone();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    ids.sort_by(|a, b| b.cmp(a));
    ids.truncate(REVIEWS);
    let id = &project.project_id;
    let mut found = context.trail.decisions_named(id, &ids).await?;
    found.sort_by(|a, b| b.decision_id.cmp(&a.decision_id));
    try_join_all(found.into_iter().map(|decision| with_sources(context, id, decision))).await
}

/// Returns one decision of the project.
///
/// # Errors
/// [`Error::Missing`] if there is none with this id.
pub(super) async fn one(
    context: &ProjectContext<'_>,
    membership: &Membership,
    id: &str,
) -> Result<Decision> {
    let missing = || Error::Missing { kind: "decision", name: id.into() };
    ulid::Ulid::from_string(id).map_err(|_| missing())?;
    let project = &membership.project().project_id;
    context.trail.decisions_named(project, &[id.into()]).await?.pop().ok_or_else(missing)
}

/// Lists the digests of the project's periods.
pub async fn digests(
    context: &ProjectContext<'_>,
    project: &str,
    page: &Page<'_>,
) -> Result<DigestList> {
    context.enter(project).await?;
    let list = format!("project:{project}/digests");
    let below = page.cursor.map(|cursor| cursor::read(&list, cursor)).transpose()?;
    let is_time = |text: &str| text.parse::<Timestamp>().is_ok();
    let is_period = |text: &String| text.split('_').count() == 2 && text.split('_').all(is_time);
    if !below.as_ref().is_none_or(is_period) {
        let reason = "must be one that this list gave".into();
        return Err(Error::Malformed { field: "cursor".into(), reason });
    }
    let limit = cursor::limit(page.limit, LIMIT)?;
    let found = context.trail.digests(project, limit, below.as_deref()).await?;
    let cursor = found.next.map(|last| cursor::write(&list, &last));
    Ok(DigestList { digests: found.items, cursor })
}

fn span(list: &str, page: &Page<'_>) -> Result<(Span, u32)> {
    let below = page.cursor.map(|cursor| cursor::read_ulid(list, cursor)).transpose()?;
    Ok((Span { above: None, below }, cursor::limit(page.limit, LIMIT)?))
}

/// Keeps the first `limit` items; returns true if there were more.
fn cut<T>(items: &mut Vec<T>, limit: u32) -> bool {
    let more = items.len() > limit as usize;
    items.truncate(limit as usize);
    more
}

/// Keeps as many items as fit into [`PAGE`], but at least one; returns true if there were more.
pub(super) fn cut_by_size<T>(items: &mut Vec<T>, size: impl Fn(&T) -> usize) -> bool {
    let mut sum = 0;
    let fits = |item: &T| {
        sum += size(item);
        sum <= PAGE
    };
    let fitting = items.iter().map(fits).take_while(|fits| *fits).count().max(1);
    let more = items.len() > fitting;
    items.truncate(fitting);
    more
}

/// Returns the approximate bytes of a decision with its sources.
fn size(decision: &Decision) -> usize {
    let alternatives: usize = decision.alternatives.iter().map(String::len).sum();
    decision.rationale.len()
        + alternatives
        + SOURCE * (decision.source_count + decision.needs_review.len())
}

fn time(as_of: &str, now: Timestamp) -> Result<Timestamp> {
    let time = as_of.parse().map_err(|_| {
        Error::invalid("as_of", "must be an RFC 3339 time, such as 2026-11-20T18:00:00Z")
    })?;
    check::past("as_of", time, now)
}
