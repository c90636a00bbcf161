//! Lines that say what stands below them, and what is no sentence.

/// Whether a line in a block of code is a sentence.
pub(super) fn is_prose(line: &str) -> bool {
    let is_marked = line.contains(['{', '}', ';', '=']) || line.starts_with(['/', '#', '*', '<']);
    !is_marked && line.split_whitespace().count() >= 8
}

/// Words of headings and labels below which pros and cons are listed.
const ARGUMENTS: [&str; 8] = [
    "pros",
    "cons",
    "advantages",
    "disadvantages",
    "benefits",
    "drawbacks",
    "trade-offs",
    "downsides",
];

pub(super) fn lists_arguments(label: &str) -> bool {
    let label = label.to_lowercase();
    label.split(|c: char| !(c.is_alphanumeric() || c == '-')).any(|word| ARGUMENTS.contains(&word))
}

/// "Good, because ...", as decision records put it.
pub(super) fn argues(text: &str) -> bool {
    ["Good,", "Good:", "Bad,", "Bad:", "OK,", "Neutral,", "Neutral:", "Pro:", "Con:"]
        .iter()
        .any(|start| text.starts_with(start))
}

/// A line that announces what follows: "Pros of Bazel:", "**Bazel**".
pub(super) fn is_label(text: &str) -> bool {
    let text = text.trim();
    let is_bold = text.starts_with("**") && text.ends_with("**");
    (text.ends_with(':') || text.ends_with(":**") || is_bold) && text.len() <= 120
}
