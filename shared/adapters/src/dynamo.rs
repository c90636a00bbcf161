//! The table: documents and how far they have come, projects and their trails, and who belongs to what.

use std::collections::HashMap;

use async_trait::async_trait;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{DisplayErrorContext, SdkError};
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;
use workflow::ports::{Documents, Live, Page, Record, Status};
use workflow::scope::Scope;
use workflow::{Error, Result};

use crate::aws;
use crate::env::{self, SettingError};

mod case;
mod project;
mod record;
mod trail;
mod write;

/// What the caller may know it as.
const SERVICE: &str = "the table";

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
        // `status` is a reserved word.
        let update = if set.contains("#status") {
            update.expression_attribute_names("#status", "status")
        } else {
            update
        };
        update.build().map_err(|error| Error::unavailable(SERVICE, error))
    }

    /// Applies `update` and moves the scope's corpus counter, both or neither. Whether the condition held.
    async fn apply_and_count(&self, scope: &Scope, update: Update) -> Result<bool> {
        let counter = Update::builder()
            .table_name(&self.name)
            .key("pk", partition(scope))
            .key("sk", text("CORPUS"));
        let counter = counter
            .update_expression("ADD version :one")
            .expression_attribute_values(":one", AttributeValue::N("1".into()));
        let counter = counter.build().map_err(|error| Error::unavailable(SERVICE, error))?;
        let items =
            [update, counter].map(|update| TransactWriteItem::builder().update(update).build());
        Ok(self.transact(items.into()).await?.is_none())
    }
}

#[async_trait]
impl Documents for Table {
    async fn announce(&self, record: &Record) -> Result<()> {
        let set = "SET #name = :name, content_type = :content_type, #bytes = :bytes, attributes = :attributes, \
                   #status = :status, version = :version, updated_at = :updated_at REMOVE reason";
        let request = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(&record.scope, record.document_id)));
        let request = request
            .update_expression(set)
            .set_expression_attribute_values(Some(record::announced(record)?));
        let names = [("#name", "name"), ("#bytes", "bytes"), ("#status", "status")];
        let names = names.map(|(short, name)| (short.to_owned(), name.to_owned()));
        request.set_expression_attribute_names(Some(names.into())).send().await.map_err(failed)?;
        Ok(())
    }

    async fn document(&self, scope: &Scope, document: Uuid) -> Result<Option<Record>> {
        self.item(key(scope, document)).await?.map(|item| record::record(scope, item)).transpose()
    }

    async fn documents(
        &self,
        scope: &Scope,
        limit: u32,
        after: Option<Uuid>,
    ) -> Result<Page<Record>> {
        let query = self
            .client
            .query()
            .table_name(&self.name)
            .key_condition_expression("pk = :pk AND begins_with(sk, :sk)");
        let query = query
            .expression_attribute_values(":pk", partition(scope))
            .expression_attribute_values(":sk", text("DOCUMENT#"));
        let query = query
            .limit(i32::try_from(limit).unwrap_or(i32::MAX))
            .set_exclusive_start_key(after.map(|id| key(scope, id)));
        let page = query.send().await.map_err(failed)?;
        let more = page.last_evaluated_key.is_some();
        let items: Vec<Record> = page
            .items
            .unwrap_or_default()
            .into_iter()
            .map(|item| record::record(scope, item))
            .collect::<Result<_>>()?;
        let next = items.last().filter(|_| more).map(|record| record.document_id);
        Ok(Page { items, next })
    }

    async fn mark(
        &self,
        scope: &Scope,
        document: Uuid,
        version: &str,
        status: &Status,
    ) -> Result<()> {
        let (status, reason) = record::status(status);
        let mut values =
            Item::from([(":status".into(), text(status)), (":version".into(), text(version))]);
        let set = match reason {
            Some(reason) => {
                values.insert(":reason".into(), text(reason));
                "SET #status = :status, reason = :reason"
            }
            None => "SET #status = :status REMOVE reason",
        };
        self.apply(self.change(key(scope, document), set, "version = :version", values)?).await?;
        Ok(())
    }

    async fn settle(&self, scope: &Scope, document: Uuid, live: &Live) -> Result<()> {
        let later = "attribute_not_exists(live_version) OR live_version <= :version";
        let set = "SET live_version = :version, live_hash = :hash, live_attributes = :attributes, chunks = :chunks";
        let mut values = record::live(live)?;
        values.insert(":status".into(), text("indexed"));
        let latest = format!("version = :version AND ({later})");
        let update = self.change(
            key(scope, document),
            &format!("{set}, #status = :status REMOVE reason"),
            &latest,
            values,
        )?;
        if !self.apply_and_count(scope, update).await? {
            // Another version was announced since: its status is its own.
            let update = self.change(
                key(scope, document),
                set,
                &format!("attribute_exists(pk) AND ({later})"),
                record::live(live)?,
            )?;
            self.apply_and_count(scope, update).await?;
        }
        Ok(())
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
    Error::unavailable(SERVICE, DisplayErrorContext(&error).to_string())
}
