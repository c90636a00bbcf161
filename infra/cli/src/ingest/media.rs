//! The media type of a file.

/// The media type by the name's ending; where that tells none, by whether the bytes are text.
pub(super) fn media_type(name: &str, bytes: &[u8]) -> &'static str {
    by_ending(name).unwrap_or_else(|| match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => "text/plain",
        _ => "application/octet-stream",
    })
}

fn by_ending(name: &str) -> Option<&'static str> {
    let file = name.rsplit('/').next().unwrap_or(name);
    let (_, ending) = file.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "html" | "htm" => "text/html",
        "pdf" => "application/pdf",
        "json" => "application/json",
        "jsonl" | "ndjson" => "application/x-ndjson",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "doc" => "application/msword",
        "xls" => "application/vnd.ms-excel",
        "ppt" => "application/vnd.ms-powerpoint",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_the_type() {
        for (name, media) in [
            ("a/Pump.MD", "text/markdown"),
            ("page.html", "text/html"),
            ("manual.pdf", "application/pdf"),
            ("events.jsonl", "application/x-ndjson"),
            ("a.d/values.yml", "application/yaml"),
        ] {
            assert_eq!(media_type(name, b"\xff"), media, "{name}");
        }
    }

    #[test]
    fn text_under_any_other_name_is_plain_text() {
        for name in ["broker.log.2026-12-19-16", "postgres.1", "main.rs", "Makefile", "a.d/hosts"] {
            assert_eq!(media_type(name, "naïve".as_bytes()), "text/plain", "{name}");
            assert_eq!(media_type(name, b"\x1f\x8b\x08"), "application/octet-stream", "{name}");
            assert_eq!(media_type(name, b"a\0b"), "application/octet-stream", "{name}");
        }
    }
}
