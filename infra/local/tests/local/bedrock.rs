//! Bedrock's runtime: embeddings, the scripted model, and its faults.

use serde_json::{Value, json};

use crate::spawn::{Local, delete};

const COHERE: &str = "/model/cohere.embed-v4%3A0/invoke";
const TITAN: &str = "/model/amazon.titan-embed-text-v2%3A0/invoke";
const CONVERSE: &str = "/model/any.chat-model/converse";

fn vector(value: &Value) -> Vec<f32> {
    serde_json::from_value(value.clone()).unwrap()
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(left, right)| left * right).sum()
}

#[test]
fn the_sentences_of_the_model_card_are_as_near_as_it_says() {
    let Some(local) = Local::with_model(&[]) else { return };
    let texts = [
        "That is a happy person",
        "That is a happy dog",
        "That is a very happy person",
        "Today is a sunny day",
    ];
    let request =
        json!({"texts": texts, "input_type": "search_document", "embedding_types": ["float"]});
    let (status, _, answer) = local.post(COHERE, &request);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["response_type"], "embeddings_by_type");
    let vectors: Vec<_> =
        answer["embeddings"]["float"].as_array().unwrap().iter().map(vector).collect();
    for (found, expected) in
        vectors[1..].iter().map(|other| cosine(&vectors[0], other)).zip([0.695, 0.943, 0.257])
    {
        assert!((found - expected).abs() < 0.001, "{found} instead of {expected}");
    }
}

#[test]
fn cohere_and_titan_give_the_same_vector() {
    let Some(local) = Local::with_model(&[]) else { return };
    let (_, _, cohere) =
        local.post(COHERE, &json!({"texts": ["a cracked weld"], "input_type": "search_query"}));
    let (_, _, titan) =
        local.post(TITAN, &json!({"inputText": "a cracked weld", "dimensions": 384}));
    assert_eq!(cohere["response_type"], "embeddings_floats");
    assert_eq!(cohere["embeddings"][0], titan["embedding"]);
    assert_eq!(titan["embeddingsByType"]["float"], titan["embedding"]);
    assert!(titan["inputTextTokenCount"].as_u64().unwrap() >= 5);
}

#[test]
fn a_request_that_bedrock_would_refuse_is_refused() {
    let Some(local) = Local::with_model(&[]) else { return };
    let text = |texts: Value| json!({"texts": texts, "input_type": "search_query"});
    let wrong = [
        (COHERE, text(json!(vec!["a"; 97])), "1 to 96"),
        (COHERE, text(json!([])), "1 to 96"),
        (COHERE, text(json!(["a", " "])), "texts[1]"),
        (COHERE, json!({"texts": ["a"], "input_type": "x"}), "input_type"),
        (
            COHERE,
            json!({"texts": ["a"], "input_type": "search_query", "output_dimension": 1024}),
            "1024",
        ),
        (COHERE, json!({"texts": ["a"], "input_type": "search_query", "images": []}), "images"),
        (TITAN, json!({"inputText": ""}), "inputText"),
        (TITAN, json!({"inputText": "a", "dimensions": 512}), "512"),
        ("/model/acme.unknown/invoke", text(json!(["a"])), "model identifier"),
    ];
    for (path, body, named) in wrong {
        let (status, kind, answer) = local.post(path, &body);
        assert_eq!((status, kind.as_str()), (400, "ValidationException"), "{body}");
        assert!(
            answer["message"].as_str().unwrap().contains(named),
            "{answer} should name {named}"
        );
    }
}

#[test]
fn without_a_model_invoke_is_unavailable() {
    let local = Local::start(&[]);
    let (status, kind, _) =
        local.post(COHERE, &json!({"texts": ["a"], "input_type": "search_query"}));
    assert_eq!((status, kind.as_str()), (503, "ServiceUnavailableException"));
}

