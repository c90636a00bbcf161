//! The trial of a language model: 20 shipped items for each part, done by the model and by the
//! rules.
//!
//! The model does a part only if it gets more of its items right than the rules do. The items are
//! in `items`. For items that need a reader of documents or a whole comparison, the number that the
//! rules get right is stored with the items, and a test checks it.

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;
use wire::trial::{ModelPart, PartTrial, TrialReply};

use ask::evidence::Evidence;
use ask::rerank::by_model;
use ask::written;
use model::document::{DocumentType, Origin, Passage, hexadecimal};
use model::evidence::ScoreParts;
use model::facts::Facts;
use model::{Error, Result};
use ports::scope::Caller;
use ports::{Model, Task, Tasks, Trials};
use workflows::explore;
use workflows::explore::sorted;
use workflows::trade::assigned;

mod answer;
mod assign;
mod find;
pub mod health;
mod item;
mod sort;

/// The result of one call: which of its items were right, and the number that the rules get right.
pub(crate) struct Tried {
    /// The result of the model, one flag for each item; an error if the call failed or did not
    /// follow the form.
    pub said: Result<Vec<bool>>,
    /// The number of items.
    pub items: u32,
    /// The number of items that the rules get right.
    pub rules: u32,
}

/// The services that store and begin trials.
pub struct Services<'a> {
    /// The store of the results.
    pub trials: &'a dyn Trials,
    /// The queue for the tasks of the trial.
    pub tasks: &'a dyn Tasks,
    /// The deployment's chat model; `None` if there is none.
    pub model: Option<&'a str>,
}

/// Begins a trial of all parts, which takes a few minutes. If one is under way, the reply names it
/// instead: two at once would keep a small server busy and delay both.
///
/// # Errors
/// [`Error::Denied`] for callers who are not administrators; [`Error::Missing`] if there is no
/// model.
pub async fn begin(services: &Services<'_>, caller: &Caller, now: Timestamp) -> Result<TrialReply> {
    caller.require(&caller.admin_group)?;
    let missing = || Error::Missing { kind: "chat model", name: "ChatModel".into() };
    let model = services.model.ok_or_else(missing)?;
    let reply =
        |parts: Vec<ModelPart>, begins_at| TrialReply { name: model.into(), parts, begins_at };
    let trials = services.trials;
    if let Some(begun) = trials.begin_trial(model, &edition(), now, LOST).await? {
        let tried = trials.trials(model, &edition()).await?;
        let awaited = missing_of(&tried, |tried| tried.at >= begun);
        if !awaited.is_empty() {
            return Ok(reply(awaited, begun));
        }
        trials.begin_trial(model, &edition(), now, SignedDuration::ZERO).await?;
    }
    send(services, &ModelPart::ALL).await?;
    Ok(reply(ModelPart::ALL.into(), now))
}

/// Returns the parts of which no trial `is_done`.
fn missing_of(tried: &[PartTrial], is_done: impl Fn(&PartTrial) -> bool) -> Vec<ModelPart> {
    let is_missing = |part: &ModelPart| !tried.iter().any(|one| one.part == *part && is_done(one));
    ModelPart::ALL.into_iter().filter(is_missing).collect()
}

/// Returns the parts that `model` does: those in whose trial it was better than the rules.
///
/// # Errors
/// Returns the errors of `trials`.
pub async fn parts(trials: &dyn Trials, model: &str) -> Result<Vec<ModelPart>> {
    let tried = trials.trials(model, &edition()).await?;
    Ok(tried.iter().filter(|tried| tried.serves).map(|tried| tried.part).collect())
}

/// The age of a trial that has ended or is lost: the ingest has fifteen minutes.
const LOST: SignedDuration = SignedDuration::from_mins(20);

/// Begins the trial of the parts that were never tried, or of which no call succeeded, unless a
/// trial is under way.
///
/// # Errors
/// Returns the errors of the services.
pub async fn begin_where_untried(services: &Services<'_>, now: Timestamp) -> Result<()> {
    let Some(name) = services.model else { return Ok(()) };
    let edition = edition();
    let tried = services.trials.trials(name, &edition).await?;
    let untried = missing_of(&tried, |tried| tried.forms.0 > 0);
    if untried.is_empty() || services.trials.begin_trial(name, &edition, now, LOST).await?.is_some()
    {
        return Ok(());
    }
    send(services, &untried).await
}

