//! Tests that nothing is lost that was acknowledged, and nothing is left half done, wherever the
//! program is killed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::running::{Folders, Running, has_model, wait};

/// The number of kills; `KILLS` names another one.
const KILLS: u32 = 10;

/// The documents as they should be: the last number that was written into each.
struct Folder {
    path: PathBuf,
    written: BTreeMap<String, u32>,
}

impl Folder {
    fn write(&mut self, name: String, number: u32) {
        let text = format!("# Pump {name}\n\nThe valve of {name} has the mark M{number}X.\n");
        std::fs::write(self.path.join(&name), text).unwrap();
        self.written.insert(name, number);
    }

    fn remove(&mut self, name: &str) {
        if self.written.remove(name).is_some() {
            std::fs::remove_file(self.path.join(name)).unwrap();
        }
    }
}

/// What was acknowledged: decisions with their projects.
type Decided = Vec<(String, Value)>;

/// Has a project made with a decision, and returns both as they were acknowledged.
fn decide(running: &Running) -> (String, Value) {
    let project = running.call("POST", "/v1/projects", &json!({"name": "Pump"})).unwrap();
    let project = project["project_id"].as_str().unwrap().to_owned();
    let decision = json!({"decision": "Use carbon", "rationale": "It lasts."});
    let path = format!("/v1/projects/{project}/decisions");
    let decided = running.call("POST", &path, &decision).unwrap();
    (project, decided["decision_id"].clone())
}

/// Checks that the documents are those of the folder, each in its last version, and that every
/// decision is there; and that the index has no point besides.
fn check(running: &Running, folder: &Folder, decided: &Decided) {
    wait(|| {
        let documents = running.documents();
        let is_settled = documents.values().all(|one| one["status"] == "indexed")
            && documents.keys().eq(folder.written.keys());
        is_settled.then_some(())
    });
    for (name, number) in &folder.written {
        wait(|| {
            let path = format!("/v1/global/passages?file={name}&line=3");
            let passage = running.call("GET", &path, &Value::Null)?;
            passage["text"].as_str()?.contains(&format!("M{number}X")).then_some(())
        });
    }
    for (project, decision) in decided {
        let path = format!("/v1/projects/{project}/decisions");
        let found = running.call("GET", &path, &Value::Null).unwrap();
        assert_eq!(found["decisions"][0]["decision_id"], *decision, "{found}");
    }
    // A passage and a point of its own for each document.
    let points = 2 * folder.written.len() + decided.len();
    wait(|| {
        let health = running.call("GET", "/v1/health", &Value::Null)?;
        (health["index"]["points"] == json!(points)).then_some(())
    });
}

#[test]
fn nothing_is_lost_or_half_done_wherever_the_program_is_killed() {
    if !has_model() {
        return;
    }
    let folders = Folders::new();
    let mut folder = Folder { path: folders.documents.clone(), written: BTreeMap::new() };
    let mut random = fastrand::Rng::with_seed(7);
    let mut decided = Vec::new();
    for number in 0..kills() {
        for _ in 0..3 {
            folder.write(format!("{}.md", random.u32(0..8)), number);
        }
        folder.remove(&format!("{}.md", random.u32(0..8)));
        let running = folders.start();
        decided.push(decide(&running));
        std::thread::park_timeout(Duration::from_millis(random.u64(0..1_500)));
    }
    check(&folders.start(), &folder, &decided);
}

#[expect(clippy::disallowed_methods, reason = "it is the test's own")]
fn kills() -> u32 {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS)
}
