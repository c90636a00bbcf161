//! The OpenAPI 3.1 document.

use serde_json::{Map, Value, json};
use wire::fit::{LeftOut, ListedPassage, PassageNumber};
use wire::meta::Meta;
use wire::problem::{GatewayMessage, Problem};
use wire::route::Entry;

use crate::operation::{Operation, Parameter, Place, Success};
use crate::routes::operations;
use crate::schema::{Definitions, Purpose, SchemaOf};

const SCHEMAS: &str = "/components/schemas";

const ABOUT: &str = "Plumbline answers engineers and their assistants from indexed documents, every statement cited so \
that it can be checked. Ask with a token of the deployment's issuer. Replies are JSON with `meta`: what the request cost, and \
what is missing in the answer. What fails is answered with problem details (RFC 9457); API Gateway's own refusals are a \
`message`.";

/// The statuses with which an operation may fail.
const FAILURES: [u16; 9] = [400, 401, 403, 404, 409, 413, 422, 429, 503];

/// The document; `examples` gives the real reply to an operation, where there is one.
pub fn document(examples: impl Fn(&str) -> Option<Value>) -> Value {
    let mut requests = Definitions::at(SCHEMAS, Purpose::Request);
    let mut replies = Definitions::at(SCHEMAS, Purpose::Reply);
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations() {
        let mut entry = described(&operation);
        if let Some(body) = &operation.body {
            let schema = requests.add(body.schema);
            let media = json!({"schema": schema, "example": body.example});
            entry["requestBody"] =
                json!({"required": true, "content": {"application/json": media}});
        }
        entry["responses"] = responses(&operation, &mut replies, examples(&operation.entry.name));
        let Entry { method, path, .. } = operation.entry;
        paths.entry(path).or_insert_with(|| json!({}))[method.to_lowercase()] = entry;
    }
    let failures: Map<String, Value> = FAILURES
        .iter()
        .map(|status| (status.to_string(), failure(*status, &mut replies)))
        .collect();
    replies.add(SchemaOf::of::<PassageNumber>());
    let (paths, mut schemas) = merged(paths, requests.into_map(), replies.into_map());
    schemas.remove("Place");
    schemas.values_mut().for_each(refer_by_number);
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Plumbline", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT},
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": failures,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    })
}

/// All but the body and the replies.
fn described(operation: &Operation) -> Value {
    let mut entry = json!({
        "operationId": operation.entry.name,
        "tags": [operation.tag],
        "summary": operation.summary,
    });
    if !operation.description.is_empty() {
        entry["description"] = operation.description.into();
    }
    if !operation.parameters.is_empty() {
        entry["parameters"] = operation.parameters.iter().map(parameter).collect();
    }
    if operation.is_public {
        entry["security"] = json!([]);
    }
    entry
}

fn parameter(parameter: &Parameter) -> Value {
    let place = match parameter.place {
        Place::Path => "path",
        Place::Query => "query",
        Place::Header => "header",
    };
    let schema: Value = serde_json::from_str(parameter.schema).unwrap_or(Value::Bool(true));
    json!({
        "name": parameter.name, "in": place, "required": parameter.place == Place::Path,
        "description": parameter.description, "schema": schema,
    })
}

fn responses(operation: &Operation, replies: &mut Definitions, example: Option<Value>) -> Value {
    let mut all = Map::new();
    all.insert(operation.success.status.to_string(), success(&operation.success, replies, example));
    for status in &operation.failures {
        all.insert(status.to_string(), json!({"$ref": format!("#/components/responses/{status}")}));
    }
    Value::Object(all)
}

