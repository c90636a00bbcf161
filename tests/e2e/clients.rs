//! Tests the API with clients that are not ours: the MCP SDK for Python, and schemathesis.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use plumbline_tests::{Stack, root};
use serde_json::{Value, json};

use crate::Test;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("an assistant with an MCP client asks, queries records, decides and reads a trail", assistant),
    ("whoever has no good token learns from /mcp where to get one", challenge),
    ("what fits the OpenAPI document is answered as it says, and nobody sees another's", document),
    ("the OpenAPI document and its page are served to everybody", served),
];

fn assistant(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=mia&groups=ops")?;
    let client = [("PLUMBLINE_URL", stack.fact("api_url")?), ("PLUMBLINE_TOKEN", token.as_str())];
    let text = run("python", &["tests/clients/mcp_client.py"], &client)?;
    ensure!(text.contains("19 tools"), "{text}");
    Ok(())
}

fn challenge(stack: &Stack) -> Result<()> {
    let metadata = stack.send("GET", "/.well-known/oauth-protected-resource/mcp", None, b"")?;
    let again = stack.send("GET", "/.well-known/oauth-protected-resource", None, b"")?;
    ensure!(metadata.status == 200 && metadata.text == again.text, "{}", metadata.text);
    let resource = metadata.body["resource"].as_str().context("no resource")?;
    ensure!(resource.ends_with("/mcp"), "{resource}");
    ensure!(
        metadata.body["authorization_servers"][0] == stack.facts["local_url"],
        "{}",
        metadata.text
    );
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let other = stack.token("sub=mia&aud=somebody-else")?;
    for token in [None, Some("no.token.here"), Some(other.as_str())] {
        let refused = stack.send("POST", "/mcp", token, ping.as_bytes())?;
        ensure!(refused.status == 401, "{token:?}: {}", refused.text);
        ensure!(
            refused.text.contains("/.well-known/oauth-protected-resource/mcp"),
            "{}",
            refused.text
        );
    }
    let known = stack.token("sub=mia")?;
    let answer = stack.send("POST", "/mcp", Some(&known), ping.as_bytes())?;
    ensure!(answer.status == 200 && answer.body["result"].is_object(), "{}", answer.text);
    Ok(())
}

fn document(stack: &Stack) -> Result<()> {
    let folder = stack.state.join("schemathesis");
    std::fs::create_dir_all(&folder)?;
    let entry = |user: &str| -> Result<Value> {
        let token = stack.token(&format!("sub=fuzz-{user}&groups=ops"))?;
        let header = json!({"name": "Authorization", "value": format!("Bearer {token}")});
        Ok(json!({"name": user, "fixedHeaders": [header]}))
    };
    let auth = folder.join("auth.json");
    std::fs::write(&auth, json!({"auth": [entry("ann")?, entry("bob")?]}).to_string())?;
    let auth = auth.to_string_lossy().into_owned();
    let url = stack.fact("api_url")?;
    let arguments = [
        "--config-file",
        "tests/clients/schemathesis.toml",
        "run",
        "infra/openapi.json",
        "--url",
        url,
        "--seed",
        "17",
        "--no-color",
    ];
    let text = run("schemathesis", &arguments, &[("AUTH_FILE", &auth)])?;
    eprintln!("{}", text.lines().rev().take(12).collect::<Vec<_>>().join(" | "));
    Ok(())
}

fn served(stack: &Stack) -> Result<()> {
    let served = stack.send("GET", "/openapi.json", None, b"")?;
    let written: Value =
        serde_json::from_str(&std::fs::read_to_string(root().join("infra/openapi.json"))?)?;
    ensure!(
        served.status == 200 && served.body == written,
        "another document is served: {}",
        served.status
    );
    let examples = run("python", &["tests/clients/examples.py"], &[])?;
    ensure!(examples.contains("examples"), "{examples}");
    let page = stack.send("GET", "/docs", None, b"")?;
    ensure!(
        page.content_type.starts_with("text/html") && page.text.contains("id=\"rcca\""),
        "{}",
        page.status
    );
    Ok(())
}

/// Runs a program of the clients' environment, and returns what it prints.
fn run(program: &str, arguments: &[&str], settings: &[(&str, &str)]) -> Result<String> {
    let program = root().join("target/venv-clients/bin").join(program);
    let mut command = Command::new(&program);
    command.args(arguments).envs(settings.iter().copied()).current_dir(root());
    let output =
        command.output().with_context(|| format!("{} does not start", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{text}\n{complaint}");
    Ok(text)
}

/// The exit code of a check that found no browser.
const NO_BROWSER: i32 = 3;

/// Checks the pages of a folder in Chromium; says so where there is none.
pub(crate) fn in_a_browser(folder: &Path) -> Result<()> {
    let python = root().join("target/venv-clients/bin/python");
    let mut command = Command::new(python);
    command.arg("tests/clients/pages.py").arg(folder).current_dir(root());
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(NO_BROWSER) {
        eprintln!("SKIPPED, pages were not checked in a browser: {text}");
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{text}\n{complaint}");
    Ok(())
}
