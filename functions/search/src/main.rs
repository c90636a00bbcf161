//! Serves `POST /v1/search`, which searches several kinds of sources at once, and `GET
//! /v1/conflicts`, which lists the conflicts between documents.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::SourceSearch>(&adapters::Deployed).await
}
