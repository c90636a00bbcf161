//! The outcomes of trials of language models: an item for each part, and one that says when a trial
//! began.

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{AttributeValue, Update};
use jiff::{SignedDuration, Timestamp};
use model::Result;
use ports::Trials;
use wire::trial::{ModelPart, PartTrial};

use super::answer::{seconds, time};
use super::write::built;
use super::{Item, Table, keyed, read, text};

/// The sort key of the item that says when a trial began, behind its edition.
const BEGUN: &str = "BEGUN";

#[async_trait]
impl Trials for Table {
    async fn trials(&self, model: &str, edition: &str) -> Result<Vec<PartTrial>> {
        let keys = ModelPart::ALL.map(|part| key(model, edition, part.name()));
        let items = self.batch(keys.into()).await?;
        items.into_iter().map(read).collect()
    }

    async fn keep_trial(&self, model: &str, edition: &str, trial: &PartTrial) -> Result<()> {
        self.put(keyed(key(model, edition, trial.part.name()), trial)?).await
    }

    async fn begin_trial(
        &self,
        model: &str,
        edition: &str,
        now: Timestamp,
        least: SignedDuration,
    ) -> Result<Option<Timestamp>> {
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(model, edition, BEGUN)))
            .update_expression("SET begun = :now")
            .condition_expression("attribute_not_exists(begun) OR begun <= :before")
            .expression_attribute_values(":now", seconds(now))
            .expression_attribute_values(":before", seconds(now - least));
        if self.apply(built(update.build())?).await? {
            return Ok(None);
        }
        let item = self.item(key(model, edition, BEGUN)).await?.unwrap_or_default();
        time(&item, "begun").map(Some)
    }
}

fn key(model: &str, edition: &str, of: &str) -> Item {
    let partition: AttributeValue = text(format!("MODEL#{model}"));
    Item::from([("pk".into(), partition), ("sk".into(), text(format!("TRIAL#{edition}#{of}")))])
}
