//! The start of the next page of a list, as callers send it back.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as URL_SAFE_NO_PAD;

use model::{Error, Result};

/// Returns the cursor after `key` in `list`. It contains the name of its list. It needs no
/// signature: it is no secret, and what it names is compared with what the caller may read.
pub fn write(list: &str, key: &str) -> String {
    URL_SAFE_NO_PAD.encode(format!("{list}/{key}"))
}

/// Returns the key in `cursor`, if the cursor belongs to `list`.
///
/// # Errors
/// [`Error::Malformed`] for a text that cannot be decoded, and for a cursor of another list.
pub fn read(list: &str, cursor: &str) -> Result<String> {
    let refused = || Error::Malformed {
        field: "cursor".into(),
        reason: "must be one that this list gave".into(),
    };
    let bytes = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| refused())?;
    let key = String::from_utf8(bytes).map_err(|_| refused())?;
    let id = key.strip_prefix(list).and_then(|rest| rest.strip_prefix('/'));
    id.map(str::to_owned).ok_or_else(refused)
}

/// Returns the key in `cursor` if it is a ULID; otherwise like [`read`].
pub fn read_ulid(list: &str, cursor: &str) -> Result<String> {
    let key = read(list, cursor)?;
    match ulid::Ulid::from_string(&key) {
        Ok(ulid) => Ok(ulid.to_string()),
        Err(_) => Err(Error::Malformed {
            field: "cursor".into(),
            reason: "must be one that this list gave".into(),
        }),
    }
}

/// Parses the number of entries of a page, 1 to 100; `default` if absent.
pub fn limit(wanted: Option<&str>, default: u32) -> Result<u32> {
    match wanted.map(str::parse::<u32>) {
        None => Ok(default),
        Some(Ok(limit @ 1..=100)) => Ok(limit),
        Some(_) => Err(Error::invalid("limit", "must be between 1 and 100")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_good_for_its_own_list_only() {
        let ulid = "01M7X8K2Y70CHH266W3WH99QFY";
        let cursor = write("project:1/trail", ulid);
        assert_eq!(read_ulid("project:1/trail", &cursor).unwrap(), ulid);
        for (list, cursor) in [
            ("project:2/trail", cursor.as_str()),
            ("project:1/queries", &cursor),
            ("project:1/trail", "!"),
            ("project:1/trail", "aGVsbG8"),
            ("project:1/trail", &write("project:1/trail", "x")),
            ("project:1/trail", &cursor[..cursor.len() - 3]),
        ] {
            let refused = read_ulid(list, cursor).unwrap_err();
            assert!(matches!(refused, Error::Malformed { .. }), "{list} {cursor}");
        }
    }

    #[test]
    fn a_page_has_one_to_a_hundred_entries() {
        assert_eq!(limit(None, 20).unwrap(), 20);
        assert_eq!(limit(Some("100"), 20).unwrap(), 100);
        assert!(["0", "101", "-1", "ten", ""].iter().all(|text| limit(Some(text), 20).is_err()));
    }
}
