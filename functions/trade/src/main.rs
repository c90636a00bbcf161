//! `POST /v1/trade`: which of these options, and on what evidence.

use lambda::Call;
use search::Search;
use workflow::trade;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let search = Search::from_env()?;
    lambda::serve(search.gate()?, async |call: &Call| {
        let request = call.json()?;
        search.run(call, async |retriever, desk| trade::run(retriever, desk, request).await).await
    })
    .await
}
