//! The table: documents and how far they have come, projects and their trails, and who belongs to
//! what.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::types::{AttributeValue, Update};
use model::{Error, Result};
use ports::scope::Scope;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_dynamo::Deserializer;
use uuid::Uuid;

use crate::aws;
use crate::env::{self, SettingError};

mod alert;
mod answer;
mod case;
mod corpus;
mod document;
mod health;
mod key;
mod member;
mod pending;
mod project;
mod query;
mod quota;
mod removal;
mod review;
mod search;
mod storage_quota;
mod tokens;
mod trail;
mod trial;
mod unfinished;
mod write;

/// The name by which the caller may know it.
const SERVICE: &str = "the table";

type Item = HashMap<String, AttributeValue>;

/// The one table. Setting: `TABLE`.
#[derive(Clone)]
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

    /// Makes a change of one item.
    fn change(&self, key: Item, set: &str, condition: &str, values: Item) -> Result<Update> {
        let update = Update::builder().table_name(&self.name).set_key(Some(key));
        let update = update
            .update_expression(set)
            .condition_expression(condition)
            .set_expression_attribute_values(Some(values).filter(|values| !values.is_empty()));
        let names: HashMap<String, String> = [set, condition].into_iter().flat_map(named).collect();
        let update =
            update.set_expression_attribute_names(Some(names).filter(|names| !names.is_empty()));
        write::built(update.build())
    }
}

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

fn number(value: u64) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

fn attribute(value: &impl Serialize) -> Result<AttributeValue> {
    serde_dynamo::to_attribute_value(value).map_err(|error| Error::unavailable(SERVICE, error))
}

/// Returns the fields of a value as attributes, each under its name.
fn fields(value: &impl Serialize) -> Result<Item> {
    serde_dynamo::to_item(value).map_err(|error| Error::unavailable(SERVICE, error))
}

/// Returns an item that has the fields of a value besides its key.
fn keyed(key: Item, value: &impl Serialize) -> Result<Item> {
    Ok(key.into_iter().chain(fields(value)?).collect())
}

/// Reads a value from the attributes that bear the names of its fields.
fn read<T: DeserializeOwned>(item: Item) -> Result<T> {
    let item = Deserializer::from_attribute_value(AttributeValue::M(item).into());
    // The path names the attribute.
    serde_path_to_error::deserialize(item).map_err(|error| {
        Error::unavailable(SERVICE, format!("an item that cannot be read: {error}"))
    })
}

/// Returns the attributes that an expression names by `#`, as those must be that are reserved
/// words.
fn named(expression: &str) -> impl Iterator<Item = (String, String)> {
    expression.split('#').skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        (format!("#{}", &rest[..end]), rest[..end].to_owned())
    })
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
    Error::unavailable(SERVICE, aws::describe(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn an_item_that_cannot_be_read_names_the_attribute() {
        let item = Item::from([("bytes".into(), text("seven"))]);
        let error = read::<HashMap<String, u64>>(item).unwrap_err();
        let cause = error.source().unwrap().to_string();
        assert_eq!(cause, "an item that cannot be read: bytes: Expected num");
    }

    #[test]
    fn an_expression_tells_the_attributes_that_it_names() {
        let names = named("SET #status = :status, #a_b=:b REMOVE #name");
        let names: Vec<(String, String)> = names.collect();
        let wanted = ["status", "a_b", "name"].map(|name| (format!("#{name}"), name.to_owned()));
        assert_eq!(names, wanted);
    }
}
