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
    /// Text with the headings of another markup language than Markdown.
    Markup(Markup),
    /// One mail, or a mailbox.
    Mail,
    /// A Jupyter notebook.
    Notebook,
    /// The messages of a chat or the issues of a tracker, as the program exports them.
    Export,
    /// A file whose name tells no format: its bytes do.
    Unknown,
}

/// A markup language whose headings are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Markup {
    /// `reStructuredText`.
    Rest,
    /// `AsciiDoc`.
    AsciiDoc,
    /// Org.
    Org,
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
const TAKEN: [(Format, &[&str]); 21] = [
    (Format::Markdown, &["md", "markdown"]),
    (Format::Markup(Markup::Rest), &["rst", "rest"]),
    (Format::Markup(Markup::AsciiDoc), &["adoc", "asciidoc", "asc"]),
    (Format::Markup(Markup::Org), &["org"]),
    (Format::Mail, &["eml", "mbox", "mbx"]),
    (Format::Notebook, &["ipynb"]),
    (Format::Plain, &["txt", "text", "csv", "tsv", "xml"]),
    (Format::Log, &["log", "jsonl", "ndjson", "out", "err", "trace"]),
    (
        Format::Config,
        &["yaml", "yml", "json", "toml", "conf", "cfg", "ini", "properties", "env", "cnf"],
    ),
    (Format::Html, &["html", "htm", "xhtml"]),
    (Format::Pdf, &["pdf"]),
    (
        Format::Office,
        &["docx", "docm", "doc", "odt", "pptx", "pptm", "ppt", "odp", "xlsx", "xlsm", "xls", "ods"],
    ),
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

/// File names of code without an extension, also with one before or behind: `Dockerfile.dev`.
const CODE: [&str; 5] = ["dockerfile", "makefile", "jenkinsfile", "justfile", "containerfile"];

/// File names of logs without an extension.
const LOGS: [&str; 4] = ["syslog", "messages", "dmesg", "journal"];

/// The extensions that a rotation adds to a log's name.
const ROTATED: [&str; 5] = ["old", "bak", "prev", "previous", "last"];

/// The file extensions that are refused, each with what to do instead.
const REFUSED: [(&str, &[&str]); 7] = [
    (
        ARCHIVE,
        &[
            "zip", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "lz4", "7z", "rar", "tar",
            "jar", "war", "ear", "whl", "iso", "cab",
        ],
    ),
    (
        IMAGE,
        &["png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff", "ico", "heic", "svg", "avif"],
    ),
    (OFFICE_DOCUMENT, &["rtf", "pages", "numbers", "key", "xlsb", "vsdx", "one", "mpp"]),
    (RECORDING, &["mp3", "wav", "ogg", "flac", "mp4", "mov", "avi", "mkv", "webm"]),
    (PROGRAM, &["exe", "dll", "so", "dylib", "o", "a", "class", "pyc", "wasm", "bin"]),
    ("is a mail of Outlook: save it as eml", &["msg", "pst"]),
    (
        "is a database: export its tables as CSV",
        &["sqlite", "sqlite3", "db", "mdb", "accdb", "parquet"],
    ),
];

/// The refusal of an archive.
pub const ARCHIVE: &str = "is an archive: unpack it and upload the files in it";
/// The refusal of an image.
pub const IMAGE: &str = "is an image: no text can be read in it; upload the text itself";
/// The refusal of an office document.
pub const OFFICE_DOCUMENT: &str =
    "is an office document of a kind that is not read: save it as docx, xlsx, pptx or PDF";
/// The refusal of sounds and films.
pub const RECORDING: &str = "is a recording: upload what is said in it";
/// The refusal of compiled programs.
pub const PROGRAM: &str = "is a program: upload its source";

impl Format {
    /// Returns true for the ending of an office document.
    pub fn is_office(ending: &str) -> bool {
        TAKEN.iter().any(|(format, endings)| *format == Format::Office && endings.contains(&ending))
    }

    /// Returns the name of the format for readers.
    pub fn name(self) -> &'static str {
        match self {
            Format::Markdown => "Markdown",
            Format::Plain => "text",
            Format::Log => "log",
            Format::Config => "settings",
            Format::Code(_) => "source code",
            Format::Html => "web page",
            Format::Pdf => "PDF",
            Format::Office => "office document",
            Format::Markup(Markup::Rest) => "reStructuredText",
            Format::Markup(Markup::AsciiDoc) => "AsciiDoc",
            Format::Markup(Markup::Org) => "Org",
            Format::Mail => "mail",
            Format::Notebook => "notebook",
            Format::Export => "export of messages or issues",
            Format::Unknown => "unknown",
        }
    }

    /// Returns true for sentences, as opposed to records, settings or code.
    pub fn is_prose(self) -> bool {
        !matches!(self, Format::Log | Format::Config | Format::Code(_) | Format::Unknown)
    }

    /// Returns the format for a name's extension, or for the media type if the name has none.
    ///
    /// # Errors
    /// Returns the refusal of a format that is not read, with what to do instead.
    pub fn of(name: &str, content_type: &str) -> Result<Format, String> {
        let file = file(name);
        let lower = file.to_ascii_lowercase();
        if lower.split('.').any(|part| CODE.contains(&part)) {
            return Ok(Format::Code(Language::Other));
        }
        let Some(ending) = ending(file) else { return Ok(of_type(&lower, content_type)) };
        if let Some((format, _)) = TAKEN.iter().find(|(_, endings)| endings.contains(&&*ending)) {
            return Ok(*format);
        }
        if let Some((reason, _)) = REFUSED.iter().find(|(_, endings)| endings.contains(&&*ending)) {
            return Err(format!("`{file}` {reason}"));
        }
        Ok(match () {
            () if file.starts_with(".env.") => Format::Config,
            () if is_rotated(file, &ending) => Format::Log,
            () => of_type(&lower, content_type),
        })
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

/// Returns the format of a file without a known extension.
fn of_type(lower: &str, content_type: &str) -> Format {
    if LOGS.contains(&lower) || lower.ends_with("_log") || lower.ends_with("-log") {
        return Format::Log;
    }
    match content_type.split(';').next().unwrap_or_default().trim() {
        "text/markdown" => Format::Markdown,
        "text/html" => Format::Html,
        "application/pdf" => Format::Pdf,
        "message/rfc822" | "application/mbox" => Format::Mail,
        "application/x-ndjson" | "application/jsonl" => Format::Log,
        "application/json" | "application/yaml" | "application/toml" => Format::Config,
        _ => Format::Unknown,
    }
}

#[cfg(test)]
mod tests;
