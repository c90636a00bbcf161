//! Extracts the names of options as questions and documents write them.

/// Upper bound for the words of a name.
const LONGEST: usize = 6;

/// Returns a name without marks, links, its article and its explanation; `None` if the text is not
/// a name.
pub fn name(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['*', '_', '`', '[', '"', ' ']);
    let end = [" - ", " – ", " — ", ": ", " (", "](", ". ", ", ", ":\n", "\n", "**", "`"]
        .iter()
        .filter_map(|stop| text.find(stop))
        .min();
    let name =
        text[..end.unwrap_or(text.len())].trim_matches(|c: char| !c.is_alphanumeric() && c != ')');
    let name = ["the ", "a ", "an ", "The ", "A ", "An ", "Use ", "use ", "Using "]
        .iter()
        .find_map(|article| name.strip_prefix(article))
        .unwrap_or(name);
    let words = name.split_whitespace().count();
    let is_name = name.contains(char::is_alphabetic) && (1..=LONGEST).contains(&words);
    is_name.then(|| name.split_whitespace().collect::<Vec<_>>().join(" "))
}
