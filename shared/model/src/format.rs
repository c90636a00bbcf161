//! File formats, and their detection by file name.

/// The format of a document, which decides how it is cut into passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Text with headings and paragraphs.
    Markdown,
    /// Text with paragraphs.
    Plain,
    /// Log records with times.
    Log,
    /// YAML, JSON or TOML, with blocks under outermost keys.
    Config,
    /// Source code with functions and types.
    Code(Language),
    /// A web page.
    Html,
    /// A PDF with pages.
    Pdf,
    /// A document of a word processor, slides, or sheets.
    Office,
}

/// A programming language whose code can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C, and C++ headers as far as they resemble C.
    C,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript, with JSX.
    JavaScript,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// Any other language.
    Other,
}

/// The file extensions that are accepted, by format.
const TAKEN: [(Format, &[&str]); 16] = [
    (Format::Markdown, &["md", "markdown"]),
    (Format::Plain, &["txt", "text", "rst", "adoc", "asciidoc", "org", "csv", "tsv", "xml"]),
    (Format::Log, &["log", "jsonl", "ndjson", "out", "err", "trace"]),
    (
        Format::Config,
        &["yaml", "yml", "json", "toml", "conf", "cfg", "ini", "properties", "env", "cnf"],
    ),
    (Format::Html, &["html", "htm", "xhtml"]),
    (Format::Pdf, &["pdf"]),
    (Format::Office, &["docx", "docm", "doc", "pptx", "pptm", "ppt", "xlsx", "xlsm", "xls"]),
    (Format::Code(Language::C), &["c", "h"]),
    (Format::Code(Language::Go), &["go"]),
    (Format::Code(Language::Java), &["java"]),
    (Format::Code(Language::JavaScript), &["js", "mjs", "cjs", "jsx"]),
    (Format::Code(Language::Python), &["py", "pyi"]),
    (Format::Code(Language::Rust), &["rs"]),
    (Format::Code(Language::TypeScript), &["ts", "mts", "cts"]),
    (Format::Code(Language::Tsx), &["tsx"]),
    (
        Format::Code(Language::Other),
        &[
            "sh", "bash", "zsh", "fish", "ps1", "bat", "rb", "kt", "kts", "sql", "cpp", "cc",
            "cxx", "hpp", "cs", "php", "swift", "scala", "lua", "pl", "pm", "r", "jl", "ex", "exs",
            "erl", "hs", "clj", "dart", "groovy", "gradle", "vue", "svelte", "proto", "graphql",
            "tf", "hcl", "css", "scss",
        ],
    ),
];

/// File names of code without an extension.
const CODE: [&str; 5] = ["dockerfile", "makefile", "jenkinsfile", "justfile", "containerfile"];

/// File names of logs without an extension.
const LOGS: [&str; 4] = ["syslog", "messages", "dmesg", "journal"];

/// The extensions that a rotation adds to a log's name.
const ROTATED: [&str; 5] = ["old", "bak", "prev", "previous", "last"];

