//! A form in which a reader says what of an answer is right.

use maud::{Markup, html};
use model::evidence::Place;

use crate::wording::lines_of;

/// What the form sends: `answer` and `passage.0`, `passage.1`, ..., each [`RIGHT`] or [`WRONG`]
/// where a reader chose, and beside them `place.0`, ..., the file and lines of each passage.
#[derive(Debug, Clone)]
pub struct Marks<'a> {
    /// The path that it is posted to.
    pub action: &'a str,
    /// What else it sends, unseen: names with values.
    pub hidden: Vec<(&'a str, &'a str)>,
    /// The passages that are shown.
    pub places: Vec<&'a Place>,
}

/// The value of what is right.
pub const RIGHT: &str = "right";

/// The value of what is wrong.
pub const WRONG: &str = "wrong";

/// Draws the form, folded.
pub(super) fn drawn(marks: &Marks<'_>) -> Markup {
    html! {
        details.marks {
            summary { "Was this right? Mark it" }
            form action=(marks.action) method="post" {
                @for (name, value) in &marks.hidden { input type="hidden" name=(name) value=(value); }
                (choice("answer", &html! { "The answer" }))
                @for (number, place) in marks.places.iter().enumerate() {
                    input type="hidden" name={ "place." (number) } value=(lines_of(place));
                    (choice(&format!("passage.{number}"), &html! { code { (lines_of(place)) } }))
                }
                button type="submit" { "Keep the marks" }
            }
        }
    }
}

/// Draws a choice between right and wrong, of which neither is chosen.
fn choice(name: &str, of: &Markup) -> Markup {
    html! {
        fieldset {
            legend { (of) }
            @for (value, thumb, word) in [(RIGHT, "\u{1f44d}", "Right"), (WRONG, "\u{1f44e}", "Wrong")] {
                label { input type="radio" name=(name) value=(value); " " span aria-hidden="true" { (thumb) } " " (word) }
            }
        }
    }
}
