//! Tests rules of the code that can be checked.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use plumbline_tests::root;
use workflow::scope::Scope;

mod event;

/// Returns the names of all crates that `package` is built with.
fn dependencies(package: &str) -> BTreeSet<String> {
    let arguments = [
        "tree",
        "--offline",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--package",
        package,
    ];
    let output = Command::new("cargo").args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_workflow_crate_is_built_without_runtime_services_or_other_crates_of_ours() {
    let tree = dependencies("workflow");
    assert!(tree.contains("workflow"));
    for name in &tree {
        let is_outside = [
            "tokio",
            "hyper",
            "http",
            "tonic",
            "qdrant-client",
            "lambda_runtime",
            "adapters",
            "lambda",
            "pages",
        ]
        .contains(&name.as_str());
        assert!(!is_outside && !name.starts_with("aws"), "workflow must not depend on {name}");
    }
}

#[test]
fn documents_are_read_where_they_are_ingested_and_nowhere_else() {
    for folder in std::fs::read_dir(root().join("functions")).unwrap() {
        let manifest = folder.unwrap().path().join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = \""));
        let name = name.unwrap().trim_end_matches('"');
        if name == "ingest" {
            continue;
        }
        let tree = dependencies(name);
        assert!(tree.contains("workflow"), "{name}");
        assert!(!tree.contains("reading"), "{name} must not depend on reading");
    }
}

#[test]
fn the_crates_below_the_workflows_know_no_crate_above_them() {
    let ours = [
        "adapters", "lambda", "matrix", "model", "pages", "quantity", "reading", "wire", "workflow",
    ];
    for (package, allowed) in [
        ("matrix", &[][..]),
        ("model", &["quantity"]),
        ("quantity", &[]),
        ("reading", &["model", "quantity"]),
        ("contract", &["matrix", "model", "quantity", "wire"]),
        ("pages", &["matrix", "model", "quantity", "wire"]),
        ("wire", &["matrix", "model", "quantity"]),
    ] {
        let tree = dependencies(package);
        let is_foreign =
            |name: &&&str| **name != package && !allowed.contains(*name) && tree.contains(**name);
        let foreign: Vec<_> = ours.iter().filter(is_foreign).collect();
        assert!(foreign.is_empty(), "{package} must not depend on {foreign:?}");
    }
    for package in ["model", "wire", "quantity", "matrix"] {
        for parser in ["lopdf", "tree-sitter", "html5gum"] {
            assert!(!dependencies(package).contains(parser), "{package} must not link {parser}");
        }
    }
}

/// Returns each package with the features that it is built with, once for each set of them.
fn builds(edges: &str) -> BTreeSet<String> {
    let arguments = [
        "tree",
        "--offline",
        "--workspace",
        "--prefix",
        "none",
        "--format",
        "{p} {f}",
        "--edges",
        edges,
    ];
    let output = Command::new("cargo").args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}

#[test]
fn tests_need_no_other_build_of_a_dependency_than_the_functions_do() {
    let with_tests = builds("all");
    let functions = builds("normal,build");
    // Our own packages are left out: they are quick to compile twice.
    let ours = root().display().to_string();
    let changed: Vec<_> =
        functions.difference(&with_tests).filter(|build| !build.contains(&ours)).collect();
    assert!(changed.is_empty(), "tests add features to: {changed:?}");
}

#[test]
fn the_workflow_crate_reads_no_clock_no_file_and_no_environment() {
    let crates = ["workflow", "model", "reading", "quantity", "matrix", "wire"];
    let files = crates.map(|name| sources(&root().join(format!("shared/{name}/src"))));
    for file in files.into_iter().flatten() {
        let text = std::fs::read_to_string(&file).unwrap();
        for word in
            ["std::env", "std::fs", "std::net", "SystemTime", "Instant::now", "Timestamp::now"]
        {
            assert!(!text.contains(word), "{} names {word}", file.display());
        }
    }
}

