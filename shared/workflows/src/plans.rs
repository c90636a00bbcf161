//! Tests the searches of each workflow.

use std::fmt::Write;

use ask::plan::{Plan, Way};
use ask::question::Asked;
use ports::question::Question;
use ports::scope::{Grant, Scope};

use crate::explore::Explore;
use crate::trade::Trade;
use crate::{custom, plan, rcca, search};

/// Returns a question with a query of the caller's.
fn asked() -> Asked {
    let question = |text: &str| Question::parse(text).unwrap();
    let grant = Grant::unchecked(&[Scope::Global]);
    let asked = Asked::of(question("Why did pump E1042 trip?"), grant);
    Asked { queries: vec![question("seal leaks")], ..asked }
}

/// Returns a plan as lines: the parts to read and to look up, then each text with the ways to
/// search for it.
fn told(plan: &Plan) -> String {
    let Plan { keep, decisions, lookup, .. } = plan;
    let (names, words) = (lookup.names.len(), lookup.words.len());
    let exact = lookup.literals.len();
    let mut text = format!(
        "{keep:?}, decisions {decisions:?}: {names} names, {words} words, {exact} strings\n"
    );
    for probe in &plan.probes {
        let way = |(kind, of, weight): &Way| format!("{kind:?} {of:?} {weight}");
        let ways: Vec<String> = probe.ways.iter().map(way).collect();
        let _ = writeln!(text, "{} ({}): {}", probe.text, probe.depth, ways.join(", "));
    }
    text
}

#[test]
fn rcca_searches_reports_once_more_by_themselves() {
    assert_eq!(told(&rcca::plan(&asked())), "\
Documents { spare: 10 }, decisions Accepted: 0 names, 5 words, 1 strings
Why did pump E1042 trip? (60): Dense Document 0.35, Dense FailureReport 0.15, Dense Passage 0.5, Bm25 Document 0.25, Bm25 Passage 0.25
seal leaks (60): Dense Document 0.35, Dense FailureReport 0.15, Dense Passage 0.5, Bm25 Document 0.25, Bm25 Passage 0.25
");
}

#[test]
fn trade_searches_each_alternative_and_criterion_and_reads_documents_whole() {
    let request = |list: &str| serde_json::from_str::<Vec<_>>(list).unwrap();
    let alternatives = crate::trade::alternatives(&request("[\"A1\", \"B2\"]")).unwrap();
    let trade = Trade::of(&asked(), Some(alternatives), None);
    assert_eq!(told(&trade.plan(&asked())), "\
EveryPassage, decisions Accepted: 0 names, 0 words, 1 strings
Why did pump E1042 trip? (40): Dense Document 0.35, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
seal leaks (40): Dense Document 0.35, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
A1: Why did pump E1042 trip? (20): Dense Passage 0.2, Bm25 Passage 0.2
B2: Why did pump E1042 trip? (20): Dense Passage 0.2, Bm25 Passage 0.2
");
}

#[test]
fn explore_searches_each_facet() {
    assert_eq!(told(&Explore::of(&asked(), None, false).plan(&asked())), "\
Passages, decisions Accepted: 0 names, 5 words, 1 strings
Why did pump E1042 trip? (40): Dense Document 0.3, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
seal leaks (40): Dense Document 0.3, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
Why did pump E1042 trip? definition terminology (20): Dense Passage 0.6, Bm25 Passage 0.3
Why did pump E1042 trip? example case study (20): Dense Passage 0.6, Bm25 Passage 0.3
Why did pump E1042 trip? standard requirement (20): Dense Passage 0.6, Bm25 Passage 0.3
Why did pump E1042 trip? best practice guidance (20): Dense Passage 0.6, Bm25 Passage 0.3
");
}

#[test]
fn plan_searches_each_heading_and_decisions_however_they_stand() {
    assert_eq!(told(&plan::plan(&asked())), "\
Passages, decisions Decision: 0 names, 0 words, 1 strings
Why did pump E1042 trip? (40): Dense Document 0.3, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
seal leaks (40): Dense Document 0.3, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
Why did pump E1042 trip? checklist template procedure steps (20): Dense Passage 0.4, Bm25 Passage 0.2
Why did pump E1042 trip? risks failure modes drawbacks limitations (20): Dense Passage 0.4, Bm25 Passage 0.2
Why did pump E1042 trip? lessons learned root cause recommendation (20): Dense Passage 0.4, Bm25 Passage 0.2
Why did pump E1042 trip? decision alternatives considered rationale (20): Dense Passage 0.4, Bm25 Passage 0.2
");
}

#[test]
fn a_custom_workflow_searches_its_expansions_and_facets() {
    let file = "description = \"Cranes\"\nquery_expansion = [\"hazard\"]\nfacets = [\"brakes\"]\n";
    let strategies = custom::Strategies::parse(&[("cranes.toml".into(), file.into())]).unwrap();
    assert_eq!(told(&custom::plan(&asked(), &strategies.all()[0])), "\
Passages, decisions Accepted: 0 names, 5 words, 1 strings
Why did pump E1042 trip? (40): Dense Document 0.25, Bm25 Document 0.1, Dense Passage 0.5, Bm25 Passage 0.25
seal leaks (40): Dense Document 0.25, Bm25 Document 0.1, Dense Passage 0.5, Bm25 Passage 0.25
Why did pump E1042 trip? hazard (20): Dense Passage 0.2, Bm25 Passage 0.1
Why did pump E1042 trip? brakes (20): Dense Passage 0.2, Bm25 Passage 0.1
");
}

#[test]
fn search_sends_the_question_to_each_source() {
    assert_eq!(told(&search::plan(&asked())), "\
Passages, decisions Decision: 0 names, 5 words, 1 strings
Why did pump E1042 trip? (30): Dense Document 0.3, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
seal leaks (30): Dense Document 0.3, Bm25 Document 0.15, Dense Passage 0.5, Bm25 Passage 0.25
");
}