#[test]
fn a_script_is_played_call_by_call_and_counted() {
    let local = Local::start(&[]);
    let throttled =
        json!({"status": 429, "type": "ThrottlingException", "message": "slow down", "times": 2});
    let script = json!({"invoke": [throttled, {"delay_ms": 1, "body": {"ready": true}}, {"malformed": true}]});
    assert_eq!(local.post("/script", &script).0, 200);
    for _ in 0..2 {
        let (status, kind, answer) = local.post(COHERE, &json!({}));
        assert_eq!(
            (status, kind.as_str(), &answer),
            (429, "ThrottlingException", &json!({"message": "slow down"}))
        );
    }
    assert_eq!(local.post(COHERE, &json!({})).2, json!({"ready": true}));
    assert_eq!(local.get("/script").1["invoke"].as_array().unwrap().len(), 1);
    assert!(local.post(COHERE, &json!({})).2.is_string());
    assert_eq!(
        local.get("/script").1,
        json!({"invoke": [], "converse": [], "calls": {"invoke": 4, "converse": 0}})
    );
    delete(&format!("{}/script", local.http()));
    assert_eq!(local.get("/script").1["calls"]["invoke"], 0);
}

#[test]
fn a_script_that_makes_no_sense_is_refused() {
    let local = Local::start(&[]);
    for script in [
        json!({"embed": []}),
        json!({"invoke": [{"status": 429, "body": 1}]}),
        json!({"invoke": [{"status": 200}]}),
        json!({"converse": [{"times": 0}]}),
        json!({"converse": [{"dealy_ms": 1}]}),
    ] {
        assert_eq!(local.post("/script", &script).0, 400, "{script}");
    }
}

#[test]
fn an_unscripted_answer_quotes_the_passages_of_the_prompt() {
    let local = Local::start(&[]);
    let prompt = "Why?\n[1] The weld cracked. It was cold.\n[2] A valve froze shut! Nobody saw.";
    let (status, _, answer) = local
        .post(CONVERSE, &json!({"messages": [{"role": "user", "content": [{"text": prompt}]}]}));
    assert_eq!(status, 200);
    let message = &answer["output"]["message"];
    assert_eq!(message["content"][0]["text"], "The weld cracked. [1] A valve froze shut! [2]");
    assert_eq!(
        (&message["role"], &answer["stopReason"]),
        (&json!("assistant"), &json!("end_turn"))
    );
    assert!(
        answer["usage"]["totalTokens"].as_u64().unwrap() > 0
            && answer["metrics"]["latencyMs"].is_u64()
    );
}

/// Returns a question about these passages, to be answered in a form.
fn claims_request(user: &str) -> Value {
    json!({
        "messages": [{"role": "user", "content": [{"text": user}]}],
        "toolConfig": {
            "tools": [
                {"toolSpec": {"name": "search", "inputSchema": {"json": {"type": "object"}}}},
                {"toolSpec": {"name": "claims", "inputSchema": {"json": {"type": "object"}}}},
            ],
            "toolChoice": {"tool": {"name": "claims"}},
        },
    })
}

#[test]
fn an_unscripted_form_claims_the_first_sentence_of_the_first_three_passages() {
    let local = Local::start(&[]);
    let prompt = "<passage id=\"p1\" name=\"pump.log\">\n2026-03-01T10:00:00.250Z pump 1.2 stalled. It was dry.\n</passage>\n\
                  <passage id=\"p2\">\n\nWhy? Nobody looked.\n</passage>\n\
                  <passage id=\"p3\">\n</passage>\n<passage id=\"p4\">\nToo many.\n</passage>\nWhy did it stall?";
    let (status, _, answer) = local.post(CONVERSE, &claims_request(prompt));
    assert_eq!((status, &answer["stopReason"]), (200, &json!("tool_use")), "{answer}");
    let form = &answer["output"]["message"]["content"][0]["toolUse"];
    assert_eq!(form["name"], "claims");
    assert_eq!(
        form["input"],
        json!({"claims": [
            {"text": "2026-03-01T10:00:00.250Z pump 1.2 stalled.", "citations": ["p1"]},
            {"text": "Why?", "citations": ["p2"]},
        ]})
    );
    let (_, _, answer) = local.post(CONVERSE, &claims_request("Nothing was found."));
    let form = &answer["output"]["message"]["content"][0]["toolUse"];
    assert_eq!(form["input"], json!({"claims": []}));
}

