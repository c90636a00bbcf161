use super::*;
use crate::tools::tools;
use wire::route::AnswerRoute;

fn route(tool: &str) -> RouteOf {
    tools().iter().find(|entry| entry.name == tool).unwrap().route
}

fn of(tool: &str, arguments: Value) -> Result<Asking, String> {
    let Value::Object(mut arguments) = arguments else { panic!() };
    let (bases, _) = bases(route(tool), &mut arguments)?;
    asking(route(tool), &bases[0], arguments)
}

#[test]
fn whose_documents_are_meant_chooses_the_route() {
    let asked = |knowledge: &str| {
        of("answer_question", json!({"knowledge": knowledge, "question": "why?"})).map(|o| o.route)
    };
    assert_eq!(asked("global").unwrap(), Route::Answer(AnswerRoute::AnswerFrom(Base::Global)));
    assert_eq!(asked("user").unwrap(), Route::Answer(AnswerRoute::AnswerFrom(Base::User)));
    assert_eq!(asked("team:ops").unwrap(), Route::Answer(AnswerRoute::AnswerFrom(Base::Team)));
    for wrong in ["", "all", "case", "case:", "global:1", "user:ann"] {
        assert!(asked(wrong).unwrap_err().contains("`knowledge`"), "{wrong}");
    }
}

#[test]
fn each_kind_of_knowledge_base_that_a_tool_takes_has_its_file() {
    let file = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/knowledge");
        let text = std::fs::read_to_string(format!("{folder}/{name}.toml"));
        (format!("{name}.toml"), text.unwrap_or_else(|error| panic!("{name}: {error}")))
    };
    for value in ["global", "user", "case:01J", "team:01J"] {
        let kind = value.split(':').next().unwrap();
        let bases = answers::KnowledgeBases::parse(&[file(kind)]).unwrap();
        let scope = ports::scope::Scope::parse(value);
        let scope = scope.or_else(|| ports::scope::Scope::parse(&format!("{value}:ann")));
        assert!(bases.base_of(&scope.unwrap()).is_some(), "{value}");
        for tool in tools().iter().filter(|tool| tool.route.is_of_base()) {
            let mut given = json!({"knowledge": value});
            if tool.name == "read_passage" {
                given["passage_id"] = json!("a");
            }
            assert!(of(tool.name, given).is_ok(), "{}: {value}", tool.name);
        }
    }
}

#[test]
fn arguments_go_into_path_query_headers_and_body() {
    let given =
        json!({"project_id": "01P", "idempotency_key": "k", "decision": "d", "rationale": "r"});
    let asking = of("record_decision", given).unwrap();
    assert_eq!(asking.parameters["project_id"], "01P");
    assert_eq!(asking.headers["idempotency-key"], "k");
    let body: Value = serde_json::from_slice(&asking.body).unwrap();
    let knowledge = json!(["global", "user"]);
    assert_eq!(body, json!({"decision": "d", "rationale": "r", "knowledge": knowledge}));
    let asking = of("list_projects", json!({"limit": 5, "cursor": null})).unwrap();
    assert_eq!((asking.query["limit"].as_str(), asking.query.contains_key("cursor")), ("5", false));
}

#[test]
fn a_part_of_the_path_must_be_there() {
    for given in [json!({}), json!({"project_id": null}), json!({"project_id": ""})] {
        assert_eq!(of("read_trail", given).unwrap_err(), "`project_id` is missing");
    }
}

#[test]
fn what_is_no_argument_is_refused() {
    let refused = of("list_projects", json!({"question": "why?"})).unwrap_err();
    assert_eq!(refused, "`question` is no argument of this tool");
    let refused =
        of("read_passage", json!({"knowledge": "global", "passage_id": "a", "reveal": "true"}));
    assert!(refused.unwrap_err().contains("`reveal`"));
}

#[test]
fn every_tool_has_an_operation_and_a_schema_whose_references_lead_somewhere() {
    for tool in tools() {
        let input = Value::Object(input_schema(tool.route));
        assert_eq!(input["type"], "object", "{}", tool.name);
        let text = input.to_string();
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(input.pointer(pointer).is_some(), "{}: {pointer}", tool.name);
        }
    }
}

#[test]
fn all_tools_are_listed_in_25_kilobytes() {
    let tools = serde_json::to_vec(crate::tools::listed(&[])).unwrap();
    assert!(tools.len() <= 25_000, "{}", tools.len());
}

#[test]
fn a_knowledge_base_may_be_named_alone_or_in_a_list() {
    for knowledge in [json!("team:ops"), json!(["team:ops"])] {
        let asked =
            of("answer_question", json!({"knowledge": knowledge, "question": "why?"})).unwrap();
        assert_eq!(asked.parameters["team_id"], "ops");
        let asked =
            of("find_past_failures", json!({"knowledge": knowledge, "question": "why?"})).unwrap();
        let body: Value = serde_json::from_slice(&asked.body).unwrap();
        assert_eq!(body["knowledge"], json!(["team:ops"]));
    }
    let named = |arguments: Value| {
        let Value::Object(mut arguments) = arguments else { panic!() };
        bases(route("answer_question"), &mut arguments)
    };
    let both = vec!["global".to_owned(), "user".into()];
    assert_eq!(named(json!({"knowledge": ["global", "user", "user"]})), Ok((both.clone(), true)));
    assert_eq!(named(json!({})), Ok((both, false)));
    for wrong in [json!([]), json!(7), json!([7])] {
        assert!(named(json!({"knowledge": wrong})).is_err());
    }
}

#[test]
fn a_call_gets_few_bytes_and_what_only_reads_notes_nothing_whatever_it_says() {
    let body_of = |tool: &str, arguments: Value| -> Value {
        serde_json::from_slice(&of(tool, arguments).unwrap().body).unwrap()
    };
    let body = |arguments: Value| body_of("find_past_failures", arguments);
    let plain = body(json!({"question": "why?", "project_id": "01P"}));
    assert_eq!((&plain["max_bytes"], &plain["note"]), (&json!(4_000), &json!(false)));
    let asked = body(json!({"question": "why?", "max_bytes": 900, "note": true}));
    assert_eq!((&asked["max_bytes"], &asked["note"]), (&json!(900), &json!(false)));
    let noted = body_of("note_question", json!({"project_id": "01P", "question": "why?"}));
    assert_eq!(noted, json!({"question": "why?"}));
    let created = of("create_project", json!({"name": "Pumps"})).unwrap();
    assert!(!String::from_utf8(created.body).unwrap().contains("max_bytes"));
}
