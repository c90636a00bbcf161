use super::*;

#[test]
fn what_no_person_writes_is_left_out() {
    assert_eq!(unfit("100644", 10, "src/a.rs"), None);
    assert_eq!(unfit("120000", 10, "src/a.rs"), Some("is a symbolic link"));
    assert_eq!(unfit("160000", 0, "lib"), Some("is a submodule: ingest it by itself"));
    assert_eq!(unfit("100644", 0, "a.rs"), Some("is empty"));
    assert_eq!(unfit("100644", 50 << 20, "a.sql"), Some("is larger than 2 MiB"));
    assert_eq!(unfit("100644", 10, "a.png"), Some("is of a kind that is not read"));
}

#[test]
fn a_tree_tells_what_its_commit_has_and_what_changed_since_another() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.arg("-C").arg(folder.path());
        command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments);
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    };
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    git(&["init", "-q"]);
    for name in ["one.rs", "two.rs", "old.rs"] {
        write(name, "fn a() {}\n");
    }
    write(".gitignore", "ignored.rs\n");
    write("ignored.rs", "fn hidden() {}\n");
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    let repository = Repository::at(folder.path()).unwrap();
    let first = repository.commit().unwrap();
    write("two.rs", "fn b() {}\n");
    git(&["mv", "old.rs", "new.rs"]);
    git(&["commit", "-qam", "second"]);
    // An edit that is not committed does not count.
    write("one.rs", "fn edited() {}\n");
    let tracked = repository.tracked().unwrap();
    let paths: Vec<&str> = tracked.iter().map(|t| t.path.as_str()).collect();
    assert_eq!(paths, [".gitignore", "new.rs", "one.rs", "two.rs"]);
    let one = tracked.iter().find(|t| t.path == "one.rs").unwrap();
    assert_eq!((repository.blob(&one.object).unwrap(), one.bytes), (b"fn a() {}\n".to_vec(), 10));
    let changed = repository.changed_since(&first).unwrap();
    assert_eq!(
        changed.iter().map(String::as_str).collect::<Vec<_>>(),
        ["new.rs", "old.rs", "two.rs"]
    );
    assert!(repository.has(&first));
    assert!(
        !repository.has("0123456789012345678901234567890123456789") && !repository.has("--all")
    );
    std::fs::create_dir(folder.path().join("src")).unwrap();
    assert!(Repository::at(&folder.path().join("src")).is_err(), "only the outermost folder");
}

#[test]
fn many_deletions_are_asked_for() {
    assert!(agree(20, "engine/", false).is_ok());
    assert!(agree(21, "engine/", true).is_ok());
    let refused = agree(21, "engine/", false).unwrap_err().to_string();
    assert!(refused.starts_with("Delete 21 documents that `engine/` does not have?"), "{refused}");
    assert!(refused.contains("add --yes"), "{refused}");
}
