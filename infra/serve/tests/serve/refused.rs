//! What the program refuses, and with which words.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::running::{Running, has_model};

/// Returns the words with which the program ends.
fn refused(arguments: &[&Path]) -> String {
    let ended = Command::new(env!("CARGO_BIN_EXE_plumbline"))
        .arg("serve")
        .args(arguments)
        .env("XDG_DATA_HOME", arguments.last().unwrap())
        .output()
        .unwrap();
    assert!(!ended.status.success());
    String::from_utf8(ended.stderr).unwrap()
}

#[test]
fn a_folder_that_is_none_and_a_state_that_is_in_use_are_told() {
    if !has_model() {
        return;
    }
    let kept = tempfile::tempdir().unwrap();
    let (state, documents) = (kept.path().join("state"), kept.path().join("documents"));
    std::fs::create_dir_all(&documents).unwrap();
    let [option, port] = ["--state", "--port"].map(Path::new);
    let file = documents.join("a.md");
    std::fs::write(&file, "# A\n").unwrap();
    let told = refused(&[&file, option, &state]);
    assert!(told.contains("is no folder"), "{told}");
    let told = refused(&[&kept.path().join("nothing"), option, &state]);
    assert!(told.contains("cannot be read"), "{told}");
    let told = refused(&[&documents, option, &file]);
    assert!(told.contains("cannot be made"), "{told}");
    let running = Running::start(&documents, &state);
    let told = refused(&[&documents, option, &state]);
    assert!(told.contains("another `plumbline`"), "{told}");
    let taken = running.url.rsplit(':').next().unwrap().to_owned();
    let other = kept.path().join("other");
    let told = refused(&[&documents, port, Path::new(&taken), option, &other]);
    assert!(told.contains("--port names another port"), "{told}");
}

#[test]
fn a_caller_without_the_token_learns_nothing() {
    if !has_model() {
        return;
    }
    let kept = tempfile::tempdir().unwrap();
    let (state, documents) = (kept.path().join("state"), kept.path().join("documents"));
    std::fs::create_dir_all(&documents).unwrap();
    let mut running = Running::start(&documents, &state);
    assert!(running.call("GET", "/v1/health", &Value::Null).is_some());
    running.token.replace_range(0..1, "x");
    assert_eq!(running.call("GET", "/v1/health", &Value::Null), None);
    assert_eq!(running.call("POST", "/mcp", &Value::Null), None);
}
