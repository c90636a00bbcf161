//! Limits for the length of titles and headings, because each passage and each answer carries them,
//! and for the number of parts of a text, because each part takes memory of its own.

/// Upper bound for the bytes of a title, a heading, a path of headings, or a value of front matter,
/// including the ellipsis of a longer one.
pub(crate) const NAME: usize = 300;

/// Upper bounds for the tags in front matter, and for the bytes of one tag; the same as in an
/// announcement.
pub(crate) const TAGS: usize = 50;
pub(crate) const TAG: usize = 100;

/// A limit for parts of a text: `free` parts for any text, and one more for every `bytes` bytes.
struct Parts {
    name: &'static str,
    free: usize,
    bytes: usize,
}

/// The limit for lines. One line of a log, of a table or of Markdown takes about 400 bytes of
/// memory. Settings have a limit of their own.
const LINES: Parts = Parts { name: "lines", free: 100_000, bytes: 32 };

/// The limit for the values of a table, which take about 50 bytes each.
const VALUES: Parts = Parts { name: "values", free: 1_000_000, bytes: 8 };

/// The limit for passages, which take about 3,000 bytes each.
const PASSAGES: Parts = Parts { name: "passages", free: 15_000, bytes: 500 };

impl Parts {
    fn check(&self, size: usize, count: usize) -> Result<(), String> {
        let most = self.free + size / self.bytes;
        if count <= most {
            return Ok(());
        }
        let name = self.name;
        Err(format!("has {count} {name} in {size} bytes; at most {most} are taken: split it"))
    }
}

/// Refuses a text with too many lines, before it is read.
pub(crate) fn check_lines(text: &str) -> Result<(), String> {
    LINES.check(text.len(), text.bytes().filter(|byte| *byte == b'\n').count())
}

/// Refuses a table with too many values before it is read. Each value ends with `delimiter`.
pub(crate) fn check_values(text: &str, delimiter: u8) -> Result<(), String> {
    VALUES.check(text.len(), text.bytes().filter(|byte| *byte == delimiter).count())
}

/// Refuses a text that is cut into too many passages.
pub(crate) fn check_passages(text: &str, count: usize) -> Result<(), String> {
    PASSAGES.check(text.len(), count)
}

const CUT: char = '\u{2026}';

/// Returns a text on one line, of at most `most` bytes and without control characters. A longer
/// text is cut after a whole word, if that leaves at least half of it, and ends with an ellipsis.
pub(crate) fn label(text: &str, most: usize) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let mut label = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        let space = if label.is_empty() { "" } else { " " };
        let left = most - label.len();
        if space.len() + word.len() > left {
            return ended(label, space, word, most);
        }
        label.push_str(space);
        label.push_str(word);
    }
    label
}

/// Returns a label with an ellipsis, for a next word that does not fit, or fits only in part.
fn ended(mut label: String, space: &str, word: &str, most: usize) -> String {
    let fits = most - CUT.len_utf8();
    if label.len() < most / 2 {
        label.push_str(space);
        label.push_str(&word[..word.floor_char_boundary(fits - label.len())]);
    }
    while label.len() > fits {
        let last = label.rfind(' ').unwrap_or_else(|| label.floor_char_boundary(fits));
        label.truncate(last);
    }
    label.push(CUT);
    label
}

/// Returns the inner headings of a path, at most [`NAME`] bytes together. The innermost one is
/// always included.
pub(crate) fn path(section: &[String]) -> Vec<String> {
    let mut left = NAME;
    let fits = |text: &&String| {
        let is_first = left == NAME;
        let had = left;
        left = left.saturating_sub(text.len());
        is_first || text.len() <= had
    };
    let mut path: Vec<String> = section.iter().rev().take_while(fits).cloned().collect();
    path.reverse();
    path.iter().map(|p| label(p, NAME)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_ends_with_a_whole_word() {
        assert_eq!(label("Pump \n 7\u{1b}[2J", NAME), "Pump 7 [2J");
        let cut = label(&"valve ".repeat(100), NAME);
        assert!(cut.ends_with("valve\u{2026}") && cut.len() <= NAME, "{cut}");
        let cut = label(&"\u{00E9}".repeat(1_000), NAME);
        assert!(cut.ends_with("\u{00E9}\u{2026}") && (NAME - 5..=NAME).contains(&cut.len()));
        let cut = label(&format!("{} {}", "x".repeat(140), "y".repeat(400)), NAME);
        assert!(cut.ends_with("y\u{2026}") && (NAME - 5..=NAME).contains(&cut.len()));
        assert_eq!(
            label(&format!("{0} {0} b", "x".repeat(149)), NAME),
            format!("{}\u{2026}", "x".repeat(149))
        );
    }

    #[test]
    fn no_label_is_too_long() {
        proptest::proptest!(|(text in "[a-z\u{00E9} \n]{0,60}", most in 10_usize..40)| {
            let label = label(&text, most);
            proptest::prop_assert!(label.len() <= most && !label.contains('\n'));
        });
    }

    #[test]
    fn of_a_path_the_inner_headings_stay() {
        let names =
            |texts: &[&str]| texts.iter().map(|texts| (*texts).to_owned()).collect::<Vec<_>>();
        assert_eq!(path(&names(&["Cause", "Seal"])), ["Cause", "Seal"]);
        let long = "x".repeat(250);
        assert_eq!(path(&names(&[&long, "Cause", &long])), ["Cause", &long]);
        assert_eq!(path(&["x".repeat(400)])[0].len(), NAME);
    }
}
