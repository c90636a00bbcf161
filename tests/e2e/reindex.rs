//! Tests that documents read by an older reader are indexed again, and can be found meanwhile.

use adapters::Table;
use anyhow::{Context, Result, ensure};
use model::document::document_id;
use plumbline_tests::Stack;
use ports::Documents;
use ports::scope::Scope;
use serde_json::{Value, json};

use crate::Test;
use crate::digest::dynamodb;
use crate::life::folder;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("what an older reader read is indexed again from its file", again),
    ("a second collection is filled beside the first and takes its place", second),
    ("a model reads documents besides the rules", by_model),
    ("only an admin has everyone's documents indexed again", admins),
];

const NOTE: &str = "# Chiller\n\n## Symptoms\n\nThe chiller froze over at night.\n\n\
                    ## Root cause\n\nThe defrost timer had stopped.\n";

fn again(stack: &Stack) -> Result<()> {
    let folder = folder(stack, "chiller", &[("chiller.md", NOTE.into())])?;
    stack.plumbline("cid", &["ingest", &folder.to_string_lossy(), "--knowledge", "user"])?;
    let count = || stack.plumbline("cid", &["reindex", "user", "--only-count"]);
    ensure!(count()? == "1 document up to date\n", "{}", count()?);
    let before = live_version(stack, true)?;
    ensure!(count()?.contains("1 outdated"), "{}", count()?);
    let text = stack.plumbline("cid", &["reindex", "user"])?;
    ensure!(text.contains("1 to be indexed again"), "{text}");
    ensure!(text.ends_with("1 document up to date\n"), "{text}");
    ensure!(live_version(stack, false)? > before, "it has no later version");
    let asked = json!({"question": "chiller froze over", "knowledge": ["user"]});
    let answer = stack.rcca("cid", &asked)?.body;
    ensure!(answer["total_results"] == 1, "{answer}");
    ensure!(answer.to_string().contains("defrost timer had stopped"), "{answer}");
    ensure!(answer["meta"]["degraded"] == json!([]), "{answer}");
    Ok(())
}

/// Returns the live version of the note. With `then_age`, its item is changed to look as if an
/// older reader had read it.
fn live_version(stack: &Stack, then_age: bool) -> Result<String> {
    let table = Table::new(dynamodb(stack)?, stack.fact("table")?);
    let scope = Scope::User("cid".into());
    let document = document_id(&scope, "chiller.md");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let record = table.document(&scope, document).await?.context("no such document")?;
        let mut live = record.live.context("it cannot be found")?;
        live.indexing.reader -= u32::from(then_age);
        if then_age {
            ensure!(table.settle(&scope, document, &live).await?, "it was not noted");
        }
        Ok(live.version)
    })
}

/// Returns options for a second collection with another model; `used` is the one that is searched.
fn two(used: &str) -> [String; 8] {
    let values = [
        "SecondCollection=second".to_owned(),
        "SecondEmbedModel=amazon.titan-embed-text-v2:0".to_owned(),
        "SecondEmbedDimensions=384".to_owned(),
        format!("UseCollection={used}"),
    ];
    let [one, two, three, four] = values;
    let set = || "--set".to_owned();
    [set(), one, set(), two, set(), three, set(), four]
}

