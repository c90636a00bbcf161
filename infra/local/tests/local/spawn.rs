//! Starting and stopping the binary.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use serde_json::Value;

/// A running `plumbline-local`, killed when dropped.
pub(crate) struct Local {
    child: Child,
    qdrant: String,
    http: String,
}

impl Local {
    /// Starts it and waits until each of `doors`, `qdrant` and `http`, is open on a free port.
    pub(crate) fn start(doors: &[&str], arguments: &[&str]) -> Local {
        let mut command = command(arguments);
        for door in doors {
            command.args([format!("--{door}"), "127.0.0.1:0".to_owned()]);
        }
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut local = Local { child, qdrant: String::new(), http: String::new() };
        for _ in doors {
            let line = lines.next().expect("it ended before it was ready").unwrap();
            let (door, address) = line.split_once(": ").unwrap().1.split_once(" on ").unwrap();
            let address = format!("http://{}", address.split(',').next().unwrap());
            *(if door == "qdrant" { &mut local.qdrant } else { &mut local.http }) = address;
        }
        // What it says later must not fill the pipe.
        std::thread::spawn(move || {
            lines.for_each(|line| eprintln!("{}", line.unwrap_or_default()))
        });
        local
    }

    /// Starts the gRPC door over `data`.
    pub(crate) fn with_data(data: &Path) -> Local {
        Local::start(&["qdrant"], &["--data", data.to_str().unwrap()])
    }

    /// Starts the HTTP door with the embedding model; `None`, said aloud, when the model is not on this machine.
    pub(crate) fn with_model() -> Option<Local> {
        let folder = model_folder();
        if !folder.join("model.safetensors").exists() {
            eprintln!(
                "SKIPPED: no embedding model in {}; run infra/local/model.py",
                folder.display()
            );
            return None;
        }
        Some(Local::start(&["http"], &["--model", folder.to_str().unwrap()]))
    }

    /// A client of the gRPC door.
    pub(crate) fn client(&self) -> qdrant_client::Qdrant {
        qdrant_client::Qdrant::from_url(&self.qdrant).skip_compatibility_check().build().unwrap()
    }

    /// The root of the HTTP door.
    pub(crate) fn http(&self) -> &str {
        &self.http
    }

    /// Posts JSON and gives the status, the error type and the answer.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, String, Value) {
        let mut response = agent().post(format!("{}{path}", self.http)).send_json(body).unwrap();
        let kind = response
            .headers()
            .get("x-amzn-errortype")
            .map(|kind| kind.to_str().unwrap().to_owned());
        let answer = response.body_mut().read_to_string().unwrap();
        let answer = serde_json::from_str(&answer).unwrap_or(Value::String(answer));
        (response.status().as_u16(), kind.unwrap_or_default(), answer)
    }

    /// Gets JSON and gives it with the status.
    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        let mut response = agent().get(format!("{}{path}", self.http)).call().unwrap();
        (response.status().as_u16(), response.body_mut().read_json().unwrap())
    }

    /// Asks it to end, by `TERM` or `KILL`, and waits.
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

/// The binary with `arguments`, not yet started.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline-local"));
    command.args(arguments);
    command
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
