//! Vectors, between protobuf and the engine: dense, sparse, and text that BM25 turns into sparse ones.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use qdrant_client::qdrant::vectors::VectorsOptions;
use qdrant_client::qdrant::vectors_output::VectorsOptions as OutputOptions;
use qdrant_client::qdrant::{
    DenseVector, Document, MultiDenseVector, NamedVectorsOutput, SparseVector as ProtoSparse,
    Vector as ProtoVector, VectorInput, VectorOutput, Vectors, VectorsOutput, vector, vector_input,
    vector_output,
};
use qdrant_edge::bm25_embed::{EdgeBm25, EdgeBm25Config};
use qdrant_edge::{
    DEFAULT_VECTOR_NAME, EdgeConfig, Vector, VectorInternal, VectorPersisted, VectorStructInternal,
    VectorStructPersisted,
};
use serde_json::{Map, Value as Json};
use tonic::Status;

use crate::status::{bad_input, from_engine, unserved};

const BM25_MODEL: &str = "qdrant/bm25";
const BM25_OPTIONS: [&str; 11] = [
    "k",
    "b",
    "avg_len",
    "tokenizer",
    "language",
    "lowercase",
    "ascii_folding",
    "stopwords",
    "stemmer",
    "min_token_len",
    "max_token_len",
];

/// The BM25 models that were asked for so far, by their options. Each is made once.
#[derive(Default)]
pub(crate) struct Bm25(Mutex<HashMap<String, Arc<EdgeBm25>>>);

impl Bm25 {
    fn model(&self, document: &mut Document) -> Result<Arc<EdgeBm25>, Status> {
        if !document.model.eq_ignore_ascii_case(BM25_MODEL) {
            return Err(unserved(&format!("the model `{}`, only `{BM25_MODEL}`", document.model)));
        }
        let options: Map<String, Json> = std::mem::take(&mut document.options)
            .into_iter()
            .map(|(key, value)| (key, value.into()))
            .collect();
        if let Some(unknown) = options.keys().find(|key| !BM25_OPTIONS.contains(&key.as_str())) {
            return Err(bad_input(format!("`{unknown}` is not an option of {BM25_MODEL}")));
        }
        let options = Json::Object(options);
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(&options.to_string()) {
            return Ok(model.clone());
        }
        let name = options.to_string();
        let config: EdgeBm25Config = serde_json::from_value(options)
            .map_err(|err| bad_input(format!("options of {BM25_MODEL}: {err}")))?;
        let model = Arc::new(
            EdgeBm25::new(config).map_err(|err| bad_input(format!("{BM25_MODEL}: {err}")))?,
        );
        models.insert(name, model.clone());
        Ok(model)
    }
}

/// Reads the vectors of a point to be stored in a collection of `config`.
pub(crate) fn parse_stored(
    vectors: Option<Vectors>,
    config: &EdgeConfig,
    bm25: &Bm25,
) -> Result<VectorStructPersisted, Status> {
    let named = match vectors.and_then(|vectors| vectors.vectors_options) {
        Some(VectorsOptions::Vectors(named)) => named.vectors,
        Some(VectorsOptions::Vector(only)) => {
            HashMap::from([(DEFAULT_VECTOR_NAME.to_owned(), only)])
        }
        None => HashMap::new(),
    };
    let mut stored = HashMap::with_capacity(named.len());
    for (name, vector) in named {
        let vector = parse_one(vector, bm25)?;
        check(config, &name, &vector)?;
        stored.insert(name, VectorPersisted::from(vector));
    }
    Ok(VectorStructPersisted::Named(stored))
}

/// Reads a vector, in the form used before 1.16 or since.
#[expect(deprecated, reason = "clients of before 1.16 are served too")]
fn parse_one(vector: ProtoVector, bm25: &Bm25) -> Result<VectorInternal, Status> {
    match vector.vector {
        Some(vector::Vector::Dense(dense)) => Ok(VectorInternal::Dense(dense.data)),
        Some(vector::Vector::Sparse(found)) => sparse(found.indices, found.values),
        Some(vector::Vector::Document(mut document)) => {
            Ok(VectorInternal::Sparse(bm25.model(&mut document)?.embed_document(&document.text)))
        }
        Some(vector::Vector::MultiDense(_)) => Err(unserved("multi-dense vectors")),
        Some(vector::Vector::Image(_) | vector::Vector::Object(_)) => {
            Err(unserved("inference on images and objects"))
        }
        None if vector.vectors_count.is_some() => Err(unserved("multi-dense vectors")),
        None => match vector.indices {
            Some(indices) => sparse(indices.data, vector.data),
            None => Ok(VectorInternal::Dense(vector.data)),
        },
    }
}

