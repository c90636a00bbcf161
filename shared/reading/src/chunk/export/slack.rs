//! A day of a Slack channel: a JSON array of messages.

use std::collections::HashMap;

use jiff::Timestamp;
use model::document::Attributes;
use serde::Deserialize;

use crate::chunk::Extract;
use crate::chunk::split::LARGEST;
use crate::limit::label;

/// Upper bound for the bytes of the heading of a thread.
const HEADING: usize = 100;

#[derive(Deserialize)]
struct Message {
    #[serde(rename = "type")]
    kind: String,
    ts: String,
    #[serde(default)]
    text: String,
    subtype: Option<String>,
    user: Option<String>,
    username: Option<String>,
    user_profile: Option<Profile>,
    thread_ts: Option<String>,
    #[serde(default)]
    files: Vec<File>,
    /// What programs post, such as alerts.
    #[serde(default)]
    attachments: Vec<Attachment>,
}

#[derive(Deserialize)]
struct Attachment {
    pretext: Option<String>,
    title: Option<String>,
    text: Option<String>,
    fallback: Option<String>,
    #[serde(default)]
    fields: Vec<Field>,
}

#[derive(Deserialize)]
struct Field {
    #[serde(default)]
    title: String,
    #[serde(default)]
    value: String,
}

#[derive(Deserialize)]
struct Profile {
    real_name: Option<String>,
}

#[derive(Deserialize)]
struct File {
    name: Option<String>,
}

/// Subtypes of messages that say nothing.
const LEFT_OUT: [&str; 4] = ["channel_join", "channel_leave", "group_join", "group_leave"];

/// Reads the messages, each thread on its own; `None` if they are no messages.
pub(super) fn read(text: &str) -> Option<Extract> {
    let messages: Vec<Message> = serde_json::from_str(text).ok()?;
    let is_message = |message: &Message| message.kind == "message" && message.time().is_some();
    if messages.is_empty() || !messages.iter().all(is_message) {
        return None;
    }
    let time = messages.first().and_then(Message::time).map(|time| time.to_string());
    let stated = Attributes { time, ..Attributes::default() };
    let mut extract = Extract { stated, ..Extract::default() };
    let said = |message: &&Message| {
        !message.subtype.as_deref().is_some_and(|subtype| LEFT_OUT.contains(&subtype))
    };
    // The first message of a thread has its own time as the time of the thread.
    let thread = |message: &Message| message.thread_ts.clone().unwrap_or(message.ts.clone());
    let mut threads: Vec<Vec<&Message>> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for message in messages.iter().filter(said) {
        let place = *places.entry(thread(message)).or_insert(threads.len());
        match threads.get_mut(place) {
            Some(messages) => messages.push(message),
            None => threads.push(vec![message]),
        }
    }
    let mut alone = String::new();
    for messages in threads {
        let lines: Vec<String> = messages.iter().map(|message| message.line()).collect();
        if let [line] = &lines[..] {
            if alone.len() + line.len() > LARGEST {
                extract.add("", &std::mem::take(&mut alone));
            }
            alone.push_str(line);
            alone.push('\n');
            continue;
        }
        extract.add("", &std::mem::take(&mut alone));
        let heading = label(&plain(&messages[0].text()), HEADING);
        extract.add(&heading, &lines.join("\n"));
    }
    extract.add("", &alone);
    Some(extract)
}

impl Message {
    fn time(&self) -> Option<Timestamp> {
        let seconds = self.ts.split('.').next()?.parse().ok()?;
        Timestamp::from_second(seconds).ok()
    }

    /// Returns its text and those of its attachments.
    fn text(&self) -> String {
        let mut text = self.text.clone();
        for attachment in &self.attachments {
            let Attachment { pretext, title, text: own, fallback, fields } = attachment;
            let says_nothing = title.is_none() && own.is_none();
            let parts = [pretext, title, own, if says_nothing { fallback } else { &None }];
            let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
            text.extend(parts.flat_map(|part| [" ", part]));
            text.extend(fields.iter().flat_map(|it| [" ", &it.title, ": ", &it.value]));
        }
        text.trim().to_owned()
    }

    fn line(&self) -> String {
        let name = self.user_profile.as_ref().and_then(|profile| profile.real_name.as_ref());
        let name = name.or(self.username.as_ref()).or(self.user.as_ref());
        let time = self.time().map(|time| time.strftime("%Y-%m-%d %H:%M UTC").to_string());
        let files = self.files.iter().filter_map(|file| file.name.as_ref());
        let files: String = files.flat_map(|name| [" [file ", name, "]"]).collect();
        let name = name.map_or("someone", String::as_str);
        let text = self.text();
        format!("{name} ({}): {}{files}", time.unwrap_or_default(), plain(&text))
    }
}

/// Returns a text without Slack's marks: `<https://a.b|label>` becomes `label (https://a.b)`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let Some((link, behind)) = after.split_once('>') else {
            plain.push('<');
            rest = after;
            continue;
        };
        match link.split_once('|') {
            Some((address, name)) if address.contains("://") => {
                plain.extend([name, " (", address, ")"]);
            }
            Some((_, name)) => plain.push_str(name),
            None => plain.push_str(link),
        }
        rest = behind;
    }
    plain.push_str(rest);
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_together_and_marks_are_gone() {
        let day = r#"[
            {"type": "message", "user": "U1", "user_profile": {"real_name": "Ann"}, "ts": "1772442000.000100",
             "thread_ts": "1772442000.000100", "text": "Pump 7 is dry, see <https://grafana.example/d/7|flow>"},
            {"type": "message", "subtype": "channel_join", "user": "U3", "ts": "1772442030.000100", "text": "joined"},
            {"type": "message", "user": "U3", "ts": "1772442060.000100", "text": "Lunch &amp; coffee?"},
            {"type": "message", "user": "U2", "ts": "1772442120.000100", "thread_ts": "1772442000.000100", "text": "valve was shut"}]"#;
        let extract = read(day).unwrap();
        assert_eq!(
            extract.text,
            "Ann (2026-03-02 09:00 UTC): Pump 7 is dry, see flow (https://grafana.example/d/7)\n\
             U2 (2026-03-02 09:02 UTC): valve was shut\n\nU3 (2026-03-02 09:01 UTC): Lunch & coffee?"
        );
        assert_eq!(
            extract.cut.pieces[0].section,
            ["Pump 7 is dry, see flow (https://grafana.example/d/7)"]
        );
        assert_eq!(extract.stated.time.as_deref(), Some("2026-03-02T09:00:00Z"));
    }

    #[test]
    fn what_a_program_posts_is_read() {
        let alert = r#"[{"type": "message", "username": "Grafana", "ts": "1772442000.000100", "text": "",
            "attachments": [{"title": "[FIRING] Pump 7 dry", "text": "flow 0", "fields": [{"title": "hall", "value": "3"}]}]}]"#;
        let text = read(alert).unwrap().text;
        assert!(text.ends_with("[FIRING] Pump 7 dry flow 0 hall: 3"), "{text}");
    }

    #[test]
    fn other_json_is_no_export() {
        for text in ["[]", "[1]", "{}", r#"[{"type": "message", "ts": "soon"}]"#] {
            assert!(read(text).is_none(), "{text}");
        }
    }
}
