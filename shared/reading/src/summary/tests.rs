use super::*;
use crate::chunk::cut;

fn of(format: Format, text: &str) -> Option<String> {
    let extract = Extract { text: text.into(), cut: cut(format, text), ..Extract::default() };
    summary(format, &extract)
}

#[test]
fn a_short_document_has_none() {
    assert_eq!(of(Format::Markdown, "# Pump\n\nThe seal wore out.\n"), None);
}

#[test]
fn prose_is_told_by_the_central_sentences_of_its_sections_in_order() {
    let section = |name: &str, words: [&str; 3]| {
        let [what, part, fate] = words;
        let code = format!("The {part} = open({part}, {part}, {part}, {part}, {part}).");
        let rest =
            format!("Nobody looked at drawing nine of that day. The {part} was seen. ").repeat(60);
        format!(
            "## {name}\n\n```\n{code}\n```\n\n{rest}\n\nThe {what} of the {part} {fate} because the {part} {fate} early.\n\n"
        )
    };
    let text = [
        section("Seal", ["rubber", "seal", "cracked"]),
        section("Motor", ["winding", "motor", "burned"]),
        section("Valve", ["spring", "valve", "stuck"]),
    ]
    .concat()
    .repeat(6);
    let summary = of(Format::Markdown, &text).unwrap();
    assert!(summary.len() <= LARGEST, "{}", summary.len());
    for sentence in summary.lines() {
        assert!(text.contains(sentence), "{sentence}");
    }
    let places: Vec<usize> =
        ["rubber", "winding", "spring"].iter().filter_map(|word| summary.find(word)).collect();
    assert!(places.len() == 3 && places.is_sorted(), "{summary}");
}

#[test]
fn code_and_settings_are_told_by_what_they_hold() {
    let table = |name: &str| format!("[{name}]\n{}", "speed = 1000\n".repeat(150));
    let text: String = (0..50).map(|number| table(&format!("pump{number}"))).collect();
    let summary = of(Format::Config, &text).unwrap();
    assert!(summary.starts_with("pump0, speed, pump1, pump2"), "{summary}");
    assert!(summary.len() <= LARGEST);
}
