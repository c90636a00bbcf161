//! `POST /v1/rcca`: what failed like this before, and why.

use lambda::Call;
use search::Search;
use workflow::rcca;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let search = Search::from_env()?;
    lambda::serve(search.gate()?, async |call: &Call| {
        let request = call.json()?;
        search.run(call, async |retriever, desk| rcca::run(retriever, desk, request).await).await
    })
    .await
}
