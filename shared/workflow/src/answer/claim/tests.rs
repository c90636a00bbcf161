use super::*;

const LOG: &str = "2026-03-12T14:32:15.123Z ERROR E1042 pool db-main exhausted after 30,000 ms, 5% left: wait for `kubectl drain node-7`
2026-03-12T14:33:02.000Z INFO operator ben restarted Postgres";

fn of(text: &str, kind: DocumentType, claim: &str) -> Option<Flaw> {
    flaw(claim, &Source::of([("Source: app.log, Lines: 7-9", text, kind)]))
}

fn of_log(claim: &str) -> Option<Flaw> {
    of(LOG, DocumentType::Log, claim)
}

fn of_prose(text: &str, claim: &str) -> Option<Flaw> {
    of(text, DocumentType::Guide, claim)
}

#[test]
fn what_stands_in_the_passage_is_supported() {
    for claim in [
        "The pool db-main was exhausted after 30000 ms (E1042).",
        "The pool db-main was exhausted after 30 s.",
        "Wait for `kubectl drain node-7`.",
        "The pool db-main was exhausted at 14:32:15, with 5 percent left.",
        "On lines 7-9 it says \"pool db-main exhausted\".",
        "Ben restarted Postgres at 14:33.",
    ] {
        assert_eq!(of_log(claim), None, "{claim}");
    }
}

#[test]
fn an_invented_number_name_or_quote_is_not() {
    for (claim, flaw) in [
        ("The pool db-main was exhausted after 3000 ms.", Flaw::Number),
        ("The pool db-main was exhausted after 30000 s.", Flaw::Number),
        ("The pool db-main was exhausted to 30,000%.", Flaw::Number),
        ("The pool db-main failed with E1043.", Flaw::Name),
        ("The pool db-replica was exhausted.", Flaw::Name),
        ("It says \"pool exhausted by leak\".", Flaw::Quote),
        ("The OutOfMemoryError came first.", Flaw::Name),
        ("The pool db-main was exhausted in Postgres 9.", Flaw::Number),
        ("Anna restarted Postgres.", Flaw::Name),
        ("The operator Anna restarted Postgres.", Flaw::Name),
    ] {
        assert_eq!(of_log(claim), Some(flaw), "{claim}");
    }
}

#[test]
fn what_denies_its_passage_is_not() {
    assert_eq!(of_log("The pool db-main was not exhausted."), Some(Flaw::Negation));
    let text = "The cache was never cleared, but the disk was full.";
    assert_eq!(of_prose(text, "The disk was full."), None);
    assert_eq!(of_prose(text, "The cache was not cleared."), None);
    assert_eq!(of_prose(text, "The cache was cleared."), Some(Flaw::Negation));
    assert_eq!(of_prose("At most 3 retries.", "No more than three retries are made."), None);
}

#[test]
fn what_says_nothing_or_is_elsewhere_is_not() {
    assert_eq!(of_log("It is as it was."), Some(Flaw::Empty));
    assert_eq!(of_log(""), Some(Flaw::Empty));
    assert_eq!(
        of_log("Operator teams should watch certificates, disks and queues."),
        Some(Flaw::Words)
    );
}

#[test]
fn words_and_numbers_in_each_others_place_are_not() {
    let order = "After the break, live values are sent before stored ones.";
    assert_eq!(
        of_prose(order, "After the break, stored values are sent before live ones."),
        Some(Flaw::Order)
    );
    let peaks = "Bearing temperature 71 °C, normally 52 °C.";
    assert_eq!(of_prose(peaks, "The bearing temperature was 71 °C."), None);
    assert_eq!(of_prose(peaks, "The bearing temperature was 52 °C."), Some(Flaw::Number));
    let timeout = "Failover has a timeout: 1h30m.";
    assert_eq!(of_prose(timeout, "Failover has a timeout of 1 hour and 30 minutes."), None);
    assert_eq!(of_prose(timeout, "Failover has a timeout of 1 hour."), Some(Flaw::Number));
    let table = "| Store | p50 | p99 |\n|---|---|---|\n| Dynamo | 4 ms | 14 ms |\n| Cassandra | 3 ms | 9 ms |";
    assert_eq!(of_prose(table, "Dynamo has a p99 of 14 ms."), None);
    assert_eq!(of_prose(table, "Dynamo has a p99 of 9 ms."), Some(Flaw::Number));
}

#[test]
fn a_plan_is_not_told_as_done() {
    let plan = "Open: a drill with a slow vendor, each quarter.";
    assert_eq!(of_prose(plan, "A drill with a slow vendor is planned each quarter."), None);
    assert_eq!(
        of_prose(plan, "A drill with a slow vendor was held each quarter."),
        Some(Flaw::Plan)
    );
}

#[test]
fn another_record_of_a_log_contradicts_nothing() {
    let (before, now) = ("09:10 ERROR pool exhausted", "14:32 ERROR pool exhausted");
    assert_eq!(contradiction(before, now, DocumentType::Log), None);
    let (before, now) = ("pool_size: 10", "pool_size: 20");
    assert_eq!(contradiction(before, now, DocumentType::Config).as_deref(), Some(now));
}

#[test]
fn a_documents_own_words_may_be_cut_off_or_stand_below_their_keys() {
    let of = |text: &str| is_made_of(text, ["url: jdbc:postgres", "spring.datasource"].into_iter());
    assert!(of("spring.datasource › url: jdbc:postg"));
    assert!(!of("spring.datasource › url: jdbc:oracle"));
}
