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
fn a_value_is_judged_by_its_name() {
    assert!(is_value("spring.datasource.password", "n3Wq!p0LLen_77"));
    assert!(!is_value("spring.datasource.url", "n3Wq-p0LLen"));
    assert!(!is_value("password.min.length", "12"));
}

/// Strings by others: `{text, secret, kind, half}`. The unseen half was not read while the rules were written.
#[test]
fn labelled_strings_are_told_apart() {
    let labels = include_str!("../../../../tests/eval/secrets/labels.jsonl");
    for half in ["seen", "unseen"] {
        let (mut right, mut found, mut there, mut wrong) = (0, 0, 0, Vec::new());
        for line in labels.lines() {
            let label: serde_json::Value = serde_json::from_str(line).unwrap();
            if label["half"] != half {
                continue;
            }
            let text = label["text"].as_str().unwrap();
            let secret = label["secret"].as_str();
            let masked = mask(text);
            let is_hidden = secret.is_some_and(|own| !masked.contains(own) && masked != text);
            there += usize::from(secret.is_some());
            found += usize::from(masked != text);
            right += usize::from(is_hidden);
            if is_hidden != (secret.is_some() || masked != text)
                || (secret.is_none() && masked != text)
            {
                wrong.push(label["kind"].as_str().unwrap().to_owned());
            }
        }
        let told = format!("{half}: {right} of {there} found, {found} masked; wrong: {wrong:?}");
        assert!(right * 10 >= there * 9 && right * 20 >= found * 19, "{told}");
    }
}
