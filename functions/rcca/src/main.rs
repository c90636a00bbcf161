//! `POST /v1/rcca`: what failed like this before, and why.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Searching<wire::rcca::Rcca>>(&adapters::Deployed).await
}
