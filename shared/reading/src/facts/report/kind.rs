//! What a heading or a label says of the text below it.

/// What a part of a report is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// What was learned.
    Lessons,
    /// What it comes to.
    Conclusion,
    /// Proof that the cause or the cure was right.
    Verification,
    /// What is said not to be the case, or is beside the point.
    Excluded,
}

/// Beginnings of words and what they tell; the first that is found decides.
const WORDS: [(&str, Kind); 105] = [
    ("went well", Kind::Excluded),
    ("lucky", Kind::Excluded),
    ("ruled out", Kind::Excluded),
    ("excluded", Kind::Excluded),
    ("not help", Kind::Excluded),
    ("not the cause", Kind::Excluded),
    ("not affected", Kind::Excluded),
    ("not work", Kind::Excluded),
    ("attendees", Kind::Excluded),
    ("participants", Kind::Excluded),
    ("stats", Kind::Excluded),
    ("statistics", Kind::Excluded),
    ("reference", Kind::Excluded),
    ("acknowledg", Kind::Excluded),
    ("thanks", Kind::Excluded),
    ("glossary", Kind::Excluded),
    ("related issue", Kind::Excluded),
    ("see also", Kind::Excluded),
    ("slack thread", Kind::Excluded),
    ("time to", Kind::Excluded),
    ("key events", Kind::Excluded),
    ("open point", Kind::Excluded),
    ("open question", Kind::Excluded),
    ("questions", Kind::Excluded),
    ("author", Kind::Excluded),
    ("severity", Kind::Excluded),
    ("classification", Kind::Excluded),
    ("reported by", Kind::Excluded),
    ("contributing", Kind::Factors),
    ("contributory", Kind::Factors),
    ("factor", Kind::Factors),
    ("aggravat", Kind::Factors),
    ("systemic cause", Kind::Factors),
    ("non-detection", Kind::Factors),
    ("made it worse", Kind::Factors),
    ("latent", Kind::Factors),
    ("went wrong", Kind::WentWrong),
    ("gone better", Kind::WentWrong),
    ("lesson", Kind::Lessons),
    ("learn", Kind::Lessons),
    ("takeaway", Kind::Lessons),
    ("verification", Kind::Verification),
    ("validation", Kind::Verification),
    ("recommend", Kind::Recommendation),
    ("long term", Kind::Actions),
    ("corrective", Kind::Resolution),
    ("action", Kind::Actions),
    ("follow-up", Kind::Actions),
    ("follow up", Kind::Actions),
    ("followup", Kind::Actions),
    ("prevent", Kind::Actions),
    ("next step", Kind::Actions),
    ("improvement", Kind::Actions),
    ("going forward", Kind::Actions),
    ("future", Kind::Actions),
    ("five whys", Kind::Whys),
    ("5 whys", Kind::Whys),
    ("root cause", Kind::Cause),
    ("cause", Kind::Cause),
    ("reason", Kind::Cause),
    ("why", Kind::Cause),
    ("trigger", Kind::Cause),
    ("underlying", Kind::Cause),
    ("mechanism", Kind::Cause),
    ("diagnosis", Kind::Cause),
    ("explanation", Kind::Cause),
    ("timeline", Kind::Timeline),
    ("chronology", Kind::Timeline),
    ("sequence of events", Kind::Timeline),
    ("context", Kind::Timeline),
    ("resolution", Kind::Resolution),
    ("resolved", Kind::Resolution),
    ("recovery", Kind::Resolution),
    ("remed", Kind::Resolution),
    ("mitigation", Kind::Resolution),
    ("fix", Kind::Resolution),
    ("repair", Kind::Resolution),
    ("what was done", Kind::Resolution),
    ("correction", Kind::Resolution),
    ("containment", Kind::Resolution),
    ("workaround", Kind::Resolution),
    ("solution", Kind::Resolution),
    ("countermeasure", Kind::Resolution),
    ("respon", Kind::Resolution),
    ("symptom", Kind::Symptoms),
    ("error message", Kind::Symptoms),
    ("observ", Kind::Symptoms),
    ("problem", Kind::Symptoms),
    ("complaint", Kind::Symptoms),
    ("impact", Kind::Impact),
    ("consequence", Kind::Impact),
    ("effect", Kind::Impact),
    ("detect", Kind::Detection),
    ("identified", Kind::Detection),
    ("summary", Kind::Summary),
    ("overview", Kind::Summary),
    ("tl;dr", Kind::Summary),
    ("conclusion", Kind::Conclusion),
    ("driving event", Kind::Event),
    ("what happened", Kind::Event),
    ("background", Kind::Event),
    ("incident", Kind::Event),
    ("description", Kind::Event),
    ("investigation", Kind::Event),
    ("finding", Kind::Event),
];

/// A longer heading is a sentence about something else.
const LONGEST: usize = 45;

impl Kind {
    /// Reads one heading or label; `None` where it tells nothing.
    pub(super) fn of(title: &str) -> Option<Kind> {
        if title.len() > LONGEST {
            return None;
        }
        let mut best = WORDS.len();
        for at in word_starts(title) {
            let rest = &title.as_bytes()[at..];
            best = WORDS[..best].iter().position(|(word, _)| begins(rest, word)).unwrap_or(best);
        }
        WORDS.get(best).map(|(_, kind)| *kind)
    }

    /// Reads a path of headings, the innermost first.
    pub(super) fn of_section(section: &str, separator: &str) -> Kind {
        section.rsplit(separator).find_map(Kind::of).unwrap_or(Kind::Plain)
    }
}

/// Where words begin: no heading is read within one ("recurrence" is no cause).
fn word_starts(title: &str) -> impl Iterator<Item = usize> {
    let mut inside = false;
    title.bytes().enumerate().filter_map(move |(at, byte)| {
        let begins = !inside && !byte.is_ascii_whitespace();
        inside = byte.is_ascii_alphanumeric();
        begins.then_some(at)
    })
}

fn begins(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_tell_their_kind_by_whole_words() {
        assert_eq!(Kind::of("D4 Root cause"), Some(Kind::Cause));
        assert_eq!(Kind::of("Excluded causes"), Some(Kind::Excluded));
        assert_eq!(Kind::of("Lesson(s) Learned"), Some(Kind::Lessons));
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
