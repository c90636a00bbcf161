//! Tests answers over documents in memory.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::*;
use ports::{Completion, Prompt, Status};
use testing::FakeMembers;

mod beside;
mod counts;
mod exact;
mod follow_up;
mod freshness;
mod further;
mod site;
mod written;

use site::{CASE, LOG, OTHER, RUNBOOK, Site};
use wire::answer::{AbstentionReason, CitationStanding, Currency, Support};
use wire::cases::CaseStatus;

fn case() -> Scope {
    Scope::Case(CASE.into())
}

fn user() -> Scope {
    Scope::User("ann".into())
}

fn evidence() -> Site {
    Site::new(&[(case(), "logs/app.log", LOG), (user(), "queue.md", RUNBOOK)])
}

#[test]
fn a_record_is_cited_by_file_line_and_time() {
    let report = evidence().ask(&case(), "When did the certificate of the mailer expire?");
    assert_eq!(report.citations[0].display, "app.log:5 (18:31:00Z)");
    assert!(report.answer.contains("E2001 certificate of mailer expired [app.log:5 (18:31:00Z)]"));
    assert!(report.sources_line.starts_with("Sources: app.log (1 passage, "));
    assert!(report.sources_line.ends_with("% relevance)"));
}

#[test]
fn what_is_on_a_line_is_that_line() {
    let report = evidence().ask(&case(), "What is on line 3 of app.log?");
    assert_eq!(report.claims.len(), 1);
    assert_eq!(report.claims[0].text, LOG.lines().nth(2).unwrap());
    assert_eq!(report.citations[0].lines, Some((3, 3)));
    assert_eq!(report.citations[0].display, "app.log:3 (18:10:09Z)");
    let beyond = evidence().ask(&case(), "What is on line 99 of app.log?");
    assert_eq!(beyond.abstained.unwrap().reason, AbstentionReason::NoEvidence);
}

#[test]
fn records_are_counted_over_all_of_them_and_not_the_nearest() {
    let mut log = String::new();
    for minute in 0..60 {
        for second in 0..20 {
            let level = if second == 7 { "ERROR" } else { "INFO" };
            let time = format!("2026-11-20T10:{minute:02}:{second:02}Z");
            log.extend([&time, " ", level, " pump at ", &time, " bar and more words\n"]);
        }
    }
    let site = Site::new(&[(case(), "pump.log", &log)]);
    let report = site.ask(&case(), "How many ERROR entries are in pump.log?");
    let found = report.records.unwrap();
    assert_eq!((found.totals.records, found.all_records_read), (60, true));
    let headline = "60 records with level ERROR in pump.log, 5 of them here";
    assert_eq!(report.claims[0].text, headline);
    assert!(
        report.answer.starts_with(&format!("{headline}\n2026-11-20T10:00:07Z ERROR")),
        "{}",
        report.answer
    );
    assert_eq!(report.claims.len(), 6);
    let report = site.ask(&case(), "How many errors were logged between 10:10 and 10:15?");
    assert_eq!(report.records.unwrap().totals.records, 5);
    let first = site.ask(&case(), "Which error was logged first?");
    assert_eq!(first.citations[0].display, "pump.log:8 (10:00:07Z)");
    let last = site.ask(&case(), "Which error was logged last?");
    assert_eq!(last.citations[0].display, "pump.log:1188 (10:59:07Z)");
}

#[test]
fn the_query_that_a_question_was_read_as_is_told() {
    let report = evidence().ask(&case(), "How many ERROR entries between 18:10 and 18:20?");
    let read = serde_json::to_value(report.read_as.unwrap()).unwrap();
    let clock = json!({"gte": "18:10", "lt": "18:20"});
    assert_eq!(read, json!({"where": {"level": ["ERROR"], "clock": clock}, "select": "count"}));
    assert_eq!(report.records.unwrap().totals.records, 2);
}

#[test]
fn steps_are_kept_whole_and_cited_by_section() {
    let report = evidence().ask(&user(), "What do I do when the payment queue grows?");
    assert!(report.answer.contains("1. Check the workers: `ctl workers list`.\n2. Scale them up"));
    assert!(report.answer.contains("[\"Queue Backlog Runbook\" section 2]"));
    assert!(report.claims.iter().all(|claim| RUNBOOK.contains(&claim.text)));
}

