//! Starts and stops the program.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::Value;

/// Runs a program that refuses to start, and returns the single line that it prints.
pub(crate) fn refusal(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

/// A running `plumbline-local`, killed when dropped.
pub(crate) struct Local {
    child: Child,
    /// The roots of its addresses: HTTP, and gRPC if it is served.
    urls: Vec<String>,
}

impl Local {
    /// Starts it on a free port and waits until it prints its addresses.
    pub(crate) fn start(arguments: &[&str]) -> Local {
        let mut command = command(&["--http", "127.0.0.1:0"]);
        let mut child = command.args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let Some(line) = lines.next() else { panic!("it ended before it was ready") };
        let line = line.unwrap();
        let addresses = line.split(", ").filter_map(|place| place.split_once(" on "));
        let urls = addresses.map(|(_, address)| format!("http://{address}")).collect();
        // Reads all later output, so that the pipe does not fill up.
        std::thread::spawn(move || {
            lines.for_each(|line| eprintln!("{}", line.unwrap_or_default()));
        });
        Local { child, urls }
    }

    /// Starts it with the embedding model and further `arguments`. Prints a line and returns `None`
    /// if the model is not on this machine.
    pub(crate) fn with_model(arguments: &[&str]) -> Option<Local> {
        let folder = model_folder();
        if !folder.join("model.safetensors").exists() {
            eprintln!(
                "SKIPPED: no embedding model in {}; run infra/embedding/model.py",
                folder.display()
            );
            return None;
        }
        let model = ["--model", folder.to_str().unwrap()];
        Some(Local::start(&[&model, arguments].concat()))
    }

    /// Returns the root of its addresses.
    pub(crate) fn http(&self) -> &str {
        &self.urls[0]
    }

    /// Returns the gRPC address.
    pub(crate) fn grpc(&self) -> &str {
        &self.urls[1]
    }

    /// Posts JSON and returns the status, the error type and the answer.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, String, Value) {
        post(&format!("{}{path}", self.http()), body)
    }

    /// Gets JSON and returns it with the status.
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        let mut response = agent().get(format!("{}{path}", self.http())).call().unwrap();
        (response.status().as_u16(), response.body_mut().read_json().unwrap())
    }

    /// Sends it a signal, such as `TERM`, and waits.
    pub(crate) fn end(mut self, signal: &str) -> ExitStatus {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &process]).status().unwrap().success());
        self.child.wait().unwrap()
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the command for `plumbline-local` with `arguments`, not yet started.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline-local"));
    command.args(arguments);
    command
}

/// Posts JSON and returns the status, the error type and the answer.
pub(crate) fn post(url: &str, body: &Value) -> (u16, String, Value) {
    let mut response = agent().post(url).send_json(body).unwrap();
    let kind =
        response.headers().get("x-amzn-errortype").map(|kind| kind.to_str().unwrap().to_owned());
    let answer = response.body_mut().read_to_string().unwrap();
    let answer = serde_json::from_str(&answer).unwrap_or(Value::String(answer));
    (response.status().as_u16(), kind.unwrap_or_default(), answer)
}

/// Sends `DELETE`.
pub(crate) fn delete(url: &str) {
    agent().delete(url).call().unwrap();
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).build().into()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a test is told by its environment where the model is"
)]
fn model_folder() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/model");
    std::env::var_os("PLUMBLINE_MODEL").map_or(beside, PathBuf::from)
}
