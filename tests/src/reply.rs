//! Answers of the API.

use serde_json::Value;

/// Returns the headers without those that differ between equal replies.
pub(crate) fn lasting(headers: &ureq::http::HeaderMap) -> Vec<(String, String)> {
    let differs = |name: &str| {
        ["date", "content-length", "connection"].contains(&name)
            || name.contains("id")
            || name.contains("trace")
    };
    let lasting = headers.iter().filter(|(name, _)| !differs(name.as_str()));
    let text = |value: &ureq::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let mut lasting: Vec<(String, String)> =
        lasting.map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    lasting.sort();
    lasting
}

/// An answer of the API.
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The media type.
    pub content_type: String,
    /// The headers that are the same for equal replies, in order.
    pub headers: Vec<(String, String)>,
    /// The body as JSON, with the numbers of places resolved; `null` if it is not JSON.
    pub body: Value,
    /// The body as received.
    pub text: String,
}
