use aws_credential_types::Credentials;
use aws_sdk_bedrockruntime::config::http::HttpResponse;
use aws_sdk_bedrockruntime::config::{BehaviorVersion, Config, Region};
use aws_sdk_bedrockruntime::error::SdkError;
use aws_sdk_bedrockruntime::operation::converse::ConverseError;
use aws_sdk_bedrockruntime::types::{
    ConverseOutput as Output, TokenUsage, ToolUseBlock, error::ThrottlingException,
};
use aws_smithy_types::body::SdkBody;
use serde_json::json;

use super::*;

fn converse() -> Converse {
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .build();
    Converse::new(Client::from_conf(config), "eu.acme.writer-v1:0")
}

fn prompt(tool: Option<Tool<'_>>) -> Prompt<'_> {
    let (system, user) = ("Cite what you claim.", "Why did the pump stop?");
    Prompt { part: None, system, user, tool, max_tokens: 700, temperature: 0.0 }
}

fn claims(schema: &Value) -> Tool<'_> {
    Tool { name: "claims", description: "What the passages say.", schema }
}

fn form(name: &str, input: &Value) -> ContentBlock {
    let block = ToolUseBlock::builder().tool_use_id("1").name(name).input(json::document(input));
    ContentBlock::ToolUse(block.build().unwrap())
}

fn written(stop: StopReason, blocks: Vec<ContentBlock>) -> ConverseOutput {
    let message = Message::builder().role(ConversationRole::Assistant);
    let message = message.set_content(Some(blocks)).build().unwrap();
    let usage = TokenUsage::builder().input_tokens(900).output_tokens(60).total_tokens(960);
    ConverseOutput::builder()
        .output(Output::Message(message))
        .stop_reason(stop)
        .usage(usage.build().unwrap())
        .build()
        .unwrap()
}

#[test]
fn the_model_is_told_all_of_the_prompt_and_may_do_nothing_but_fill_in_the_form() {
    let schema = json!({"type": "object", "required": ["claims"]});
    let request = converse().request(&prompt(Some(claims(&schema)))).unwrap();
    let request = request.as_input();
    assert_eq!(request.get_model_id().as_deref(), Some("eu.acme.writer-v1:0"));
    let system = request.get_system().clone().unwrap();
    assert_eq!(system, [SystemContentBlock::Text("Cite what you claim.".into())]);
    let messages = request.get_messages().clone().unwrap();
    assert_eq!(messages.len(), 1);
    assert_eq!(messages[0].content(), [ContentBlock::Text("Why did the pump stop?".into())]);
    let inference = request.get_inference_config().clone().unwrap();
    assert_eq!((inference.max_tokens(), inference.temperature()), (Some(700), Some(0.0)));
    let tools = request.get_tool_config().clone().unwrap();
    assert_eq!(tools.tool_choice().unwrap().as_tool().unwrap().name(), "claims");
    let tool = tools.tools()[0].as_tool_spec().unwrap();
    assert_eq!((tool.name(), tool.description()), ("claims", Some("What the passages say.")));
    assert_eq!(json::value(tool.input_schema().unwrap().as_json().unwrap()), schema);
}

#[test]
fn without_a_form_the_model_is_free_to_write() {
    let request = converse().request(&prompt(None)).unwrap();
    assert_eq!(request.get_tool_config(), &None);
    let blocks = vec![ContentBlock::Text("It ran ".into()), ContentBlock::Text("dry.".into())];
    let completion = completion(&written(StopReason::EndTurn, blocks), None).unwrap();
    assert_eq!(completion.content, json!("It ran dry."));
}

#[test]
fn a_form_comes_back_as_it_was_filled_in_with_its_tokens() {
    let input = json!({"claims": [{"text": "It ran dry.", "citations": ["p1"], "sure": true}],
                       "numbers": [0, -3, 2.5, u64::MAX, i64::MIN], "nothing": null});
    let schema = json!({});
    let blocks = vec![ContentBlock::Text("Here:".into()), form("claims", &input)];
    for stop in [StopReason::ToolUse, StopReason::EndTurn] {
        let completion = completion(&written(stop, blocks.clone()), Some(claims(&schema))).unwrap();
        assert_eq!(
            completion,
            Completion { content: input.clone(), tokens_in: 900, tokens_out: 60 }
        );
    }
}

#[test]
fn what_is_cut_off_or_not_the_form_is_no_answer() {
    let schema = json!({});
    let (filled, other) = (form("claims", &json!({})), form("search", &json!({})));
    let cases = [
        (StopReason::MaxTokens, vec![filled.clone()], "it stopped with max_tokens"),
        (
            StopReason::from("guardrail_intervened"),
            vec![filled],
            "it stopped with guardrail_intervened",
        ),
        (StopReason::ToolUse, vec![other], "it did not fill in the form"),
        (
            StopReason::EndTurn,
            vec![ContentBlock::Text("I would rather not.".into())],
            "it did not fill in the form",
        ),
        (StopReason::EndTurn, vec![], "it did not fill in the form"),
    ];
    for (stop, blocks, cause) in cases {
        let found = completion(&written(stop, blocks), Some(claims(&schema)));
        assert_eq!(found.unwrap_err(), cause);
    }
    let blank = written(StopReason::EndTurn, vec![ContentBlock::Text(" \n".into())]);
    assert_eq!(completion(&blank, None).unwrap_err(), "it wrote nothing");
}

#[test]
fn the_log_learns_why_but_nothing_of_what_was_written() {
    let response = || {
        let body = SdkBody::from(r#"{"output": "the badge code is 4711"#);
        HttpResponse::new(200.try_into().unwrap(), body)
    };
    let malformed: SdkError<ConverseError, _> =
        SdkError::response_error("unexpected end of the stream", response());
    assert_eq!(aws::describe(&malformed), "response error: unexpected end of the stream");
    let busy = ThrottlingException::builder().message("slow down").build();
    let busy = SdkError::service_error(ConverseError::ThrottlingException(busy), response());
    assert!(
        aws::describe(&busy).ends_with(": ThrottlingException: slow down"),
        "{}",
        aws::describe(&busy)
    );
    assert!(!aws::describe(&busy).contains("4711"));
}
