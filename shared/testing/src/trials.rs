//! Trials of language models in memory, and the contract of their store.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use wire::trial::{ModelPart, PartTrial};

use model::Result;
use ports::Trials;

/// Trials by model, edition and part, and the times at which they began.
#[derive(Debug, Default)]
pub struct FakeTrials {
    tried: Mutex<BTreeMap<(String, String, ModelPart), PartTrial>>,
    begun: Mutex<BTreeMap<(String, String), Timestamp>>,
}

#[async_trait]
impl Trials for FakeTrials {
    async fn trials(&self, model: &str, edition: &str) -> Result<Vec<PartTrial>> {
        let tried = self.tried.lock().unwrap();
        let of = |(name, of, _): &(String, String, ModelPart)| name == model && of == edition;
        Ok(tried.iter().filter(|(key, _)| of(key)).map(|(_, trial)| trial.clone()).collect())
    }

    async fn keep_trial(&self, model: &str, edition: &str, trial: &PartTrial) -> Result<()> {
        let key = (model.into(), edition.into(), trial.part);
        self.tried.lock().unwrap().insert(key, trial.clone());
        Ok(())
    }

    async fn begin_trial(
        &self,
        model: &str,
        edition: &str,
        now: Timestamp,
        least: SignedDuration,
    ) -> Result<Option<Timestamp>> {
        let mut begun = self.begun.lock().unwrap();
        let key = (model.to_owned(), edition.to_owned());
        let under_way = begun.get(&key).copied().filter(|begun| *begun > now - least);
        if under_way.is_none() {
            begun.insert(key, now);
        }
        Ok(under_way)
    }
}

/// Checks the contract of a store of trials.
pub async fn trials_contract(trials: &dyn Trials) {
    let now: Timestamp = "2026-11-26T20:00:00Z".parse().unwrap();
    let trial = |part: ModelPart, right: u32| PartTrial {
        part,
        at: now,
        items: 20,
        right,
        rules: 9,
        forms: (19, 20),
        serves: right > 9,
        failure: Some("it left the form".into()),
    };
    let (sort, check) = (trial(ModelPart::Sort, 12), trial(ModelPart::Check, 3));
    assert_eq!(trials.trials("acme/small:1", "a").await.unwrap(), []);
    trials.keep_trial("acme/small:1", "a", &trial(ModelPart::Sort, 2)).await.unwrap();
    trials.keep_trial("acme/small:1", "a", &sort).await.unwrap();
    trials.keep_trial("acme/small:1", "a", &check).await.unwrap();
    let mut kept = trials.trials("acme/small:1", "a").await.unwrap();
    kept.sort_by_key(|trial| trial.part);
    assert_eq!(kept, [sort, check], "each part once, as it was tried last");
    assert_eq!(trials.trials("acme/small:1", "b").await.unwrap(), [], "of other items");
    assert_eq!(trials.trials("acme/small:2", "a").await.unwrap(), [], "of another model");
    let hour = SignedDuration::from_hours(1);
    let begins = async |after: i64, least: SignedDuration| {
        let now = now + SignedDuration::from_mins(after);
        trials.begin_trial("acme/small:1", "a", now, least).await.unwrap()
    };
    assert_eq!(begins(0, hour).await, None);
    assert_eq!(begins(59, hour).await, Some(now), "one is under way");
    assert_eq!(begins(59, SignedDuration::ZERO).await, None);
    assert_eq!(begins(119, hour).await, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fake_keeps_the_contract() {
        pollster::block_on(trials_contract(&FakeTrials::default()));
    }
}
