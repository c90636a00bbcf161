//! `POST /v1/plan`: templates, risks, lessons and precedents for what is planned.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Searching<wire::plan::Plan>>(&adapters::Deployed).await
}
