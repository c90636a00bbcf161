//! Digests of the changes in a project during a period: facts from the table, reported once.

use async_trait::async_trait;
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wire::decisions::Decision;
use wire::trail::Asked;

use model::{Error, Result};
use ports::trail::ulid_at;
use ports::{Projects, Span, Task, Tasks, Trail, Written};

mod change;

pub use change::digest;

/// How long a period is; each ends at midnight UTC, a week on Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// From midnight to midnight.
    Day,
    /// From Monday to Monday.
    Week,
}

/// The event that starts a run: every active project is told of the last period that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// How long a period is.
    pub period: Length,
}

/// The job of one project in a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The project.
    pub project_id: String,
    /// The beginning of the period.
    pub from: Timestamp,
    /// The end of the period, which is excluded.
    pub to: Timestamp,
}

/// The outcome of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A digest was written.
    Written,
    /// Nothing changed, so nothing was written.
    Quiet,
    /// There already was a digest of that period.
    Repeated,
}

/// Returns the last period of this length that has ended by `now`, as its beginning and its end.
pub fn last_period(length: Length, now: Timestamp) -> (Timestamp, Timestamp) {
    let date = now.to_zoned(TimeZone::UTC).date();
    let since_monday = match length {
        Length::Day => 0,
        Length::Week => i64::from(date.weekday().since(Weekday::Monday)),
    };
    let days = match length {
        Length::Day => 1,
        Length::Week => 7,
    };
    let midnight = now.as_second().div_euclid(DAY) * DAY - since_monday * DAY;
    let end = Timestamp::from_second(midnight).unwrap_or(now);
    (end - SignedDuration::from_hours(24 * days), end)
}

/// A day in seconds. The table counts UTC without leap seconds.
const DAY: i64 = 24 * 60 * 60;

/// Accepts jobs for later. Each job is done at least once.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Accepts all of them, or returns an error; then some may have been accepted.
    async fn send(&self, jobs: &[Job]) -> Result<()>;
}

/// The number of projects that are read at once.
const PAGE: u32 = 100;

/// Sends one job for each active project, page by page. Returns the number of jobs.
pub async fn fan_out(
    projects: &dyn Projects,
    jobs: &dyn Jobs,
    run: Run,
    now: Timestamp,
) -> Result<usize> {
    let (from, to) = last_period(run.period, now);
    let (mut after, mut count) = (None, 0);
    loop {
        let page = projects.active(PAGE, after.as_deref()).await?;
        let batch = page.items.into_iter().map(|project_id| Job { project_id, from, to });
        let batch: Vec<Job> = batch.collect();
        jobs.send(&batch).await?;
        count += batch.len();
        after = page.next;
        if after.is_none() {
            return Ok(count);
        }
    }
}

/// Writes the digest of one project, and has it told where routes name the project. It writes
/// nothing if nothing changed, or if the digest exists.
///
/// # Errors
/// [`Error::Missing`] if there is no such project.
pub async fn tell(
    projects: &dyn Projects,
    trail: &dyn Trail,
    tasks: &dyn Tasks,
    job: &Job,
    now: Timestamp,
) -> Result<Outcome> {
    let missing = || Error::Missing { kind: "project", name: job.project_id.clone() };
    let project = projects.profile(&job.project_id).await?.ok_or_else(missing)?;
    if project.status.is_final() && project.updated_at < job.from {
        // Its last period is reported.
        projects.archive(&job.project_id).await?;
        return Ok(Outcome::Quiet);
    }
    let decisions = all_decisions(trail, job).await?;
    let questions = all_questions(trail, job).await?;
    let digest = digest(project, &decisions, &questions, (job.from, job.to), now);
    if digest.is_quiet() {
        return Ok(Outcome::Quiet);
    }
    let outcome = match trail.tell(&job.project_id, &digest).await? {
        Written::Done => Outcome::Written,
        Written::Stale | Written::Repeated => Outcome::Repeated,
    };
    // A job that broke off here is repeated, and a message goes out once.
    let (project_id, period) = (job.project_id.clone(), digest.period());
    tasks.send(&[Task::Digest { project_id, period }]).await?;
    Ok(outcome)
}

/// Returns the decisions that changed in the period, however old they are.
async fn all_decisions(trail: &dyn Trail, job: &Job) -> Result<Vec<Decision>> {
    let mut span = Span { above: None, below: Some(ulid_at(job.to)) };
    let mut all = Vec::new();
    loop {
        let page = trail.decisions(&job.project_id, &span, PAGE).await?;
        let Some(last) = page.last() else { return Ok(all) };
        span.below = Some(last.decision_id.clone());
        let is_in = |at: Timestamp| job.from <= at && at < job.to;
        all.extend(page.into_iter().filter(|decision| {
            decision.history.iter().any(|change| is_in(change.at))
                || decision.needs_review.iter().any(|review| is_in(review.since))
        }));
    }
}

async fn all_questions(trail: &dyn Trail, job: &Job) -> Result<Vec<Asked>> {
    let mut span = Span { above: Some(ulid_at(job.from)), below: Some(ulid_at(job.to)) };
    let mut all = Vec::new();
    loop {
        let page = trail.questions(&job.project_id, &span, PAGE).await?;
        let Some(last) = page.last() else { return Ok(all) };
        span.below = Some(last.query_id.clone());
        all.extend(page);
    }
}
