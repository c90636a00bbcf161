use std::sync::mpsc::{Receiver, channel};
use std::thread;

use tiny_http::{Header, Server};

use super::*;

const REPLY: &str = r#"{"choices": [{"message": {"role": "assistant", "content": "{\"claims\": []}"}, "finish_reason": "stop"}],
                        "usage": {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}}"#;

/// A server that gives these replies, one a request, and tells what it was sent.
fn server(replies: &'static [(u16, &'static str)]) -> (String, Receiver<(Vec<Header>, Value)>) {
    let server = Server::http("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", server.server_addr());
    let (told, asked) = channel();
    thread::spawn(move || {
        for (status, reply) in replies {
            let mut request = server.recv().unwrap();
            assert_eq!(request.url(), "/v1/chat/completions");
            let body = serde_json::from_reader(request.as_reader()).unwrap();
            told.send((request.headers().to_vec(), body)).unwrap();
            let reply = tiny_http::Response::from_string(*reply).with_status_code(*status);
            request.respond(reply).unwrap();
        }
    });
    (address, asked)
}

fn client(address: &str) -> ChatCompletions {
    let patience = Patience { attempt: Duration::from_mins(1), operation: Duration::from_mins(1) };
    let client = ChatCompletions::of(address, "small", patience).unwrap();
    ChatCompletions { key: Some("sesame".into()), ..client }
}

async fn asked(client: &ChatCompletions, schema: Option<&Value>) -> Result<Completion> {
    let tool = |schema| Tool { name: "claims", description: "What is claimed.", schema };
    let (system, user) = ("Cite what you claim.", "Why did the pump stop?");
    let prompt = Prompt {
        part: None,
        system,
        user,
        tool: schema.map(tool),
        max_tokens: 700,
        temperature: 0.0,
    };
    client.complete(&prompt).await
}

fn cause(result: Result<Completion>) -> String {
    match result {
        Err(Error::Unavailable { cause, .. }) => cause.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_model_is_told_all_of_the_prompt_and_the_schema_of_the_form() {
    let (address, told) = server(&[(200, REPLY)]);
    let schema = json!({"type": "object", "required": ["claims"]});
    let completion = asked(&client(&format!("{address}/")), Some(&schema)).await.unwrap();
    let form = Completion { content: json!({"claims": []}), tokens_in: 900, tokens_out: 60 };
    assert_eq!(completion, form);
    let (headers, body) = told.recv().unwrap();
    let key = headers.iter().find(|header| header.field.equiv("authorization")).unwrap();
    assert_eq!(key.value.as_str(), "Bearer sesame");
    assert_eq!(
        body,
        json!({
            "model": "small", "max_tokens": 700, "temperature": 0.0,
            "messages": [{"role": "system", "content": "Cite what you claim."},
                         {"role": "user", "content": "Why did the pump stop?"}],
            "response_format": {"type": "json_schema", "json_schema": {
                "name": "claims", "description": "What is claimed.", "schema": schema}},
        })
    );
}

#[tokio::test]
async fn without_a_form_the_model_is_free_to_write() {
    let (address, told) = server(&[(200, REPLY)]);
    let completion = asked(&client(&address), None).await.unwrap();
    assert_eq!(completion.content, json!("{\"claims\": []}"));
    assert_eq!(told.recv().unwrap().1.get("response_format"), None);
}

#[tokio::test]
async fn a_model_that_is_busy_is_asked_once_more() {
    let (address, _told) = server(&[(503, "loading"), (200, REPLY)]);
    asked(&client(&address), None).await.unwrap();
    let (address, _told) = server(&[(429, "slow down"), (429, "slow down")]);
    assert!(cause(asked(&client(&address), None).await).starts_with("429 from the server"));
}

#[tokio::test]
async fn what_is_refused_names_what_to_mend_and_tells_nothing_of_the_reply() {
    let cases: &[(&'static [(u16, &str)], &str)] = &[
        (&[(401, "the badge code is 4711")], "CHAT_API_KEY"),
        (&[(404, "the badge code is 4711")], "CHAT_MODEL"),
        (&[(400, "the badge code is 4711")], "response_format"),
        (&[(200, "the badge code is 4711")], "no chat completion"),
    ];
    for (replies, told) in cases {
        let (address, _asked) = server(replies);
        let cause = cause(asked(&client(&address), None).await);
        assert!(cause.contains(told) && !cause.contains("4711"), "{cause}");
    }
    let nobody = client("http://127.0.0.1:1/v1");
    assert!(cause(asked(&nobody, None).await).contains("onnect"));
}

#[tokio::test]
async fn what_is_cut_off_or_not_the_form_is_no_answer() {
    let cases: &[(&'static [(u16, &str)], &str)] = &[
        (&[(200, r#"{"choices": []}"#)], "it wrote nothing"),
        (&[(200, r#"{"choices": [{"message": {"content": null}}]}"#)], "it wrote nothing"),
        (
            &[(
                200,
                r#"{"choices": [{"message": {"content": "{\"cl"}, "finish_reason": "length"}]}"#,
            )],
            "it stopped with length",
        ),
        (
            &[(
                200,
                r#"{"choices": [{"message": {"content": "x"}, "finish_reason": "badge 4711"}]}"#,
            )],
            "it stopped with another reason",
        ),
        (
            &[(
                200,
                r#"{"choices": [{"message": {"content": "I would rather not."}, "finish_reason": "stop"}]}"#,
            )],
            "it did not fill in the form",
        ),
    ];
    for (replies, told) in cases {
        let (address, _asked) = server(replies);
        assert_eq!(cause(asked(&client(&address), Some(&json!({}))).await), *told);
    }
}

#[test]
fn a_key_is_sent_encrypted_or_to_this_machine_alone() {
    let may = |address: &str| may_carry_a_key(&address.parse().unwrap());
    for good in [
        "https://models.example/v1",
        "http://127.0.0.1:8000/v1",
        "http://[::1]:8000/v1",
        "http://localhost/v1",
    ] {
        assert!(may(good), "{good}");
    }
    assert!(!may("http://models.example/v1") && !may("http://10.0.0.7:8000/v1"));
}

#[test]
fn an_address_is_one_of_http() {
    for wrong in ["", "localhost:11434/v1", "ftp://models/v1", "http://a b/v1"] {
        let patience = Patience { attempt: PAUSE, operation: PAUSE };
        let refused = ChatCompletions::of(wrong, "small", patience).err();
        assert!(refused.is_some_and(|error| error.to_string().contains("CHAT_URL")), "{wrong}");
    }
}
