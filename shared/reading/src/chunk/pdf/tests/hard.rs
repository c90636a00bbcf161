//! Pages on which words may be taken for a table, or lost to one.

use super::tables::{LINE, shown, written};
use super::*;

#[test]
fn a_tall_word_in_a_table_takes_no_line_below_it_away() {
    let table = written(
        700,
        &[
            &[(50, "Part"), (250, "Bars")],
            &[(50, "Inlet"), (250, "2.1")],
            &[(50, "Outlet"), (250, "1.4")],
            &[(50, "The gauge was read at noon.")],
        ],
    );
    let tall = "BT /F1 60 Tf 350 651 Td (A) Tj ET\n";
    let text = shown(table + tall);
    assert!(text.contains("The gauge was read at noon."), "{text}");
    for word in ["Part", "Inlet", "2.1", "Outlet"] {
        assert_eq!(text.matches(word).count(), 1, "{word}: {text}");
    }
}

#[test]
fn a_table_stands_above_its_own_next_line_though_the_page_has_it_twice() {
    let row = |name: &'static str, value| [(50, name), (250, value)];
    let page = written(
        700,
        &[
            &[(50, "All was read from the gauge.")],
            &row("Part", "Bars"),
            &row("Inlet", "2.1"),
            &row("Outlet", "1.4"),
            &[(50, "The motor ran for a week without a stop until the gauge was read.")],
            &row("Motor", "Hours"),
            &row("North", "870"),
            &row("South", "400"),
            &[(50, "All was read from the gauge.")],
        ],
    );
    let text = shown(page);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part}: {text}"));
    assert!(
        at("| Part |") < at("The motor ran") && at("The motor ran") < at("| Motor |"),
        "{text}"
    );
    assert!(text.ends_with("All was read from the gauge."), "{text}");
}

#[test]
fn numbers_with_narrow_blanks_are_of_columns_of_their_own() {
    let row = |values: [&'static str; 3]| [(50, values[0]), (150, values[1]), (168, values[2])];
    let table = written(
        700,
        &[
            &row(["Unit", "No", "Sum"]),
            &row(["North", "12", "870"]),
            &row(["South", "40", "900"]),
            &row(["East", "52", "770"]),
        ],
    );
    assert!(shown(table).contains("| North | 12 | 870 |"));
}

#[test]
fn a_row_of_a_ruled_table_may_cover_all_columns() {
    let words = written(
        700,
        &[
            &[(50, "Step"), (150, "Valve"), (250, "State")],
            &[(50, "First"), (150, "Inlet"), (250, "open")],
            &[(50, "Everything below is done by two people at the outlet")],
            &[(50, "Second"), (150, "Outlet"), (250, "shut")],
            &[(50, "Third"), (150, "Drain"), (250, "shut")],
        ],
    );
    let line = |x: usize, from: usize, to: usize| format!("{x} {from} m {x} {to} l S\n");
    let upright: String = [45, 140, 240, 330]
        .map(|x| match x {
            140 | 240 => line(x, 686, 712) + &line(x, 645, 672),
            _ => line(x, 645, 712),
        })
        .concat();
    let text = shown(words + &upright);
    assert_eq!(text.matches("|---|---|---|").count(), 1, "{text}");
    assert!(text.contains("| Third | Drain | shut |") && text.contains("| First |"), "{text}");
}

#[test]
fn a_turned_note_beside_a_table_is_no_cell() {
    let row = |name: &'static str, value| [(50, name), (250, value)];
    let table = written(700, &[&row("Part", "Bars"), &row("Inlet", "2.1"), &row("Outlet", "1.4")]);
    let note = "BT /F1 10 Tf 0 1 -1 0 340 660 Tm (confidential) Tj ET\n";
    let text = shown(table + note);
    assert!(text.contains("| Part | Bars |\n|---|---|\n| Inlet | 2.1 |"), "{text}");
    assert_eq!(text.matches("confidential").count(), 1, "{text}");
}

#[test]
fn columns_of_a_page_without_blanks_between_words_are_no_table() {
    let column = |text: &str| vec![text.repeat(9), text.repeat(9)];
    assert!(rows::are_text(&vec![column("\u{8f38}\u{5165}"); 4]));
    assert!(!rows::are_text(&vec![column("ab"); 4]), "nine letters of these are one word");
}

#[test]
fn turned_words_are_no_table() {
    let words = [["Part", "Bars"], ["Inlet", "2.16"], ["Outlet", "1.45"], ["Bearing", "0.31"]];
    let word = |row: usize, column: usize| {
        let (left, height) = (100 + row * LINE, 300 + column * 100);
        format!("BT /F1 10 Tf 0 1 -1 0 {left} {height} Tm ({}) Tj ET\n", words[row][column])
    };
    let page: String = (0..words.len()).flat_map(|row| [word(row, 0), word(row, 1)]).collect();
    let shown = shown(page);
    for word in words.concat() {
        assert_eq!(shown.matches(word).count(), 1, "{shown}");
    }
}

#[test]
fn words_from_right_to_left_count_without_the_numbers_beside_them() {
    assert!(is_right_to_left(&["\u{5de}\u{5d7}", "12", "400"]));
    assert!(!is_right_to_left(&["\u{5de}\u{5d7}", "Bar", "12", "400"]));
}
