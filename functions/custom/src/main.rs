//! `POST /v1/custom/{name}` and `GET /v1/custom`: workflows that are files.

use adapters::{Bedrock, BedrockReranker, Qdrant, Table, env};
use lambda::Call;
use serde::Serialize;
use workflow::custom::{self, Strategies};
use workflow::ports::Purpose;
use workflow::rerank::Rerank;
use workflow::retrieve::Retriever;
use workflow::strategy::Answer;

#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    List(custom::List),
    Answer(Answer<custom::Report>),
}

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let files = adapters::strategy_files()?;
    let strategies = Strategies::parse(&files).map_err(|trouble| trouble.to_string())?;
    let (bedrock, qdrant, table) = (
        Bedrock::from_env(Purpose::Question)?,
        Qdrant::from_env(Purpose::Question)?,
        Table::from_env()?,
    );
    let reranker = BedrockReranker::from_env()?;
    lambda::serve(env::groups()?, async |call: &Call| {
        if call.route.starts_with("GET ") {
            return Ok(Report::List(custom::list(&strategies)));
        }
        let (embedder, index) =
            (call.receipt.embedder(&bedrock, bedrock.model()), call.receipt.index(&qdrant));
        let judge = reranker.as_ref().map(|own| call.receipt.reranker(own, own.model()));
        let mut retriever = Retriever::new(&embedder, &index);
        retriever.rerank = judge
            .as_ref()
            .zip(reranker.as_ref())
            .map(|(by, own)| Rerank { by, limits: own.limits });
        let named = (&strategies, call.parameter("name"));
        let store = call.receipt.store(&table);
        let desk = call.desk(&table, &store);
        let answer = custom::run(&retriever, &desk, named, call.json()?).await?;
        Ok(Report::Answer(call.receipt.noting(answer)))
    })
    .await
}
