use super::*;

fn rewritten(turns: &[(Speaker, &str)], question: &str) -> Option<String> {
    let turn = |(role, content): &(Speaker, &str)| Turn { role: *role, content: (*content).into() };
    let turns: Vec<Turn> = turns.iter().map(turn).collect();
    Conversation::parse(&turns, question)
        .unwrap()
        .rewritten(question)
        .map(|rewritten| rewritten.text)
}

const ASKED: [(Speaker, &str); 2] = [
    (Speaker::User, "How do I renew the Redis certificate?"),
    (Speaker::Assistant, "Run renew.sh on the bastion, then restart the pods."),
];

#[test]
fn a_question_that_says_all_is_left_alone() {
    for question in [
        "How do I restart the gateway pods?",
        "How long does it take to drain a node?",
        "Is it safe to delete the payment queue?",
        "When a backup job fails twice, how do I restart it?",
        "disk pressure alert on workers",
    ] {
        assert_eq!(rewritten(&ASKED, question), None, "{question}");
    }
}

#[test]
fn a_fragment_takes_the_last_question_and_its_own_name() {
    assert_eq!(
        rewritten(&ASKED, "And for Kafka?").as_deref(),
        Some("How do I renew the Kafka certificate?")
    );
    assert_eq!(
        rewritten(&ASKED, "what about in the staging cluster?").as_deref(),
        Some("How do I renew the Redis certificate, in the staging cluster?")
    );
}

#[test]
fn what_a_turn_says_takes_the_place_of_its_kind() {
    for (asked, turn, whole) in [
        ("show errors after 20:50", "oops, before 20:50 of course", "show errors before 20:50?"),
        (
            "How many requests were answered with 206?",
            "and with a 500?",
            "How many requests were answered with a 500?",
        ),
        (
            "who logged most in postgres.log?",
            "same for postgres.1",
            "who logged most in postgres.1?",
        ),
        ("Which host was busiest on Monday?", "Tuesday?", "Which host was busiest on Tuesday?"),
        (
            "How many lines did broker 1 write?",
            "broker 2 too?",
            "How many lines did broker 2 write?",
        ),
        (
            "what was the fastest of the slow queries?",
            "and the slowest?",
            "what was the slowest of the slow queries?",
        ),
        (
            "how many records has the MySQL error log?",
            "The slow log?",
            "how many records has the MySQL slow log?",
        ),
        (
            "how many lines did the seat service write?",
            "what about the station one?",
            "how many lines did the station service write?",
        ),
        ("what memory limit does buildkit have?", "cpu?", "what cpu limit does buildkit have?"),
        ("which microservices had errors at 08:52?", "pods?", "which pods had errors at 08:52?"),
        (
            "what size has the disk in prod?",
            "and in staging?",
            "what size has the disk in staging?",
        ),
        (
            "what's the memory limit of the hub?",
            "I mean the request, not the limit",
            "what's the memory request of the hub?",
        ),
    ] {
        assert_eq!(rewritten(&[(Speaker::User, asked)], turn).as_deref(), Some(whole), "{turn}");
    }
}

#[test]
fn an_item_is_meant_by_its_place() {
    let turns = [
        (Speaker::User, "List the steps for a full disk."),
        (Speaker::Assistant, "1. find the biggest directory 2. rotate the logs 3. grow the volume"),
    ];
    let second = rewritten(&turns, "explain the second one");
    assert_eq!(second.as_deref(), Some("Explain the second one (rotate the logs)?"));
}

#[test]
fn a_turn_leans_on_the_one_before_it_that_leans_itself() {
    let turns = [
        (Speaker::User, "How many errors did broker 1 log?"),
        (Speaker::Assistant, "17."),
        (Speaker::User, "and broker 2?"),
        (Speaker::Assistant, "7."),
    ];
    let warnings = rewritten(&turns, "warnings?");
    assert_eq!(warnings.as_deref(), Some("How many warnings did broker 2 log?"));
}

#[test]
fn a_pronoun_brings_what_was_spoken_of() {
    assert_eq!(
        rewritten(&ASKED, "How often does it expire?").as_deref(),
        Some("How often does it expire (Redis certificate)?")
    );
    assert_eq!(rewritten(&[], "How often does it expire?"), None);
}

#[test]
fn only_the_last_six_turns_before_the_question_are_read() {
    let turn = |content: &str| Turn { role: Speaker::User, content: content.into() };
    let turns = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "q?"].map(turn);
    let read = Conversation::parse(&turns, "q?").unwrap();
    assert_eq!(read.turns().len(), 6);
    assert_eq!(read.turns()[0].content, "a2");
    let long = [turn(&"é".repeat(300))];
    assert_eq!(Conversation::parse(&long, "q").unwrap().turns()[0].content.chars().count(), 200);
}

#[test]
fn too_many_turns_and_empty_ones_are_refused_by_field() {
    let turn = |content: &str| Turn { role: Speaker::User, content: content.into() };
    let many = vec![turn("a"); 21];
    let refusal = |turns: &[Turn]| Conversation::parse(turns, "q").unwrap_err().to_string();
    assert_eq!(refusal(&many), "invalid `conversation`: must have at most 20 turns, not 21");
    let blank = [turn("a"), turn(" ")];
    assert_eq!(refusal(&blank), "invalid `conversation[1].content`: must not be empty");
}