async fn send(services: &Services<'_>, parts: &[ModelPart]) -> Result<()> {
    services.tasks.send(&[Task::Trial { parts: parts.into() }]).await
}

/// Runs the trial of a part and stores its result.
///
/// # Errors
/// Returns the errors of `trials`. A failure of the model is a result and not an error.
pub async fn carry_out(
    trials: &dyn Trials,
    part: ModelPart,
    model: &dyn Model,
    name: &str,
    now: Timestamp,
) -> Result<PartTrial> {
    let trial = run(part, model, now).await;
    trials.keep_trial(name, &edition(), &trial).await?;
    Ok(trial)
}

/// Lets `model` do the items of a part, without storing anything.
pub async fn run(part: ModelPart, model: &dyn Model, now: Timestamp) -> PartTrial {
    let all = match part {
        ModelPart::Queries => {
            calls(item::find(), async |find| find::queries(model, find).await).await
        }
        ModelPart::Grade => calls(item::find(), async |find| find::grade(model, find).await).await,
        ModelPart::Write => {
            calls(item::find(), async |find| answer::write(model, find).await).await
        }
        ModelPart::Check => {
            calls(item::check(), async |claims| answer::check(model, claims).await).await
        }
        ModelPart::Sort => calls(item::sort(), async |sort| sort::sort(model, sort).await).await,
        ModelPart::Assign => {
            calls(item::assign(), async |assign| assign::assign(model, assign).await).await
        }
    };
    result(part, now, all)
}

/// Makes one call after another. On a small server, parallel calls would wait for each other and
/// time out.
async fn calls<T>(items: &[T], one: impl AsyncFn(&T) -> Tried) -> Vec<Tried> {
    let mut all = Vec::new();
    for item in items {
        all.push(one(item).await);
    }
    all
}

fn result(part: ModelPart, at: Timestamp, all: Vec<Tried>) -> PartTrial {
    let (items, right, rules) = (0, 0, 0);
    let (forms, serves, failure) = ((0, 0), false, None);
    let mut trial = PartTrial { part, at, items, right, rules, forms, serves, failure };
    for tried in all {
        trial.items += tried.items;
        trial.rules += tried.rules;
        trial.forms.1 += 1;
        match tried.said {
            Ok(said) => {
                trial.forms.0 += 1;
                trial.right += count(&said);
            }
            Err(Error::Unavailable { cause, .. }) => trial.failure = Some(cause.to_string()),
            Err(error) => trial.failure = Some(error.to_string()),
        }
    }
    trial.serves = trial.right > trial.rules;
    trial
}

pub(crate) fn count(said: &[bool]) -> u32 {
    u32::try_from(said.iter().filter(|right| **right).count()).unwrap_or(u32::MAX)
}

/// Returns the edition of a trial: a hash of this release's items and of the prompts for them. A
/// trial counts only for its own edition.
pub fn edition() -> String {
    let facets = explore::facets();
    let facets = facets.iter().flat_map(|(name, meaning)| [name.as_str(), meaning.as_str()]);
    let prompts = [written::PROMPT].into_iter().chain(answers::tried::PROMPTS);
    let all = prompts
        .chain([by_model::GRADING.rules, sorted::RULES, assigned::RULES])
        .chain(item::FILES)
        .chain(facets);
    hexadecimal(&Sha256::digest(all.collect::<Vec<_>>().join("\n")))[..16].to_owned()
}

/// Returns a passage of an item.
pub(crate) fn passage(place: usize, text: &str) -> Passage {
    Passage {
        id: Uuid::from_u128(place as u128 + 1),
        scope: None,
        document_id: Uuid::from_u128(place as u128 + 1),
        version: String::new(),
        position: 0,
        name: format!("{}.md", place + 1),
        title: String::new(),
        section: String::new(),
        document_type: DocumentType::Guide,
        source: Origin::Docs,
        tags: Vec::new(),
        author: None,
        standard: None,
        language: None,
        commit: None,
        edition: None,
        lifecycle: None,
        severity: Vec::new(),
        code: Vec::new(),
        lines: None,
        time: None,
        assumed: None,
        uri: None,
        article: None,
        ordinal: None,
        text: text.into(),
        facts: Facts::default(),
        unmasked: None,
    }
}

/// Returns a passage as a search would find it.
fn evidence(passage: Passage) -> Evidence {
    Evidence::of(passage, ScoreParts::new(Vec::new(), 0.5))
}

#[cfg(test)]
mod tests;
