//! Hands uploads that S3 tells of on to the queues of the ingest: those of cases to one, all others
//! to another, each with its scope as message group. S3 knows no groups, and without them whoever
//! uploads a lot is served before all who come later.

use adapters::{Queue, env};
use lambda::{Delivery, Message, Try};
use model::object::Upload;
use model::scope::Scope;
use model::{Error, Result};

#[lambda::tokio::main(flavor = "current_thread", crate = "lambda::tokio")]
async fn main() -> Result<(), lambda::Error> {
    lambda::log_as_json();
    let (cases, bulk, bucket) = (Queue::of_cases()?, Queue::of_bulk()?, env::required("BUCKET")?);
    Box::pin(lambda::serve_queue(
        async |message: &Message<'_>, one: &Try| {
            let (of_cases, others) = divided(&message.created_in(&bucket)?)?;
            one.within(async {
                cases.hand_on(&of_cases).await?;
                bulk.hand_on(&others).await
            })
            .await
        },
        async |delivery: &Delivery, seconds| {
            cases.hide(&delivery.queue, &delivery.receipt_handle, seconds).await
        },
        env::hidden_for()?,
    ))
    .await
}

/// Returns the uploads with these keys: those of cases, and all others.
fn divided(keys: &[String]) -> Result<(Vec<Upload>, Vec<Upload>)> {
    let upload = |key: &String| {
        let missing = || Error::Missing { kind: "upload", name: key.clone() };
        Upload::parse(key).ok_or_else(missing)
    };
    let uploads = keys.iter().map(upload).collect::<Result<Vec<_>>>()?;
    Ok(uploads.into_iter().partition(|upload| matches!(upload.scope, Scope::Case(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_of_cases_wait_for_no_others_and_what_is_no_upload_is_refused() {
        let key = |scope: &str| format!("documents/{scope}/{:032x}/01A", 7);
        let keys = ["case:01J", "global", "user:ann", "case:01K", "team:x"].map(key);
        let (of_cases, others) = divided(&keys).unwrap();
        let scopes = |uploads: Vec<Upload>| uploads.into_iter().map(|own| own.scope.to_string());
        assert_eq!(scopes(of_cases).collect::<Vec<_>>(), ["case:01J", "case:01K"]);
        assert_eq!(scopes(others).collect::<Vec<_>>(), ["global", "user:ann", "team:x"]);
        assert!(matches!(divided(&["records/x".into()]), Err(Error::Missing { .. })));
    }
}
