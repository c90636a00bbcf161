use super::Workflow::{Answer, Explore, Rcca, Search, Trade};
use super::*;

/// Sentences by which the rules were chosen.
const SEEN: [(&str, Workflow); 26] = [
    ("Requests time out and the pool is full", Rcca),
    ("Kafka or RabbitMQ for order events?", Trade),
    ("Which queue should carry the order events?", Trade),
    ("retry and backoff", Explore),
    ("What is known of connection pools?", Explore),
    ("How many errors were there at noon?", Answer),
    ("How do I restart the intake pump?", Answer),
    ("Why did the certificate expire unnoticed?", Rcca),
    ("Compare ELK with Loki", Trade),
    ("idempotency keys", Explore),
    ("Where is the rate limiter implemented?", Search),
    ("Checkout returns 502 or times out", Rcca),
    ("Why did it hang or crash?", Rcca),
    ("best practices for retries", Explore),
    ("Which services failed in March?", Answer),
    ("When did checkout fail?", Answer),
    ("postgres vs mysql for the ledger", Trade),
    ("Should we use gRPC or REST between services?", Trade),
    ("Which of the two caches is better for sessions?", Trade),
    ("what is the best queue for small messages", Trade),
    ("What is the best way to drain a node?", Answer),
    ("how do I rotate the signing key or revoke it", Answer),
    ("How do we make search better?", Answer),
    ("pods restart every ten minutes", Rcca),
    ("payment worker stuck", Rcca),
    ("What is a circuit breaker?", Explore),
];

/// Sentences that were written together with those, and looked at once: when the rules stood.
const HELD_OUT: [(&str, Workflow); 15] = [
    ("The API gateway answers 504 or closes the connection", Rcca),
    ("is it down or just slow?", Rcca),
    ("best practice for naming topics", Explore),
    ("Which hosts ran out of disk last week?", Answer),
    ("when was the last failover", Answer),
    ("Terraform or Pulumi", Trade),
    ("compare Loki with Elasticsearch", Trade),
    ("should we move to Kubernetes", Trade),
    ("which database should we pick for events", Trade),
    ("What's better, polling or webhooks?", Trade),
    ("who was on call when the mailer failed", Answer),
    ("how to fail over to the second region", Answer),
    ("login fails after deploy", Rcca),
    ("deadlock detected", Rcca),
    ("Explain idempotency keys", Explore),
];

#[test]
fn a_question_finds_its_workflow() {
    for (question, workflow) in SEEN {
        assert_eq!(pick(question).workflow, workflow, "{question}");
    }
}

#[test]
fn a_question_that_the_rules_were_not_made_for_finds_its_workflow() {
    let missed: Vec<&str> = HELD_OUT
        .iter()
        .filter(|(question, workflow)| pick(question).workflow != *workflow)
        .map(|(question, _)| *question)
        .collect();
    // What nobody could tell from a subject without knowing the words.
    assert_eq!(missed, ["deadlock detected"]);
}
