//! The workflow that a question is for, where the asker names none.

/// A workflow, and the words of the question that speak for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The workflow, or the knowledge base, as it is typed behind `plumbline ask`. plan needs a
    /// project, and custom a strategy: no question alone is for them.
    pub name: &'static str,
    /// The reason, to follow "because the question".
    pub reason: &'static str,
}

/// Words that a question of each kind begins with.
const PLACE: [&str; 5] = ["where is ", "where are ", "which file ", "which module ", "find the "];
const CAUSE: [&str; 6] =
    ["why ", "how come ", "what caused ", "what went wrong", "what failed", "what broke"];
const CHOICE: [&str; 4] = ["compare ", "should we ", "which of ", "what speaks for "];
const FACT: [&str; 13] = [
    "how many ",
    "how much ",
    "how do ",
    "how to ",
    "how can ",
    "how long ",
    "when ",
    "who ",
    "where ",
    "which ",
    "what is the ",
    "what should ",
    "what must ",
];
const SUBJECT: [&str; 5] = ["what ", "explain ", "define ", "tell me about ", "best practice"];

/// Words that choose, anywhere in a question; after "which" also those of whoever chooses.
const CHOOSES: [&str; 3] = ["vs", "versus", "better"];
const CHOOSES_WHICH: [&str; 4] = ["should", "choose", "pick", "prefer"];

/// "Best" before these words is no choice: a best practice is a subject, a best way is steps.
const NO_CHOICE: [&str; 3] = ["practice", "practices", "way"];

/// Words that tell of a failure.
const FAILS: [&str; 22] = [
    "broke",
    "broken",
    "crash",
    "crashed",
    "crashes",
    "down",
    "exhausted",
    "failed",
    "fails",
    "hang",
    "hangs",
    "hung",
    "refused",
    "refuses",
    "restarted",
    "restarts",
    "slow",
    "stopped",
    "stops",
    "stuck",
    "unavailable",
    "unreachable",
];
const RUNS_OUT: [&str; 5] = ["ran", "runs", "time", "timed", "times"];

/// A subject has at most so many words; what is longer and asks nothing tells what happened.
const SUBJECT_WORDS: usize = 3;

/// The most words before the "or" of a choice that is typed without a question mark: they are a
/// name.
const NAME_WORDS: usize = 2;

/// Picks the workflow for a question by its form: who asks for a place, a cause or a fact says so
/// with the first words, and who chooses names what to choose between. A sentence that asks nothing
/// tells what happened.
pub fn pick(question: &str) -> Pick {
    let question = question.trim().to_lowercase();
    let words: Vec<&str> = words(&question).collect();
    let begins = |words: &[&str]| words.iter().any(|word| question.starts_with(word));
    let (name, reason) = if begins(&PLACE) {
        ("search", "asks for a place")
    } else if begins(&CAUSE) {
        ("rcca", "asks for a cause")
    } else if begins(&CHOICE) || chooses(&words) {
        ("trade", "asks for a choice")
    } else if begins(&FACT) {
        ("global", "asks for a fact or for steps")
    } else if begins(&SUBJECT) {
        ("explore", "names a subject")
    } else if tells_of_a_failure(&words) {
        ("rcca", "tells what happened")
    } else if names_two(&question) {
        ("trade", "names a choice")
    } else if words.len() <= SUBJECT_WORDS {
        ("explore", "names a subject")
    } else if question.ends_with(['?', '？']) {
        ("global", "asks for a fact or for steps")
    } else {
        ("rcca", "tells what happened")
    };
    Pick { name, reason }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Returns true if the words choose. How something becomes better is no choice.
fn chooses(words: &[&str]) -> bool {
    let has = |of: &[&str]| words.iter().any(|word| of.contains(word));
    let is_best = |pair: &[&str]| pair[0] == "best" && !NO_CHOICE.contains(&pair[1]);
    match words.first() {
        Some(&"how") => false,
        Some(&"which") if has(&CHOOSES_WHICH) => true,
        _ => has(&CHOOSES) || words.windows(2).any(is_best),
    }
}

fn tells_of_a_failure(words: &[&str]) -> bool {
    let runs_out = |pair: &[&str]| RUNS_OUT.contains(&pair[0]) && pair[1] == "out";
    words.iter().any(|word| FAILS.contains(word)) || words.windows(2).any(runs_out)
}

/// Returns true if an "or" stands between two options: in a question, or behind a name. A sentence
/// may have one anywhere.
fn names_two(question: &str) -> bool {
    let before = question.split_once(" or ").map(|(before, _)| words(before).count());
    before.is_some_and(|count| question.ends_with('?') || count <= NAME_WORDS)
}

#[cfg(test)]
mod tests;
