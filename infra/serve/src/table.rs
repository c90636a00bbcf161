//! The table in a file: `DynamoDB`'s operations on `SQLite`, within this process.

use std::path::Path;

use adapters::Table;
use adapters::services::Trouble;
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region};
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// The name of the table.
const NAME: &str = "plumbline";

/// The header that names the operation, and what stands before the name.
const TARGET: (&str, &str) = ("x-amz-target", "DynamoDB_20120810.");

/// Opens the table in a file, which is made if it does not exist.
///
/// # Errors
/// Says why the file cannot be used.
pub(crate) fn open(file: &Path) -> Result<(Table, Database), Trouble> {
    let database = Database::new(&file.to_string_lossy())?;
    create(&database)?;
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("local"))
        .credentials_provider(Credentials::new("local", "local", None, None, "local"))
        .http_client(client(database.clone()))
        .endpoint_url("http://localhost")
        .build();
    Ok((Table::new(Client::from_conf(config), NAME), database))
}

/// Creates the table with the keys and the expiry that `infra/data.yaml` gives it, unless it is
/// there.
fn create(database: &Database) -> Result<(), Trouble> {
    if database.get_table_metadata(NAME)?.is_some() {
        return Ok(());
    }
    let attributes = ["pk", "sk", "gsi1pk", "gsi1sk"];
    let attributes = attributes.map(|name| json!({"AttributeName": name, "AttributeType": "S"}));
    let keys = |hash, range| json!([{"AttributeName": hash, "KeyType": "HASH"}, {"AttributeName": range, "KeyType": "RANGE"}]);
    let table = json!({
        "TableName": NAME,
        "BillingMode": "PAY_PER_REQUEST",
        "DeletionProtectionEnabled": true,
        "AttributeDefinitions": attributes,
        "KeySchema": keys("pk", "sk"),
        "GlobalSecondaryIndexes": [
            {"IndexName": "gsi1", "KeySchema": keys("gsi1pk", "gsi1sk"), "Projection": {"ProjectionType": "ALL"}}
        ],
    });
    database.create_table(serde_json::from_value(table)?)?;
    let expiry = json!({"TableName": NAME, "TimeToLiveSpecification": {"AttributeName": "expires_at", "Enabled": true}});
    database.update_time_to_live(serde_json::from_value(expiry)?)?;
    Ok(())
}

/// A client whose requests stay in this process.
fn client(database: Database) -> SharedHttpClient {
    let connector = SharedHttpConnector::new(InProcess(database));
    http_client_fn(move |_, _| connector.clone())
}

#[derive(Clone)]
struct InProcess(Database);

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InProcess")
    }
}

impl HttpConnector for InProcess {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let (header, service) = TARGET;
        let target = request.headers().get(header).unwrap_or_default();
        let operation = target.strip_prefix(service).unwrap_or_default();
        let body = request.body().bytes().unwrap_or_default();
        let (status, body) = match carried_out(&self.0, operation, body) {
            Ok(body) => (200, body),
            Err(error) => (error.status_code(), error.to_json()),
        };
        let status = http::StatusCode::from_u16(status).unwrap_or_default();
        HttpConnectorFuture::ready(Ok(HttpResponse::new(status.into(), SdkBody::from(body))))
    }
}

fn carried_out(database: &Database, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
    match operation {
        "GetItem" => with(body, |it| database.get_item(it)),
        "PutItem" => with(body, |it| database.put_item(it)),
        "UpdateItem" => with(body, |it| database.update_item(it)),
        "DeleteItem" => with(body, |it| database.delete_item(it)),
        "Query" => with(body, |it| database.query(it)),
        "Scan" => with(body, |it| database.scan(it)),
        "BatchGetItem" => with(body, |it| database.batch_get_item(it)),
        "BatchWriteItem" => with(body, |it| database.batch_write_item(it)),
        "TransactWriteItems" => with(body, |it| database.transact_write_items(it)),
        "DescribeTable" => with(body, |it| database.describe_table(it)),
        "DescribeTimeToLive" => with(body, |it| database.describe_time_to_live(it)),
        _ => Err(DynoxideError::ValidationException(format!("no operation `{operation}`"))),
    }
}

/// Reads a request, has it carried out, and writes the reply.
fn with<A: DeserializeOwned, B: Serialize>(
    body: &[u8],
    carry_out: impl FnOnce(A) -> Result<B, DynoxideError>,
) -> Result<String, DynoxideError> {
    let request = serde_json::from_slice(body)
        .map_err(|error| DynoxideError::SerializationException(error.to_string()))?;
    serde_json::to_string(&carry_out(request)?)
        .map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

#[cfg(test)]
mod tests;
