//! Properties that hold for every message and all arguments, whoever wrote them.

use std::collections::HashMap;
use std::time::SystemTime;

use lambda::{PlainReply, PlainRequest};
use ports::question::Stamp;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::arguments::{asking, bases};
use crate::protocol::id;
use crate::tools::tools;

/// Messages, of which parts are changed.
const MESSAGES: [&str; 4] = [
    r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_projects", "arguments": {}}}"#,
    r#"{"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}"#,
    r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#,
    r#"[{"jsonrpc": "2.0", "id": 1, "result": {}}]"#,
];

/// Names of arguments that tools have, and of some that none has.
const NAMES: [&str; 14] = [
    "question",
    "knowledge",
    "project_id",
    "max_bytes",
    "queries",
    "filters",
    "passage_id",
    "file",
    "line",
    "limit",
    "cursor",
    "note",
    "reveal",
    "case_id",
];

fn json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just("global".to_owned()),
        Just("case:../x".to_owned()),
        Just("team:a%2Fb".to_owned()),
        "[a-z:/%. \u{0}\u{202e}]{0,12}",
    ];
    let leaf = prop_oneof![
        3 => text.prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let name = prop::sample::select(&NAMES[..]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..9).prop_map(Value::from),
            prop::collection::hash_map(name.prop_map(str::to_owned), inner, 0..4)
                .prop_map(|fields| fields.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

fn request(body: Vec<u8>) -> PlainRequest {
    PlainRequest {
        route: None,
        method: "POST".into(),
        path: "/mcp".into(),
        headers: HashMap::new(),
        body: Ok(body),
        base: "https://api.example".into(),
        keyed: None,
        stamp: Stamp { id: "01A".into(), time: jiff::Timestamp::UNIX_EPOCH },
        deadline: SystemTime::now(),
    }
}

proptest! {
    #[test]
    fn any_arguments_of_a_tool_are_a_request_or_refused(
        tool in 0..tools().len(),
        arguments in prop::collection::hash_map(prop::sample::select(&NAMES[..]), json(), 0..6),
    ) {
        let tool = &tools()[tool];
        let mut arguments: Map<String, Value> =
            arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let Ok((bases, _)) = bases(tool.route, &mut arguments) else { return Ok(()) };
        prop_assert!(!bases.is_empty() && bases.len() <= 8, "{}", bases.len());
        for base in bases {
            let Ok(asked) = asking(tool.route, &base, arguments.clone()) else { continue };
            prop_assert!(!asked.query.contains_key("reveal"), "a tool shows secrets");
            let body: Value = serde_json::from_slice(&asked.body).unwrap();
            let operation = contract::operation(asked.route).unwrap();
            let is_read = operation.body.is_none_or(|known| (known.read)(body.clone()).is_err());
            let notes = body.get("note").is_some_and(|note| note != &json!(false));
            prop_assert!(is_read || !notes, "a tool that reads notes a question: {}", body);
        }
    }

    #[test]
    fn any_message_has_an_id_or_is_refused(
        message in prop::sample::select(&MESSAGES[..]),
        at in 0..160_usize,
        length in 0..20_usize,
        other in prop_oneof![any::<Vec<u8>>(), "[\\[\\]{}\",:0-9a-z]{0,9}".prop_map(String::into_bytes)],
    ) {
        let mut bytes = message.as_bytes().to_vec();
        let start = at.min(bytes.len());
        bytes.splice(start..bytes.len().min(start + length), other);
        match id(&request(bytes)) {
            Ok(id) => prop_assert!(id.is_null() || id.is_number() || id.is_string(), "{id}"),
            Err(PlainReply { status_code, body, .. }) => {
                prop_assert_eq!(status_code, 400);
                let told: Value = serde_json::from_str(&body).unwrap();
                prop_assert!(told["error"]["code"].is_i64(), "{}", body);
            }
        }
    }
}