/// Reads the vector that a query seeks the neighbors of, in the vectors named `using`.
pub(crate) fn parse_sought(
    input: VectorInput,
    using: &str,
    config: &EdgeConfig,
    bm25: &Bm25,
) -> Result<VectorInternal, Status> {
    let vector = match input.variant {
        Some(vector_input::Variant::Dense(dense)) => VectorInternal::Dense(dense.data),
        Some(vector_input::Variant::Sparse(found)) => sparse(found.indices, found.values)?,
        Some(vector_input::Variant::Document(mut document)) => {
            VectorInternal::Sparse(bm25.model(&mut document)?.embed_query(&document.text))
        }
        Some(vector_input::Variant::Id(_)) => return Err(unserved("a query by point id")),
        Some(vector_input::Variant::MultiDense(_)) => return Err(unserved("multi-dense vectors")),
        Some(vector_input::Variant::Image(_) | vector_input::Variant::Object(_)) => {
            return Err(unserved("inference on images and objects"));
        }
        None => return Err(bad_input("the vector to search for is missing")),
    };
    check(config, using, &vector)?;
    Ok(vector)
}

fn sparse(indices: Vec<u32>, values: Vec<f32>) -> Result<VectorInternal, Status> {
    Vector::new_sparse(indices, values).map(|vector| vector.0).map_err(|err| from_engine(&err))
}

/// Refuses a vector that does not fit the collection before anything is written.
fn check(config: &EdgeConfig, name: &str, vector: &VectorInternal) -> Result<(), Status> {
    match (vector, config.vectors.get(name)) {
        (VectorInternal::Dense(dense), Some(params)) if dense.len() == params.size => Ok(()),
        (VectorInternal::Dense(dense), Some(params)) => Err(bad_input(format!(
            "Vector dimension error: expected dim: {}, got {}",
            params.size,
            dense.len()
        ))),
        (VectorInternal::Sparse(_), None) if config.sparse_vectors.contains_key(name) => Ok(()),
        (_, None) if !config.sparse_vectors.contains_key(name) => {
            Err(bad_input(format!("Not existing vector name error: {name}")))
        }
        _ => Err(bad_input(format!("the vector `{name}` is of another kind in this collection"))),
    }
}

/// Writes stored vectors as the client reads them.
pub(crate) fn write(vectors: VectorStructInternal) -> VectorsOutput {
    let options = match vectors {
        VectorStructInternal::Single(dense) => {
            OutputOptions::Vector(write_one(VectorInternal::Dense(dense)))
        }
        VectorStructInternal::MultiDense(multi) => {
            OutputOptions::Vector(write_one(VectorInternal::MultiDense(multi)))
        }
        VectorStructInternal::Named(named) => OutputOptions::Vectors(NamedVectorsOutput {
            vectors: named.into_iter().map(|(name, vector)| (name, write_one(vector))).collect(),
        }),
    };
    VectorsOutput { vectors_options: Some(options) }
}

fn write_one(vector: VectorInternal) -> VectorOutput {
    let vector = match vector {
        VectorInternal::Dense(data) => vector_output::Vector::Dense(DenseVector { data }),
        VectorInternal::Sparse(found) => vector_output::Vector::Sparse(ProtoSparse {
            values: found.values,
            indices: found.indices,
        }),
        VectorInternal::MultiDense(multi) => vector_output::Vector::MultiDense(MultiDenseVector {
            vectors: multi
                .into_multi_vectors()
                .into_iter()
                .map(|data| DenseVector { data })
                .collect(),
        }),
    };
    VectorOutput { vector: Some(vector), ..VectorOutput::default() }
}