#[test]
fn the_words_of_a_question_that_no_quote_says_are_told() {
    let settings = "limits:\n  prod:\n    pod_quota: 0\n";
    let site = Site::new(&[(case(), "app.log", LOG), (case(), "hub.yaml", settings)]);
    let report = site.ask(&case(), "How many placeholder pods does prod have as a quota?");
    assert!(report.answer.contains("pod_quota: 0"), "{}", report.answer);
    assert_eq!(report.unsaid, ["placeholder"]);
    let whole = site.ask(&case(), "Which pod quota has prod in the limits of hub.yaml?");
    assert_eq!(whole.unsaid, [""; 0], "{}", whole.answer);
}

#[test]
fn what_stands_nowhere_is_not_answered() {
    let site = evidence();
    for (scope, question) in [
        (case(), "Which OutOfMemoryError did the gateway report?"),
        (user(), "How do I renew the Fastly TLS certificate?"),
    ] {
        let report = site.ask(&scope, question);
        assert!(report.abstained.is_some(), "{question}: {}", report.answer);
        assert!(report.claims.is_empty() && report.answer.is_empty());
    }
}

#[test]
fn a_question_of_which_most_words_stand_nowhere_is_not_answered_by_the_one_that_does() {
    let part = |number| format!("## Part {number}\n\nStep {number} checks valve {number}.\n\n");
    let parts: String = (0..40).map(part).collect();
    let guide = format!("# Guide\n\n{parts}## Mailer\n\nThe mailer sends letters by night.\n");
    let site = Site::new(&[(user(), "guide.md", guide.as_str())]);
    assert!(site.ask(&user(), "When does the mailer send letters?").abstained.is_none());
    let foreign = site.ask(&user(), "Does a knitted scarf fit my mailer?");
    assert_eq!(foreign.abstained.unwrap().reason, AbstentionReason::BelowThreshold);
}

#[test]
fn what_holds_now_is_quoted_before_what_was_superseded() {
    let of = |state: &str, name: &str| {
        let text = format!("Between the importer and the store we use {name} as the queue.");
        format!("# {name}\n\n* Status: {state}\n\n{text}\n")
    };
    let (old, new) = (of("superseded by 2", "Rabbit"), of("accepted", "Kafka"));
    let question = "Which queue do we use between the importer and the store?";
    for names in [["1.md", "2.md"], ["2.md", "1.md"]] {
        let site = Site::new(&[(Scope::Global, names[0], &old), (Scope::Global, names[1], &new)]);
        let report = site.ask(&Scope::Global, question);
        let places: Vec<_> = report.citations.iter().map(|citation| &citation.passage).collect();
        let states: Vec<_> = places.iter().filter_map(|place| place.lifecycle).collect();
        assert!(states.is_sorted_by_key(|state| state.is_past()), "{states:?}");
        assert!(states.iter().any(|state| state.is_past()) && !states[0].is_past(), "{states:?}");
    }
}

#[test]
fn an_abstention_tells_of_documents_that_are_not_read_yet_or_could_not_be() {
    let site = evidence();
    let question = "How do I renew the Fastly TLS certificate?";
    site.add(&user(), "tls.md", "", &Status::Failed { reason: "is UTF-16".into() });
    assert_eq!(
        site.ask(&user(), question).abstained.unwrap().reason,
        AbstentionReason::IndexingFailed
    );
    // Neither change moves the corpus counter, because an abstention is not cached.
    site.add(&user(), "fastly.md", "", &Status::Waiting);
    assert_eq!(
        site.ask(&user(), question).abstained.unwrap().reason,
        AbstentionReason::NotIndexedYet
    );
}

#[test]
fn documents_that_disagree_are_both_shown_and_not_relied_on() {
    let config = |seconds: u32| format!("pool:\n  size: 4\ntimeout_seconds: {seconds}\nname: a\n");
    let site = Site::new(&[(case(), "east.yaml", &config(30)), (case(), "west.yaml", &config(60))]);
    let report = site.ask(&case(), "What is timeout_seconds?");
    assert_eq!(report.abstained.unwrap().reason, AbstentionReason::Conflicting);
    assert!(
        report.answer.contains("timeout_seconds: 30")
            && report.answer.contains("timeout_seconds: 60")
    );
}