fn second(stack: &Stack) -> Result<()> {
    let deploy = |options: &[String]| {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        stack.deploy_with(&options)
    };
    let project = stack.call("ann", "POST /v1/projects", &json!({"name": "Chiller"}))?;
    let project = project.body["project_id"].as_str().context("no project")?.to_owned();
    let base = format!("POST /v1/projects/{project}/decisions");
    let new = json!({"decision": "Replace the defrost timer", "rationale": "It had stopped."});
    ensure!(stack.call("ann", &base, &new)?.status == 200);
    let note = folder(stack, "chiller", &[("chiller.md", NOTE.into())])?;
    stack.plumbline("cid", &["ingest", &note.to_string_lossy(), "--knowledge", "user"])?;
    deploy(&two("first"))?;
    let asked = json!({"question": "chiller froze over", "knowledge": ["user"]});
    ensure!(stack.rcca("cid", &asked)?.body["total_results"] == 1, "searches go on in the first");
    let text = stack.plumbline("ann", &["reindex", "all"])?;
    ensure!(text.contains("decision") && text.contains("to be indexed again"), "{text}");
    let late = folder(stack, "late", &[("late.md", NOTE.replace("hiller", "ompressor").into())])?;
    stack.plumbline("cid", &["ingest", &late.to_string_lossy(), "--knowledge", "user"])?;
    deploy(&two("second"))?;
    let answer = stack.rcca("cid", &asked)?.body;
    ensure!(answer["results"][0]["passage"]["title"] == "Chiller", "{answer}");
    let other = json!({"question": "compressor froze over", "knowledge": ["user"]});
    let answer = stack.rcca("cid", &other)?.body;
    ensure!(answer["results"][0]["passage"]["title"] == "Compressor", "{answer}");
    let related = json!({"decision": "defrost timer"});
    let found = stack.call("ann", &format!("{base}/related"), &related)?;
    ensure!(
        found.body["decisions"].as_array().is_some_and(|found| found.len() == 1),
        "{}",
        found.body
    );
    let text = stack.plumbline("ann", &["reindex", "all", "--only-count"])?;
    ensure!(!text.contains("outdated"), "{text}");
    deploy(&[])?;
    let answer = stack.rcca("cid", &other)?.body;
    ensure!(
        answer["results"][0]["passage"]["title"] == "Compressor",
        "the first has it, too: {answer}"
    );
    Ok(())
}

fn by_model(stack: &Stack) -> Result<()> {
    // Without a name, the chat model is used.
    stack.deploy_with(&["--set", "ReadModel="])?;
    let span = |quote: &str| json!({"passage": "p1", "quote": quote});
    let report = json!({"symptoms": [span("No water came."), span("It burned.")], "root_cause": span("The key was sheared.")});
    let input = json!({"report": report, "questions": ["Why does a pump run dry?"]});
    let form = json!({"toolUseId": "tooluse_test", "name": "document", "input": input});
    let message = json!({"role": "assistant", "content": [{"toolUse": form}]});
    let usage = json!({"inputTokens": 90, "outputTokens": 50, "totalTokens": 140});
    let body = json!({"output": {"message": message}, "stopReason": "tool_use", "usage": usage, "metrics": {"latencyMs": 1}});
    stack.script(&json!({"converse": [{"body": body}]}))?;
    let text = "# Well\n\nNo water came. The key was sheared. So it goes.\n";
    let notes = folder(stack, "well", &[("well.md", text.into())])?;
    stack.plumbline("dee", &["ingest", &notes.to_string_lossy(), "--knowledge", "user"])?;
    stack.script(&Value::Null)?;
    let status = stack.plumbline("dee", &["status", "--knowledge", "user"])?;
    ensure!(status.contains("1 document for a model: 90 tokens read, 50 written"), "{status}");
    let asked = json!({"question": "no water from the well", "knowledge": ["user"]});
    let answer = stack.rcca("dee", &asked)?.body;
    let metadata = &answer["results"][0]["report"];
    ensure!(metadata["root_cause"]["text"] == "The key was sheared.", "{answer}");
    ensure!(!answer.to_string().contains("It burned"), "{answer}");
    stack.deploy_with(&[])
}

fn admins(stack: &Stack) -> Result<()> {
    let all = json!({"knowledge": "all", "only_count": true});
    let token = stack.token("sub=bob")?;
    let refused = stack.call_as(&token, "POST /v1/reindex", &[], &all)?;
    ensure!(refused.status == 403, "{}", refused.body);
    let reply = stack.call("ann", "POST /v1/reindex", &all)?;
    ensure!(reply.status == 200 && reply.body["outdated"] == 0, "{}", reply.body);
    ensure!(reply.body["current"].as_u64().is_some_and(|count| count > 1), "{}", reply.body);
    let unknown = stack.call("ann", "POST /v1/reindex", &json!({"knowledge": "user:bob"}))?;
    ensure!(unknown.status == 422 || unknown.status == 400, "{}", unknown.body);
    Ok(())
}
