//! Tests the life of documents: ingested once, ingested again, changed, unreadable, unknown.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use aws_credential_types::Credentials;
use plumbline_tests::Stack;
use serde_json::json;

use crate::Test;
use crate::case::until;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("ingesting twice is ingesting once", twice),
    ("a new version takes the old one's place, for its owner alone", new_version),
    ("a name and a word are the same in composed and in decomposed letters", decomposed),
    ("what cannot be read is refused with its reason and the rest is indexed", unreadable),
    ("a deleted document is restored, and one that is erased is not", restored),
    ("an object whose key is none of ours ends among the dead letters", unannounced),
];

fn twice(stack: &Stack) -> Result<()> {
    let before = stack.plumbline("ann", &["status"])?;
    let report = stack.plumbline("ann", &["ingest", "tests/corpus"])?;
    ensure!(report.contains("0 documents indexed") && report.contains("0 refused"), "{report}");
    ensure!(stack.plumbline("ann", &["status"])? == before, "{before}");
    Ok(())
}

/// Creates a folder with these files and removes an earlier one with this name.
pub(crate) fn folder(stack: &Stack, name: &str, files: &[(&str, Vec<u8>)]) -> Result<PathBuf> {
    let folder = stack.state.join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    for (file, bytes) in files {
        std::fs::write(folder.join(file), bytes)?;
    }
    Ok(folder)
}

fn decomposed(stack: &Stack) -> Result<()> {
    let bring = |name: &str| {
        let table = "gro\u{308}\u{df}e,teil\n7,Lu\u{308}fter\n";
        let folder = folder(stack, "letters", &[(name, table.into())])?;
        stack.plumbline("nora", &["ingest", &folder.to_string_lossy(), "--knowledge", "user"])
    };
    let report = bring("Ku\u{308}hler.csv")?;
    ensure!(report.contains("1 document indexed"), "{report}");
    let report = bring("K\u{fc}hler.csv")?;
    ensure!(report.contains("0 documents indexed, 1 unchanged"), "{report}");
    let asked = json!({"where": {"gr\u{f6}\u{df}e": 7, "teil": "L\u{fc}fter"}, "select": "count"});
    let reply = stack.call("nora", "POST /v1/users/me/records", &asked)?;
    ensure!(reply.body["totals"]["records"] == 1, "{}", reply.text);
    stack.plumbline("nora", &["delete", "Ku\u{308}hler.csv", "--knowledge", "user"])?;
    Ok(())
}

fn restored(stack: &Stack) -> Result<()> {
    let user =
        |words: &[&str]| stack.plumbline("tess", &[words, &["--knowledge", "user"]].concat());
    let table = "part,price\nseal,7\n".to_owned();
    let folder = folder(stack, "restored", &[("prices.csv", table.into_bytes())])?;
    user(&["ingest", &folder.to_string_lossy()])?;
    let is_counted = |wanted: u64| -> Result<()> {
        let asked = json!({"where": {"part": "seal"}, "select": "count"});
        let reply = stack.call("tess", "POST /v1/users/me/records", &asked)?;
        ensure!(reply.body["totals"]["records"] == wanted, "{}", reply.text);
        Ok(())
    };
    let goes = || -> Result<()> {
        let listed = |reply: &plumbline_tests::Reply| reply.body["documents"] == json!([]);
        until(stack, "tess", "GET /v1/users/me/documents", listed).map(drop)
    };
    is_counted(1)?;
    let told = user(&["delete", "prices.csv"])?;
    ensure!(told.contains("Restore it: plumbline restore"), "{told}");
    goes()?;
    let list = user(&["documents", "--deleted"])?;
    ensure!(list.contains("prices.csv") && list.contains("until"), "{list}");
    user(&["restore", "prices.csv"])?;
    let is_indexed =
        |reply: &plumbline_tests::Reply| reply.body["documents"][0]["status"] == "indexed";
    until(stack, "tess", "GET /v1/users/me/documents", is_indexed)?;
    is_counted(1)?;
    user(&["delete", "prices.csv", "--forever", "--yes"])?;
    goes()?;
    let list = user(&["documents", "--deleted"])?;
    ensure!(list.contains("No document was deleted"), "{list}");
    Ok(())
}

