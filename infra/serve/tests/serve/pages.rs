//! Pages for a person, and lines of an assistant.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::running::{Folders, Running, has_model, wait};

/// The exit code of a check that found no browser.
const NO_BROWSER: i32 = 3;

/// Returns the status, the headers and the text at an address.
fn get(url: &str, headers: &[(&str, &str)]) -> (u16, ureq::http::HeaderMap, String) {
    let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let agent: ureq::Agent = config.build().into();
    let request = agent.get(url);
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let mut answer = request.call().unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    (answer.status().as_u16(), answer.headers().clone(), text)
}

fn cookie(headers: &ureq::http::HeaderMap) -> String {
    headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned()
}

/// Checks pages in Chromium; says so where that is not there.
fn in_a_browser(pages: &[(&str, &str)]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/venv-clients/bin/python");
    let folder = tempfile::tempdir().unwrap();
    for (name, page) in pages {
        std::fs::write(folder.path().join(format!("{name}.html")), page).unwrap();
    }
    let checked = python.is_file().then(|| {
        let mut check = Command::new(&python);
        check.arg("tests/clients/pages.py").arg(folder.path()).current_dir(&root).output().unwrap()
    });
    match checked.filter(|checked| checked.status.code() != Some(NO_BROWSER)) {
        None => eprintln!("SKIPPED: there is no Chromium, or `make tools` did not run"),
        Some(checked) => {
            let told = String::from_utf8_lossy(&checked.stdout);
            assert!(checked.status.success(), "{told}");
        }
    }
}

fn indexed(running: &Running) {
    wait(|| running.documents().values().all(|one| one["status"] == "indexed").then_some(()));
}

#[test]
fn a_browser_asks_and_opens_the_passage_after_it_was_let_in_once() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    let text = "# Valve stuck\n\n## Symptoms\n\nThe pump hangs.\n\n## Root cause\n\nThe valve was stuck by rust.\n";
    folders.write("valve.md", text);
    folders.write("image.png", b"\x89PNG\r\n\x1a\n");
    let running = folders.start();
    wait(|| (!running.documents().is_empty()).then_some(()));
    indexed(&running);
    assert_eq!(get(&running.url, &[]).0, 401);
    let (status, headers, _) = get(&running.opens, &[]);
    assert_eq!((status, headers["location"].to_str().unwrap()), (303, "/"));
    assert_eq!(get(&running.opens, &[]).0, 401, "the address is good once");
    let cookie = cookie(&headers);
    let page = |path: &str| get(&format!("{}{path}", running.url), &[("cookie", &cookie)]);
    let (status, headers, first) = page("/");
    assert_eq!((status, headers["x-frame-options"].to_str().unwrap()), (200, "DENY"));
    assert!(first.contains("1 indexed") && first.contains("<form"), "{first}");
    let (_, _, answer) = page("/ask?question=why+does+the+pump+hang%3F&workflow=");
    assert!(answer.contains("The valve was stuck by rust."), "{answer}");
    assert!(answer.contains("Was this right?"), "{answer}");
    let link = answer
        .split("href=\"")
        .find_map(|rest| rest.split('"').next().filter(|address| address.contains("/passage?id=")));
    let link = link.unwrap().strip_prefix(&running.url).unwrap();
    let (_, _, passage) = page(link);
    assert!(
        passage.contains("Lines ")
            && passage.contains("valve.md:")
            && passage.contains("The pump hangs.")
            && passage.contains("Read as Markdown: "),
        "{passage}"
    );
    in_a_browser(&[("first", &first), ("answer", &answer), ("passage", &passage)]);
    let (_, _, wrong) = page("/passage?id=7");
    assert!(wrong.contains("Not answered"), "{wrong}");
    let other = [("cookie", cookie.as_str()), ("host", "plumbline.example")];
    assert_eq!(get(&running.url, &other).0, 400, "another site's name may lead here");
}

#[test]
fn what_is_marked_on_a_page_is_asked_again() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    folders.write("valve.md", "# Valve\n\nThe valve of the pump is blue.\n");
    let running = folders.start();
    wait(|| (!running.documents().is_empty()).then_some(()));
    indexed(&running);
    let evaluate = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline"));
        command.arg("evaluate").env("PLUMBLINE_URL", &running.url);
        command.env("PLUMBLINE_TOKEN", &running.token).output().unwrap()
    };
    let told = evaluate();
    assert!(String::from_utf8_lossy(&told.stderr).contains("there are no questions"), "{told:?}");
    let (_, headers, _) = get(&running.opens, &[]);
    let cookie = cookie(&headers);
    let post = |cookie: &str, site: &str, form: &str| {
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let agent: ureq::Agent = config.build().into();
        let request = agent.post(format!("{}/marks", running.url)).header("cookie", cookie);
        let request = request.header("sec-fetch-site", site);
        request.send(form).unwrap().status().as_u16()
    };
    let form = "question=what+color+is+the+valve%3F&workflow=global&answer_id=01A&answer=right&place.0=valve.md%3A1-3";
    assert_eq!(post("", "same-origin", form), 401);
    assert_eq!(post(&cookie, "same-origin", &form.replace("global", "other")), 400);
    assert_eq!(post(&cookie, "same-site", form), 401, "another program of this machine");
    assert_eq!(post(&cookie, "same-origin", form), 303);
    let (_, _, marks) = get(&format!("{}/marks", running.url), &[("cookie", &cookie)]);
    assert!(marks.contains("what color is the valve?: valve.md:1-3"), "{marks}");
    in_a_browser(&[("marks", &marks)]);
    assert_eq!(get(&format!("{}/marks.jsonl", running.url), &[]).0, 401);
    let told = evaluate();
    assert!(String::from_utf8_lossy(&told.stdout).contains("first        1 of 1"), "{told:?}");
}

#[test]
fn an_assistant_speaks_by_lines_whether_or_not_a_program_answers_already() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    folders.write("pump.md", "# Pump\n\nThe valve of the pump is blue.\n");
    let told = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_plumbline"))
            .args(["mcp", "--state"])
            .args([&folders.state, &folders.documents])
            .env("XDG_DATA_HOME", &folders.state)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let lines = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_knowledge", "arguments": {}}}),
        ];
        let mut input = child.stdin.take().unwrap();
        for line in &lines {
            writeln!(input, "{line}").unwrap();
        }
        drop(input);
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let answers: Vec<Value> =
            output.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        answers
    };
    for is_served in [true, false] {
        let running = is_served.then(|| folders.start());
        if let Some(running) = &running {
            wait(|| (!running.documents().is_empty()).then_some(()));
            indexed(running);
        }
        let answers = told();
        assert_eq!(answers.len(), 2, "a notification has no answer: {answers:?}");
        assert_eq!(answers[0]["result"]["protocolVersion"], "2025-06-18");
        let bases = &answers[1]["result"]["content"][0]["text"];
        assert!(bases.as_str().unwrap().contains("global"), "{bases}");
    }
}
