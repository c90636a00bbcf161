//! Which workflow a question is for, where the asker names none.

/// A workflow, and the words of the question that speak for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pick {
    /// The workflow's name.
    pub(crate) workflow: Workflow,
    /// The reason, to follow "because the question".
    pub(crate) reason: &'static str,
}

/// The workflows that a question alone can be for. plan needs a project, and custom a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Workflow {
    Rcca,
    Trade,
    Explore,
    Search,
    Answer,
}

impl Workflow {
    /// As it is typed behind `plumbline ask`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Workflow::Rcca => "rcca",
            Workflow::Trade => "trade",
            Workflow::Explore => "explore",
            Workflow::Search => "search",
            Workflow::Answer => "global",
        }
    }
}

/// Words that a question of each kind begins with.
const CHOICE: [&str; 5] = ["which ", "compare ", "best ", "should we ", "what speaks for "];
const PLACE: [&str; 5] = ["where is ", "where are ", "which file ", "which module ", "find the "];
const FACT: [&str; 12] = [
    "how many ",
    "how much ",
    "how do ",
    "how to ",
    "how can ",
    "how long ",
    "when ",
    "who ",
    "where ",
    "what is the ",
    "what should ",
    "what must ",
];
const SUBJECT: [&str; 4] = ["what ", "explain ", "define ", "tell me about "];

/// Between two options.
const BETWEEN: [&str; 4] = [" or ", " versus ", " vs ", " vs. "];

/// A subject has at most so many words; what is longer and asks nothing tells what happened.
const SUBJECT_WORDS: usize = 3;

/// Picks the workflow for a question by its form.
pub(crate) fn pick(question: &str) -> Pick {
    let question = question.trim().to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| question.starts_with(word));
    let (workflow, reason) = if BETWEEN.iter().any(|word| question.contains(word)) {
        (Workflow::Trade, "names a choice")
    } else if begins(&CHOICE) {
        (Workflow::Trade, "asks for a choice")
    } else if begins(&PLACE) {
        (Workflow::Search, "asks for a place")
    } else if begins(&["what caused ", "what went wrong"]) {
        (Workflow::Rcca, "asks for a cause")
    } else if begins(&FACT) {
        (Workflow::Answer, "asks for a fact or for steps")
    } else if begins(&SUBJECT) || question.split_whitespace().count() <= SUBJECT_WORDS {
        (Workflow::Explore, "names a subject")
    } else {
        (Workflow::Rcca, "tells what happened")
    };
    Pick { workflow, reason }
}

#[cfg(test)]
mod tests {
    use super::Workflow::{Answer, Explore, Rcca, Search, Trade};
    use super::*;

    #[test]
    fn a_question_finds_its_workflow() {
        let questions = [
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
        ];
        for (question, workflow) in questions {
            assert_eq!(pick(question).workflow, workflow, "{question}");
        }
    }
}
