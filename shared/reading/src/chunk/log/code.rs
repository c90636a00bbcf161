//! The codes of a record that callers filter by, such as error codes and HTTP statuses.

use std::sync::LazyLock;

use regex::Regex;

use super::stamp::pattern;

/// Upper bound for the codes that are kept of one record.
pub(super) const MOST: usize = 32;

/// Prefixes of codes that name a standard, a cipher, a month or a zone, and no error.
const NO_CODES: [&str; 32] = [
    "ISO", "UTF", "SHA", "AES", "RSA", "RFC", "IEEE", "IEC", "EN", "DIN", "ECMA", "IPV", "WINDOWS",
    "CP", "ASCII", "GB", "RC", "GMT", "UTC", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL",
    "AUG", "SEP", "OCT", "NOV", "DEC", "TLS",
];

static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b(?:CVE-[0-9]{4}-[0-9]{4,7}|E[0-9]{3,5}|ERR_[A-Z0-9_]{3,40}|[A-Z]{2,6}-[0-9]{3,6}|[A-Z]{2,5}[0-9]{5,6}[EWIF]?|[A-Z]{4,5}[0-9]{4}[EWIF]",
        r"|0x[8C][0-9A-Fa-f]{7}|E(?:CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|ADDRINUSE|HOSTUNREACH|NETUNREACH|NOTFOUND|NOENT|ACCES|PERM|PIPE|NOSPC|MFILE|NOMEM|XIST|AGAIN))\b",
    ))
});
/// A number, or a mix of letters and digits, that the text itself calls a code.
static CALLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i:\b(?:error|err|exit|status|return|sql|response)?[ _-]?(?:code|errno|sqlstate)|\berrno|\berror|\bstatus)"?(?: is| was)?(?:: ?|=|#| ?\(|\[| )"?((?:[A-Z]{1,6}-?)?[0-9]{3,7}[A-Z]?|[0-9]{2}[0-9A-Z]{3}|0x[0-9A-Fa-f]{2,8})\b"#,
    )
});
/// The HTTP status in access logs, after the request or after the protocol.
static HTTP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?:"[A-Z]{3,8} [^"]{1,2000}" |\(HTTP/[0-9.]+ |HTTP/[0-9.]+"? | [0-9-]+/[0-9-]+/[0-9-]+/[0-9-]+/\+?[0-9]+ )([1-5][0-9]{2})\b"#,
    )
});

/// Returns the codes in a line, in order; a code may occur twice. After the start of a request only
/// its status counts: addresses and names of browsers contain no codes.
pub(super) fn codes(line: &str) -> Vec<String> {
    let status: Vec<String> = HTTP.captures_iter(line).map(|parts| parts[1].to_owned()).collect();
    if let Some(request) = HTTP.find(line).filter(|_| !status.is_empty()) {
        let before = NAMED.find_iter(&line[..request.start()]).map(|found| found.as_str());
        let before = before.filter(|code| !is_norm(code)).map(str::to_owned);
        return before.chain(status).collect();
    }
    let named = NAMED.find_iter(line).map(|found| found.as_str()).filter(|code| !is_norm(code));
    let named = named.map(str::to_owned);
    named.chain(CALLED.captures_iter(line).map(|parts| parts[1].to_owned())).collect()
}

fn is_norm(code: &str) -> bool {
    let letters = code.split(|c: char| !c.is_ascii_uppercase()).next().unwrap_or_default();
    NO_CODES.contains(&letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_what_one_filters_by() {
        for (line, expected) in [
            ("E1042 timeout", vec!["E1042"]),
            ("ORA-00942: table or view does not exist", vec!["ORA-00942"]),
            ("net::ERR_CONNECTION_REFUSED", vec!["ERR_CONNECTION_REFUSED"]),
            ("connect ECONNREFUSED 10.0.0.1:80", vec!["ECONNREFUSED"]),
            ("failed with 0x80070005", vec!["0x80070005"]),
            ("SQLSTATE[42S02]: gone", vec!["42S02"]),
            ("error code: 1205, try again", vec!["1205"]),
            ("exited with exit code 137", vec!["137"]),
            ("ip - - [t] \"GET /a HTTP/1.1\" 404 12 \"-\"", vec!["404"]),
            ("=> 47 bytes in 1 msecs (HTTP/1.1 500) 9 headers", vec!["500"]),
            ("bk/web 0/0/7/1457/1487 503 11394 - -", vec!["503"]),
            ("\"GET /v2/servers HTTP/1.1\" status: 202 len: 1893", vec!["202"]),
            ("UTF-8, ISO-8859 and SHA-256 of train G1234 on port 8080", vec![]),
            ("worker::ERROR::2011-12-05 07:04:56 x", vec![]),
            ("\"GET /E1042 HTTP/1.1\" 200 1 \"-\" \"Nokia E2232\"", vec!["200"]),
            ("HV000001: a validator", vec!["HV000001"]),
            ("CVE-2026-12345 found on 20-NOV-2026", vec!["CVE-2026-12345"]),
            ("E1042 upstream \"GET /a HTTP/1.1\" 502", vec!["E1042", "502"]),
        ] {
            assert_eq!(codes(line), expected, "{line}");
        }
    }
}
