//! Tests signing in through the browser, checking a deployment, and reading a cited passage with
//! and without its secrets.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use plumbline_tests::{Stack, root};
use qdrant_client::qdrant::{
    DeletePayloadPointsBuilder, GetPointsBuilder, PointId, PointsIdsList, SetPayloadPointsBuilder,
};
use qdrant_client::{Payload, Qdrant};
use serde_json::{Value, json};

use crate::Test;
use crate::fault::runtime;

pub(crate) const TESTS: &[(&str, Test)] = &[
    ("a sign-in through the browser is kept, renewed and forgotten", sign_in),
    ("doctor says what does not work and what to do", doctor),
    ("secrets in a passage are shown to those who may read it and ask for them", reveal),
];

/// A user with their own configuration folder.
struct Person<'s> {
    stack: &'s Stack,
    home: PathBuf,
}

impl Person<'_> {
    fn new(stack: &Stack) -> Result<Person<'_>> {
        let home = stack.state.join("home");
        if home.exists() {
            std::fs::remove_dir_all(&home)?;
        }
        Ok(Person { stack, home })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(root().join("target/debug/plumbline"));
        command.args(arguments);
        command.env("XDG_CONFIG_HOME", &self.home).env("XDG_DATA_HOME", &self.home);
        command.env_remove("PLUMBLINE_URL").env_remove("PLUMBLINE_TOKEN");
        command
    }

    /// Runs a command; returns true if it succeeded, and all its output.
    fn run(&self, arguments: &[&str]) -> Result<(bool, String)> {
        let output = self.command(arguments).output()?;
        let bytes = [output.stdout, output.stderr].concat();
        Ok((output.status.success(), String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn file(&self) -> PathBuf {
        self.home.join("plumbline/session.json")
    }

    fn session(&self) -> Result<Value> {
        Ok(serde_json::from_slice(&std::fs::read(self.file())?)?)
    }

    /// Runs `plumbline login` and acts as the browser for the issuer.
    fn sign_in(&self, who: &str) -> Result<String> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port().to_string();
        let (url, issuer) = (self.stack.fact("api_url")?, self.stack.fact("local_url")?);
        let arguments = [
            "login",
            "--url",
            url,
            "--issuer",
            issuer,
            "--client-id",
            "cli",
            "--no-browser",
            "--port",
            &port,
        ];
        let mut command = self.command(&arguments);
        let mut login = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let stderr = login.stderr.take().context("login has no stderr")?;
        let mut stderr = BufReader::new(stderr);
        stderr.read_line(&mut line)?;
        let Some(address) = line.trim().strip_prefix("Sign in here: ") else {
            bail!("login printed no address: {line}");
        };
        let page = ureq::get(format!("{address}&{who}")).call()?.body_mut().read_to_string()?;
        let mut text = String::new();
        stderr.read_to_string(&mut text)?;
        login.stdout.take().context("login has no stdout")?.read_to_string(&mut text)?;
        ensure!(login.wait()?.success(), "{text}");
        ensure!(page.starts_with("You are signed in."), "{page}");
        Ok(text)
    }
}

fn mode(file: &Path) -> Result<u32> {
    Ok(std::fs::metadata(file)?.permissions().mode() & 0o777)
}

fn sign_in(stack: &Stack) -> Result<()> {
    let person = Person::new(stack)?;
    let (is_well, text) = person.run(&["status"])?;
    ensure!(!is_well && text.contains("nobody is signed in: run plumbline login"), "{text}");

    let text = person.sign_in("login_hint=ann&groups=ops,knowledge-admins")?;
    ensure!(text.starts_with("Signed in to http://"), "{text}");
    ensure!(mode(&person.file())? == 0o600, "others may read the token");
    let (is_well, text) = person.run(&["status"])?;
    ensure!(is_well && text.contains("indexed: "), "{text}");

    let (is_well, text) = person.run(&["status", "--url", "https://elsewhere.example.com"])?;
    ensure!(!is_well && text.contains("you are signed in to http://"), "{text}");

    let mut ended = person.session()?;
    let before = ended["token"].clone();
    ended["expires_at"] = json!("2026-01-01T00:00:00Z");
    ended["token"] = json!("ended");
    std::fs::write(person.file(), ended.to_string())?;
    let (is_well, text) = person.run(&["doctor"])?;
    ensure!(is_well && text.contains("of ann, good for 5"), "{text}");
    let renewed = person.session()?;
    ensure!(renewed["token"] != "ended" && !before.is_null(), "the token is not renewed");
    ensure!(mode(&person.file())? == 0o600, "others may read the renewed token");

    ended["refresh_token"] = json!("forged");
    std::fs::write(person.file(), ended.to_string())?;
    let (is_well, text) = person.run(&["status"])?;
    ensure!(!is_well && text.contains("the session cannot be renewed: sign in again"), "{text}");

    ensure!(person.run(&["logout"])? == (true, "Signed out.\n".into()));
    ensure!(!person.file().exists());
    Ok(())
}

fn doctor(stack: &Stack) -> Result<()> {
    let token = stack.token("sub=ann&groups=ops,knowledge-admins")?;
    let text = stack.plumbline_as(&token, &["doctor"])?;
    let lines =
        ["ok     address", "ok     token", "ok     groups", "ok     model", "ok     collection"];
    for line in lines {
        ensure!(text.contains(line), "{line}: {text}");
    }
    ensure!(text.contains("ops, knowledge-admins; may fill everyone's knowledge base"), "{text}");

    stack.script(&json!({"invoke": [{"status": 403, "type": "AccessDeniedException", "message": "no access to the model", "times": 1}]}))?;
    let failed = stack.plumbline_as(&token, &["doctor"]).unwrap_err().to_string();
    stack.script(&Value::Null)?;
    ensure!(
        failed.contains("wrong  model") && failed.contains("AccessDeniedException"),
        "{failed}"
    );
    ensure!(failed.contains("ask for access to it in the Bedrock console"), "{failed}");

    let changed = format!("{token}x");
    let failed = stack.plumbline_as(&changed, &["doctor"]).unwrap_err().to_string();
    ensure!(failed.contains("wrong  token") && failed.contains("plumbline login"), "{failed}");
    Ok(())
}

const SECRET: &str = "Kx81-hunter2-Wq";

fn reveal(stack: &Stack) -> Result<()> {
    let folder = stack.state.join("reveal");
    std::fs::create_dir_all(&folder)?;
    let text = format!(
        "# Standby database\n\nThe replica of the ledger starts with the password: {SECRET} and port 5433.\n"
    );
    std::fs::write(folder.join("standby.md"), text)?;
    stack.plumbline("rita", &["ingest", &folder.to_string_lossy(), "--knowledge", "user"])?;
    let question = json!({"question": "With which port does the replica of the ledger start?"});
    let answer = stack.call("rita", "POST /v1/users/me/answer", &question)?;
    ensure!(answer.status == 200 && !answer.text.contains(SECRET), "{}", answer.text);
    let id =
        answer.body["read"][0]["passage"]["passage_id"].as_str().context("no passage is read")?;

    let path = format!("/v1/users/me/passages?passage_id={id}");
    let masked = stack.call("rita", &format!("GET {path}"), &Value::Null)?;
    ensure!(masked.body["is_masked"] == true && !masked.text.contains(SECRET), "{}", masked.text);
    let open = stack.call("rita", &format!("GET {path}&reveal=true"), &Value::Null)?;
    ensure!(open.body["text"].as_str().is_some_and(|text| text.contains(SECRET)), "{}", open.text);
    ensure!(open.body["hash"] == masked.body["hash"], "the hashes differ");

    for reveal in ["", "&reveal=true"] {
        let other = stack.call("sam", &format!("GET {path}{reveal}"), &Value::Null)?;
        ensure!(other.status == 404, "{}", other.text);
    }
    let odd = stack.call("rita", &format!("GET {path}&reveal=1"), &Value::Null)?;
    ensure!(odd.status == 400, "{}", odd.text);
    let masked = stack.plumbline("rita", &["passage", "user", id])?;
    ensure!(masked.contains("--reveal shows them") && !masked.contains(SECRET), "{masked}");
    ensure!(stack.plumbline("rita", &["passage", "user", id, "--reveal"])?.contains(SECRET));
    unmasked(stack, id)
}

/// Shows by no route and no tool a secret that the ingest wrote before it masked any.
fn unmasked(stack: &Stack, id: &str) -> Result<()> {
    unmask(stack, id)?;
    let asked = json!({"question": "Which password does the replica of the ledger start with?"});
    let (mut of_user, mut of_tool) = (asked.clone(), asked.clone());
    (of_user["knowledge"], of_tool["knowledge"]) = (json!(["user"]), json!("user"));
    let tool = |name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let passages = format!("GET /v1/users/me/passages?passage_id={id}");
    for (route, body) in [
        (&*passages, Value::Null),
        ("POST /v1/users/me/answer", asked.clone()),
        ("POST /v1/rcca", of_user.clone()),
        ("POST /v1/explore", of_user.clone()),
        ("POST /v1/search", of_user),
        ("POST /mcp", tool("read_passage", json!({"knowledge": "user", "passage_id": id}))),
        ("POST /mcp", tool("answer_question", of_tool)),
    ] {
        let reply = stack.call("rita", route, &body)?;
        ensure!(reply.status == 200 && !reply.text.contains(SECRET), "{route}: {}", reply.text);
    }
    let shown = stack.plumbline("rita", &["passage", "user", id])?;
    ensure!(shown.contains("port 5433") && !shown.contains(SECRET), "{shown}");
    Ok(())
}

/// Makes a point as the ingest wrote it before it masked secrets.
fn unmask(stack: &Stack, id: &str) -> Result<()> {
    let (url, name) = (stack.fact("qdrant_url")?, stack.fact("qdrant_collection")?);
    let ids = || PointsIdsList { ids: vec![PointId::from(id)] };
    runtime()?.block_on(async {
        let client = Qdrant::from_url(url).skip_compatibility_check().build()?;
        let point = GetPointsBuilder::new(name, ids().ids).with_payload(true);
        let point =
            client.get_points(point).await?.result.into_iter().next().context("no point")?;
        let original = point.payload["original"].as_str().context("no original")?;
        let original: Value = serde_json::from_str(original)?;
        let text = original["text"].as_str().context("no text")?;
        ensure!(text.contains(SECRET), "{text}");
        let text = Payload::from(HashMap::from([("text", text.into())]));
        let set = SetPayloadPointsBuilder::new(name, text).points_selector(ids());
        client.set_payload(set.wait(true)).await?;
        let keys = ["masker", "is_masked", "original"].map(String::from).to_vec();
        let delete = DeletePayloadPointsBuilder::new(name, keys).points_selector(ids());
        client.delete_payload(delete.wait(true)).await?;
        Ok(())
    })
}
