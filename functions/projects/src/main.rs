//! `/v1/projects`, `POST /v1/reindex/decisions` and `GET /v1/documents/{document_id}/decisions`.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Projects>(&adapters::Deployed).await
}
