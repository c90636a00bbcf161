//! Compares replies and refusals over the demo corpus, with services in memory, byte for byte:
//! `requests.jsonl` has the requests, `replies.jsonl` the replies. A change of structure changes
//! none of them. If a reply should change, run `GOLDEN=write cargo test --workspace --test golden`;
//! the diff then shows what callers will notice.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test may stop at the first surprise, and is told by its environment to write"
)]

use std::fs;
use std::path::{Path, PathBuf};

mod ask;
mod broken;
mod site;

use ask::Asked;
use site::Site;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

#[test]
fn replies_and_refusals_are_the_same_byte_for_byte() {
    let requests = fs::read_to_string(file("requests.jsonl")).unwrap();
    let asked: Vec<Asked> =
        requests.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let site = pollster::block_on(Site::of_the_demo_corpus());
    let replies: Vec<String> =
        asked.iter().map(|asked| pollster::block_on(ask::reply(&site, asked))).collect();
    if std::env::var("GOLDEN").is_ok_and(|value| value == "write") {
        fs::write(file("replies.jsonl"), replies.join("\n") + "\n").unwrap();
        eprintln!("golden: {} replies are written", replies.len());
        return;
    }
    let golden = fs::read_to_string(file("replies.jsonl")).unwrap();
    let golden: Vec<&str> = golden.lines().collect();
    assert_eq!(golden.len(), replies.len(), "one reply for each request");
    let differ =
        |(number, reply): (usize, &String)| (golden[number] != reply.as_str()).then_some(number);
    let changed: Vec<usize> = replies.iter().enumerate().filter_map(differ).collect();
    for number in &changed {
        eprintln!("{}", difference(&asked[*number].name, golden[*number], &replies[*number]));
    }
    assert!(changed.is_empty(), "{} of {} replies changed", changed.len(), replies.len());
}

/// Returns the place at which two replies differ, with some of the text after it.
fn difference(name: &str, golden: &str, reply: &str) -> String {
    let at = golden.bytes().zip(reply.bytes()).take_while(|(one, other)| one == other).count();
    let from = at.saturating_sub(120);
    let part = |text: &str| {
        let (from, to) = (text.floor_char_boundary(from), text.floor_char_boundary(at + 200));
        text[from..to].to_owned()
    };
    format!("{name}, from byte {at}:\n- {}\n+ {}", part(golden), part(reply))
}

/// Fails if the file of replies gets shorter, because it would then protect less.
#[test]
fn there_are_sixty_replies_and_sixty_refusals() {
    let golden = fs::read_to_string(file("replies.jsonl")).unwrap();
    let (refusals, replies): (Vec<&str>, Vec<&str>) =
        golden.lines().partition(|line| line.starts_with(r#"{"status":"#));
    assert!(
        replies.len() >= 60 && refusals.len() >= 60,
        "{} and {}",
        replies.len(),
        refusals.len()
    );
}
