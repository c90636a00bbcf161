//! Properties that hold for every event, whoever wrote it.

use std::time::SystemTime;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use model::Error;
use ports::question::Stamp;
use ports::scope::GroupSettings;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Map, Value, json};
use wire::route::Base;

use crate::call::Call;
use crate::event::Event;
use crate::identity;

static EVENTS: [&str; 4] = [
    include_str!("../../../tests/events/rcca.json"),
    include_str!("../../../tests/events/projects_create.json"),
    include_str!("../../../tests/events/documents_list.json"),
    include_str!("../../../tests/events/digest_message.json"),
];

/// Returns one of these texts with parts cut out, repeated, replaced or inserted.
pub(crate) fn changed(samples: &'static [&'static str]) -> impl Strategy<Value = String> {
    let marks = [
        "\"", "{", "}", "[", "]", ",", ":", "null", "0", "true", "\\u0000", "%C3%28", "+", "=",
        "\u{e9}",
    ];
    let change = (any::<Index>(), 0..20_usize, 0..4_u8, prop::sample::select(marks.to_vec()));
    let all = prop::collection::vec(change, 0..4);
    (prop::sample::select(samples), all).prop_map(|(sample, changes)| {
        let mut bytes = sample.as_bytes().to_vec();
        for (at, length, how, other) in changes {
            let start = at.index(bytes.len() + 1);
            let range = start..bytes.len().min(start + length);
            let (range, others) = match how {
                0 => (range, Vec::new()),
                1 => (start..start, bytes[range].to_vec()),
                2 => (range, other.as_bytes().to_vec()),
                _ => (start..start, other.as_bytes().to_vec()),
            };
            bytes.splice(range, others);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Returns any JSON, with occasional names of groups.
fn json() -> impl Strategy<Value = Value> {
    let name = || prop::sample::select(&["a", "b c", "[a]", "a,b", "knowledge-admins", ""][..]);
    let leaf = prop_oneof![
        4 => name().prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(2, 8, 4, move |inner| {
        let fields = prop::collection::vec((name().prop_map(str::to_owned), inner.clone()), 0..3);
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::from),
            fields.prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn groups() -> GroupSettings {
    GroupSettings { claim: "groups".into(), admins: "knowledge-admins".into(), scope_prefix: None }
}

fn stamp() -> Stamp {
    Stamp { id: "01A".into(), time: "2026-11-20T18:00:00Z".parse().unwrap() }
}

/// Returns an event with these claims, and a token with this content.
fn event(claims: &Value, token: &Value) -> Event {
    let token = format!("Bearer e30.{}.c2ln", BASE64_URL_SAFE_NO_PAD.encode(token.to_string()));
    let context = json!({"authorizer": {"jwt": {"claims": claims}}});
    let event = json!({"headers": {"authorization": token}, "requestContext": context});
    serde_json::from_value(event).unwrap()
}

/// Returns the names that a claim lists, or the single name.
fn listed(claim: &Value) -> Vec<&str> {
    match claim {
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => claim.as_str().into_iter().collect(),
    }
}

proptest! {
    #[test]
    fn any_event_is_of_somebody_or_of_nobody(text in changed(&EVENTS)) {
        let Ok(event) = serde_json::from_str::<Event>(&text) else { return Ok(()) };
        match Call::of(event, stamp(), &groups(), SystemTime::now()) {
            None | Some(Err(Error::Malformed { .. } | Error::Missing { .. })) => {}
            Some(Err(other)) => return Err(TestCaseError::fail(other.to_string())),
            Some(Ok(call)) => {
                prop_assert!(!call.caller.sub.is_empty() && !call.has_time());
                let body = call.json::<Map<String, Value>>();
                let is_read_or_malformed = matches!(body, Ok(_) | Err(Error::Malformed { .. }));
                prop_assert!(is_read_or_malformed);
                let _ = (call.accepts(&["text/html"]), call.scope(Base::Team), call.query("limit"));
            }
        }
    }

    #[test]
    fn nobody_has_a_group_that_their_own_token_does_not_list(
        subs in prop::collection::vec(prop::sample::select(&["ann", "bob", ""][..]), 2),
        claim in json(),
        listed_in_token in json(),
    ) {
        let claims = json!({"sub": subs[0], "groups": claim});
        let token = json!({"sub": subs[1], "groups": listed_in_token});
        let Some(caller) = identity::caller(&event(&claims, &token), &groups()) else {
            prop_assert!(subs[0].is_empty());
            return Ok(());
        };
        let wanted = if subs[0] == subs[1] { listed(&listed_in_token) } else { Vec::new() };
        let wanted: Vec<&str> = wanted.into_iter().filter(|w| !w.is_empty()).collect();
        prop_assert_eq!(caller.groups, wanted);
    }
}
