//! Tests of what becomes of files on their way.

use super::*;
use serde_json::json;
use wire::testing::{id, reply};

/// A path of this crate.
fn crate_path(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn files_are_named_from_the_path_that_was_given() {
    let files = all_files(&[crate_path("src/ingest"), crate_path("Cargo.toml")]).unwrap();
    let names: Vec<&str> = files.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "estimate.rs",
            "media.rs",
            "outcome.rs",
            "tests.rs",
            "tree/git.rs",
            "tree/tests.rs",
            "tree.rs",
            "walk.rs",
            "Cargo.toml"
        ]
    );
    let below = all_files(&[crate_path("src")]).unwrap();
    assert!(below.iter().any(|(_, name)| name == "ingest/media.rs"));
}

#[test]
fn a_file_whose_name_is_decomposed_is_named_in_composed_letters() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Ku\u{308}hlung.md"), "# Heat").unwrap();
    let files = all_files(&[folder.path().to_path_buf()]).unwrap();
    assert_eq!(files[0].1, "K\u{fc}hlung.md");
    assert!(files[0].0.exists(), "its path stays the one that it has");
}

#[test]
fn two_files_of_one_name_are_not_taken_at_once() {
    let refusal = |paths: &[PathBuf]| all_files(paths).unwrap_err().to_string();
    let twice = refusal(&[crate_path("src/ingest"), crate_path("src/ingest/media.rs")]);
    assert!(twice.ends_with("media.rs would both be `media.rs`"), "{twice}");
    let none = refusal(&[crate_path("none")]);
    assert!(
        none.contains("none cannot be read: ") && none.matches("os error").count() == 1,
        "{none}"
    );
}

#[test]
fn a_document_that_goes_is_not_waited_for() {
    let waiting = HashMap::from([(id("d"), ("1".into(), "a.log".into()))]);
    let mut outcome = Outcome { waiting, ..Outcome::default() };
    let document = json!({"document_id": "d", "name": "a.log", "status": "deleting"});
    assert!(settle(&mut outcome, &reply(document)));
    assert_eq!(outcome.refused[0].0, "a.log");
}

#[test]
fn the_report_names_what_was_refused_and_why() {
    let refused = vec![
        ("b.zip".into(), "must end in md".into()),
        ("a.md".into(), "is not UTF-8 text".into()),
    ];
    let mut outcome = Outcome { indexed: 1, unchanged: 2, refused, ..Outcome::default() };
    insta::assert_snapshot!(outcome::report(&mut outcome), @r"
    1 document indexed, 2 unchanged, 2 refused
      a.md: is not UTF-8 text
      b.zip: must end in md
    ");
}

#[test]
fn a_file_that_is_too_large_is_told_before_it_is_read() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // A sparse file of a terabyte, which no memory holds.
    file.as_file().set_len(1 << 40).unwrap();
    let reason = read(file.path()).unwrap_err();
    assert_eq!(reason, "has 1099511627776 bytes; a document has at most 26214400");
}
