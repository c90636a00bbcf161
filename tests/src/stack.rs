//! The deployed template on the local cloud, with the role of every function enforced.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::reply::{self, Reply};
use crate::{Collection, root, run, server, stack_py};

/// A deployed stack, removed when this value is dropped.
pub struct Stack {
    /// Its folder.
    pub state: PathBuf,
    /// The facts about it that `stack.py` wrote.
    pub facts: Value,
    agent: ureq::Agent,
    /// The collection, if it is on a server that was not started here.
    collection: Option<Collection>,
}

impl Stack {
    /// Builds the functions, starts the local cloud and deploys.
    pub fn up() -> Result<Stack> {
        build()?;
        let state = root().join("target/e2e");
        if state.exists() {
            stack_py(&["down", "--purge", "--state", &state.to_string_lossy()])?;
        }
        let [gateway, local, qdrant, faults] = free_ports()?;
        let folder = state.to_string_lossy();
        let server = server();
        let qdrant =
            server.as_deref().map_or(["--qdrant-port", &qdrant], |url| ["--qdrant-url", url]);
        let ports = ["--gateway-port", &gateway, "--local-port", &local];
        let up = ["up", "--auth", "--faults", "--faults-port", &faults, "--state", &folder];
        stack_py(&[&up[..], &ports[..], &qdrant[..]].concat())?;
        let facts = serde_json::from_str(&std::fs::read_to_string(state.join("stack.json"))?)?;
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut stack = Stack { state, facts, agent, collection: None };
        if let Some(url) = server {
            // An interrupted run may have left data in the collection.
            let emptied = Collection::emptied(&url, stack.fact("qdrant_collection")?)?;
            stack.collection = Some(emptied);
        }
        Ok(stack)
    }

    /// Returns a fact about the stack, such as `api_url`.
    pub fn fact(&self, name: &str) -> Result<&str> {
        self.facts[name].as_str().with_context(|| format!("stack.json has no {name}"))
    }

    /// Returns a token of the local issuer; `query` has the form `sub=ann&groups=a,b`.
    pub fn token(&self, query: &str) -> Result<String> {
        let url = format!("{}/token?{query}", self.fact("local_url")?);
        let mut answer = self.agent.get(url).call()?;
        let answer: Value = answer.body_mut().read_json()?;
        Ok(answer["access_token"].as_str().context("the issuer gave no token")?.into())
    }

