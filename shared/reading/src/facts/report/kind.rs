//! What a heading or a label says of the text below it.

use std::sync::LazyLock;

use serde::Deserialize;
use text::lexicon::Lexicon;

/// What a part of a report is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// Nothing that its heading tells.
    #[default]
    Plain,
    /// What was observed.
    Symptoms,
    /// Whom and what it hit.
    Impact,
    /// How it was noticed.
    Detection,
    /// The whole in short.
    Summary,
    /// The story of the failure.
    Event,
    /// What happened when.
    Timeline,
    /// Why it happened.
    Cause,
    /// A chain of questions; its last answers are the deepest.
    Whys,
    /// What helped it to happen.
    Factors,
    /// What went wrong: causes and factors alike.
    WentWrong,
    /// What ended it.
    Resolution,
    /// What is to be done, by a recommendation.
    Recommendation,
    /// What is to be done, item by item.
    Actions,
    /// What it comes to.
    Conclusion,
    /// What is said not to be the case, or is beside the point.
    Excluded,
}

/// A group of `heading.toml`.
#[derive(Deserialize)]
struct Announced {
    kind: Kind,
}

static HEADINGS: LazyLock<Lexicon<Announced>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::HEADING));

/// A longer heading is a sentence about something else.
const LONGEST: usize = 45;

impl Kind {
    /// Reads one heading or label; `None` where it tells nothing.
    pub(super) fn of(title: &str) -> Option<Kind> {
        if title.len() > LONGEST {
            return None;
        }
        let lower = title.to_ascii_lowercase();
        let first = HEADINGS.find(&lower).min_by_key(|found| found.group);
        first.map(|found| found.class.kind)
    }

    /// Reads a path of headings, the innermost first.
    pub(super) fn of_section(section: &str, separator: &str) -> Kind {
        section.rsplit(separator).find_map(Kind::of).unwrap_or(Kind::Plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_tell_their_kind_by_whole_words() {
        assert_eq!(Kind::of("D4 Root cause"), Some(Kind::Cause));
        assert_eq!(Kind::of("Excluded causes"), Some(Kind::Excluded));
        assert_eq!(Kind::of("Recurrence"), None);
        assert_eq!(Kind::of("13:29"), None);
    }

    #[test]
    fn the_innermost_heading_that_tells_something_decides() {
        assert_eq!(Kind::of_section("Timeline > 13:29", " > "), Kind::Timeline);
        assert_eq!(Kind::of_section("Lessons learnt > What went wrong", " > "), Kind::WentWrong);
        assert_eq!(Kind::of_section("", " > "), Kind::Plain);
    }
}