const ARCHIVES: [&str; 18] = [
    "zip", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "lz4", "7z", "rar", "tar", "jar", "war",
    "ear", "whl", "iso", "cab",
];
const IMAGES: [&str; 12] =
    ["png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "ico", "heic", "svg", "avif"];
const OFFICE: [&str; 6] = ["odt", "ods", "odp", "rtf", "pages", "numbers"];

/// The number of lines that are checked for objects.
const OBJECTS: usize = 5;

/// The refusal of an archive.
pub const ARCHIVE: &str = "is an archive: unpack it and upload the files in it";
/// The refusal of an image.
pub const IMAGE: &str = "is an image: no text can be read in it; upload the text itself";
/// The refusal of an office document.
pub const OFFICE_DOCUMENT: &str =
    "is an office document of a kind that is not read: save it as docx, xlsx, pptx or PDF";

impl Format {
    /// Returns the refusal of a file whose name has no known format.
    pub fn refusal(name: &str) -> String {
        let file = file(name);
        let ending = ending(file);
        let is =
            |endings: &[&str]| ending.as_deref().is_some_and(|ending| endings.contains(&ending));
        let reason = match () {
            () if is(&ARCHIVES) => ARCHIVE,
            () if is(&IMAGES) => IMAGE,
            () if is(&OFFICE) => OFFICE_DOCUMENT,
            () => {
                let endings = TAKEN.iter().flat_map(|(_, endings)| *endings).copied();
                let endings: Vec<&str> = endings.collect();
                return format!("`{file}` must end in one of {}", endings.join(", "));
            }
        };
        format!("`{file}` {reason}")
    }

    /// Returns true for sentences, as opposed to records, settings or code.
    pub fn is_prose(self) -> bool {
        matches!(
            self,
            Format::Markdown | Format::Plain | Format::Html | Format::Pdf | Format::Office
        )
    }

    /// Returns the format that the text itself shows: a JSON file with one object on each line is a
    /// log.
    #[must_use]
    pub fn detect_in(self, text: &str) -> Format {
        let mut lines =
            text.lines().filter(|line| !line.trim().is_empty()).take(OBJECTS).peekable();
        let is_object = |line: &str| line.starts_with('{') && line.trim_end().ends_with('}');
        let has_several = text.trim().contains('\n') && lines.peek().is_some();
        match self {
            Format::Config if has_several && lines.all(is_object) => Format::Log,
            _ => self,
        }
    }

    /// Returns the format for a name's extension, or for the media type if the name has none.
    pub fn of(name: &str, content_type: &str) -> Option<Format> {
        let file = file(name);
        let Some(ending) = ending(file) else { return of_type(file, content_type) };
        let taken = TAKEN.iter().find(|(_, endings)| endings.contains(&ending.as_str()));
        let refused = [&ARCHIVES[..], &IMAGES, &OFFICE];
        let is_refused = refused.iter().any(|endings| endings.contains(&&*ending));
        match taken {
            Some((format, _)) => Some(*format),
            None if file.starts_with(".env.") => Some(Format::Config),
            None if !is_refused && is_rotated(file, &ending) => Some(Format::Log),
            None => None,
        }
    }
}

fn file(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn ending(file: &str) -> Option<String> {
    file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

/// Returns true for the name of a rotated log: `app.log.2`, `app.log.2026-11-20-18`, `app.log.old`,
/// `syslog.1`.
fn is_rotated(file: &str, ending: &str) -> bool {
    let lower = file.to_ascii_lowercase();
    let mut parts = lower.split('.').rev().skip(1);
    let is_number = ending.len() <= 3 && ending.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = ending.starts_with(|c: char| c.is_ascii_digit())
        && ending.bytes().all(|byte| byte.is_ascii_digit() || b"-_t".contains(&byte));
    let is_set_aside = is_date || ROTATED.contains(&ending) || is_number;
    is_number && !ending.is_empty() || is_set_aside && parts.any(|part| part.ends_with("log"))
}

fn of_type(file: &str, content_type: &str) -> Option<Format> {
    let lower = file.to_ascii_lowercase();
    if LOGS.contains(&lower.as_str()) || lower.ends_with("_log") || lower.ends_with("-log") {
        return Some(Format::Log);
    }
    if CODE.contains(&lower.as_str()) {
        return Some(Format::Code(Language::Other));
    }
    match content_type.split(';').next().unwrap_or_default().trim() {
        "text/markdown" => Some(Format::Markdown),
        "text/html" => Some(Format::Html),
        "application/pdf" => Some(Format::Pdf),
        "text/plain" => Some(Format::Plain),
        "application/x-ndjson" | "application/jsonl" => Some(Format::Log),
        "application/json" | "application/yaml" | "application/toml" => Some(Format::Config),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_the_ending_and_else_by_the_media_type() {
        assert_eq!(Format::of("a/b.MD", ""), Some(Format::Markdown));
        assert_eq!(Format::of("server.log", "text/plain"), Some(Format::Log));
        assert_eq!(Format::of("README", "text/plain; charset=utf-8"), Some(Format::Plain));
        assert_eq!(Format::of("v1.2/README", "text/markdown"), Some(Format::Markdown));
        assert_eq!(Format::of("notes.rst", ""), Some(Format::Plain));
        for name in ["a.conf", "a.INI", "a.properties", "my.cnf", ".env", ".env.local"] {
            assert_eq!(Format::of(name, ""), Some(Format::Config), "{name}");
        }
        assert_eq!(Format::of("src/main.rs", ""), Some(Format::Code(Language::Rust)));
        assert_eq!(Format::of("deploy.SH", ""), Some(Format::Code(Language::Other)));
        assert_eq!(Format::of("Dockerfile", ""), Some(Format::Code(Language::Other)));
        assert_eq!(Format::of("a.htm", ""), Some(Format::Html));
        assert_eq!(Format::of("manual", "application/pdf"), Some(Format::Pdf));
        assert_eq!(Format::of("pump.dat", "text/plain"), None);
    }

    #[test]
    fn logs_that_were_set_aside_are_logs() {
        for name in [
            "kafka0-server.log.2016-12-19-16",
            "access.log.1",
            "postgres.1",
            "app.log.old",
            "app.old.log.bak",
            "caddy_log.1",
            "caddy_log",
            "app-2026.11.20.log",
            "events.ndjson",
            "catalina.out",
            "httpd.err",
            "var/log/syslog",
        ] {
            assert_eq!(Format::of(name, "text/plain"), Some(Format::Log), "{name}");
        }
        for name in ["pump.old", "pump.2026-11-20", "catalog.dat", "app.log.1.gz"] {
            assert_eq!(Format::of(name, "text/plain"), None, "{name}");
        }
    }

    #[test]
    fn what_is_not_taken_is_refused_with_what_to_do_instead() {
        let refusals = [
            ("a/bundle.ZIP", "`bundle.ZIP` is an archive: unpack it and upload the files in it"),
            (
                "server.log.1.gz",
                "`server.log.1.gz` is an archive: unpack it and upload the files in it",
            ),
            (
                "shot.png",
                "`shot.png` is an image: no text can be read in it; upload the text itself",
            ),
            (
                "plan.odt",
                "`plan.odt` is an office document of a kind that is not read: save it as docx, xlsx, pptx or PDF",
            ),
        ];
        for (name, refusal) in refusals {
            assert_eq!(Format::of(name, "text/plain"), None, "{name}");
            assert_eq!(Format::refusal(name), refusal);
        }
        assert!(
            Format::refusal("pump.dat").starts_with("`pump.dat` must end in one of md, markdown")
        );
    }
}
