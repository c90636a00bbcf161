//! Tests those rules of the code that can be checked automatically.

#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use plumbline_tests::root;
use ports::scope::Scope;

mod event;
mod modules;

/// Returns the names of all crates that `package` depends on.
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

pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
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

/// Our crates without I/O, each with those of our crates that it may depend on.
#[rustfmt::skip]
pub(crate) const PURE: [(&str, &[&str]); 16] = [
    ("matrix", &[]),
    ("quantity", &[]),
    ("text", &[]),
    ("model", &["quantity", "text"]),
    ("wire", &["matrix", "model", "quantity", "text"]),
    ("contract", &["matrix", "model", "quantity", "text", "wire"]),
    ("views", &["matrix", "model", "quantity", "text", "wire"]),
    ("reading", &["model", "quantity", "text"]),
    ("ports", &["matrix", "model", "quantity", "text", "wire"]),
    ("ask", &["matrix", "model", "ports", "quantity", "text", "wire"]),
    ("records", &["matrix", "model", "ports", "quantity", "text", "wire"]),
    ("corpus", &["ask", "matrix", "model", "ports", "quantity", "text", "wire"]),
    ("decisions", &["ask", "matrix", "model", "ports", "quantity", "text", "wire"]),
    ("workflows", &["ask", "matrix", "model", "ports", "quantity", "text", "views", "wire"]),
    ("answers", &["ask", "matrix", "model", "ports", "quantity", "records", "text", "wire"]),
    ("alerts", &["answers", "ask", "matrix", "model", "ports", "quantity", "records", "text", "views", "wire", "workflows"]),
];

/// Our other crates in `shared`, which may depend on those.
const ABOVE: [&str; 5] = ["trial", "handlers", "lambda", "adapters", "testing"];

#[test]
fn the_crates_without_io_know_no_service_and_no_crate_above_them() {
    let services = ["tokio", "hyper", "http", "tonic", "qdrant-client", "lambda_runtime"];
    let ours = PURE.iter().map(|(name, _)| *name).chain(ABOVE);
    for (package, allowed) in PURE {
        let tree = dependencies(package);
        let foreign: Vec<_> = tree
            .iter()
            .filter(|name| {
                let is_ours = ours.clone().any(|our| our == *name);
                let is_service = services.contains(&name.as_str()) || name.starts_with("aws");
                is_service || is_ours && *name != package && !allowed.contains(&name.as_str())
            })
            .collect();
        assert!(foreign.is_empty(), "{package} must not depend on {foreign:?}");
    }
    for package in ["model", "wire", "quantity", "matrix", "text"] {
        for parser in ["lopdf", "tree-sitter", "html5gum"] {
            assert!(!dependencies(package).contains(parser), "{package} must not link {parser}");
        }
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
        assert!(tree.contains("ports"), "{name}");
        assert!(!tree.contains("reading"), "{name} must not depend on reading");
        assert!(!tree.contains("testing"), "{name} must not depend on testing");
        for heavy in ["serve", "embedding", "candle-core", "rusqlite"] {
            assert!(!tree.contains(heavy), "{name} must not depend on {heavy}");
        }
    }
}

#[test]
fn the_program_on_one_machine_has_no_client_of_a_cloud() {
    let tree = dependencies("serve");
    assert!(tree.contains("dynoxide-rs"));
    for client in ["aws-sdk-bedrockruntime", "aws-sdk-s3", "aws-sdk-sqs", "qdrant-client"] {
        assert!(!tree.contains(client), "serve must not depend on {client}");
    }
}

/// Returns each package with its features in a build, once for each set of features.
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
    // Our own packages are left out, because compiling them twice is quick.
    let ours = root().display().to_string();
    let changed: Vec<_> =
        functions.difference(&with_tests).filter(|build| !build.contains(&ours)).collect();
    assert!(changed.is_empty(), "tests add features to: {changed:?}");
}

#[test]
fn the_crates_without_io_read_no_clock_no_file_and_no_environment() {
    for (name, _) in PURE {
        // The program in `bin` may write the types of its crate to a file.
        let files = sources(&root().join(format!("shared/{name}/src")));
        for file in
            files.into_iter().filter(|file| !file.components().any(|c| c.as_os_str() == "bin"))
        {
            let text = std::fs::read_to_string(&file).unwrap();
            for word in
                ["std::env", "std::fs", "std::net", "SystemTime", "Instant::now", "Timestamp::now"]
            {
                assert!(!text.contains(word), "{} names {word}", file.display());
            }
        }
    }
}

#[test]
fn only_the_adapters_read_the_environment_or_name_a_service() {
    let folders = PURE.iter().map(|(name, _)| format!("shared/{name}/src"));
    let others =
        ["shared/answers", "shared/trial", "shared/handlers", "shared/lambda", "functions"];
    for folder in folders.chain(others.map(str::to_owned)) {
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
fn lambda_and_adapters_know_no_function_and_no_workflow() {
    let ours = ["handlers", "views", "contract", "workflows", "reading", "testing", "plumbline"];
    for package in ["adapters", "lambda"] {
        let tree = dependencies(package);
        let foreign: Vec<_> = ours.iter().filter(|name| tree.contains(**name)).collect();
        assert!(foreign.is_empty(), "{package} must not depend on {foreign:?}");
    }
}

/// Returns the files of a folder of configuration, by name and text.
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
    workflows::custom::Strategies::parse(&files).unwrap_or_else(|trouble| panic!("{trouble}"));
}

#[test]
fn every_shipped_knowledge_base_is_read() {
    let bases = answers::KnowledgeBases::parse(&shipped("infra/knowledge"))
        .unwrap_or_else(|trouble| panic!("{trouble}"));
    let scopes = [
        Scope::Global,
        Scope::User("ann".into()),
        Scope::Case("01J".into()),
        Scope::Team("ops".into()),
    ];
    assert!(scopes.iter().all(|scope| bases.base_of(scope).is_some()));
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

/// Returns all files below a folder, except for those that a build creates.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            all.push(path);
        } else if !path.ends_with("target") && !path.ends_with(".git") {
            all.extend(files(&path));
        }
    }
    all
}

#[test]
fn every_file_that_the_architecture_names_is_there() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let named = quoted.filter(|word| {
        let is_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        word.chars().all(is_path) && [".rs", ".py", ".toml"].iter().any(|end| word.ends_with(end))
    });
    let all = files(&root());
    let missing: BTreeSet<&str> =
        named.filter(|name| !all.iter().any(|file| file.ends_with(name))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The folders with code of ours.
const CODE: [&str; 8] = [
    "shared",
    "functions",
    "infra/cli",
    "infra/embedding",
    "infra/evaluate",
    "infra/local/src",
    "infra/serve",
    "tests",
];

#[test]
fn files_and_comments_stay_short() {
    for file in CODE.into_iter().flat_map(|folder| sources(&root().join(folder))) {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines = text.lines().count();
        assert!(lines <= 300, "{} has {lines} lines", file.display());
        let comments = text.lines().filter(|line| line.trim_start().starts_with("//"));
        let long = comments.filter(|line| line.chars().count() > 100).collect::<Vec<_>>();
        assert!(long.is_empty(), "{}: longer than 100 columns: {long:?}", file.display());
    }
}
