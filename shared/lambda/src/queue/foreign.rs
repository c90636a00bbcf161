//! Properties that hold for every message, whoever wrote it.

use ports::Task;
use proptest::prelude::*;

use super::*;
use crate::foreign::changed;

static BODIES: [&str; 4] = [
    "{\"Records\": [{\"eventVersion\": \"2.1\", \"eventSource\": \"aws:s3\", \"eventName\": \"ObjectCreated:Put\", \
     \"eventTime\": \"2026-11-20T18:00:00.000Z\", \"userIdentity\": {}, \"requestParameters\": {}, \
     \"s3\": {\"bucket\": {\"name\": \"b\"}, \"object\": {\"key\": \"documents/user%3Aann+b/x\", \"size\": 3}}}]}",
    "{\"Service\": \"Amazon S3\", \"Event\": \"s3:TestEvent\", \"Bucket\": \"b\"}",
    "{\"decision\": {\"project_id\": \"p\", \"decision_id\": \"d\"}}",
    "{\"watch\": {\"scope\": \"global\", \"document_id\": \"df7b9e3d-25ce-5ebb-b1f0-05c57a66b525\", \"since\": \"2026-11-20T18:10:00Z\"}}",
];

proptest! {
    #[test]
    fn any_message_is_read_or_malformed(
        body in prop_oneof![8 => changed(&BODIES), 1 => any::<String>(), 1 => "\\PC{0,20}"],
    ) {
        let message = Message { queue: "uploads", body: &body };
        let is_read_or_malformed = |error: Error| matches!(error, Error::Malformed { .. });
        prop_assert!(message.created_in("b").err().is_none_or(is_read_or_malformed));
        prop_assert!(message.read::<Task>().err().is_none_or(is_read_or_malformed));
    }

    #[test]
    fn a_key_that_was_encoded_is_decoded(key in any::<String>()) {
        let encoded = percent_encoding::utf8_percent_encode(&key, percent_encoding::NON_ALPHANUMERIC);
        prop_assert_eq!(decoded(&encoded.to_string()), key.as_str());
    }

    #[test]
    fn any_key_is_decoded(key in "[a-zA-Z0-9%+/.]{0,40}") {
        prop_assert!(decoded(&key).len() <= 3 * key.len());
    }
}
