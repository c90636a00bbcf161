//! Tests the properties that hold for every text, whoever wrote it.

use proptest::prelude::*;

use super::*;

/// Parts of names, forms and values, and of the text around them.
const FRAGMENTS: [&str; 48] = [
    "password",
    "db.password",
    "api_key",
    "TOKEN",
    "secret",
    "credentials",
    "Authorization",
    "Bearer ",
    "basic ",
    "sid=",
    "code=",
    "-u ",
    "--user=",
    "mysql -p",
    "identified by '",
    "requirepass ",
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_0123456789abcdefghij",
    "eyJhbGciOiJI.eyJzdWIiOiJh.c2ln",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC0bua0",
    "://ann:",
    "@db:5432/",
    "https://",
    "vK9tRm2q",
    "hunter2!x",
    "${DB}",
    "changeme",
    "/run/secrets/a",
    "name: ",
    "value: ",
    "<pass>",
    "</pass>",
    ": ",
    " = ",
    "=>",
    "=",
    ":",
    "\"",
    "'",
    "\\\"",
    ",",
    ";",
    "&",
    " ",
    "\n",
    "\u{e9}",
];

fn text() -> impl Strategy<Value = String> {
    let fragment = prop::sample::select(&FRAGMENTS[..]).prop_map(str::to_owned);
    let part = prop_oneof![6 => fragment, 1 => "\\PC{0,6}", 1 => any::<String>()];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_mask_changes_nothing_but_secrets_and_no_length(text in text()) {
        let (found, masked) = (secrets(&text), mask(&text));
        prop_assert_eq!(masked.len(), text.len());
        prop_assert_eq!(is_in(&text), matches!(masked, Cow::Owned(_)));
        let mut at = 0;
        for secret in found {
            prop_assert!(at <= secret.start && secret.start < secret.end);
            prop_assert_eq!(masked.get(at..secret.start), text.get(at..secret.start));
            prop_assert!(masked[secret.clone()].bytes().all(|byte| byte == b'*'));
            at = secret.end;
        }
        prop_assert_eq!(masked.get(at..), text.get(at..));
    }

    #[test]
    fn a_password_on_a_line_of_its_own_is_hidden_whatever_stands_around_it(
        before in text(),
        after in text(),
        mark in prop::sample::select(&[": ", " = ", "=", " => "][..]),
    ) {
        let text = format!("{before}\npassword{mark}\"zT4-Wq81xLp\"\n{after}");
        prop_assert!(!mask(&text).contains("zT4-Wq81xLp"));
    }

    #[test]
    fn any_value_is_judged_by_any_name(name in text(), value in text()) {
        prop_assert!(!is_in(&value) || is_value(&name, &value));
    }
}
