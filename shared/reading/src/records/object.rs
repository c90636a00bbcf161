//! Records that are JSON objects: each field is a column, named by its path.

use std::borrow::Cow;

use model::record::LONGEST_VALUE;
use serde_json::Value;

use super::{Cells, add};

/// Upper bound for the bytes of an object that is read.
const LARGEST: usize = 1 << 20;

/// Upper bound for the depth of nested fields that become columns.
const DEPTH: usize = 8;

/// Upper bound for the fields of a record that become columns.
const FIELDS: usize = 120;

/// Upper bound for the bytes of a field's path. It is stored with each field within it.
const LONGEST_NAME: usize = 200;

/// The names of fields, and the column that they become in all files. Names are compared without
/// marks and case.
const COLUMNS: [(&str, &[&str]); 12] = [
    (
        "code",
        &[
            "status",
            "statuscode",
            "edgeresponsestatus",
            "httpstatus",
            "httpstatuscode",
            "responsestatus",
            "sqlstate",
            "errorcode",
        ],
    ),
    (
        "client",
        &["clientip", "remoteip", "remoteaddr", "clientaddress", "sourceip", "ip", "clientaddr"],
    ),
    ("method", &["method", "clientrequestmethod", "httpmethod", "requestmethod", "verb"]),
    (
        "path",
        &["uri", "url", "path", "clientrequesturi", "requesturi", "requestpath", "httptarget"],
    ),
    (
        "bytes",
        &["bytes", "edgeresponsebytes", "bodybytessent", "responsebytes", "bytessent", "size"],
    ),
    ("agent", &["useragent", "clientrequestuseragent", "httpuseragent", "agent"]),
    ("service", &["service", "servicename", "application", "app"]),
    ("host", &["host", "hostname", "clientrequesthost"]),
    ("logger", &["logger", "loggername", "target", "component", "c", "scopename"]),
    ("thread", &["thread", "threadname", "ctx"]),
    ("id", &["traceid", "requestid", "xrequestid", "reqid", "correlationid"]),
    (
        "message",
        &["message", "msg", "shortmessage", "body", "bodystringvalue", "fieldsmessage", "log"],
    ),
];

/// Names that mean these columns only at the outermost level.
const OUTERMOST: [&str; 5] = ["size", "c", "log", "body", "app"];

/// Returns the common column of a field, found by the last part of its path or by all of it.
pub(super) fn column(path: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let (all, last) = (plain(path), plain(path.rsplit('.').next().unwrap_or(path)));
    let is = |text: &String, names: &[&str]| names.contains(&text.as_str());
    let last = if OUTERMOST.contains(&last.as_str()) { all.clone() } else { last };
    let found = COLUMNS.iter().find(|(_, names)| is(&all, names) || is(&last, names));
    found.map(|(column, _)| *column)
}

/// Reads the object that a record consists of or ends in. Returns true if there is one.
pub(super) fn read(text: &str, cells: &mut Cells<'_>) -> bool {
    let Some(start) = text.find('{').filter(|start| *start < 200) else { return false };
    let object = text[start..].trim_end();
    if !object.ends_with('}') || object.len() > LARGEST {
        return false;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(object) else { return false };
    let before = text[..start].trim_end();
    if let Some(service) = before.strip_suffix('|') {
        add(cells, "service", super::value(service).map(owned));
    }
    let mut left = FIELDS;
    let mut path = String::new();
    for (name, value) in &fields {
        flatten(name, value, &mut path, cells, &mut left, DEPTH);
    }
    true
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

fn flatten(
    name: &str,
    value: &Value,
    path: &mut String,
    cells: &mut Cells<'_>,
    left: &mut usize,
    depth: usize,
) {
    if *left == 0 || depth == 0 {
        return;
    }
    let before = path.len();
    if before > 0 {
        path.push('.');
    }
    path.push_str(&name.to_lowercase());
    match value {
        _ if path.len() > LONGEST_NAME => {}
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(name, value, path, cells, left, depth - 1);
            }
        }
        Value::Array(values) => list(values, path, cells, left, depth),
        Value::Null => {}
        Value::Bool(flag) => cell(path, flag.to_string(), cells, left),
        Value::Number(number) => cell(path, number.to_string(), cells, left),
        Value::String(text) => cell(path, text.clone(), cells, left),
    }
    path.truncate(before);
}

/// Reads a list. A list of names with values, as in OpenTelemetry, yields fields of these names;
/// any other list is a text.
fn list(
    values: &[Value],
    path: &mut String,
    cells: &mut Cells<'_>,
    left: &mut usize,
    depth: usize,
) {
    if values.iter().all(|value| !value.is_object() && !value.is_array()) {
        let texts: Vec<String> =
            values.iter().map(|value| value.to_string().replace('"', "")).collect();
        return cell(path, texts.join(", "), cells, left);
    }
    for value in values {
        let Value::Object(fields) = value else { continue };
        let named = fields.get("key").and_then(Value::as_str).zip(fields.get("value"));
        if let Some((name, value)) = named {
            let inner =
                value.as_object().and_then(|fields| fields.values().next()).unwrap_or(value);
            let mut root = String::new();
            flatten(name, inner, &mut root, cells, left, depth - 1);
            continue;
        }
        for (name, value) in fields {
            flatten(name, value, path, cells, left, depth - 1);
        }
    }
}

fn cell(path: &str, text: String, cells: &mut Cells<'_>, left: &mut usize) {
    *left = left.saturating_sub(1);
    let mut text = text;
    text.truncate(text.floor_char_boundary(LONGEST_VALUE));
    if text.is_empty() || text == "-" || text == "--" {
        return;
    }
    let name = match column(path) {
        // A state such as `Pending` is not a code.
        Some("code") if !text.bytes().any(|byte| byte.is_ascii_digit()) => path,
        Some(name) if cells.iter().all(|(cell, _)| cell != name) => name,
        _ if path == "level" => return,
        _ => path,
    };
    add(cells, name, Some(Cow::Owned(text)));
}
