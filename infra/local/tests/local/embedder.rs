//! Tests the order in which texts are embedded, and what the cache stores.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use serde_json::json;

use crate::spawn::Local;

const COHERE: &str = "/model/cohere.embed-v4%3A0/invoke";

/// Embeds texts for one of Cohere's purposes; panics at any answer except vectors.
fn embed(local: &Local, texts: &[String], purpose: &str) -> Vec<Vec<f32>> {
    let request = json!({"texts": texts, "input_type": purpose});
    let (status, _, answer) = local.post(COHERE, &request);
    assert_eq!(status, 200, "{answer}");
    serde_json::from_value(answer["embeddings"].clone()).unwrap()
}

/// Returns as many texts as one call accepts: all different, some short and some long.
fn documents() -> Vec<String> {
    let words = ["pump", "valve", "seal", "ran dry", "overheated", "at night"];
    let text = |number: usize| {
        let word = |at| words[(number * 7 + at * number + at) % words.len()];
        (0..4 + number % 24).map(word).collect::<Vec<_>>().join(" ") + &format!(" {number}")
    };
    (0..96).map(text).collect()
}

fn file_in(folder: &Path) -> PathBuf {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

fn length(file: &Path) -> u64 {
    fs::metadata(file).unwrap().len()
}

#[test]
fn a_question_is_answered_before_the_documents_that_came_earlier() {
    let Some(local) = Local::with_model(&[]) else { return };
    let (answered, answers) = mpsc::channel();
    thread::scope(|scope| {
        let (local, first) = (&local, answered.clone());
        scope.spawn(move || {
            embed(local, &documents(), "search_document");
            first.send("documents").unwrap();
        });
        // The service counts a call on arrival.
        while local.get("/script").1["calls"]["invoke"] == 0 {}
        embed(local, &["why did the pump overheat?".to_owned()], "search_query");
        answered.send("question").unwrap();
    });
    assert_eq!(answers.iter().take(2).collect::<Vec<_>>(), ["question", "documents"]);
}

#[test]
fn many_texts_have_the_vectors_they_have_alone_and_in_order() {
    let Some(local) = Local::with_model(&[]) else { return };
    let documents = documents();
    let together = embed(&local, &documents, "search_document");
    assert_eq!(together.len(), documents.len());
    for at in [0, 1, 40, 63, 95] {
        let alone = embed(&local, &documents[at..=at], "search_query").remove(0);
        let cosine: f32 = alone.iter().zip(&together[at]).map(|(one, other)| one * other).sum();
        assert!(cosine > 0.9999, "{cosine} at {at}");
    }
}

#[test]
fn what_was_embedded_outlives_a_kill_and_a_torn_entry() {
    let folder = tempfile::tempdir().unwrap();
    let cache = ["--cache", folder.path().to_str().unwrap()];
    let texts = ["the pump ran dry", "a valve froze shut", "the seal leaked"].map(String::from);
    let Some(local) = Local::with_model(&cache) else { return };
    let vectors = embed(&local, &texts, "search_document");
    local.end("KILL");
    let file = file_in(folder.path());
    let whole = length(&file);

    let local = Local::with_model(&cache).unwrap();
    assert_eq!(embed(&local, &texts, "search_query"), vectors);
    assert_eq!(length(&file), whole, "nothing was embedded again");
    local.end("KILL");

    OpenOptions::new().write(true).open(&file).unwrap().set_len(whole - 100).unwrap();
    let local = Local::with_model(&cache).unwrap();
    assert_eq!(embed(&local, &texts, "search_document"), vectors);
    assert_eq!(length(&file), whole, "the torn entry gave way to a whole one");
    assert_eq!(embed(&local, &texts, "search_document"), vectors);
    assert_eq!(length(&file), whole, "and that is found");
}

#[test]
fn a_damaged_entry_is_embedded_again() {
    let folder = tempfile::tempdir().unwrap();
    let cache = ["--cache", folder.path().to_str().unwrap()];
    let text = ["the pump ran dry".to_owned()];
    let Some(local) = Local::with_model(&cache) else { return };
    let vectors = embed(&local, &text, "search_document");
    let file = file_in(folder.path());
    let entry = length(&file);
    OpenOptions::new().write(true).open(&file).unwrap().write_all_at(b"damage", 600).unwrap();
    assert_eq!(embed(&local, &text, "search_document"), vectors);
    assert_eq!(length(&file), 2 * entry);
    assert_eq!(embed(&local, &text, "search_document"), vectors);
    assert_eq!(length(&file), 2 * entry);
}

#[test]
fn processes_share_what_they_embed() {
    let folder = tempfile::tempdir().unwrap();
    let cache = ["--cache", folder.path().to_str().unwrap()];
    let Some(one) = Local::with_model(&cache) else { return };
    let other = Local::with_model(&cache).unwrap();
    let texts = ["the pump ran dry", "a valve froze shut"].map(String::from);
    let first = embed(&one, &texts[..1], "search_document");
    let file = file_in(folder.path());
    let entry = length(&file);
    let both = embed(&other, &texts, "search_document");
    assert_eq!(both[0], first[0]);
    assert_eq!(embed(&one, &texts, "search_document"), both);
    assert_eq!(length(&file), 2 * entry, "each text was embedded once");
}
