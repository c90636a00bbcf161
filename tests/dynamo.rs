//! A `DynamoDB` for one test, in the test's process, with the keys of the table in
//! `infra/data.yaml`.

use adapters::Table;
use aws_credential_types::Credentials;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::{BehaviorVersion, Region, SharedInterceptor};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};

/// A `DynamoDB` that runs in this process.
pub(crate) struct Dynamo {
    url: String,
}

impl Dynamo {
    /// Starts it and creates the table.
    pub(crate) async fn start() -> Dynamo {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let database = dynoxide::Database::memory().unwrap();
        let served =
            dynoxide::server::serve_with_shutdown(listener, database, std::future::pending());
        tokio::spawn(served);
        let dynamo = Dynamo { url };
        dynamo.create_table().await;
        dynamo
    }

    async fn create_table(&self) {
        let index = GlobalSecondaryIndex::builder()
            .index_name("gsi1")
            .key_schema(key("gsi1pk", KeyType::Hash))
            .key_schema(key("gsi1sk", KeyType::Range))
            .projection(Projection::builder().projection_type(ProjectionType::All).build());
        let mut create = self.client(None).create_table().table_name("plumbline");
        for name in ["pk", "sk", "gsi1pk", "gsi1sk"] {
            create = create.attribute_definitions(attribute(name));
        }
        let create = create
            .billing_mode(BillingMode::PayPerRequest)
            .key_schema(key("pk", KeyType::Hash))
            .key_schema(key("sk", KeyType::Range))
            .global_secondary_indexes(index.build().unwrap());
        create.send().await.unwrap();
    }

    /// Returns a table that uses a client with the interceptor `watch`.
    pub(crate) fn table(&self, watch: Option<SharedInterceptor>) -> Table {
        Table::new(self.client(watch), "plumbline")
    }

    pub(crate) fn client(&self, watch: Option<SharedInterceptor>) -> Client {
        let mut config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("us-east-1"))
            .credentials_provider(Credentials::new("test", "test", None, None, "test"))
            .http_client(aws_smithy_http_client::Builder::new().build_http())
            .endpoint_url(&self.url);
        if let Some(watch) = watch {
            config.push_interceptor(watch);
        }
        Client::from_conf(config.build())
    }
}

fn attribute(name: &str) -> AttributeDefinition {
    let attribute = AttributeDefinition::builder().attribute_name(name);
    attribute.attribute_type(ScalarAttributeType::S).build().unwrap()
}

fn key(name: &str, kind: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
}
