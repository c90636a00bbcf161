//! The collection: how it is made, in what it differs from that, and how that is changed.

use std::collections::HashMap;

use model::Result;
use qdrant_client::QdrantError;
use qdrant_client::qdrant::payload_index_params::IndexParams;
use qdrant_client::qdrant::quantization_config::Quantization;
use qdrant_client::qdrant::quantization_config_diff::Quantization as QuantizationDiff;
use qdrant_client::qdrant::vectors_config_diff::Config;
use qdrant_client::qdrant::{
    BoolIndexParamsBuilder, CollectionConfig, CollectionParamsDiffBuilder, CreateCollectionBuilder,
    CreateFieldIndexCollectionBuilder, DatetimeIndexParamsBuilder, Disabled, Distance, FieldType,
    HnswConfigDiffBuilder, IntegerIndexParamsBuilder, KeywordIndexParamsBuilder, Modifier,
    PayloadSchemaInfo, PayloadSchemaType, QuantizationType, ScalarQuantization,
    ScalarQuantizationBuilder, SparseVectorParamsBuilder, SparseVectorsConfigBuilder,
    UpdateCollectionBuilder, UuidIndexParamsBuilder, VectorParamsBuilder, VectorParamsDiffBuilder,
    VectorParamsDiffMap, VectorsConfigBuilder, VectorsConfigDiff,
};
use tonic::Code;

use super::{BM25, DENSE, Qdrant, failed, unless_missing};
use crate::env::{self, SettingError};

/// The fields that filters name, with the kind of index that each needs.
const INDEXES: [(&str, FieldType); 26] = [
    ("document_id", FieldType::Uuid),
    ("version", FieldType::Keyword),
    ("live", FieldType::Bool),
    ("kind", FieldType::Keyword),
    ("position", FieldType::Integer),
    ("name", FieldType::Keyword),
    ("title", FieldType::Keyword),
    ("section", FieldType::Keyword),
    ("document_type", FieldType::Keyword),
    ("source", FieldType::Keyword),
    ("tags", FieldType::Keyword),
    ("author", FieldType::Keyword),
    ("standard", FieldType::Keyword),
    ("language", FieldType::Keyword),
    ("commit", FieldType::Keyword),
    ("edition", FieldType::Keyword),
    ("lifecycle", FieldType::Keyword),
    ("symbol", FieldType::Keyword),
    ("severity", FieldType::Keyword),
    ("code", FieldType::Keyword),
    ("line_first", FieldType::Integer),
    ("line_last", FieldType::Integer),
    ("time_first", FieldType::Datetime),
    ("time_last", FieldType::Datetime),
    ("space", FieldType::Keyword),
    ("embedded", FieldType::Keyword),
];

/// The fields by which only the ingest filters: their indexes are read from disk.
const OF_INGEST: [&str; 2] = ["version", "embedded"];

/// The links of each point in the graph of all points, and in the graph of its scope. Without the
/// first a search in two scopes finds half of what it should (docs/sizing.md).
const LINKS: u64 = 16;
const LINKS_OF_SCOPE: u64 = 16;

/// The settings of a collection that is made.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Layout {
    /// The number of shards and of copies of each; `None` leaves it to the server.
    shards: Option<u32>,
    replicas: Option<u32>,
    /// True if searches read vectors of floats, and not of bytes.
    is_float: bool,
}

impl Layout {
    /// Reads `QDRANT_SHARDS` and `QDRANT_REPLICAS`, where 0 leaves it to the server, and
    /// `QDRANT_QUANTIZATION`, `int8` or `none`.
    pub(super) fn from_env() -> Result<Layout, SettingError> {
        let number = |name| match env::optional(name) {
            None => Ok(None),
            Some(_) => env::number(name).map(|number| Some(number).filter(|number| *number > 0)),
        };
        let is_float = match env::optional("QDRANT_QUANTIZATION").as_deref() {
            None | Some("int8") => false,
            Some("none") => true,
            Some(_) => return Err(SettingError::new("QDRANT_QUANTIZATION", "is not int8 or none")),
        };
        let (shards, replicas) = (number("QDRANT_SHARDS")?, number("QDRANT_REPLICAS")?);
        Ok(Layout { shards, replicas, is_float })
    }

