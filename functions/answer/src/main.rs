//! `POST /v1/{global|users/me|cases/{case_id}|teams/{team_id}}/{answer|records}`, `GET` of the
//! latter and of `passages` there, `GET /v1/answers/{answer_id}` and `GET /v1/health`.

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    handlers::serve::<handlers::Answers>(&adapters::Deployed).await
}
