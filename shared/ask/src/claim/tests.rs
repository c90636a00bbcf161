use super::*;

const LOG: &str = "2026-03-12T14:32:15.123Z ERROR E1042 pool db-main exhausted after 30,000 ms, 5% left: wait for `kubectl drain node-7`
2026-03-12T14:33:02.000Z INFO operator ben restarted Postgres";

fn source() -> Source {
    Source::of([("Source: app.log, Lines: 7-9", LOG, DocumentType::Log)])
}

#[test]
fn what_stands_in_the_passage_word_for_word_stands() {
    let text = "The pool was not resized, since nobody knew why it grew. Ben restarted Postgres.";
    let prose = Source::of([("Report", text, DocumentType::Postmortem)]);
    for claim in [
        "The pool was **not** resized, since nobody knew why it grew.",
        "The pool was not resized, since nobody knew why it grew. Ben restarted Postgres!",
    ] {
        assert!(stands(claim, &prose), "{claim}");
    }
    for claim in [
        "",
        "The pool was resized, since nobody knew why it grew.",
        "Nobody knew why it grew.",
        "Ben restarted Postgres. Ben restarted Valkey.",
        "Postgres was restarted by Ben.",
    ] {
        assert!(!stands(claim, &prose), "{claim}");
    }
}

#[test]
fn what_has_another_number_name_or_quote_cannot_stand() {
    for claim in [
        "The pool db-main was exhausted after 30000 ms (E1042).",
        "The pool db-main was exhausted after 30 s.",
        "The pool db-main was exhausted at 14:32:15, with 5 percent left.",
        "On lines 7-9 it says \"pool db-main exhausted\".",
        "Ben restarted Postgres at 14:33.",
    ] {
        assert!(may_stand(claim, &source()), "{claim}");
    }
    for claim in [
        "The pool db-main was exhausted after 3000 ms.",
        "The pool db-main failed with E1043.",
        "The pool db-replica was exhausted.",
        "It says \"pool exhausted by leak\".",
        "The OutOfMemoryError came first.",
        "The operator Anna restarted Postgres.",
    ] {
        assert!(!may_stand(claim, &source()), "{claim}");
    }
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
