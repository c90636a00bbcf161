//! The table: documents and how far they have come, projects and their trails, and who belongs to what.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use model::{Error, Result};
use ports::scope::Scope;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::aws;
use crate::env::{self, SettingError};

mod answer;
mod case;
mod document;
mod health;
mod member;
mod pending;
mod project;
mod query;
mod quota;
mod record;
mod removal;
mod review;
mod search;
mod storage_quota;
mod trail;
mod trial;
mod write;

/// What the caller may know it as.
const SERVICE: &str = "the table";

/// The partition of the index that lists what was begun and has not come to an end.
const UNFINISHED: &str = "UNFINISHED";

type Item = HashMap<String, AttributeValue>;

/// The one table. Setting: `TABLE`.
pub struct Table {
    client: Client,
    name: String,
}

impl Table {
    /// Makes the client; it connects when it is first used.
    pub fn from_env() -> Result<Table, SettingError> {
        Ok(Table {
            client: Client::new(&aws::config("DYNAMODB", &aws::SHORT)?),
            name: env::required("TABLE")?,
        })
    }

    /// Reads and writes the table `name` with a client of the caller's.
    pub fn new(client: Client, name: &str) -> Table {
        Table { client, name: name.into() }
    }

    async fn item(&self, key: Item) -> Result<Option<Item>> {
        let got = self
            .client
            .get_item()
            .table_name(&self.name)
            .set_key(Some(key))
            .consistent_read(true)
            .send()
            .await;
        Ok(got.map_err(failed)?.item)
    }

    /// A change of one item.
    fn change(&self, key: Item, set: &str, condition: &str, values: Item) -> Result<Update> {
        let update = Update::builder().table_name(&self.name).set_key(Some(key));
        let update = update
            .update_expression(set)
            .condition_expression(condition)
            .set_expression_attribute_values(Some(values).filter(|values| !values.is_empty()));
        // These are reserved words.
        let names =
            ["status", "name", "bytes", "role"].map(|name| (format!("#{name}"), name.to_owned()));
        let is_used = |short: &str| set.contains(short) || condition.contains(short);
        let names: HashMap<String, String> =
            names.into_iter().filter(|(short, _)| is_used(short)).collect();
        let update =
            update.set_expression_attribute_names(Some(names).filter(|names| !names.is_empty()));
        update.build().map_err(|error| Error::unavailable(SERVICE, error))
    }

    /// Does `first` and moves the scope's corpus counter, both or neither. Whether the condition held.
    async fn and_count(&self, scope: &Scope, first: TransactWriteItem) -> Result<bool> {
        self.all_and_count(scope, vec![first]).await
    }

    /// Carries out all steps and moves the scope's corpus counter, or neither. Whether the conditions held.
    async fn all_and_count(
        &self,
        scope: &Scope,
        mut steps: Vec<TransactWriteItem>,
    ) -> Result<bool> {
        let counter = write::built(self.counter(scope).build())?;
        steps.push(TransactWriteItem::builder().update(counter).build());
        Ok(self.transact(steps).await?.is_none())
    }

    /// Moves a scope's corpus counter.
    fn counter(&self, scope: &Scope) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(corpus(scope)))
            .update_expression("ADD version :one")
            .expression_attribute_values(":one", number(1))
    }
}

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn number(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

fn json(value: &impl Serialize) -> Result<AttributeValue> {
    serde_json::to_string(value).map(text).map_err(|error| Error::unavailable(SERVICE, error))
}

/// Reads what [`json`] wrote as an item's `body`.
fn read_body<T: DeserializeOwned>(item: &Item) -> Result<T> {
    let body = item.get("body").and_then(|body| body.as_s().ok());
    let body = body.ok_or_else(|| Error::unavailable(SERVICE, "an item without a body"))?;
    serde_json::from_str(body).map_err(|error| Error::unavailable(SERVICE, error))
}

fn partition(scope: &Scope) -> AttributeValue {
    text(format!("SCOPE#{scope}"))
}

/// The key of a scope's corpus counter.
fn corpus(scope: &Scope) -> Item {
    Item::from([("pk".into(), partition(scope)), ("sk".into(), text("CORPUS"))])
}

fn key(scope: &Scope, document: Uuid) -> Item {
    Item::from([
        ("pk".into(), partition(scope)),
        ("sk".into(), text(format!("DOCUMENT#{document}"))),
    ])
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn failed<
    E: std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
>(
    error: SdkError<E, R>,
) -> Error {
    Error::unavailable(SERVICE, aws::describe(&error))
}
