//! A program that runs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// The weights of the embedding model.
const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/model/model.safetensors");

/// The time after which something that does not come is missing.
const PATIENCE: u32 = 600;

/// Returns false, and says so, where the embedding model is not there.
pub(crate) fn has_model() -> bool {
    let is_there = Path::new(MODEL).is_file();
    if !is_there {
        eprintln!("SKIPPED: no embedding model in {MODEL}; run `make model`");
    }
    is_there
}

/// A folder of documents and one for the state, which are gone when this is dropped.
pub(crate) struct Folders {
    pub(crate) kept: TempDir,
    pub(crate) state: PathBuf,
    pub(crate) documents: PathBuf,
}

impl Folders {
    pub(crate) fn new() -> Folders {
        let kept = tempfile::tempdir().unwrap();
        let (state, documents) = (kept.path().join("state"), kept.path().join("documents"));
        std::fs::create_dir_all(&documents).unwrap();
        Folders { kept, state, documents }
    }

    /// Writes a document.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.documents.join(name), content).unwrap();
    }

    /// Starts the program.
    pub(crate) fn start(&self) -> Running {
        self.start_with(&[])
    }

    /// Starts the program with more options.
    pub(crate) fn start_with(&self, options: &[&str]) -> Running {
        Running::start(&self.documents, &self.state, options)
    }
}

/// A program that answers, and is killed when it is dropped.
pub(crate) struct Running {
    child: Child,
    pub(crate) url: String,
    pub(crate) token: String,
    /// The address that opens a session of a browser.
    pub(crate) opens: String,
    /// What it said since.
    said: Arc<Mutex<String>>,
}

impl Running {
    fn start(documents: &Path, state: &Path, options: &[&str]) -> Running {
        Running::of(Command::new(env!("CARGO_BIN_EXE_plumbline")), documents, state, options)
    }

    /// Starts the program with a command that takes its arguments.
    pub(crate) fn of(
        mut command: Command,
        documents: &Path,
        state: &Path,
        options: &[&str],
    ) -> Running {
        let _ = std::fs::remove_file(state.join("address"));
        let child = command
            .args(["serve", "--port", "0", "--state"])
            .args([state, documents])
            .args(options)
            .env("XDG_DATA_HOME", state)
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let first = lines.next().map_or_else(String::new, Result::unwrap);
        let opens = first.rsplit(' ').next().unwrap_or_default().to_owned();
        let said: Arc<Mutex<String>> = Arc::default();
        let later = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                later.lock().unwrap().push_str(&line);
            }
        });
        let url = wait(|| std::fs::read_to_string(state.join("address")).ok());
        let token = std::fs::read_to_string(state.join("token")).unwrap();
        Running { child, url, token, opens, said }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns true if it said these words after its first line.
    pub(crate) fn told(&self, words: &str) -> bool {
        self.said.lock().unwrap().contains(words)
    }

    pub(crate) fn call(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let request = ureq::http::Request::builder().method(method);
        let request = request.uri(format!("{}{path}", self.url));
        let request = request.header("authorization", format!("Bearer {}", self.token));
        let request = request.header("content-type", "application/json");
        let body = if body.is_null() { Vec::new() } else { serde_json::to_vec(body).unwrap() };
        let answer = ureq::run(request.body(body).unwrap());
        answer.ok()?.body_mut().read_json().ok()
    }

    /// Returns the state of each document, by name.
    pub(crate) fn documents(&self) -> BTreeMap<String, Value> {
        let list = self.call("GET", "/v1/global/documents?limit=100", &Value::Null);
        let list = list.unwrap_or_default();
        let documents = list["documents"].as_array().cloned().unwrap_or_default();
        documents.into_iter().map(|one| (one["name"].as_str().unwrap().to_owned(), one)).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Waits for something.
pub(crate) fn wait<T>(what: impl Fn() -> Option<T>) -> T {
    for _ in 0..PATIENCE {
        if let Some(found) = what() {
            return found;
        }
        std::thread::park_timeout(Duration::from_millis(100));
    }
    panic!("it does not come");
}
