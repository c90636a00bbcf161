//! `POST /v1/plan`: templates, risks, lessons and precedents for what is planned.

use lambda::Call;
use search::Search;
use workflow::plan;

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let search = Search::from_env()?;
    lambda::serve(search.gate()?, async |call: &Call| {
        let (request, trail) = (call.json()?, &search.table);
        search
            .run(call, async |retriever, desk| plan::run(retriever, desk, trail, request).await)
            .await
    })
    .await
}
