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
        "Which node runs out of memory at night?",
        "disk pressure alert on workers",
    ] {
        assert_eq!(rewritten(&ASKED, question), None, "{question}");
    }
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
    assert_eq!(warnings.as_deref(), Some("warnings (broker errors log)?"));
}

#[test]
fn a_pronoun_brings_what_was_spoken_of() {
    assert_eq!(
        rewritten(&ASKED, "How often does it expire?").as_deref(),
        Some("How often does it expire (renew Redis certificate)?")
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
