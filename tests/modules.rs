//! Tests which modules of a crate use which others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use plumbline_tests::root;

use super::{PURE, sources};

/// Returns true if the file contains only tests: `tests.rs`, `testing.rs`, and files in a folder
/// `tests`.
fn is_test(file: &Path) -> bool {
    let is_below = file.parent().is_some_and(|folder| folder.ends_with("tests"));
    is_below || ["tests.rs", "testing.rs"].iter().any(|end| file.to_string_lossy().ends_with(end))
}

/// Returns a text without the items that exist only for tests.
fn without_tests(text: &str) -> String {
    let mut parts = text.split("#[cfg(test)]\n");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let first = part.lines().next().unwrap_or_default();
        let end = if first.ends_with('{') { "\n}\n" } else { "\n" };
        let behind = part.find(end).map_or(part.len(), |at| at + end.len());
        rest.push_str(&part[behind..]);
    }
    rest
}

/// Returns for each root module of a crate the other root modules that it names.
fn modules(package: &str) -> BTreeMap<String, BTreeSet<String>> {
    let folder = root().join(format!("shared/{package}/src"));
    let name = |file: &Path| {
        let inner = file.strip_prefix(&folder).unwrap().components().next().unwrap();
        inner.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
    };
    let files: Vec<PathBuf> = sources(&folder).into_iter().filter(|file| !is_test(file)).collect();
    let all: BTreeSet<String> = files.iter().map(|file| name(file)).collect();
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let text = without_tests(&std::fs::read_to_string(&file).unwrap());
        // For a file at the root, `super` is the root, too.
        let is_at_root = file.parent() == Some(&folder);
        let above: &[&str] = if is_at_root { &["crate", "super"] } else { &["crate"] };
        let named = all
            .iter()
            .filter(|other| above.iter().any(|above| names(&text, &format!("{above}::{other}"))));
        modules.entry(name(&file)).or_default().extend(named.cloned());
    }
    modules
}

/// Returns true if a text contains a path that is not only the beginning of a longer name.
fn names(text: &str, path: &str) -> bool {
    let is_free = |c: char| !c.is_alphanumeric() && c != '_';
    text.match_indices(path).any(|(at, _)| text[at + path.len()..].starts_with(is_free))
}

/// Returns true if `module` depends on itself through other modules.
fn is_in_a_circle(modules: &BTreeMap<String, BTreeSet<String>>, module: &str) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![module]);
    while let Some(name) = open.pop() {
        for next in modules.get(name).into_iter().flatten().filter(|next| *next != name) {
            if next == module {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

#[test]
fn no_modules_of_a_crate_import_each_other() {
    for package in PURE.iter().map(|(name, _)| *name).chain(["answers", "trial"]) {
        let modules = modules(package);
        let circles: Vec<_> =
            modules.keys().filter(|module| is_in_a_circle(&modules, module)).collect();
        assert!(circles.is_empty(), "{package}: {circles:?} import each other");
    }
}

#[test]
fn workflows_never_import_each_other() {
    let modules = modules("workflows");
    let workflows: Vec<&str> =
        wire::WORKFLOWS.iter().copied().chain(["custom", "search", "conflicts"]).collect();
    for name in workflows.iter().copied() {
        let others: Vec<_> = modules[name]
            .iter()
            .filter(|other| *other != name && workflows.contains(&other.as_str()))
            .collect();
        assert!(others.is_empty(), "{name} imports {others:?}");
    }
}

#[test]
fn what_tests_import_is_left_out_and_what_stands_below_them_is_not() {
    let text =
        "use a;\n#[cfg(test)]\nmod tests {\n    use b;\n}\n#[cfg(test)]\nmod more;\nuse c;\n";
    assert_eq!(without_tests(text), "use a;\nuse c;\n");
}
