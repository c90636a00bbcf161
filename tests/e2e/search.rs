//! Tests `POST /v1/search`, `GET /v1/conflicts` and git work trees.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Reply, Service, Stack};
use serde_json::{Value, json};

use crate::fault::rule;
use crate::project::ok;
use crate::{Test, access};

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a git work tree is ingested by what changed, and its definitions are found", tree),
    ("sources are routed, asked at once and fused", routed),
    ("a source that is late is named, and the others answer", late),
    ("where documents disagree is found by a job and read by who may", conflicts),
    ("a search that cannot be is refused by its field", refused),
];

/// The user who owns the documents of these tests.
const SUB: &str = "sia";

fn git(folder: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "user.name=sia", "-c", "user.email=sia@example.com"]);
    let output = command.args(arguments).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Creates a git work tree with code, prose, an ignored file and a link to the outside.
fn repository(stack: &Stack) -> Result<PathBuf> {
    let folder = stack.state.join("gauge");
    // An earlier run may have left its folder.
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(folder.join("src"))?;
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    write(
        "src/limit.rs",
        "/// Limits callers.\npub struct RateLimiter;\n\nimpl RateLimiter {\n    /// Takes a token.\n    pub fn take_token(&self) -> bool {\n        true\n    }\n}\n",
    )?;
    write("src/valve.rs", "/// Opens the relief valve.\npub fn open_valve() {}\n")?;
    write("README.md", "# Gauge\n\nReads a gauge.\n")?;
    write(".gitignore", "secret.rs\n")?;
    write("secret.rs", "pub fn hidden_from_git() {}\n")?;
    std::os::unix::fs::symlink("/etc/passwd", folder.join("src/link.rs"))?;
    git(&folder, &["init", "-q"])?;
    git(&folder, &["add", "."])?;
    git(&folder, &["commit", "-qm", "first"])?;
    Ok(folder)
}

fn tree(stack: &Stack) -> Result<()> {
    let folder = repository(stack)?;
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text);
    let path = folder.to_string_lossy().into_owned();
    let ingest = || {
        stack
            .plumbline(SUB, &["ingest", &path, "--source", "code", "--knowledge", "user", "--json"])
    };
    let counts = |text: &str| -> Result<Value> { Ok(serde_json::from_str(text)?) };
    let first = counts(&ingest()?)?;
    ensure!(first["indexed"] == 3 && first["deleted"] == 0, "{first}");
    let reasons = first["left_out"].to_string();
    ensure!(
        reasons.contains("symbolic link") && reasons.contains("of a kind that is not read"),
        "{first}"
    );
    write("src/valve.rs", "/// Closes the relief valve.\npub fn close_valve() {}\n")?;
    git(&folder, &["rm", "-q", "README.md"])?;
    git(&folder, &["commit", "-qam", "second"])?;
    let second = counts(&ingest()?)?;
    ensure!(
        second["indexed"] == 1 && second["unchanged"] == 1 && second["deleted"] == 1,
        "{second}"
    );
    let asked =
        |question: &str| ok(search(stack, &json!({"question": question, "knowledge": ["user"]}))?);
    let answer = asked("Where is the rate limiter implemented?")?;
    let best = &answer["results"][0];
    ensure!(best["passage"]["file"] == "gauge/src/limit.rs", "{answer}");
    ensure!(best["symbols"][0]["line"] == 2 && best["sources"] == json!(["code"]), "{best}");
    let text = asked("Where is hidden_from_git defined?")?.to_string();
    ensure!(!text.contains("pub fn hidden_from_git"), "{text}");
    let commit = second["commit"].as_str().context("no commit")?;
    let of_commit =
        json!({"question": "relief valve", "knowledge": ["user"], "filters": {"commit": commit}});
    let answer = ok(search(stack, &of_commit)?)?;
    let names = answer["results"].as_array().context("no results")?.iter();
    let names: Vec<&Value> = names.map(|name| &name["passage"]["file"]).collect();
    ensure!(names == [&json!("gauge/src/valve.rs")], "{names:?}");
    Ok(())
}

fn search(stack: &Stack, body: &Value) -> Result<Reply> {
    stack.ask(SUB, "search", body)
}

/// Ingests a book, a reference and a handbook of the user.
fn documents(stack: &Stack) -> Result<()> {
    for (source, name, text) in [
        (
            "textbook",
            "book.md",
            "# Leader election\n\nThe bully algorithm explains how nodes elect a leader: the one with the highest number wins.\n",
        ),
        (
            "docs",
            "reference.md",
            "# Reference\n\n## Rate limiter\n\nThe rate limiter of the gauge admits at most 600 requests per minute.\n",
        ),
        (
            "guide",
            "handbook.md",
            "# Handbook\n\n## Rate limiter\n\nThe rate limiter of the gauge admits at most 300 requests per minute.\n",
        ),
    ] {
        let folder = stack.state.join("library").join(source);
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(name), text)?;
        let path = folder.to_string_lossy().into_owned();
        stack.plumbline(SUB, &["ingest", &path, "--source", source, "--knowledge", "user"])?;
    }
    Ok(())
}

