//! `POST /v1/search` and `GET /v1/conflicts`: several kinds of sources at once, and where documents disagree.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::SourceSearch>().await
}
