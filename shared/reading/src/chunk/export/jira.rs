//! Issues of Jira: the reply of its REST API, and the XML (RSS) of a list of issues.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;
use serde::Deserialize;
use serde_json::Value;

use crate::chunk::grid::{Grid, Row, Tsv};
use crate::chunk::{Extract, html};
use crate::limit::{NAME, label};

#[derive(Deserialize)]
struct Reply {
    issues: Vec<Answered>,
}

#[derive(Deserialize)]
struct Answered {
    key: String,
    fields: Fields,
}

#[derive(Deserialize)]
struct Fields {
    summary: String,
    #[serde(default)]
    description: Value,
    status: Option<Named>,
    issuetype: Option<Named>,
    priority: Option<Named>,
    resolution: Option<Named>,
    assignee: Option<Named>,
    #[serde(default)]
    created: Option<String>,
    #[serde(default)]
    resolutiondate: Option<String>,
    #[serde(default)]
    comment: Comments,
    /// All other fields, also those of the site's own.
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(alias = "displayName")]
    name: String,
}

#[derive(Default, Deserialize)]
struct Comments {
    #[serde(default)]
    comments: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    author: Option<Named>,
    created: Option<String>,
    #[serde(default)]
    body: Value,
}

/// Upper bound for the bytes of a field that is not among the columns.
const OTHER: usize = 2_000;

/// The columns of the issues as records.
const COLUMNS: [&str; 8] =
    ["key", "summary", "type", "status", "priority", "resolution", "assignee", "created"];

/// An issue, whichever form it came in.
#[derive(Default)]
struct Issue {
    /// The values of [`COLUMNS`].
    values: [String; 8],
    resolved: String,
    /// Other fields that have a text, a name or several.
    others: Vec<(String, String)>,
    description: String,
    /// The comments, each with its author and time.
    comments: Vec<(String, String)>,
}

/// Reads a reply with issues, or one issue; `None` for other JSON.
pub(super) fn of_json(text: &str) -> Option<Extract> {
    let issues = serde_json::from_str::<Reply>(text).map(|reply| reply.issues);
    let issues = issues.or_else(|_| serde_json::from_str(text).map(|issue| vec![issue])).ok()?;
    let issues: Vec<Issue> = issues.into_iter().map(Answered::issue).collect();
    Some(written(&issues))
}

impl Answered {
    fn issue(self) -> Issue {
        let Answered { key, fields } = self;
        let name = |named: Option<Named>| named.map(|named| named.name).unwrap_or_default();
        let comment = |answer: Answer| {
            let by = format!("{}, {}", name(answer.author), answer.created.unwrap_or_default());
            (by, text(&answer.body))
        };
        Issue {
            values: [
                key,
                fields.summary,
                name(fields.issuetype),
                name(fields.status),
                name(fields.priority),
                name(fields.resolution),
                name(fields.assignee),
                fields.created.unwrap_or_default(),
            ],
            resolved: fields.resolutiondate.unwrap_or_default(),
            others: fields.others.into_iter().filter_map(other).collect(),
            description: text(&fields.description),
            comments: fields.comment.comments.into_iter().map(comment).collect(),
        }
    }
}

/// Returns a field of which a text can be shown; addresses of the program are none.
fn other((name, value): (String, Value)) -> Option<(String, String)> {
    let shown = |value: &Value| match value {
        Value::String(text) if !text.contains("/rest/api/") => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(fields) if fields.contains_key("content") => Some(text(value)),
        Value::Object(fields) => ["displayName", "name", "value"]
            .iter()
            .find_map(|name| fields.get(*name)?.as_str())
            .map(str::to_owned),
        _ => None,
    };
    let value = match &value {
        Value::Array(values) => values.iter().filter_map(shown).collect::<Vec<_>>().join(", "),
        value => shown(value)?,
    };
    let value = label(&value, OTHER);
    (!value.is_empty()).then_some((name, value))
}

/// Returns a text, or the texts of a document in Atlassian's format, one line for each block.
fn text(value: &Value) -> String {
    let mut all = String::new();
    // Parents are taken before their children, which are pushed in reverse.
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => all.push_str(text),
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) => {
                let is_text = fields.get("type").and_then(Value::as_str) == Some("text");
                if !is_text && !all.is_empty() && !all.ends_with('\n') {
                    all.push('\n');
                }
                open.extend(fields.get("content"));
                open.extend(fields.get("text"));
            }
            _ => {}
        }
    }
    all.trim().to_owned()
}

