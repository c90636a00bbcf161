//! `/v1/cases`, `/v1/reindex`, and
//! `/v1/{global|users/me|cases/{case_id}|teams/{team_id}}/documents`.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Documents>(&adapters::Deployed).await
}
