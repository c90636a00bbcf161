//! The meaning of a heading or a label for the text below it.

use std::sync::LazyLock;

use serde::Deserialize;
use text::lexicon::Lexicon;

/// The subject of a part of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    /// The heading does not tell.
    #[default]
    Plain,
    /// The symptoms that were observed.
    Symptoms,
    /// The people and systems that were hit.
    Impact,
    /// The way in which the failure was noticed.
    Detection,
    /// A summary of the whole.
    Summary,
    /// The course of the failure.
    Event,
    /// The events with their times.
    Timeline,
    /// The cause of the failure.
    Cause,
    /// A chain of "why" questions; its last answers are the deepest causes.
    Whys,
    /// The factors that contributed.
    Factors,
    /// Mistakes: causes and factors alike.
    WentWrong,
    /// The action that ended the failure.
    Resolution,
    /// Recommended actions.
    Recommendation,
    /// A list of planned actions.
    Actions,
    /// The conclusion.
    Conclusion,
    /// Statements about what was not the case, or is irrelevant.
    Excluded,
}

/// A group of `heading.toml`.
#[derive(Deserialize)]
struct Announced {
    kind: Kind,
}

static HEADINGS: LazyLock<Lexicon<Announced>> =
    LazyLock::new(|| Lexicon::new(text::lexicon::HEADING));

/// Upper bound for the length of a heading. A longer one is a sentence about something else.
const LONGEST: usize = 45;

impl Kind {
    /// Reads one heading or label; `None` if its meaning is unknown.
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