/// Reads the XML of a list of issues; `None` for other XML.
pub(super) fn of_xml(text: &str) -> Option<Extract> {
    let mut reader = Reader::from_str(text);
    let (mut list, mut path, mut value) = (List::default(), Vec::<String>::new(), String::new());
    loop {
        match reader.read_event().ok()? {
            Event::Eof => break,
            Event::Start(tag) => {
                if tag.name().as_ref() == "comment" {
                    let attribute = |name: &str| {
                        let attribute = tag.try_get_attribute(name).ok().flatten();
                        attribute.map(|attribute| attribute.value.into_owned()).unwrap_or_default()
                    };
                    let by = format!("{}, {}", attribute("author"), attribute("created"));
                    list.issue.comments.push((by, String::new()));
                }
                path.push(tag.name().as_ref().to_owned());
                value.clear();
            }
            Event::Text(text) => value.push_str(&text),
            Event::CData(text) => value.push_str(&text),
            Event::GeneralRef(reference) => {
                let letter = reference.resolve_char_ref().ok().flatten().map(String::from);
                let known = quick_xml::escape::resolve_xml_entity(&reference);
                value.push_str(&letter.or(known.map(str::to_owned)).unwrap_or_default());
            }
            Event::End(_) => {
                let name = path.pop()?;
                list.end(path.last().map(String::as_str), &name, std::mem::take(&mut value));
            }
            _ => {}
        }
    }
    let is_issue = |issue: &Issue| !issue.values[0].is_empty();
    list.issues.first().is_some_and(is_issue).then(|| written(&list.issues))
}

/// The issues of a list that were read, and the one that is being read.
#[derive(Default)]
struct List {
    issues: Vec<Issue>,
    issue: Issue,
}

impl List {
    /// Ends an element that has this text.
    fn end(&mut self, parent: Option<&str>, name: &str, value: String) {
        match (parent, name) {
            (_, "item") => self.issues.push(std::mem::take(&mut self.issue)),
            (Some("item"), "description") => self.issue.description = html::read(&value).text,
            (Some("item"), "resolved") => self.issue.resolved = value,
            (Some("item"), name) => {
                if let Some(place) = COLUMNS.iter().position(|column| *column == name) {
                    value.trim().clone_into(&mut self.issue.values[place]);
                }
            }
            (Some("comments"), "comment") => {
                if let Some((_, text)) = self.issue.comments.last_mut() {
                    *text = html::read(&value).text;
                }
            }
            _ => {}
        }
    }
}

/// Writes issues, each below its key and summary, and as records.
fn written(issues: &[Issue]) -> Extract {
    let mut extract = Extract::default();
    let mut tsv = Tsv::new(COLUMNS.len());
    tsv.push(COLUMNS);
    let mut rows = vec![Row::default()];
    for (number, issue) in (1..).zip(issues) {
        let [key, summary, rest @ ..] = &issue.values;
        let heading = label(&format!("{key}: {summary}"), NAME);
        let fields = COLUMNS[2..].iter().zip(rest).filter(|(_, value)| !value.is_empty());
        let mut lines: Vec<String> =
            fields.map(|(name, value)| format!("{name}: {value}")).collect();
        lines.extend(issue.others.iter().map(|(name, value)| format!("{name}: {value}")));
        if !issue.resolved.is_empty() {
            lines.push(format!("resolved: {}", issue.resolved));
        }
        let piece = extract.cut.pieces.len();
        let text = format!("{key}: {summary}\n{}\n\n{}", lines.join("\n"), issue.description);
        extract.add(&heading, text.trim());
        let start = extract.cut.pieces.get(piece).map_or(0, |piece| piece.range.start);
        let line = extract.text[start..].find('\n').unwrap_or(extract.text.len() - start);
        rows.push(Row { range: start..start + line, number });
        tsv.push(issue.values.iter().map(String::as_str));
        for (by, comment) in &issue.comments {
            extract.add(&heading, &format!("Comment of {by}:\n{comment}"));
        }
    }
    let name = "issues".to_owned();
    extract.grids.push(Grid { name, columns: None, tsv: tsv.text(), rows });
    extract
}

#[cfg(test)]
mod tests;