fn success(success: &Success, replies: &mut Definitions, example: Option<Value>) -> Value {
    let mut content = Map::new();
    if let Some(schema) = success.schema {
        let report = replies.add(schema);
        let meta = replies.add(SchemaOf::of::<Meta>());
        let left_out = replies.add(SchemaOf::of::<LeftOut>());
        let passages = replies.add(SchemaOf::of::<Vec<ListedPassage>>());
        let properties = json!({"meta": meta, "left_out": left_out, "passages": passages});
        let meta = json!({"type": "object", "properties": properties, "required": ["meta"]});
        let schema = if success.has_meta { json!({"allOf": [report, meta]}) } else { report };
        let mut media = json!({"schema": schema});
        if let Some(example) = example {
            media["example"] = example;
        }
        content.insert("application/json".into(), media);
    }
    for media in success.texts {
        let kind = if *media == "application/json" { "object" } else { "string" };
        content.insert((*media).into(), json!({"schema": {"type": kind}}));
    }
    let description =
        if success.status == 202 { "It is accepted, and done later." } else { "It is done." };
    json!({"description": description, "content": content})
}

fn failure(status: u16, replies: &mut Definitions) -> Value {
    let problem = json!({"schema": replies.add(SchemaOf::of::<Problem>())});
    let mut content = json!({"application/problem+json": problem});
    if matches!(status, 401 | 403 | 404 | 413 | 429 | 503) {
        let message = json!({"schema": replies.add(SchemaOf::of::<GatewayMessage>())});
        content["application/json"] = message;
    }
    let mut response = json!({"description": meaning(status), "content": content});
    if status == 429 {
        let seconds = json!({"description": "Seconds until it is worth another try.", "schema": {"type": "integer"}});
        response["headers"] = json!({"retry-after": seconds});
    }
    response
}

fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The body is no JSON of this form.",
        401 => "There is no token, or none that is accepted.",
        403 => "The caller may see this, and not change it.",
        404 => "There is nothing of this id for this caller.",
        409 => {
            "It does not go with what is there: somebody was first, or the state does not allow it."
        }
        413 => "The body, or the file that it announces, is too large.",
        422 => "A field has a value that cannot be; `errors` names the field.",
        429 => "The caller has used up what they may ask for now.",
        _ => "A service that the answer needs does not answer.",
    }
}

/// Has places be numbers of the reply's `passages`, as [`wire::fit::fitted`] lists them.
fn refer_by_number(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref")
                && *reference == format!("#{SCHEMAS}/Place")
            {
                *reference = format!("#{SCHEMAS}/PassageNumber");
            }
            fields.values_mut().for_each(refer_by_number);
        }
        Value::Array(items) => items.iter_mut().for_each(refer_by_number),
        _ => {}
    }
}

/// The types of requests and replies together. A type that is read otherwise than it is written
/// stands twice, with `Input` behind its name where it is read.
fn merged(
    paths: Map<String, Value>,
    requests: Map<String, Value>,
    replies: Map<String, Value>,
) -> (Value, Map<String, Value>) {
    let differ = differing(&requests, &replies);
    let mut paths = Value::Object(paths);
    for operation in paths.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        for entry in operation.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
            if let Some(body) = entry.get_mut("requestBody") {
                renamed(body, &differ);
            }
        }
    }
    let mut schemas = replies;
    for (name, mut schema) in requests {
        renamed(&mut schema, &differ);
        let name = if differ.contains(&name) { format!("{name}Input") } else { name };
        schemas.insert(name, schema);
    }
    (paths, schemas)
}

/// The names of types that are read otherwise than they are written, or name such a type.
fn differing(requests: &Map<String, Value>, replies: &Map<String, Value>) -> Vec<String> {
    let mut differ: Vec<String> = Vec::new();
    loop {
        let before = differ.len();
        for (name, schema) in requests {
            let Some(other) = replies.get(name).filter(|_| !differ.contains(name)) else {
                continue;
            };
            let mut read = schema.clone();
            renamed(&mut read, &differ);
            if read != *other {
                differ.push(name.clone());
            }
        }
        if differ.len() == before {
            return differ;
        }
    }
}

/// Has references to the types in `names` mean those that are read.
fn renamed(value: &mut Value, names: &[String]) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref") {
                let name = reference.rsplit('/').next().unwrap_or_default();
                if names.iter().any(|n| n == name) {
                    reference.push_str("Input");
                }
            }
            fields.values_mut().for_each(|field| renamed(field, names));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| renamed(item, names)),
        _ => {}
    }
}