#[test]
fn examples_move_the_search_and_are_not_read_for_the_answer() {
    let pump = "# Pump seal\n\nThe seal of the pump wore out because it ran dry.\n";
    let fan = "# Fan seal\n\nThe seal of the fan wore out because it ran hot.\n";
    let site = Site::new(&[(user(), "pump.md", pump), (user(), "fan.md", fan)]);
    let ask = |request: Value| site.ask_with(&user(), request, None).map(|given| given.report);
    let question = "Why did the seal wear out?";
    assert_eq!(ask(json!({"question": question})).unwrap().read.len(), 2);
    let like = model::document::document_id(&user(), "pump.md");
    let read = ask(json!({"question": question, "like": [like]})).unwrap().read;
    let files: Vec<&str> = read.iter().map(|read| read.passage.file.as_str()).collect();
    assert_eq!(files, ["fan.md"], "and it was no kept answer");
    let unknown = ask(json!({"question": question, "unlike": [uuid::Uuid::nil()]})).unwrap_err();
    assert!(matches!(unknown, Error::Invalid { field, .. } if field == "unlike[0]"));
}

#[test]
fn strangers_and_closed_cases_are_told_before_anything_is_read() {
    let mut site = evidence();
    let refusal = |site: &Site, case: &str| {
        let asked = json!({"question": "What happened?"});
        site.ask_with(&Scope::Case(case.into()), asked, None).unwrap_err().to_string()
    };
    assert_eq!(refusal(&site, OTHER), format!("no case named `{OTHER}`"));
    assert_eq!(refusal(&site, "x/y"), "no case named `x/y`");
    site.answers.members = FakeMembers::default().with(CASE, "ann").at(CASE, CaseStatus::Closing);
    assert!(refusal(&site, CASE).starts_with("conflict on `case`"));
    let foreign = site.ask_with(&Scope::User("bob".into()), json!({"question": "a?"}), None);
    assert!(matches!(foreign, Err(Error::Missing { .. })));
    let team = site.ask_with(&Scope::Team("ops".into()), json!({"question": "a?"}), None);
    assert!(matches!(team, Err(Error::Denied { .. })));
    assert_eq!(site.answers.count(), 0);
}

#[test]
fn an_answer_is_given_again_until_the_documents_change_and_in_its_own_scope_only() {
    let site = evidence();
    let ask = |scope: &Scope| {
        let asked = json!({"question": "What do I do when the payment queue grows?"});
        site.ask_with(scope, asked, None).unwrap()
    };
    let first = ask(&user());
    assert_eq!(first.kept.cache, Cache::Miss);
    let again = ask(&user());
    assert_eq!(again.kept.cache, Cache::Hit { age: 0, left: 3_600 });
    assert_eq!((&again.report, &again.kept.answer_id), (&first.report, &first.kept.answer_id));
    assert_eq!(ask(&Scope::Global).kept.cache, Cache::Miss);
    site.answers.change(&user());
    assert_eq!(ask(&user()).kept.cache, Cache::Miss);
}

#[test]
fn a_kept_answer_is_read_again_by_whoever_may_read_its_documents() {
    let mut site = evidence();
    let given =
        site.ask_with(&case(), json!({"question": "When did the certificate expire?"}), None);
    let id = given.unwrap().kept.answer_id.unwrap();
    let read = |site: &Site| site.stored(&id);
    assert!(read(&site).unwrap().report.answer.contains("certificate"));
    site.context.caller.sub = "bob".into();
    let unknown = "no answer named `".to_owned() + &id + "`";
    assert_eq!(read(&site).unwrap_err().to_string(), unknown);
}

#[test]
fn a_follow_up_is_understood_by_what_was_asked_before() {
    let request = json!({"question": "And how do I scale them?", "conversation": [
        {"role": "user", "content": "The payment queue workers are too slow?"},
        {"role": "assistant", "content": "Yes."},
    ]});
    let report = evidence().ask_with(&user(), request, None).unwrap().report;
    assert!(report.rewritten_question.unwrap().contains("queue"));
    assert!(report.answer.contains("ctl workers scale 8"));
}
