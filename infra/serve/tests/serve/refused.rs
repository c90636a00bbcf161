//! What the program refuses, and with which words.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::running::{Folders, Running, has_model, wait};

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
    let folders = Folders::new();
    let Folders { kept, state, documents } = &folders;
    let [option, port] = ["--state", "--port"].map(Path::new);
    let file = documents.join("a.md");
    std::fs::write(&file, "# A\n").unwrap();
    let told = refused(&[&file, option, state]);
    assert!(told.contains("is no folder"), "{told}");
    let told = refused(&[&kept.path().join("nothing"), option, state]);
    assert!(told.contains("cannot be read"), "{told}");
    let told = refused(&[documents, option, &file]);
    assert!(told.contains("cannot be made"), "{told}");
    let running = folders.start();
    let told = refused(&[documents, option, state]);
    assert!(told.contains("another `plumbline`"), "{told}");
    let place = folders.kept.path().join("more");
    std::fs::create_dir_all(&place).unwrap();
    let taken = running.url.rsplit(':').next().unwrap().to_owned();
    let other = kept.path().join("other");
    let told = refused(&[documents, port, Path::new(&taken), option, &other]);
    assert!(told.contains("--port names another port"), "{told}");
    wait(|| state.join("sent.json").is_file().then_some(()));
    drop(running);
    let told = refused(&[&place, port, Path::new("0"), option, state]);
    assert!(told.contains("the state has the documents of"), "{told}");
}

#[test]
fn a_caller_without_the_token_learns_nothing() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    let mut running = folders.start();
    assert!(running.call("GET", "/v1/health", &Value::Null).is_some());
    running.token.replace_range(0..1, "x");
    assert_eq!(running.call("GET", "/v1/health", &Value::Null), None);
    assert_eq!(running.call("POST", "/mcp", &Value::Null), None);
}

/// A disk that is not there looks like an empty folder.
#[test]
fn documents_stay_where_all_files_are_gone_at_once_and_links_are_not_followed() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    let Folders { kept, documents, .. } = &folders;
    let secret = kept.path().join("secret.md");
    std::fs::write(&secret, "# Secret\n").unwrap();
    std::os::unix::fs::symlink(&secret, documents.join("link.md")).unwrap();
    std::os::unix::fs::symlink(kept.path(), documents.join("above")).unwrap();
    for name in ["a.md", "b.md"] {
        folders.write(name, format!("# {name}\n"));
    }
    let names = |running: &Running| running.documents().into_keys().collect::<Vec<_>>();
    let running = folders.start();
    wait(|| (names(&running) == ["a.md", "b.md"]).then_some(()));
    // Killed while they are read, or after.
    drop(running);
    std::fs::remove_file(documents.join("a.md")).unwrap();
    std::fs::remove_file(documents.join("b.md")).unwrap();
    let running = folders.start();
    wait(|| running.told("stay as they are").then_some(()));
    assert_eq!(names(&running), ["a.md", "b.md"]);
    folders.write("b.md", "# Back\n");
    wait(|| (names(&running) == ["b.md"]).then_some(()));
}

#[test]
fn a_file_of_another_length_or_type_than_was_announced_is_refused() {
    if !has_model() {
        return;
    }
    let running = Folders::new().start();
    let announced = json!({"name": "a.md", "content_type": "text/markdown", "bytes": 4});
    let announced = running.call("POST", "/v1/global/documents", &announced).unwrap();
    let url = announced["upload"]["url"].as_str().unwrap();
    let status = |content_type: &str, body: &str| {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent: ureq::Agent = config.build().into();
        let sent = agent.put(url).header("content-type", content_type).send(body);
        sent.unwrap().status().as_u16()
    };
    assert_eq!(status("text/markdown", "# A and more"), 400);
    assert_eq!(status("text/plain", "# A\n"), 400);
    assert_eq!(status("text/markdown", "# A\n"), 200);
    wait(|| (running.documents().get("a.md")?["status"] == "indexed").then_some(()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_all_is_read_once_it_has_room() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    for number in 0..40 {
        let text =
            format!("# Pump {number}\n\nThe valve {number} is blue. {}\n", "Aa ".repeat(500));
        folders.write(&format!("{number}.md"), text);
    }
    // No file gets larger than 200 kB, as on a disk that is full.
    let mut command = Command::new("sh");
    let limited = "trap '' XFSZ; ulimit -S -f 400; exec \"$0\" \"$@\"";
    command.args(["-c", limited, env!("CARGO_BIN_EXE_plumbline")]);
    let running = Running::of(command, &folders.documents, &folders.state, &[]);
    wait(|| running.told("did not answer").then_some(()));
    assert!(running.call("GET", "/v1/health", &Value::Null).is_some(), "it answers meanwhile");
    let process = running.id().to_string();
    let room = Command::new("prlimit").args(["--fsize=unlimited:", "--pid", &process]).status();
    assert!(room.unwrap().success());
    wait(|| {
        // A change has the folder looked at, which else happens after five minutes.
        folders.write("40.md", format!("# Pump {:?}\n", std::time::SystemTime::now()));
        std::thread::park_timeout(std::time::Duration::from_secs(1));
        let documents = running.documents();
        let is_read =
            |(name, one): &(&String, &Value)| *name != "40.md" && one["status"] == "indexed";
        let all = documents.iter().filter(is_read).count() == 40;
        all.then_some(())
    });
}
