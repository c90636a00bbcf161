//! `POST /v1/custom/{name}` and `GET /v1/custom`: workflows that are files.

use lambda::Call;
use search::Search;
use serde::Serialize;
use workflow::custom::{self, Strategies};
use workflow::strategy::Answer;

#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    List(custom::List),
    Answer(Box<Answer<custom::Report>>),
}

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let files = adapters::strategy_files()?;
    let strategies = Strategies::parse(&files).map_err(|trouble| trouble.to_string())?;
    let search = Search::from_env()?;
    lambda::serve(search.gate()?, async |call: &Call| {
        if call.route.starts_with("GET ") {
            return Ok(Report::List(custom::list(&strategies)));
        }
        let (named, request) = ((&strategies, call.parameter("name")), call.json()?);
        let answer = search
            .run(call, async |retriever, desk| custom::run(retriever, desk, named, request).await)
            .await?;
        Ok(Report::Answer(Box::new(answer)))
    })
    .await
}
