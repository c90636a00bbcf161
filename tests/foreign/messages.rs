//! Tests the messages of queues and the keys of files.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::*;
use model::object::Upload;
use ports::{Removal, Task};

const ID: &str = "df7b9e3d-25ce-5ebb-b1f0-05c57a66b525";

static MESSAGES: [&str; 6] = [
    "{\"decision\": {\"project_id\": \"p\", \"decision_id\": \"d\"}}",
    "{\"watch\": {\"scope\": \"user:demo\", \"document_id\": \"df7b9e3d-25ce-5ebb-b1f0-05c57a66b525\", \"since\": \"2026-11-20T18:10:00.123456Z\"}}",
    "{\"document\": {\"scope\": \"case:01J\", \"document_id\": \"df7b9e3d-25ce-5ebb-b1f0-05c57a66b525\", \"version\": \"01J0\"}}",
    "{\"case\": {\"case_id\": \"01J\"}}",
    "{\"orphans\": {\"points\": \"df7b9e3d-25ce-5ebb-b1f0-05c57a66b525\"}}",
    "{\"orphans\": {\"unfinished\": null}}",
];

/// Checks that a message that is read, written and read again stays the same.
fn check<T>(text: &str) -> Result<(), TestCaseError>
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    if let Ok(message) = serde_json::from_str::<T>(text) {
        let sent = serde_json::to_string(&message).unwrap();
        prop_assert_eq!(serde_json::from_str::<T>(&sent).unwrap(), message);
    }
    Ok(())
}

fn part() -> impl Strategy<Value = String> {
    let known = ["documents", "records", "global", "user:a/b", "team:", "case:01J", ID, "01J0", ""];
    prop_oneof![
        4 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn a_message_is_read_as_what_was_sent_or_refused(text in changed(&MESSAGES)) {
        check::<Task>(&text)?;
        check::<Removal>(&text)?;
    }

    #[test]
    fn any_key_is_of_an_upload_that_has_it_or_of_none(parts in prop::collection::vec(part(), 1..6)) {
        if let Some(upload) = Upload::of_file(&parts.join("/")) {
            prop_assert!(!upload.version.contains('/') && upload.key().starts_with(&upload.folder()));
            let again = [Upload::of_file(&upload.key()), Upload::of_file(&upload.records_key())];
            prop_assert_eq!(again, [Some(upload.clone()), Some(upload)]);
        }
    }
}