fn new_version(stack: &Stack) -> Result<()> {
    let text = |cause: &str| {
        format!(
            "# Cooling fan\n\n## Symptoms\n\nThe cabinet overheated.\n\n## Root cause\n\nThe fan failed because {cause}.\n"
        )
    };
    let upload = |cause: &str| {
        let folder = folder(stack, "fan", &[("fan note.md", text(cause).into_bytes())])?;
        stack.plumbline("ann", &["ingest", &folder.to_string_lossy(), "--knowledge", "user"])
    };
    let ask = |sub: &str| {
        stack
            .rcca(sub, &json!({"question": "cabinet overheated", "knowledge": ["user"]}))
            .map(|reply| reply.body)
    };
    upload("a cable blocked its blades")?;
    ensure!(ask("ann")?.to_string().contains("a cable blocked its blades"));
    let report = upload("its bearing had run dry")?;
    ensure!(report.contains("1 document indexed"), "{report}");
    let answer = ask("ann")?;
    ensure!(answer["total_results"] == 1, "{answer}");
    let cause = &answer["results"][0]["report"]["root_cause"]["text"];
    ensure!(
        cause.as_str().is_some_and(|text| text.contains("its bearing had run dry")),
        "{answer}"
    );
    ensure!(
        !answer.to_string().contains("blocked its blades"),
        "the old version is still found: {answer}"
    );
    ensure!(crate::found(&ask("bob")?).is_empty(), "another user sees it");
    Ok(())
}

fn unreadable(stack: &Stack) -> Result<()> {
    let files = [
        ("binary.md", vec![0x80, 0x81, 0xff, 0x00]),
        ("blank.md", b" \n\n ".to_vec()),
        ("empty.md", Vec::new()),
        ("long.md", "the pump ran dry again\n".repeat(10_000).into_bytes()),
        ("nul.txt", b"text\0text".to_vec()),
        ("photo.png", vec![1, 2, 3]),
        ("sound.md", b"# Sound\n\nThe horn failed because its membrane tore.".to_vec()),
    ];
    let folder = folder(stack, "mixed", &files)?;
    let ended =
        stack.plumbline("carl", &["ingest", &folder.to_string_lossy(), "--knowledge", "user"]);
    let report = ended.err().context("what was refused is no failure")?.to_string();
    ensure!(report.contains("5 documents not indexed"), "{report}");
    ensure!(report.contains("2 documents indexed, 0 unchanged, 5 refused"), "{report}");
    for line in [
        "binary.md: is not text: byte 3 is NUL",
        "blank.md: holds no text",
        "empty.md: invalid `bytes`: must be more than 0",
        "nul.txt: is not text: byte 4 is NUL",
        "photo.png: invalid `name`: `photo.png` is an image:",
    ] {
        ensure!(report.contains(line), "{line} is not in {report}");
    }
    let status = stack.plumbline("carl", &["status", "--knowledge", "user"])?;
    ensure!(status.contains("failed: 3") && status.contains("indexed: 2"), "{status}");
    Ok(())
}

fn unannounced(stack: &Stack) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (s3, sqs) = (s3(stack)?, sqs(stack)?);
        let dead = stack.fact("dlq_url")?;
        let key = "documents/global/no-document/01J0000000000000000000000A";
        s3.put_object()
            .bucket(stack.fact("bucket")?)
            .key(key)
            .body(b"# nobody announced this".to_vec().into())
            .send()
            .await?;
        for _ in 0..30 {
            // This waits up to ten seconds for a message.
            let got = sqs.receive_message().queue_url(dead).wait_time_seconds(10).send().await?;
            if let Some(message) = got.messages().first() {
                ensure!(
                    message.body().is_some_and(|body| body.contains("no-document")),
                    "{message:?}"
                );
                return Ok(());
            }
        }
        anyhow::bail!("no dead letter came")
    })
}

pub(crate) fn s3(stack: &Stack) -> Result<aws_sdk_s3::Client> {
    use aws_sdk_s3::config::{BehaviorVersion, Config, Region};
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"));
    let config = config
        .credentials_provider(credentials())
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    Ok(aws_sdk_s3::Client::from_conf(
        config.endpoint_url(stack.fact("gateway_url")?).force_path_style(true).build(),
    ))
}

pub(crate) fn sqs(stack: &Stack) -> Result<aws_sdk_sqs::Client> {
    use aws_sdk_sqs::config::{BehaviorVersion, Config, Region};
    let config = Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"));
    let config = config
        .credentials_provider(credentials())
        .http_client(aws_smithy_http_client::Builder::new().build_http());
    Ok(aws_sdk_sqs::Client::from_conf(config.endpoint_url(stack.fact("gateway_url")?).build()))
}

/// Returns the root credentials of the local cloud.
pub(crate) fn credentials() -> Credentials {
    Credentials::new("test", "test", None, None, "test")
}
