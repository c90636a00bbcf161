//! One log line for each request and each message: its outcome, with ids that the platform also
//! knows, and figures in `CloudWatch`'s embedded metric format, which needs no call.

use std::io::Write;

use jiff::Timestamp;
use lambda_runtime::Context;
use serde_json::{Map, Value, json};

/// The namespace of all figures, before the name of the stack.
const NAMESPACE: &str = "Plumbline";

/// A figure of a request or message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    /// The name of the unit in `CloudWatch`.
    pub(crate) unit: &'static str,
    pub(crate) value: f64,
}

/// Returns the line of a request or message, with `fields` about it.
pub(crate) fn line(context: &Context, fields: Value, figures: &[Figure]) -> Value {
    let metric = |figure: &Figure| json!({"Name": figure.name, "Unit": figure.unit});
    let metrics: Vec<Value> = figures.iter().map(metric).collect();
    let now = Timestamp::now();
    let mut line = Map::new();
    line.insert("timestamp".into(), json!(now));
    line.insert("level".into(), json!("INFO"));
    line.insert("function".into(), json!(context.env_config.function_name));
    line.insert("invocation_id".into(), json!(context.request_id));
    line.insert("trace_id".into(), json!(context.xray_trace_id));
    if let Value::Object(fields) = fields {
        line.extend(fields);
    }
    line.extend(figures.iter().map(|figure| (figure.name.to_owned(), json!(figure.value))));
    // The figures have no dimension, because each one costs money; the lines identify the
    // functions.
    let directive =
        json!({"Namespace": namespace(context), "Dimensions": [[]], "Metrics": metrics});
    let about = json!({"Timestamp": now.as_millisecond(), "CloudWatchMetrics": [directive]});
    line.insert("_aws".into(), about);
    Value::Object(line)
}

/// Returns the namespace of the stack, so that its alarms read only its own figures. Functions are
/// named `<stack>-<function>`.
fn namespace(context: &Context) -> String {
    let name = &context.env_config.function_name;
    let stack = name.rsplit_once('-').map_or(name.as_str(), |(stack, _)| stack);
    format!("{NAMESPACE}/{stack}")
}

/// Writes a line to the log.
pub(crate) fn write(line: &Value) {
    // If standard output is closed, nobody reads the line.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_ids_and_declares_each_of_its_figures() {
        let mut context = Context::default();
        context.request_id = "i1".into();
        let function_name = "plumbline-dev-rcca".to_owned();
        let function =
            lambda_runtime::Config { function_name, ..lambda_runtime::Config::default() };
        context.env_config = std::sync::Arc::new(function);
        let figures = [
            Figure { name: "Duration", unit: "Milliseconds", value: 12.5 },
            Figure { name: "Degraded", unit: "Count", value: 1.0 },
        ];
        let line = line(&context, json!({"request_id": "r1", "status": 200}), &figures);
        assert_eq!((&line["invocation_id"], &line["request_id"]), (&json!("i1"), &json!("r1")));
        let about = &line["_aws"]["CloudWatchMetrics"][0];
        let names: Vec<&str> = about["Metrics"]
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a["Name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["Duration", "Degraded"]);
        assert!(names.iter().all(|name| line[*name].is_number()));
        assert_eq!(
            (&about["Namespace"], &about["Dimensions"]),
            (&json!("Plumbline/plumbline-dev"), &json!([[]]))
        );
        assert!(line["_aws"]["Timestamp"].is_i64());
    }
}
