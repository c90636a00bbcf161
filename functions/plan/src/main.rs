//! `POST /v1/plan`: templates, risks, lessons and precedents for what is planned.

use adapters::{Bedrock, Qdrant, Table, env};
use lambda::Call;
use workflow::plan;
use workflow::ports::Purpose;
use workflow::retrieve::Retriever;

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
        let desk = call.desk(&table, &store);
        let answer = plan::run(&retriever, &desk, &table, call.json()?).await?;
        Ok(call.receipt.noting(answer))
    })
    .await
}
