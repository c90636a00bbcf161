//! `POST /v1/rcca`: what failed like this before, and why.

use adapters::{Bedrock, BedrockReranker, Qdrant, Table, env};
use lambda::Call;
use workflow::ports::Purpose;
use workflow::rcca;
use workflow::rerank::Rerank;
use workflow::retrieve::Retriever;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (bedrock, qdrant, table) = (
        Bedrock::from_env(Purpose::Question)?,
        Qdrant::from_env(Purpose::Question)?,
        Table::from_env()?,
    );
    let reranker = BedrockReranker::from_env()?;
    lambda::serve(env::groups()?, async |call: &Call| {
        let (embedder, index) =
            (call.receipt.embedder(&bedrock, bedrock.model()), call.receipt.index(&qdrant));
        let judge = reranker.as_ref().map(|own| call.receipt.reranker(own, own.model()));
        let mut retriever = Retriever::new(&embedder, &index);
        retriever.rerank = judge
            .as_ref()
            .zip(reranker.as_ref())
            .map(|(by, own)| Rerank { by, limits: own.limits });
        let store = call.receipt.store(&table);
        let answer = rcca::run(&retriever, &call.desk(&table, &store), call.json()?).await?;
        Ok(call.receipt.noting(answer))
    })
    .await
}
