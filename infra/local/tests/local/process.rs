//! Starting, refusing and ending.

use crate::spawn::{Local, command};

fn refusal(arguments: &[&str]) -> String {
    let output = command(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

#[test]
fn an_address_of_the_world_is_refused() {
    assert!(
        refusal(&["--http", "0.0.0.0:4571"]).contains("0.0.0.0:4571 is not a loopback address")
    );
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let taken = Local::start(&["http"], &[]);
    let address = taken.http().trim_start_matches("http://");
    assert!(
        refusal(&["--http", address])
            .contains(&format!("cannot listen on {address}: Address already in use"))
    );
}

#[test]
fn nothing_to_serve_is_refused() {
    assert!(refusal(&[]).contains("nothing to serve"));
}

#[test]
fn a_folder_without_the_model_is_named() {
    assert!(
        refusal(&["--http", "127.0.0.1:0", "--model", "/nowhere"]).contains("/nowhere/config.json")
    );
}

#[test]
fn a_second_process_on_the_same_data_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let _first = Local::with_data(data.path());
    let folder = data.path().to_str().unwrap();
    assert!(
        refusal(&["--qdrant", "127.0.0.1:0", "--data", folder])
            .contains("in use by another process")
    );
}

#[test]
fn both_doors_end_cleanly_when_asked() {
    let data = tempfile::tempdir().unwrap();
    let local = Local::start(&["http", "qdrant"], &["--data", data.path().to_str().unwrap()]);
    assert_eq!(local.get("/health").0, 200);
    assert!(local.end("TERM").success());
}
