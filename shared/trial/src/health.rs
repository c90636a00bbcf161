//! Reports the health of the services on which answers depend, and the caller's identity.

use futures_util::future::{join3, try_join};
use jiff::{SignedDuration, Timestamp};
use wire::health::{CallerIdentity, Health, OverdueWork, ServiceHealth, ServiceState, Upkeep};
use wire::trial::{ChatModelHealth, PartTrial};

use crate as trial;
use model::{Error, Result};
use ports::scope::Caller;
use ports::trail::ulid_at;
use ports::{Contents, DocumentCleanup, Embedder, Purpose, Standing, Status, Trials, Unfinished};

/// The time from an announcement after which work is overdue: a document of no case may wait so
/// long before an alarm tells, and all tries of a message take less.
const OVERDUE: SignedDuration = SignedDuration::from_hours(6);

/// The time after which the daily sweep has ended it or begun it anew, whatever it is.
const SWEPT: SignedDuration = SignedDuration::from_hours(10 * 24);

/// Upper bound for the overdue works that are counted.
const MOST: u32 = 100;

/// The services on which answers depend.
pub struct Services<'a> {
    /// The embedder of questions.
    pub embedder: &'a dyn Embedder,
    /// The index of the passages.
    pub index: &'a dyn Standing,
    /// The store of the documents, the projects and the answers.
    pub table: &'a dyn Standing,
    /// The language model that writes, if there is one.
    pub chat_model: Option<&'a str>,
    /// The store of the results of trials.
    pub trials: &'a dyn Trials,
    /// True if the model does all parts without a trial.
    pub is_trial_waived: bool,
    /// The store of the work that was begun.
    pub work: &'a dyn DocumentCleanup,
    /// True if somebody hears the alarms.
    pub is_alarmed: bool,
}

/// Makes the smallest possible call to each service. A failure is part of the reply.
pub async fn check(services: &Services<'_>, caller: &Caller, now: Timestamp) -> Health {
    let words = ["ready".to_owned()];
    let embedded = services.embedder.embed(&words, Purpose::Question);
    let (embedded, index, table) =
        join3(embedded, services.index.contents(), services.table.contents()).await;
    let may_know = caller.groups.contains(&caller.admin_group);
    let chat_model = match services.chat_model {
        Some(name) => Some(chat_model(services, name, may_know).await),
        None => None,
    };
    let upkeep = if may_know { Some(upkeep(services, now).await) } else { None };
    let part = |name: &str, contents: Result<Option<Contents>>| part(name, contents, may_know);
    Health {
        caller: CallerIdentity {
            sub: caller.sub.clone(),
            groups: caller.groups.clone(),
            admin_group: caller.admin_group.clone(),
        },
        embedding: ServiceHealth {
            points: None,
            ..part(&services.embedder.space(), embedded.map(|_| Some(Contents::default())))
        },
        index: ServiceHealth {
            key_ends_at: services.index.key_ends().filter(|_| may_know),
            ..part(&services.index.name(), index)
        },
        table: ServiceHealth { points: None, ..part(&services.table.name(), table) },
        chat_model,
        upkeep,
    }
}

async fn upkeep(services: &Services<'_>, now: Timestamp) -> Upkeep {
    let unfinished = async |age: SignedDuration| {
        let before = ulid_at(now - age);
        let found = services.work.unfinished(&before, MOST, None).await?.items;
        let is_waiting = |work: &Unfinished| matches!(work, Unfinished::Document(record) if record.status == Status::Waiting);
        let waiting = found.iter().filter(|work| is_waiting(work)).count();
        Ok::<_, Error>([waiting, found.len() - waiting].map(|n| u32::try_from(n).unwrap_or(MOST)))
    };
    let counted = try_join(unfinished(OVERDUE), unfinished(SWEPT)).await.ok();
    let overdue = counted.map(|([waiting, begun], [abandoned, stuck])| OverdueWork {
        waiting,
        begun,
        missed_by_the_sweep: abandoned + stuck,
    });
    Upkeep { is_alarmed: services.is_alarmed, overdue }
}

/// Returns the language model with its trial; without one if the table fails.
async fn chat_model(services: &Services<'_>, name: &str, may_know: bool) -> ChatModelHealth {
    let parts = services.trials.trials(name, &trial::edition()).await.unwrap_or_default();
    let shown = |part: PartTrial| PartTrial { failure: part.failure.filter(|_| may_know), ..part };
    ChatModelHealth {
        name: name.into(),
        is_trial_waived: services.is_trial_waived,
        parts: parts.into_iter().map(shown).collect(),
    }
}

