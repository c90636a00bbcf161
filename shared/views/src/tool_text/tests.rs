use super::*;

#[test]
fn an_excerpt_begins_with_the_sentence_that_is_asked_for() {
    let before = "The station has two pumps. ".repeat(10);
    let after = " It was replaced within the day.".repeat(10);
    let text = format!("{before}The seal of pump 7 wore out.{after}");
    let asked = QuestionTerms::of("Why did the seals wear?");
    let shown = excerpt(&text, &asked, 100);
    assert!(shown.starts_with("… The seal of pump 7 wore out."), "{shown}");
    assert_eq!(excerpt("Short\nas it is.", &asked, 100), "Short as it is.");
    assert!(excerpt(&text, &QuestionTerms::of(""), 100).starts_with("The station"));
}
