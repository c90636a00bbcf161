//! Audit lines: who changed what, and who was shown a secret. They are written at every log level.

use serde_json::{Map, Value, json};
use wire::route::Effect;

use crate::call::Call;
use crate::metric;

/// Writes the line of a request that changes something, whoever sent it and however it ended.
/// `reply` gives the body of the reply, from which the line has the ids of what was made.
pub fn change(call: &Call, status: u16, reply: impl FnOnce() -> Value) {
    if let Some(line) = line_of_change(call, status, reply) {
        metric::write(&line);
    }
}

/// Writes the line of something that the caller was shown: `of` is its id.
pub fn shown(what: &str, call: &Call, of: &str) {
    metric::write(&line(call, &json!({"message": what, "of": of})));
}

/// Returns the line of a request; `None` for one that only reads.
pub(crate) fn line_of_change(
    call: &Call,
    status: u16,
    reply: impl FnOnce() -> Value,
) -> Option<Value> {
    let entry = call.route.entry();
    if entry.effect == Effect::Read {
        return None;
    }
    let reply = reply();
    let of_reply = reply.as_object().into_iter().flatten();
    let ids: Map<String, Value> = of_reply
        .filter(|(name, value)| name.ends_with("_id") && value.is_string())
        .map(|(name, value)| (name.clone(), value.clone()))
        .chain(call.parameters().map(|(name, value)| (name.into(), value.into())))
        .collect();
    let flags: Vec<&str> = call.flags().collect();
    let change = json!({
        "message": entry.name, "effect": entry.effect, "ids": ids, "flags": flags, "status": status,
    });
    Some(line(call, &change))
}

fn line(call: &Call, about: &Value) -> Value {
    let mut line = json!({
        "timestamp": call.stamp.time, "level": "AUDIT", "request_id": call.stamp.id,
        "caller": call.caller.sub, "route": call.route.to_string(),
    });
    if let (Value::Object(line), Value::Object(about)) = (&mut line, about) {
        line.extend(about.clone());
    }
    line
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::time::SystemTime;

    use super::*;
    use crate::Asking;
    use ports::question::Stamp;
    use ports::scope::Caller;
    use wire::route::Route;

    fn call(route: Route) -> Call {
        let caller = Caller {
            sub: "ann".into(),
            groups: Vec::new(),
            scopes: Vec::new(),
            has_key: false,
            admin_group: "admins".into(),
        };
        let entry = route.entry();
        let inside = |part: &str| Some(part.strip_prefix('{')?.strip_suffix('}')?.to_owned());
        let names = entry.path.split('/').filter_map(inside);
        let asking = Asking {
            parameters: names.map(|name| (name.clone(), format!("the {name}"))).collect(),
            query: HashMap::from([
                ("forever".into(), "true".into()),
                ("words".into(), "secret".into()),
            ]),
            ..Asking::of(route)
        };
        let stamp = Stamp { id: "01A".into(), time: jiff::Timestamp::UNIX_EPOCH };
        Call::new(asking, caller, stamp, SystemTime::now())
    }

    #[test]
    fn each_change_is_told_with_its_caller_and_ids_and_no_text() {
        let reply = json!({"project_id": "01P", "name": "pumps", "meta": {"request_id": "01A"}});
        for route in Route::all() {
            let call = call(route);
            let entry = route.entry();
            let line = line_of_change(&call, 200, || reply.clone());
            if entry.effect == Effect::Read {
                assert_eq!(line, None, "{}", entry.name);
                continue;
            }
            let line = line.unwrap();
            assert_eq!((&line["caller"], &line["message"]), (&json!("ann"), &json!(entry.name)));
            assert_eq!((&line["level"], &line["status"]), (&json!("AUDIT"), &json!(200)));
            assert_eq!(line["flags"], json!(["forever"]));
            let told = line["ids"].as_object().unwrap();
            let of_path = entry.path.matches('{').count();
            let created = usize::from(!entry.path.contains("{project_id}"));
            assert_eq!(told.len(), of_path + created, "{}: {line}", entry.name);
            assert!(!line.to_string().contains("pumps") && !line.to_string().contains("secret"));
        }
    }
}
