//! `POST /v1/explore`: what is known of a subject.

use lambda::Call;
use search::Search;
use workflow::explore;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let search = Search::from_env()?;
    lambda::serve(search.gate()?, async |call: &Call| {
        let request = call.json()?;
        search.run(call, async |retriever, desk| explore::run(retriever, desk, request).await).await
    })
    .await
}