    /// Calls the API; `body` is sent unchanged.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: &[u8],
    ) -> Result<Reply> {
        self.send_with(method, path, token, &[], body)
    }

    /// Calls the API with additional headers.
    pub fn send_with(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Reply> {
        let url = format!("{}{path}", self.fact("api_url")?);
        self.send_to(&url, method, token, headers, body)
    }

    /// Calls the API at the address for programs with an API key.
    pub fn call_keyed(&self, token: Option<&str>, route: &str, body: &Value) -> Result<Reply> {
        self.call_at("key_url", token, route, &[], body)
    }

    fn call_at(
        &self,
        address: &str,
        token: Option<&str>,
        route: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Result<Reply> {
        let (method, path) = route.split_once(' ').context("a route is a method and a path")?;
        let url = format!("{}{path}", self.fact(address)?);
        let body = if body.is_null() { String::new() } else { body.to_string() };
        self.send_to(&url, method, token, headers, body.as_bytes())
    }

    fn send_to(
        &self,
        url: &str,
        method: &str,
        token: Option<&str>,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Reply> {
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(url)
            .header("content-type", "application/json");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut answer = self.agent.run(request.body(body)?)?;
        let content_type = answer
            .headers()
            .get("content-type")
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
            .to_owned();
        let text = answer.body_mut().read_to_string()?;
        Ok(Reply {
            status: answer.status().as_u16(),
            content_type,
            headers: reply::lasting(answer.headers()),
            body: wire::fit::restored(serde_json::from_str(&text).unwrap_or_default()),
            text,
        })
    }

    /// Calls the API as `sub`; `route` is a method and a path.
    pub fn call(&self, sub: &str, route: &str, body: &Value) -> Result<Reply> {
        self.call_with(sub, route, &[], body)
    }

    /// Calls the API as `sub`, with additional headers.
    pub fn call_with(
        &self,
        sub: &str,
        route: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Result<Reply> {
        let token = self.token(&format!("sub={sub}&groups=knowledge-admins"))?;
        self.call_as(&token, route, headers, body)
    }

    /// Calls the API with this token.
    pub fn call_as(
        &self,
        token: &str,
        route: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Result<Reply> {
        self.call_at("api_url", Some(token), route, headers, body)
    }

    /// Calls `POST /v1/rcca` as `sub`.
    pub fn rcca(&self, sub: &str, body: &Value) -> Result<Reply> {
        self.ask(sub, "rcca", body)
    }

    /// Calls `POST /v1/<workflow>` as `sub` and requests the whole reply, unless the body states
    /// its size.
    pub fn ask(&self, sub: &str, workflow: &str, body: &Value) -> Result<Reply> {
        let token = self.token(&format!("sub={sub}"))?;
        let body = for_all(body).to_string();
        self.send("POST", &format!("/v1/{workflow}"), Some(&token), body.as_bytes())
    }

    /// Deploys again with another folder: `--strategies` or `--knowledge`.
    pub fn deploy(&self, option: &str, folder: &Path) -> Result<()> {
        self.deploy_with(&[option, &folder.to_string_lossy()])
    }

    /// Deploys again, with these options.
    pub fn deploy_with(&self, options: &[&str]) -> Result<()> {
        let state = self.state.to_string_lossy();
        stack_py(&[&["deploy", "--state", &state], options].concat()).map(drop)
    }

    /// Runs a function with the event in this file, as a schedule would.
    pub fn invoke(&self, function: &str, event: &str) -> Result<String> {
        stack_py(&["invoke", "--state", &self.state.to_string_lossy(), function, event])
    }

    /// Returns the lines of a function's log that contain this word.
    pub fn log(&self, function: &str, word: &str) -> Result<String> {
        stack_py(&["log", "--state", &self.state.to_string_lossy(), function, word])
    }

    /// Runs the command line as `sub`, a member of `knowledge-admins`, and returns its output.
    pub fn plumbline(&self, sub: &str, arguments: &[&str]) -> Result<String> {
        self.plumbline_as(&self.token(&format!("sub={sub}&groups=knowledge-admins"))?, arguments)
    }

    /// Runs the command line with this token and returns its output.
    pub fn plumbline_as(&self, token: &str, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(root().join("target/debug/plumbline"));
        run(command
            .args(arguments)
            .env("PLUMBLINE_URL", self.fact("api_url")?)
            .env("PLUMBLINE_TOKEN", token))
    }

    /// Sets the outcomes of the next calls to the local Bedrock. `faults` does this for the calls
    /// of one function only.
    pub fn script(&self, script: &Value) -> Result<()> {
        let url = format!("{}/script", self.fact("local_url")?);
        if script.is_null() {
            self.agent.delete(url).call()?;
        } else {
            self.agent.post(url).send_json(script)?;
        }
        Ok(())
    }

    /// Returns true if the passages are on a Qdrant server that was not started here and must not
    /// be stopped.
    pub fn has_server(&self) -> bool {
        self.collection.is_some()
    }

    /// Stops or starts a part: `qdrant`, `local` or `gateway`.
    pub fn part(&self, action: &str, name: &str) -> Result<()> {
        stack_py(&["part", action, name, "--state", &self.state.to_string_lossy()]).map(drop)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        if let Err(error) = stack_py(&["down", "--purge", "--state", &self.state.to_string_lossy()])
        {
            eprintln!("the stack is not taken down: {error:#}");
        }
    }
}

/// Returns ports on which nobody listens. All are held until the last one is found, so that they
/// differ. They are released before the stack uses them, because its parts must know each other's
/// ports. If another process takes one first, `stack.py` fails and names it.
fn free_ports() -> Result<[String; 4]> {
    let hold = || TcpListener::bind("127.0.0.1:0");
    let (one, two, three, four) = (hold()?, hold()?, hold()?, hold()?);
    let port = |held: &TcpListener| anyhow::Ok(held.local_addr()?.port().to_string());
    Ok([port(&one)?, port(&two)?, port(&three)?, port(&four)?])
}

/// Builds the functions as `make test` does. A build without the tests would select other features
/// and compile again. The variables that cargo sets for a test are removed, because build scripts
/// that depend on them would run again.
fn build() -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--workspace", "--bins", "--tests"]);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(&name);
        }
    }
    run(&mut cargo).map(drop)
}

/// Returns a request for the whole reply with all explanations, unless the request states its size.
pub fn for_all(body: &Value) -> Value {
    let mut body = body.clone();
    for (field, value) in [("explain", Value::from(true)), ("max_bytes", Value::from(6_000_000))] {
        if body.is_object() && body.get(field).is_none() {
            body[field] = value;
        }
    }
    body
}
