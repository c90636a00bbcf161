//! Measures passages under their facet: `{id, question, docs, half, facets: {facet: [{doc, start,
//! end}]}}`, in bytes of `DATA/doc`.

use std::collections::BTreeMap;
use std::path::Path;

use ask::Ask;
use serde::Deserialize;
use serde_json::{Value, json};
use testing::{Corpus, FakeContext, FakeEmbedder};
use workflows::explore;

use crate::{Figures, count, covers, flat};

#[derive(Deserialize)]
struct Label {
    id: String,
    question: String,
    docs: Vec<String>,
    half: String,
    facets: BTreeMap<String, Vec<Place>>,
}

#[derive(Deserialize)]
struct Place {
    doc: String,
    start: usize,
    end: usize,
}

/// Asks each question over its documents alone and counts the marked quotes that are listed under
/// their facet.
pub(crate) fn measure(data: &Path, labels: &Path, printed_half: Option<&str>) -> Figures {
    let mut figures = Figures::new();
    for line in std::fs::read_to_string(labels).unwrap().lines() {
        let label: Label = serde_json::from_str(line).unwrap();
        let read = |doc: &String| (doc.clone(), std::fs::read_to_string(data.join(doc)).unwrap());
        let texts: BTreeMap<String, String> = label.docs.iter().map(read).collect();
        let report = ask(&label, &texts);
        for (facet, places) in &label.facets {
            for place in places {
                let Some(text) = texts.get(&place.doc) else { continue };
                let quote = &text[place.start..place.end];
                let is_found = passages(&report, facet).any(|passage| covers(passage, quote));
                count(&mut figures, format!("{} {facet}", label.half), is_found);
                count(&mut figures, format!("{} all facets", label.half), is_found);
                if printed_half == Some(label.half.as_str()) && !is_found {
                    println!("{} {facet}: {}", label.id, flat(quote));
                }
            }
        }
    }
    figures
}

fn ask(label: &Label, texts: &BTreeMap<String, String>) -> Value {
    let documents: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    pollster::block_on(async {
        let corpus = Corpus::of(&documents).await;
        let context = FakeContext::default();
        let ask = Ask::new(context.context(), &FakeEmbedder, &corpus.index);
        let request = serde_json::from_value(json!({"question": label.question})).unwrap();
        let answer = explore::run(&ask, request).await.unwrap().reply;
        serde_json::to_value(answer).unwrap()
    })
}

/// Returns the passages that are listed under a facet, or elsewhere with its tag.
fn passages<'r>(report: &'r Value, name: &'r str) -> impl Iterator<Item = &'r str> {
    report["facets"].as_array().unwrap().iter().flat_map(move |listed| {
        listed["results"].as_array().unwrap().iter().filter_map(move |result| {
            let also = result["also_in"].as_array().unwrap();
            let serves = listed["facet"] == name || also.iter().any(|a| a == name);
            result["text"].as_str().filter(|_| serves)
        })
    })
}
