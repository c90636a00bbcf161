//! Tests how the program starts, refuses to start, and ends.

use crate::spawn::{Local, command, refusal};

#[test]
fn an_address_of_the_world_is_refused() {
    assert!(
        refusal(&mut command(&["--http", "0.0.0.0:4571"]))
            .contains("0.0.0.0:4571 is not a loopback address")
    );
}

#[test]
fn a_port_in_use_is_one_clear_line() {
    let taken = Local::start(&[]);
    let address = taken.http().trim_start_matches("http://");
    assert!(
        refusal(&mut command(&["--http", address]))
            .contains(&format!("cannot listen on {address}: Address already in use"))
    );
}

#[test]
fn a_folder_without_the_model_is_named() {
    assert!(
        refusal(&mut command(&["--http", "127.0.0.1:0", "--model", "/nowhere"]))
            .contains("/nowhere/config.json")
    );
}

#[test]
fn it_ends_cleanly_when_asked() {
    let local = Local::start(&[]);
    assert_eq!(local.get("/health").0, 200);
    assert!(local.end("TERM").success());
}
