//! The keys of a Qdrant server.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::Deserialize;

/// The part of a JSON Web Token that is read (RFC 7519, 4.1.4).
#[derive(Deserialize)]
struct Claims {
    exp: i64,
}

/// Returns the time until which a key is good; `None` where it does not tell. Keys of Qdrant Cloud
/// and of Qdrant's role-based access are JSON Web Tokens, and others are any text.
pub(super) fn end(key: &str) -> Option<Timestamp> {
    let [_, claims, _] = key.split('.').collect::<Vec<_>>()[..] else { return None };
    let claims = BASE64_URL_SAFE_NO_PAD.decode(claims).ok()?;
    let Claims { exp } = serde_json::from_slice(&claims).ok()?;
    Timestamp::from_second(exp).ok()
}

#[cfg(test)]
mod tests {
    use ports::{Purpose, Standing};

    use super::*;
    use crate::Qdrant;

    #[test]
    fn a_key_that_is_a_token_tells_its_end_and_another_does_not() {
        let key = |claims: &str| format!("e30.{}.c2ln", BASE64_URL_SAFE_NO_PAD.encode(claims));
        let ends = end(&key(r#"{"access": "rw", "exp": 1796083200}"#));
        assert_eq!(ends.unwrap().to_string(), "2026-12-01T00:00:00Z");
        for untold in [key(r#"{"access": "rw"}"#), key("7"), "a.b.c".into(), "secret".into()] {
            assert_eq!(end(&untold), None, "{untold}");
        }
        let with = |key: &str| {
            let key = Some(key.to_owned());
            Qdrant::connect("http://127.0.0.1:6334", key, "plumbline", Purpose::Document).unwrap()
        };
        assert_eq!(with(&key(r#"{"exp": 1796083200}"#)).key_ends(), ends);
        assert_eq!(with("secret").key_ends(), None);
    }
}
