//! The small parts of the page: times, names, addresses, anchors.

use std::fmt::Write;

use jiff::Timestamp;
use maud::{Markup, html};
use wire::decisions::DecisionStatus;

/// Returns a time, to the minute.
pub(super) fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (at.strftime("%-d %b %Y, %H:%M")) } }
}

/// Returns a time, to the day.
pub(super) fn day(at: Timestamp) -> Markup {
    html! { time datetime=(at.strftime("%Y-%m-%d")) { (at.strftime("%-d %b %Y")) } }
}

/// Returns a name, isolated from the text direction around it.
pub(super) fn person(name: &str) -> Markup {
    html! { bdi.person { (name) } }
}

/// Returns a decision's status as a sign, a word and a color.
pub(super) fn badge(status: DecisionStatus) -> Markup {
    let (sign, word) = match status {
        DecisionStatus::Proposed => ("?", "Proposed"),
        DecisionStatus::Accepted => ("✓", "Accepted"),
        DecisionStatus::Rejected => ("✕", "Rejected"),
        DecisionStatus::Superseded => ("↷", "Superseded"),
    };
    html! { span.badge.(status.name()) { span aria-hidden="true" { (sign) } " " (word) } }
}

/// Returns the id of a decision's element, in a form that is valid in an address.
pub(super) fn anchor(id: &str) -> String {
    format!("decision-{}", encoded(id).replace('%', "_"))
}

/// Returns the relative address of the next page.
pub(super) fn next(cursor: &str, as_of: Option<Timestamp>) -> String {
    let as_of =
        as_of.map_or(String::new(), |time| format!("as_of={}&", encoded(&time.to_string())));
    format!("?{as_of}cursor={}", encoded(cursor))
}

/// Returns true if an address may become a link: only addresses of the web do, others stay text.
pub(super) fn is_web(uri: &str) -> bool {
    let scheme = uri.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_clean = !uri.contains(|c: char| c.is_whitespace() || c.is_control());
    is_clean && matches!(scheme.as_deref(), Some("http" | "https"))
}

fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(byte.into());
        } else {
            // Writing to a string does not fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_is_followed() {
        for uri in ["http://a", "HTTPS://a.example/b?c#d"] {
            assert!(is_web(uri), "{uri}");
        }
        for uri in
            ["javascript:alert(1)//http://", "java\nscript://a", "s3://a/b", "//a", "", "http ://a"]
        {
            assert!(!is_web(uri), "{uri}");
        }
    }

    #[test]
    fn the_next_page_keeps_the_time_it_is_told_of() {
        assert_eq!(next("a&b=\"ü", None), "?cursor=a%26b%3D%22%C3%BC");
        let as_of = Some("2026-03-03T10:00:00Z".parse().unwrap());
        assert_eq!(next("c", as_of), "?as_of=2026-03-03T10%3A00%3A00Z&cursor=c");
    }

    #[test]
    fn an_anchor_is_one_word() {
        assert_eq!(anchor("01K <\""), "decision-01K_20_3C_22");
    }
}
