//! `POST /v1/alike`: passages like a text.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Searching<wire::alike::Alike>>(&adapters::Deployed).await
}