#[test]
fn only_the_adapters_read_the_environment_or_name_a_service() {
    for folder in ["shared/workflow", "shared/lambda", "functions"] {
        for file in sources(&root().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            // The platform sets this variable; it is no setting of ours.
            let text = text.replace("env::var(LOG_LEVEL)", "");
            for word in ["env::var", "aws_sdk_", "qdrant_client"] {
                assert!(!text.contains(word), "{} names {word}", file.display());
            }
        }
    }
}

#[test]
fn lambda_and_adapters_know_no_crate_of_ours_but_the_workflows() {
    let ours = [
        "adapters",
        "lambda",
        "search",
        "rcca",
        "trade",
        "explore",
        "custom",
        "conflicts",
        "plan",
        "answer",
        "projects",
        "plumbline-digest",
        "ingest",
        "documents",
        "removal",
        "plumbline",
        "evaluate",
    ];
    for package in ["adapters", "lambda"] {
        let tree = dependencies(package);
        assert!(ours.iter().all(|name| *name == package || !tree.contains(*name)), "{package}");
    }
}

/// Returns true if the file holds only tests: `tests.rs`, and files in a folder `tests`.
fn is_test(file: &Path) -> bool {
    let is_below = file.parent().is_some_and(|folder| folder.ends_with("tests"));
    is_below || file.to_string_lossy().ends_with("tests.rs")
}

#[test]
fn workflows_never_import_each_other_and_nothing_below_imports_them() {
    let workflows = [
        "rcca",
        "trade",
        "explore",
        "custom",
        "plan",
        "answer",
        "projects",
        "digest",
        "cases",
        "ingest",
        "upload",
        "removal",
        "search",
        "conflicts",
    ];
    let folder = root().join("shared/workflow/src");
    let below = ["records", "conflict", "claim"];
    for name in workflows.into_iter().chain(below) {
        let inner = folder.join(name);
        let mut inner = if inner.is_dir() { sources(&inner) } else { Vec::new() };
        // A test may use other workflows to make its situation.
        inner.retain(|file| !is_test(file));
        for file in inner.into_iter().chain([folder.join(format!("{name}.rs"))]) {
            let text = std::fs::read_to_string(&file).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for other in workflows.iter().filter(|other| **other != name) {
                assert!(
                    !text.contains(&format!("crate::{other}")),
                    "{} imports {other}",
                    file.display()
                );
            }
        }
    }
}

/// Returns the files of a folder of configuration, each with its name and text.
fn shipped(folder: &str) -> Vec<(String, String)> {
    let file = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    std::fs::read_dir(root().join(folder)).unwrap().map(file).collect()
}

#[test]
fn every_shipped_strategy_is_read() {
    let files = shipped("infra/strategies");
    assert!(files.len() >= 3);
    workflow::custom::Strategies::parse(&files).unwrap_or_else(|trouble| panic!("{trouble}"));
}

#[test]
fn every_shipped_knowledge_base_is_read() {
    let bases = workflow::answer::KnowledgeBases::parse(&shipped("infra/knowledge"))
        .unwrap_or_else(|trouble| panic!("{trouble}"));
    let scopes = [
        Scope::Global,
        Scope::User("ann".into()),
        Scope::Case("01J".into()),
        Scope::Team("ops".into()),
    ];
    assert!(scopes.iter().all(|scope| bases.of(scope).is_some()));
}

#[test]
fn nothing_says_that_running_systems_are_asked() {
    let places = [
        "README.md",
        "docs/assistants.md",
        "docs/search.md",
        "functions/mcp/src/tools.rs",
        "shared/contract/src/routes.rs",
        "shared/wire/src/search.rs",
    ];
    let read = |place: &str| std::fs::read_to_string(root().join(place)).unwrap();
    let texts = places.map(read).into_iter();
    let mut texts = texts.chain(shipped("infra/sources").into_iter().map(|(_, text)| text));
    assert!(texts.all(|text| !text.contains("running systems")));
}

#[test]
fn files_stay_short() {
    for folder in ["shared", "functions", "infra/cli", "infra/evaluate", "infra/local/src", "tests"]
    {
        for file in sources(&root().join(folder)) {
            let lines = std::fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= 300, "{} has {lines} lines", file.display());
        }
    }
}
