//! `POST /v1/custom/{name}` and `GET /v1/custom`: workflows that are files.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Custom>(&adapters::Deployed).await
}
