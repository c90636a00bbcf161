use super::*;

#[test]
fn a_mask_has_as_many_bytes_as_what_it_hides() {
    let text = "db:\n  password: \"vK9\u{e9}tRm2q\" # as before\n  pool: 20\n";
    let masked = mask(text);
    assert_eq!(masked.len(), text.len());
    assert_eq!(masked, "db:\n  password: \"**********\" # as before\n  pool: 20\n");
    assert!(matches!(mask("token_ttl: 3600"), Cow::Borrowed(_)));
}

#[test]
fn whole_values_are_masked_and_references_are_not() {
    let hidden = |text: &str, secret: &str| {
        let masked = mask(text);
        assert!(!masked.contains(secret), "{masked}");
    };
    hidden("password: \"abc;D3f!ghijk\"\n", "D3f");
    hidden("password: \"correct horse battery staple\"\n", "staple");
    hidden("password: !Qaz2wsx#\n", "Qaz2");
    hidden("smtp.pass = hunter2!x\n", "hunter2");
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC0bua00t0j1aPX\n".repeat(4);
    hidden(&format!("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{key}"), "MIIE");
    hidden(&key, "MIIE");
    hidden(&format!("{key}-----END PRIVATE KEY-----\n"), "MIIE");
    for text in ["password: ${DB}", "token: *anchor", "secret: !vault", "key_pass: /run/secrets/a"]
    {
        assert_eq!(mask(text), text);
    }
}

#[test]
fn a_long_line_of_secrets_is_read_once() {
    let line = r#"{"token":"vK9tRm2qLx7z"},"#.repeat(40_000);
    assert!(!mask(&line).contains("vK9"));
    assert!(!mask(&"a_key=".repeat(20_000)).is_empty());
}

#[test]
fn a_value_is_judged_by_its_name() {
    assert!(is_value("spring.datasource.password", "n3Wq!p0LLen_77"));
    assert!(!is_value("spring.datasource.url", "n3Wq-p0LLen"));
    assert!(!is_value("password.min.length", "12"));
}

/// Strings labelled by others: `{text, secret, kind, half}`. The unseen half was not read while the
/// rules were written.
#[test]
fn labelled_strings_are_told_apart() {
    let labels = include_str!("../../../../tests/eval/secrets/labels.jsonl");
    for half in ["seen", "unseen", "read later", "unread later"] {
        let (mut right, mut found, mut there, mut wrong) = (0, 0, 0, Vec::new());
        for line in labels.lines() {
            let label: serde_json::Value = serde_json::from_str(line).unwrap();
            if label["half"] != half {
                continue;
            }
            let text = label["text"].as_str().unwrap();
            let secret = label["secret"].as_str();
            let masked = mask(text);
            let is_hidden = secret.is_some_and(|secret| !masked.contains(secret) && masked != text);
            there += usize::from(secret.is_some());
            found += usize::from(masked != text);
            right += usize::from(is_hidden);
            if is_hidden != (secret.is_some() || masked != text)
                || (secret.is_none() && masked != text)
            {
                wrong.push(label["kind"].as_str().unwrap().to_owned());
            }
        }
        let report = format!("{half}: {right} of {there} found, {found} masked; wrong: {wrong:?}");
        assert!(right * 10 >= there * 9 && right * 20 >= found * 19, "{report}");
    }
}

#[test]
fn a_name_of_words_is_no_key_and_a_key_is_one_without_a_long_run() {
    for key in [
        "sk-Ab3_dE5fG7hI9j-K1mN3pQ",
        "sk-abcdefghijklmnopqrstuvwxyz",
        "sk-abcdefghijkl-mnopqrstuv",
        "sk-proj-Ab3-dE5-fG7-hI9-jK1",
    ] {
        assert_eq!(mask(key), "*".repeat(key.len()), "{key}");
    }
    let name = "docs/sk-adr-0038-completion-service.md";
    assert_eq!(mask(name), name);
}