fn routed(stack: &Stack) -> Result<()> {
    documents(stack)?;
    let question = json!({"question": "Explain the bully algorithm of leader election", "knowledge": ["user"]});
    let answer = ok(search(stack, &question)?)?;
    let asked = answer["routing"]["sources"].as_array().context("no sources")?;
    let is_first = |source: &Value| source["asked"] == "first";
    ensure!(asked.len() == 6 && asked.iter().all(is_first), "{}", answer["routing"]);
    ensure!(answer["results"][0]["passage"]["file"] == "book.md", "{answer}");
    let again = ok(search(stack, &question)?)?;
    ensure!(
        again["meta"]["cache"] == "hit" && again["results"] == answer["results"],
        "{}",
        again["meta"]
    );
    let stranger = ok(stack.ask("eve", "search", &question)?)?;
    ensure!(stranger["results"] == json!([]), "{stranger}");
    let all = json!({"question": "rate limiter of the gauge", "knowledge": ["user"], "sources": ["docs", "guide", "code"]});
    let answer = ok(search(stack, &all)?)?;
    let sides = answer["conflicts"][0]["sides"].as_array().context("no conflict")?;
    ensure!(sides.len() == 2 && answer["conflicts"][0]["kind"] == "quantity", "{answer}");
    ensure!(answer["totals"]["sources_asked"] == 3, "{}", answer["totals"]);
    let output = stack.plumbline(
        SUB,
        &[
            "ask",
            "search",
            "rate limiter of the gauge",
            "--knowledge",
            "user",
            "--source",
            "docs",
            "--source",
            "guide",
        ],
    )?;
    ensure!(output.contains("They disagree") && output.contains("reference.md"), "{output}");
    Ok(())
}

fn late(stack: &Stack) -> Result<()> {
    documents(stack)?;
    // Only the search of that source has its name in the conditions.
    let mut rule = rule(stack, "search", ("/QueryBatch", 9), &json!("hold"))?;
    rule["has"] = json!("textbook");
    let faults = stack.faults(Service::Index, &json!([rule]))?;
    let question =
        json!({"question": "rate limiter", "knowledge": ["user"], "sources": ["textbook", "docs"]});
    let answer = ok(search(stack, &question)?)?;
    ensure!(faults.struck()? > 0, "nothing was held");
    drop(faults);
    ensure!(answer["meta"]["degraded"][0]["part"] == "source: textbook", "{}", answer["meta"]);
    let results = answer["results"].as_array().context("no results")?;
    ensure!(
        !results.is_empty() && results.iter().all(|result| result["sources"] == json!(["docs"])),
        "{answer}"
    );
    let whole = ok(search(stack, &question)?)?;
    ensure!(
        whole["meta"]["cache"] == "miss" && whole["meta"]["degraded"] == json!([]),
        "{}",
        whole["meta"]
    );
    Ok(())
}

fn conflicts(stack: &Stack) -> Result<()> {
    let read = |sub: &str, knowledge: &str| {
        stack.call(sub, &format!("GET /v1/conflicts?knowledge={knowledge}"), &Value::Null)
    };
    ensure!(read("mia", "user")?.status == 404, "no job has run");
    documents(stack)?;
    let event = stack.state.join("conflicts.json");
    std::fs::write(&event, json!({"knowledge": format!("user:{SUB}")}).to_string())?;
    stack.invoke("conflicts", &event.to_string_lossy())?;
    let found = ok(read(SUB, "user")?)?;
    let sides = found["conflicts"][0]["sides"].as_array().context("no conflict")?;
    ensure!(sides.len() == 2 && found["changed_since"] == json!([]), "{found}");
    ensure!(read("eve", "user")?.status == 404 && read("eve", "team:pumps")?.status == 403);
    let output = stack.plumbline(SUB, &["conflicts", "--knowledge", "user"])?;
    ensure!(output.contains("1 conflict") && output.contains("600 requests"), "{output}");
    let folder = stack.state.join("library/guide");
    std::fs::write(folder.join("handbook.md"), "# Handbook\n\nNothing on rates any more.\n")?;
    let path = folder.to_string_lossy().into_owned();
    stack.plumbline(SUB, &["ingest", &path, "--source", "guide", "--knowledge", "user"])?;
    let later = ok(read(SUB, "user")?)?;
    ensure!(later["changed_since"] == json!(["handbook.md"]) && later["outdated"] == 1, "{later}");
    Ok(())
}

fn refused(stack: &Stack) -> Result<()> {
    let case = |body: Value, field: &'static str| access::json_case(&body, 422, field);
    let cases = vec![
        case(json!({"question": "x", "sources": []}), "sources"),
        case(json!({"question": "x", "sources": ["wiki"]}), "sources[0]"),
        case(json!({"question": "x", "context": {"files": [""]}}), "context.files[0]"),
        case(json!({"question": "x", "context": {"errors": [" "]}}), "context.errors[0]"),
        case(json!({"question": "x", "filters": {"colour": "red"}}), "filters.colour"),
    ];
    access::check(stack, "/v1/search", cases)?;
    for question in [
        "what\u{0} is ( [ * ?",
        "Wie wird die Ratenbegrenzung der Anzeige eingestellt?",
        &"word ".repeat(390),
    ] {
        let reply = search(
            stack,
            &json!({"question": question.replace('\u{0}', ""), "knowledge": ["user"]}),
        )?;
        ensure!(reply.status == 200, "{question}: {}", reply.text);
    }
    Ok(())
}