fn part(name: &str, contents: Result<Option<Contents>>, may_know: bool) -> ServiceHealth {
    let (state, found, failure) = match contents {
        Ok(Some(found)) => (ServiceState::Ok, Some(found), None),
        Ok(None) => (ServiceState::Empty, None, None),
        Err(error) => (ServiceState::Failing, None, Some(error)),
    };
    let reason = failure.filter(|_| may_know).map(|error| match error {
        Error::Unavailable { cause, .. } => cause.to_string(),
        error => error.to_string(),
    });
    let points = found.as_ref().map(|found| found.items);
    let Contents { differs, snapshot_at, .. } = found.unwrap_or_default();
    ServiceHealth {
        name: name.into(),
        state,
        reason,
        points,
        differs,
        key_ends_at: None,
        snapshot_at: snapshot_at.filter(|_| may_know),
    }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use ports::Documents;
    use testing::{FakeDocuments, FakeEmbedder, FakeModel, FakeTrials, caller, record};
    use wire::trial::ModelPart;

    /// A service that replies with a fixed result.
    struct Fixed(fn() -> Result<Option<Contents>>);

    #[async_trait]
    impl Standing for Fixed {
        fn name(&self) -> String {
            "plumbline".into()
        }

        fn key_ends(&self) -> Option<Timestamp> {
            "2026-12-01T00:00:00Z".parse().ok()
        }

        async fn contents(&self) -> Result<Option<Contents>> {
            self.0()
        }
    }

    /// Returns the health with a language model of which one part was tried and could not be
    /// reached.
    fn seen(caller: &Caller) -> Health {
        let failing = Fixed(|| Err(Error::unavailable("the index", "10.0.0.7 refused")));
        let (trials, slow) = (FakeTrials::default(), FakeModel::default());
        let now = "2026-11-26T20:00:00Z".parse().unwrap();
        let documents = FakeDocuments::default();
        // One that waits for eleven days, one that is read since seven hours, one since five.
        let begun = ["2026-11-15T19:30:00Z", "2026-11-26T13:00:00Z", "2026-11-26T15:00:00Z"];
        for (place, since) in begun.iter().enumerate() {
            let name = format!("{place}.md");
            let version = ulid_at(since.parse().unwrap());
            let record = record(&name, &version);
            pollster::block_on(documents.announce(&record, None)).unwrap();
            if place > 0 {
                let mark =
                    documents.mark(&record.scope, record.document_id, &version, &Status::Indexing);
                pollster::block_on(mark).unwrap();
            }
        }
        let tried = trial::carry_out(&trials, ModelPart::Check, &slow, "small", now);
        pollster::block_on(tried).unwrap();
        let services = Services {
            embedder: &FakeEmbedder,
            index: &failing,
            table: &Fixed(|| Ok(None)),
            chat_model: Some("small"),
            trials: &trials,
            is_trial_waived: false,
            work: &documents,
            is_alarmed: false,
        };
        pollster::block_on(check(&services, caller, now))
    }

    #[test]
    fn what_fails_is_part_of_the_answer_and_only_admins_learn_why() {
        let stranger = Caller { groups: vec!["ops".into()], ..caller("ann") };
        let admin = Caller { groups: vec![stranger.admin_group.clone()], ..caller("bob") };
        let health = seen(&stranger);
        let states = (health.embedding.state, health.index.state, health.table.state);
        assert_eq!(states, (ServiceState::Ok, ServiceState::Failing, ServiceState::Empty));
        assert_eq!((&health.index.reason, &health.caller.groups), (&None, &vec!["ops".to_owned()]));
        assert_eq!(seen(&admin).index.reason.as_deref(), Some("10.0.0.7 refused"));
        let ends = |health: &Health| health.index.key_ends_at.is_some();
        assert_eq!((ends(&seen(&admin)), ends(&health)), (true, false));
        let failure = |health: Health| health.chat_model.unwrap().parts.remove(0).failure;
        assert_eq!(health.upkeep, None);
        let overdue = OverdueWork { waiting: 1, begun: 1, missed_by_the_sweep: 1 };
        let upkeep = Upkeep { is_alarmed: false, overdue: Some(overdue) };
        assert_eq!(seen(&admin).upkeep, Some(upkeep));
        assert_eq!((failure(seen(&admin)).as_deref(), failure(health)), (Some("slow"), None));
    }
}
