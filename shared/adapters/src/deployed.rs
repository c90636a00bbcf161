//! The services of a deployment, as its settings name them.

use std::sync::Arc;

use async_trait::async_trait;
use model::Result;
use ports::{Hiding, Purpose, Removals, Tasks};

use crate::files;
use crate::services::{
    Configuration, EmbeddingModel, Other, Reranking, SearchIndex, Services, Trouble,
};
use crate::{Bedrock, BedrockReranker, Bucket, Qdrant, Queue, Table};

/// Bedrock, Qdrant, `DynamoDB`, S3 and SQS, as environment variables name them.
#[derive(Debug, Clone, Copy)]
pub struct Deployed;

impl Services for Deployed {
    fn embedding(&self, purpose: Purpose) -> Result<Arc<dyn EmbeddingModel>, Trouble> {
        Ok(Arc::new(Bedrock::from_env(purpose)?))
    }

    fn index(&self, purpose: Purpose) -> Result<Arc<dyn SearchIndex>, Trouble> {
        Ok(Arc::new(Qdrant::from_env(purpose)?))
    }

    fn beside(&self, purpose: Purpose) -> Result<Option<Other>, Trouble> {
        let Some((index, model)) = Qdrant::beside_from_env(purpose)? else { return Ok(None) };
        Ok(Some((Arc::new(index), Arc::new(model))))
    }

    fn table(&self) -> Result<Table, Trouble> {
        Ok(Table::from_env()?)
    }

    fn files(&self) -> Result<Arc<dyn Hiding>, Trouble> {
        Ok(Arc::new(Bucket::from_env()?))
    }

    fn tasks(&self) -> Result<Arc<dyn Tasks>, Trouble> {
        Ok(Arc::new(Queue::of_tasks()?))
    }

    fn removals(&self) -> Result<Arc<dyn Removals>, Trouble> {
        Ok(Arc::new(Queue::of_removals()?))
    }

    fn reranking(&self) -> Result<Option<Reranking>, Trouble> {
        let reranker = BedrockReranker::from_env()?;
        Ok(reranker.map(|reranker| Reranking {
            model: reranker.model().to_owned(),
            limits: reranker.limits,
            by: Box::new(reranker),
        }))
    }

    fn configuration(&self, kind: Configuration) -> Result<Vec<(String, String)>, Trouble> {
        Ok(files::beside_the_program(kind.folder())?)
    }
}

impl EmbeddingModel for Bedrock {
    fn model(&self) -> &str {
        Bedrock::model(self)
    }
}

#[async_trait]
impl SearchIndex for Qdrant {
    async fn configure(&self) -> Result<()> {
        Qdrant::configure(self).await
    }
}
