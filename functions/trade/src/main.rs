//! `POST /v1/trade`: which of these options, and on what evidence.

use adapters::{Bedrock, Qdrant, Table, env};
use lambda::Call;
use workflow::ports::Purpose;
use workflow::retrieve::Retriever;
use workflow::trade;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (bedrock, qdrant, table) = (
        Bedrock::from_env(Purpose::Question)?,
        Qdrant::from_env(Purpose::Question)?,
        Table::from_env()?,
    );
    lambda::serve(env::groups()?, async |call: &Call| {
        let (embedder, index) =
            (call.receipt.embedder(&bedrock, bedrock.model()), call.receipt.index(&qdrant));
        let retriever = Retriever::new(&embedder, &index);
        let store = call.receipt.store(&table);
        let answer = trade::run(&retriever, &call.desk(&table, &store), call.json()?).await?;
        Ok(call.receipt.noting(answer))
    })
    .await
}
