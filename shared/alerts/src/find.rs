//! Looks for what helps with the alerts of a case.

use ask::Ask;
use ask::plan::{Keep, Plan, Way};
use ask::question::Asked;
use ask::rank;
use ask::settled::{Fit, settled};
use futures_util::future::{join_all, join3};
use model::document::{DocumentType, Passage};
use model::evidence::PointKind::{Document, Passage as Passages};
use model::evidence::SearchKind::{Bm25, Dense};
use model::{Error, Result};
use ports::Projects;
use ports::filter::{Condition, Field, Filters};
use ports::question::{Question, TopK};
use ports::scope::{Grant, grant};
use wire::alerts::{Brief, CaseAlert, FoundBy, Runbook};
use wire::common::{Answer, DocumentedDecision};
use wire::rcca::RccaReport;

use crate::digest::joined;
use crate::owner;
use crate::past;
use crate::question::{Asking, askings, of_all};
use crate::route::AlertRoute;
use crate::runbook;

/// The services that look for what helps.
pub struct Services<'a> {
    /// The stages of a question. Its caller is the route's machine.
    pub ask: Ask<'a>,
    /// The records of tables, for owners.
    pub records: records::Services<'a>,
    /// The projects that routes name.
    pub projects: &'a dyn Projects,
}

/// Returns true if it is to be looked for what helps: it never was, a part was missing then, or
/// other things are asked now.
pub fn is_due(known: Option<&Brief>, alerts: &[CaseAlert]) -> bool {
    let asked = of_all(&askings(alerts));
    let is_asked = |brief: &Brief| {
        brief.alerts > 0 && asked.as_ref().is_none_or(|asked| asked.as_str() == brief.question)
    };
    known.is_none_or(|brief| !is_asked(brief))
}

/// Looks for what helps with the alerts of a case: all searches at the same time. A part whose
/// service does not answer is told in `missing`; then the brief counts as one of no alerts, so that
/// the next alert has it made again.
///
/// # Errors
/// [`Error::Unavailable`] if no part could be looked for.
pub async fn find(
    services: &Services<'_>,
    route: &AlertRoute,
    alerts: &[CaseAlert],
) -> Result<Brief> {
    let Services { ask, records, .. } = services;
    let context = ask.context;
    let knowledge = route.knowledge();
    let grant = grant(context.caller, &knowledge, context.members).await?;
    let askings = askings(alerts);
    let question = of_all(&askings).ok_or_else(|| Error::invalid("alerts", "say nothing"))?;
    let runbooks = join_all(askings.iter().map(|asking| runbook::find(ask, &grant, asking)));
    let project = joined(services.projects, route).await;
    let of_project = project.as_ref().ok().copied().flatten();
    let past = past::find(ask, (&question, &askings), &knowledge, of_project);
    let (runbooks, past, decided) = join3(runbooks, past, decided(ask, &grant, &question)).await;
    let runbooks: Result<Vec<Option<(Runbook, Passage)>>> = runbooks.into_iter().collect();
    if let (Err(_), Err(error), Err(_)) = (&runbooks, &past, &decided) {
        return Err(Error::unavailable("the search", error.to_string()));
    }
    let mut missing = Missing::default();
    let found = missing.or_default("runbooks", runbooks).into_iter().flatten();
    let (runbooks, passages): (Vec<Runbook>, Vec<Passage>) = found.unzip();
    // The owner of a page that is only like it perhaps owns something else.
    let meant = runbooks.iter().zip(&passages);
    let meant = meant.filter(|(runbook, _)| runbook.found_by != FoundBy::Likeness);
    let meant: Vec<&Passage> = meant.map(|(_, passage)| passage).collect();
    let past = missing.of_past(past);
    let decided = missing.or_default("decisions", decided);
    let owner = owner::find(records, context.caller, route, alerts, &meant).await;
    let owner = missing.or_default("the owner", owner);
    missing.of_runbooks(&askings, &runbooks);
    missing.of_project(route, project);
    if owner.is_none() {
        missing.say("No document says who owns this.".into());
    }
    Ok(Brief {
        made_at: context.stamp.time,
        alerts: if missing.is_partial { 0 } else { alerts.len() },
        question: question.as_str().into(),
        runbooks,
        past,
        is_judged: false,
        decided,
        owner,
        missing: missing.sentences,
        answer: None,
        answer_id: None,
    })
}

