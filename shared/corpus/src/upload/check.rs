//! Checks announcements.

use model::format::Format;
use wire::documents::Announcement;

use model::object::LARGEST;
use model::{Error, Result};

/// Upper bound for the characters of a document's name.
const NAME: usize = 512;

/// Refuses an invalid announcement, with the field at fault.
pub(super) fn check(announcement: &Announcement) -> Result<()> {
    let Announcement { name, content_type, bytes, sha256, time, .. } = announcement;
    if name.trim().is_empty() || name.chars().count() > NAME {
        return Err(Error::invalid("name", format!("must have 1 to {NAME} characters")));
    }
    if name.chars().any(char::is_control) {
        return Err(Error::invalid("name", "must not hold control characters"));
    }
    if content_type.is_empty()
        || content_type.len() > 100
        || !content_type.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
    {
        return Err(Error::invalid("content_type", "must be a media type, such as text/markdown"));
    }
    Format::of(name, content_type).map_err(|refusal| Error::invalid("name", refusal))?;
    if *bytes == 0 {
        return Err(Error::invalid(
            "bytes",
            "must be more than 0: an empty document cannot be found",
        ));
    }
    if *bytes > LARGEST {
        return Err(Error::TooLarge { field: "bytes", limit: LARGEST, unit: "bytes" });
    }
    if sha256
        .as_ref()
        .is_some_and(|hash| hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        return Err(Error::invalid("sha256", "must be 64 hexadecimal digits"));
    }
    if time.as_ref().is_some_and(|time| time.parse::<jiff::Timestamp>().is_err()) {
        return Err(Error::invalid(
            "time",
            "must be an RFC 3339 time, such as 2026-11-20T18:00:00Z",
        ));
    }
    check_attributes(announcement)
}

fn check_attributes(announcement: &Announcement) -> Result<()> {
    let Announcement { title, author, standard, language, uri, tags, commit, edition, .. } =
        announcement;
    let texts = [
        ("title", title),
        ("author", author),
        ("standard", standard),
        ("language", language),
        ("uri", uri),
        ("commit", commit),
        ("edition", edition),
    ];
    for (field, text) in texts {
        if text
            .as_ref()
            .is_some_and(|text| text.chars().count() > NAME || text.chars().any(char::is_control))
        {
            return Err(Error::invalid(
                field,
                format!("must have at most {NAME} characters and no control characters"),
            ));
        }
    }
    if tags.len() > 50 || tags.iter().any(|tag| tag.is_empty() || tag.chars().count() > 100) {
        return Err(Error::invalid("tags", "must be at most 50 tags of 1 to 100 characters"));
    }
    Ok(())
}
