//! Tells the gateway whether the API key of a request is good, and what it allows.

use adapters::{Table, env};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    let (table, groups) = (Table::from_env()?, env::groups()?);
    lambda::serve_authorizer(async |token: &str| {
        let key = keys::find(&table, token, lambda::now()).await?;
        Ok(key.map(|key| keys::caller(&key, &groups.admins)))
    })
    .await
}
