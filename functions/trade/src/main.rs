//! `POST /v1/trade`: which of these options, and on what evidence.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Searching<wire::trade::Trade>>(&adapters::Deployed).await
}
