//! Days that a text names, and the ways in which other texts write them.

use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::fmt::strtime;
use regex::Regex;

/// A day with its year that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'t> {
    /// The words that name the day.
    pub words: &'t str,
    /// The day.
    pub day: Date,
}

/// What may name a day: `2024-09-03`, `3rd of September 2024`, `Sep. 3, 2024`.
#[expect(clippy::unwrap_used, reason = "the pattern is constant, and the tests compile it")]
static CANDIDATE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\b\d{4}-\d\d-\d\d\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3,9}\.?,? \d{4}\b|\b[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b";
    Regex::new(pattern).unwrap()
});

/// The forms of a day without its points, commas and endings.
const READ: [&str; 5] = ["%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%B %d %Y", "%b %d %Y"];

/// The forms in which a day is searched for.
const WRITTEN: [&str; 6] =
    ["%Y-%m-%d", "%-d %B %Y", "%B %-d, %Y", "%-d %b %Y", "%b %-d, %Y", "%Y/%m/%d"];

/// Returns the days that a text names with their years, in order. A day within an identifier, such
/// as `INC-2024-09-03-7`, is none.
pub fn named(text: &str) -> impl Iterator<Item = Named<'_>> {
    let is_apart = |next: Option<char>| !next.is_some_and(|c| "-/_".contains(c));
    CANDIDATE.find_iter(text).filter_map(move |found| {
        let words = found.as_str();
        let before = text[..found.start()].chars().next_back();
        let is_whole = is_apart(before) && is_apart(text[found.end()..].chars().next());
        Some(Named { words, day: read(words).filter(|_| is_whole)? })
    })
}

fn read(words: &str) -> Option<Date> {
    let bare = words.split([' ', ',', '.']).filter(|part| !part.is_empty() && *part != "of");
    let bare: Vec<&str> = bare.map(without_ending).collect();
    let bare = bare.join(" ");
    READ.iter().find_map(|form| strtime::parse(form, &bare).ok()?.to_date().ok())
}

/// Returns `3` of `3rd`, and `Sep` of `Sept`.
fn without_ending(part: &str) -> &str {
    if part.eq_ignore_ascii_case("sept") {
        &part[..3]
    } else if part.starts_with(|c: char| c.is_ascii_digit()) && !part.contains('-') {
        part.trim_end_matches(|c: char| c.is_alphabetic())
    } else {
        part
    }
}

/// Returns a day in the forms in which English texts, names of files and records write it.
pub fn spellings(day: Date) -> [String; WRITTEN.len()] {
    WRITTEN.map(|form| day.strftime(form).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_in_the_forms_in_which_people_write_it() {
        let days = |text: &str| named(text).map(|named| named.day.to_string()).collect::<Vec<_>>();
        let day = ["2024-09-03"];
        for form in [
            "2024-09-03",
            "3 September 2024",
            "3rd of September, 2024",
            "Sep. 3, 2024",
            "september 3rd 2024",
            "3 Sep 2024",
            "Sept. 3, 2024",
        ] {
            assert_eq!(days(&format!("What failed on {form}?")), day, "{form}");
        }
        assert_eq!(days("from 2024-09-03 to 4 May 2025"), ["2024-09-03", "2025-05-04"]);
        for none in [
            "September 2024",
            "3 September",
            "2024-13-03",
            "room 12 2024",
            "30 pumps 2024",
            "INC-2024-09-03-7",
        ] {
            assert!(days(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn each_form_in_which_a_day_is_searched_names_that_day() {
        let day = jiff::civil::date(2024, 9, 3);
        for form in &spellings(day)[..5] {
            assert_eq!(named(form).map(|named| named.day).collect::<Vec<_>>(), [day], "{form}");
        }
    }
}