    fn quantization(self) -> Option<ScalarQuantization> {
        let int8 = ScalarQuantizationBuilder::default()
            .r#type(QuantizationType::Int8.into())
            .always_ram(true);
        (!self.is_float).then(|| int8.build())
    }

    /// Returns the settings of a collection that differ from these, each with what it is and what
    /// it should be.
    fn differences(self, there: &CollectionConfig) -> Vec<String> {
        let graph = there.hnsw_config.unwrap_or_default();
        let is_quantized = there.quantization_config.is_some_and(|quantization| {
            matches!(quantization.quantization, Some(Quantization::Scalar(_)))
        });
        let replicas = there.params.as_ref().and_then(|params| params.replication_factor);
        let name = |is_quantized| if is_quantized { "int8" } else { "none" };
        let compared = [
            ("hnsw m", text(graph.m), text(Some(LINKS))),
            ("hnsw payload_m", text(graph.payload_m), text(Some(LINKS_OF_SCOPE))),
            ("quantization", name(is_quantized).into(), name(!self.is_float).into()),
            (
                "replicas",
                text(replicas.map(u64::from)),
                text(self.replicas.or(replicas).map(u64::from)),
            ),
        ];
        let differ = compared.into_iter().filter(|(_, is, wanted)| is != wanted);
        differ.map(|(what, is, wanted)| format!("{what} is {is} and not {wanted}")).collect()
    }
}

fn text(number: Option<u64>) -> String {
    number.map_or("unset".into(), |number| number.to_string())
}

/// Returns the parameters of a field's index. The graph of vectors has no links by these fields:
/// what a search filters by besides the scope leaves most points, or few enough to look at each.
fn index(field: &str, kind: FieldType) -> IndexParams {
    let is_on_disk = OF_INGEST.contains(&field);
    match kind {
        FieldType::Uuid => UuidIndexParamsBuilder::default().enable_hnsw(false).build().into(),
        FieldType::Bool => BoolIndexParamsBuilder::new().enable_hnsw(false).build().into(),
        FieldType::Datetime => {
            DatetimeIndexParamsBuilder::default().enable_hnsw(false).build().into()
        }
        FieldType::Integer => {
            IntegerIndexParamsBuilder::new(false, true).enable_hnsw(false).build().into()
        }
        _ => KeywordIndexParamsBuilder::default()
            .enable_hnsw(false)
            .on_disk(is_on_disk)
            .build()
            .into(),
    }
}

impl Qdrant {
    /// Creates the collection with its indexes. Doing so twice at once does no harm.
    pub(super) async fn create(&self, dimensions: usize) -> Result<()> {
        if !self.client.collection_exists(&self.collection).await.map_err(failed)? {
            self.create_collection(dimensions).await.map_err(failed)?;
        }
        self.create_indexes().await.map(drop)
    }

    /// Creates the indexes of the collection that are not there, once in an environment: whoever
    /// created it may have been killed before it came to them, and a server in strict mode filters
    /// by nothing else. Without a collection there is none.
    pub(super) async fn complete(&self) -> Result<()> {
        if self.indexed.initialized() {
            return Ok(());
        }
        if self.create_indexes().await? {
            self.indexed.set(()).ok();
        }
        Ok(())
    }

    /// Gives the collection the settings that it would be made with now. Searches go on meanwhile;
    /// the server builds its graphs anew behind them. The number of shards stays what it is.
    pub async fn configure(&self) -> Result<()> {
        let about = unless_missing(self.client.collection_info(&self.collection).await)?;
        let Some(about) = about.and_then(|about| about.result) else { return Ok(()) };
        let there = about.config.unwrap_or_default();
        if self.differences(&there, &about.payload_schema).is_empty() {
            return Ok(());
        }
        // The server leaves an index that is as it should be. The collection comes last: a try that
        // breaks off before is done again whole.
        for (field, kind) in INDEXES {
            self.create_index(field, kind, index(field, kind)).await.map_err(failed)?;
        }
        self.client.update_collection(self.change()).await.map(drop).map_err(failed)
    }

    /// Returns in what the collection differs from one that would be made now.
    pub(super) fn differences(
        &self,
        there: &CollectionConfig,
        indexes: &HashMap<String, PayloadSchemaInfo>,
    ) -> Vec<String> {
        let mut differ = self.layout.differences(there);
        let other = |(field, kind): &(&str, FieldType)| {
            indexes.get(*field).is_some_and(|there| !is_of(there, *kind))
        };
        let others = INDEXES.into_iter().filter(other);
        differ.extend(others.map(|(field, _)| format!("the index of {field} is of another kind")));
        differ
    }

