//! `POST /v1/explore`: what is known of a subject.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Searching<wire::explore::Explore>>(&adapters::Deployed).await
}
