//! Exports of chats and issue trackers as Markdown: the messages of a Slack channel, the issues of
//! Jira.

use super::Extract;

mod jira;
mod slack;

/// The bytes in which the words of an export are looked for.
const EXAMINED: usize = 16 * 1024;

/// Returns true for a text that a program exported.
pub(crate) fn is_one(text: &str) -> bool {
    let head = text.trim_start();
    let head = &head[..head.floor_char_boundary(EXAMINED)];
    let has = |words: &[&str]| words.iter().all(|word| head.contains(word));
    match head.as_bytes().first() {
        Some(b'[') => has(&["\"type\"", "\"ts\"", "\"message\""]) && slack::read(text).is_some(),
        Some(b'{') => has(&["\"key\"", "\"fields\""]) && jira::of_json(text).is_some(),
        Some(b'<') => has(&["<rss", "<item>", "<key id="]) && jira::of_xml(text).is_some(),
        _ => false,
    }
}

/// Reads an export; nothing of a text that is none.
pub(super) fn read(text: &str) -> Extract {
    let read = slack::read(text).or_else(|| jira::of_json(text));
    read.or_else(|| jira::of_xml(text)).unwrap_or_default()
}