    /// Creates the indexes that are not there; whether there is a collection.
    async fn create_indexes(&self) -> Result<bool> {
        let about = unless_missing(self.client.collection_info(&self.collection).await)?;
        let Some(about) = about.and_then(|about| about.result) else { return Ok(false) };
        let there = about.payload_schema;
        if !there.contains_key("scope") {
            let tenant = KeywordIndexParamsBuilder::default().is_tenant(true).build();
            self.create_index("scope", FieldType::Keyword, tenant.into()).await.map_err(failed)?;
        }
        for (field, kind) in INDEXES.into_iter().filter(|(field, _)| !there.contains_key(*field)) {
            self.create_index(field, kind, index(field, kind)).await.map_err(failed)?;
        }
        Ok(true)
    }

    async fn create_index(
        &self,
        field: &str,
        kind: FieldType,
        params: IndexParams,
    ) -> Result<(), QdrantError> {
        let index = CreateFieldIndexCollectionBuilder::new(&self.collection, field, kind);
        let index = index.field_index_params(params).wait(true);
        self.client.create_field_index(index).await.map(drop)
    }

    async fn create_collection(&self, dimensions: usize) -> Result<(), QdrantError> {
        let mut dense = VectorsConfigBuilder::default();
        let floats = VectorParamsBuilder::new(dimensions as u64, Distance::Cosine);
        dense.add_named_vector_params(DENSE, floats.on_disk(!self.layout.is_float));
        let mut sparse = SparseVectorsConfigBuilder::default();
        sparse.add_named_vector_params(
            BM25,
            SparseVectorParamsBuilder::default().modifier(Modifier::Idf),
        );
        let mut create = CreateCollectionBuilder::new(&self.collection)
            .vectors_config(dense)
            .sparse_vectors_config(sparse)
            .hnsw_config(graph());
        if let Some(int8) = self.layout.quantization() {
            create = create.quantization_config(Quantization::Scalar(int8));
        }
        if let Some(shards) = self.layout.shards {
            create = create.shard_number(shards);
        }
        if let Some(replicas) = self.layout.replicas {
            create = create.replication_factor(replicas);
        }
        match self.client.create_collection(create).await {
            Err(QdrantError::ResponseError { status }) if is_there_already(&status) => {}
            created => drop(created?),
        }
        Ok(())
    }

    /// Returns the change of a collection to the present settings.
    fn change(&self) -> UpdateCollectionBuilder {
        let floats = VectorParamsDiffBuilder::default().on_disk(!self.layout.is_float).build();
        let map = HashMap::from([(DENSE.to_owned(), floats)]);
        let dense =
            VectorsConfigDiff { config: Some(Config::ParamsMap(VectorParamsDiffMap { map })) };
        let quantization = match self.layout.quantization() {
            Some(int8) => QuantizationDiff::Scalar(int8),
            None => QuantizationDiff::Disabled(Disabled {}),
        };
        let change = UpdateCollectionBuilder::new(&self.collection)
            .vectors_config(dense)
            .hnsw_config(graph())
            .quantization_config(quantization);
        match self.layout.replicas {
            Some(replicas) => {
                change.params(CollectionParamsDiffBuilder::default().replication_factor(replicas))
            }
            None => change,
        }
    }
}

fn graph() -> HnswConfigDiffBuilder {
    HnswConfigDiffBuilder::default().m(LINKS).payload_m(LINKS_OF_SCOPE)
}

fn is_of(there: &PayloadSchemaInfo, kind: FieldType) -> bool {
    let wanted = match kind {
        FieldType::Uuid => PayloadSchemaType::Uuid,
        FieldType::Bool => PayloadSchemaType::Bool,
        FieldType::Datetime => PayloadSchemaType::Datetime,
        FieldType::Integer => PayloadSchemaType::Integer,
        _ => PayloadSchemaType::Keyword,
    };
    there.data_type == i32::from(wanted)
}

fn is_there_already(status: &tonic::Status) -> bool {
    status.code() == Code::AlreadyExists || status.message().contains("already exists")
}
