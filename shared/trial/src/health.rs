//! Reports the health of the services on which answers depend, and the caller's identity.

use futures_util::future::join3;
use wire::health::{CallerIdentity, Health, ServiceHealth, ServiceState};
use wire::trial::{ChatModelHealth, PartTrial};

use crate as trial;
use model::{Error, Result};
use ports::scope::Caller;
use ports::{Contents, Embedder, Purpose, Standing, Trials};

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
}

/// Makes the smallest possible call to each service. A failure is part of the reply.
pub async fn check(services: &Services<'_>, caller: &Caller) -> Health {
    let words = ["ready".to_owned()];
    let embedded = services.embedder.embed(&words, Purpose::Question);
    let (embedded, index, table) =
        join3(embedded, services.index.contents(), services.table.contents()).await;
    let may_know = caller.groups.contains(&caller.admin_group);
    let chat_model = match services.chat_model {
        Some(name) => Some(chat_model(services, name, may_know).await),
        None => None,
    };
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
        index: part(&services.index.name(), index),
        table: ServiceHealth { points: None, ..part(&services.table.name(), table) },
        chat_model,
    }
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
    let differs = found.map(|found| found.differs).unwrap_or_default();
    ServiceHealth { name: name.into(), state, reason, points, differs }
}

#[cfg(test)]
mod tests {
    use async_trait::async_trait;

    use super::*;
    use testing::{FakeEmbedder, FakeModel, FakeTrials, caller};
    use wire::trial::ModelPart;

    /// A service that replies with a fixed result.
    struct Fixed(fn() -> Result<Option<Contents>>);

    #[async_trait]
    impl Standing for Fixed {
        fn name(&self) -> String {
            "plumbline".into()
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
        let tried = trial::carry_out(&trials, ModelPart::Check, &slow, "small", now);
        pollster::block_on(tried).unwrap();
        let services = Services {
            embedder: &FakeEmbedder,
            index: &failing,
            table: &Fixed(|| Ok(None)),
            chat_model: Some("small"),
            trials: &trials,
            is_trial_waived: false,
        };
        pollster::block_on(check(&services, caller))
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
        let failure = |health: Health| health.chat_model.unwrap().parts.remove(0).failure;
        assert_eq!((failure(seen(&admin)).as_deref(), failure(health)), (Some("slow"), None));
    }
}