#[test]
fn an_unscripted_form_of_grades_lets_everything_pass_or_finds_nothing() {
    let local = Local::start(&[]);
    let graded = |properties: Value| {
        let schema = json!({"type": "object", "properties": properties});
        let mut request = claims_request("Grade.");
        let form = json!({"toolSpec": {"name": "grades", "inputSchema": {"json": schema}}});
        request["toolConfig"] =
            json!({"tools": [form], "toolChoice": {"tool": {"name": "grades"}}});
        let (_, _, answer) = local.post(CONVERSE, &request);
        answer["output"]["message"]["content"][0]["toolUse"]["input"].clone()
    };
    let grade = |highest: u64| json!({"type": "integer", "maximum": highest});
    assert_eq!(graded(json!({"c1": grade(1), "c2": grade(1)})), json!({"c1": 1, "c2": 1}));
    assert_eq!(graded(json!({"p1": grade(3)})), json!({"p1": 3}));
    assert_eq!(graded(json!({"q1": grade(3)})), json!({"q1": 0}));
    assert_eq!(graded(json!({"p1": {"type": "array", "items": grade(12)}})), json!({"p1": 0}));
}

#[test]
fn an_unscripted_form_of_statements_lists_those_that_have_an_options_name() {
    let local = Local::start(&[]);
    let item = json!({"properties": {"option": {"enum": ["o1", "o2"]}}});
    let schema = json!({"properties": {"options": {"type": "array", "items": item}}});
    let mut request = claims_request(
        "<passage id=\"p1\">\n[s1] Tidewire is new. [s2] So is Halyard.\n[s3] Tidewire costs more.\n</passage>\n\n\
         Question: Tidewire or Halyard?\n\nThe options:\no1: Tidewire\no2: Halyard\n",
    );
    let form = json!({"toolSpec": {"name": "statements", "inputSchema": {"json": schema}}});
    request["toolConfig"] =
        json!({"tools": [form], "toolChoice": {"tool": {"name": "statements"}}});
    let (_, _, answer) = local.post(CONVERSE, &request);
    let listed = [("o1", vec!["s1", "s3"]), ("o2", vec!["s2"])];
    let listed = listed.map(|(option, all)| json!({"option": option, "statements": all}));
    let input = &answer["output"]["message"]["content"][0]["toolUse"]["input"];
    assert_eq!(*input, json!({"options": listed}));
}

#[test]
fn a_form_that_bedrock_would_refuse_is_refused() {
    let local = Local::start(&[]);
    let mut unknown = claims_request("Why?");
    unknown["toolConfig"]["toolChoice"]["tool"]["name"] = json!("claim");
    let mut shapeless = claims_request("Why?");
    shapeless["toolConfig"]["tools"][1]["toolSpec"]["inputSchema"] = json!({});
    for (request, named) in [(unknown, "toolChoice"), (shapeless, "toolConfig.tools.1")] {
        let (status, kind, answer) = local.post(CONVERSE, &request);
        assert_eq!((status, kind.as_str()), (400, "ValidationException"));
        assert!(answer["message"].as_str().unwrap().contains(named), "{answer}");
    }
}

#[test]
fn a_script_may_fill_in_a_form_wrongly() {
    let local = Local::start(&[]);
    let form = json!({"toolUseId": "1", "name": "claims", "input": {
        "claims": [{"text": "It took 17 years.", "citations": ["p99"]}],
    }});
    let answer = json!({
        "output": {"message": {"role": "assistant", "content": [{"toolUse": form}]}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": 9, "outputTokens": 9, "totalTokens": 18},
    });
    local.post("/script", &json!({"converse": [{"body": answer}]}));
    let request = claims_request("<passage id=\"p1\">\nIt took 2 hours.\n</passage>");
    assert_eq!(local.post(CONVERSE, &request).2, answer);
    let (_, _, earnest) = local.post(CONVERSE, &request);
    let form = &earnest["output"]["message"]["content"][0]["toolUse"];
    assert_eq!(form["input"]["claims"][0]["text"], "It took 2 hours.");
}