/// The ways to search for decisions, the hits of each, and how many of their documents are read.
const WAYS: [Way; 4] =
    [(Dense, Document, 0.7), (Bm25, Document, 0.3), (Dense, Passages, 1.0), (Bm25, Passages, 0.5)];
const DEPTH: usize = 20;
const DECISIONS: u32 = 3;

/// Finds decisions in documents on what fired.
async fn decided(
    ask: &Ask<'_>,
    grant: &Grant,
    question: &Question,
) -> Result<Vec<DocumentedDecision>> {
    let kinds = [DocumentType::Decision, DocumentType::Proposal].map(|kind| kind.name().to_owned());
    let mut asked = Asked {
        filters: Filters(vec![Condition::AnyOf(Field::DocumentType, kinds.into())]),
        top_k: TopK::parse(Some(DECISIONS))?,
        ..Asked::of(question.clone(), grant.clone())
    };
    let plan = Plan::of(&asked, &WAYS, DEPTH).keeping(Keep::EveryPassage);
    let mut found = ask.search(plan, &mut asked).await?;
    rank::order(&asked, &mut found);
    let terms = asked.terms();
    let is_near = |document| {
        let mut evidence = found.evidence.iter();
        evidence.any(|one| one.passage.document_id == document && one.is_of(&terms))
    };
    Ok(settled(&found.evidence, |deciding, _| {
        let is_near = is_near(deciding.passage.document_id);
        is_near.then_some(Fit { fit: deciding.parts.total, option: None })
    }))
}

/// Sentences on what is weak or missing.
#[derive(Default)]
struct Missing {
    sentences: Vec<String>,
    /// True if a service did not answer.
    is_partial: bool,
}

impl Missing {
    fn say(&mut self, sentence: String) {
        self.sentences.push(sentence);
    }

    /// Returns a part, or nothing where it could not be looked for.
    fn or_default<T: Default>(&mut self, part: &str, found: Result<T>) -> T {
        found.unwrap_or_else(|error| {
            self.is_partial = true;
            self.say(format!("It could not be looked for {part}: {error}."));
            T::default()
        })
    }

    fn of_past(
        &mut self,
        past: Result<ports::degraded::Partial<Answer<RccaReport>>>,
    ) -> Answer<RccaReport> {
        let past = match past {
            Ok(past) => past,
            Err(error) => {
                self.or_default("past failures", Err::<(), _>(error));
                return past::none();
            }
        };
        for part in past.degraded {
            // To look again helps where a service was away, and not where documents lack facts.
            self.is_partial |= matches!(part.error, Error::Unavailable { .. });
            let name = part.part.replace('_', " ");
            self.say(format!("Past failures lack {name}: {}.", part.reason()));
        }
        let past = past.reply;
        self.sentences.extend(past::weakness(&past));
        past
    }

    fn of_project(&mut self, route: &AlertRoute, project: Result<Option<&str>>) {
        let is_named = route.project.is_some();
        if self.or_default("the project's decisions", project).is_none() && is_named {
            self.say(format!(
                "The project of this route is not shared with it: its owner invites `alerts:{}`.",
                route.name
            ));
        }
    }

    fn of_runbooks(&mut self, askings: &[Asking], runbooks: &[Runbook]) {
        for asking in askings {
            let name = &asking.name;
            match runbooks.iter().find(|runbook| runbook.alert == *name) {
                None => self.say(format!("No runbook was found for {name}.")),
                Some(runbook) if runbook.found_by == FoundBy::Likeness => self.say(format!(
                    "The runbook for {name} is only the likest: neither its name nor an address says that it is meant."
                )),
                Some(_) => {}
            }
            let has_address = asking.runbook_url.as_ref().filter(|_| {
                runbooks.iter().all(|one| one.alert != *name || one.found_by != FoundBy::Link)
            });
            if let Some(url) = has_address {
                self.say(format!("The runbook at {url} is not among the documents."));
            }
        }
    }
}

#[cfg(test)]
mod tests;
