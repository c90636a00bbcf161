//! Properties that hold for every file, whoever wrote it.

use proptest::prelude::*;

use super::*;
use crate::damage::{file, quarter};
use model::facts::{Facts, range};
use model::record::RecordFile;

/// Returns the spans of a passage that its facts refer to.
fn spans(facts: &Facts) -> Vec<(u32, u32)> {
    let statements = facts.statements.list.iter();
    let mut spans: Vec<(u32, u32)> = statements.clone().map(|statement| statement.quote).collect();
    spans.extend(statements.clone().filter_map(|statement| statement.cell));
    spans.extend(statements.flat_map(|statement| &statement.values).map(|s| s.at));
    spans.extend(facts.statements.places.iter().filter_map(|place| place.at));
    spans.extend(facts.defines.iter().flat_map(|define| [define.sentence, define.term]));
    spans.extend(facts.requires.iter().map(|require| require.sentence));
    spans
}

fn check_passage(name: &str, text: &str, entry: &Entry) -> Result<(), TestCaseError> {
    let passage = &entry.passage;
    prop_assert!(!passage.text.trim().is_empty() && passage.text.len() <= 1_000);
    prop_assert!(entry.meaning.len() <= MEANING && passage.title.len() <= 300);
    prop_assert!(passage.section.len() <= 2_000);
    if Format::of(name, "") != Ok(Format::Html) && !passage.is_summary() {
        prop_assert!(text.contains(&passage.text), "{:?}", passage.text);
        let (first, last) = passage.lines.unwrap_or_default();
        prop_assert!(
            1 <= first && first <= last && last as usize <= text.matches('\n').count() + 1
        );
    }
    for span in spans(&passage.facts) {
        prop_assert!(passage.text.get(range(span)).is_some(), "{:?}", span);
    }
    prop_assert!(passage.time.is_none_or(|(first, last)| first <= last));
    Ok(())
}

fn check(name: &str, bytes: &[u8], reading: &Reading) -> Result<(), TestCaseError> {
    let decoded = crate::encoding::decoded(bytes).unwrap();
    let text = text::composed::owned(decoded.text.into_owned());
    let (point, passages) = reading.entries.split_first().unwrap();
    prop_assert_eq!(point.kind, PointKind::Document);
    prop_assert!(point.meaning.len() <= MEANING);
    for (position, entry) in (0..).zip(passages) {
        prop_assert_eq!((entry.kind, entry.passage.position), (PointKind::Passage, position));
        check_passage(name, &text, entry)?;
    }
    let decisions = passages.iter().filter_map(|passage| passage.passage.facts.decision.as_ref());
    let reasons = decisions.clone().flat_map(|decision| &decision.reasons).map(|d| &d.fact);
    let report = point.passage.facts.report.iter().flat_map(model::facts::FailureReport::all);
    for fact in
        decisions.filter_map(|decision| decision.chosen.as_ref()).chain(reasons).chain(report)
    {
        let passage_text = &passages[fact.position as usize].passage.text;
        let start = fact.start as usize;
        prop_assert_eq!(passage_text.get(start..start + fact.text.len()), Some(fact.text.as_str()));
    }
    if let Some(records) = &reading.records {
        let file = RecordFile::open(records.bytes.clone()).unwrap();
        prop_assert_eq!(file.header.records, records.count);
        let places = file.header.passages.len().max(file.header.templates.len());
        prop_assert!(places <= passages.len());
    }
    Ok(())
}

proptest! {
    #![proptest_config(quarter())]

    #[test]
    fn any_file_is_read_into_passages_that_stand_in_it_or_refused_with_a_reason((name, bytes) in file()) {
        match read_as(name, &bytes) {
            Ok(reading) => check(name, &bytes, &reading)?,
            Err(reason) => prop_assert!(!reason.is_empty()),
        }
    }

    #[test]
    fn a_file_reads_twice_alike((name, bytes) in file()) {
        let first = read_as(name, &bytes);
        prop_assert!(first == read_as(name, &bytes));
    }
}
