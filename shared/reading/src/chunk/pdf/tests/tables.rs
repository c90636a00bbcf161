use super::*;

/// The distance of two lines, of which the letters have 10 points.
pub(super) const LINE: usize = 12;

/// Writes each line of `texts` below the one before, from the height `top` on. In a line texts
/// stand at their distances from the left.
pub(super) fn written(top: usize, texts: &[&[(usize, &str)]]) -> String {
    let line = |(number, line): (usize, &&[(usize, &str)])| -> String {
        let height = top - number * LINE;
        let text = |(left, text): &(usize, &str)| {
            format!("BT /F1 10 Tf {left} {height} Td ({text}) Tj ET\n")
        };
        line.iter().map(text).collect()
    };
    texts.iter().enumerate().map(line).collect()
}

/// Returns the lines that are read, without empty ones.
pub(super) fn shown(operators: String) -> String {
    let text = read(&drawn(&[operators])).unwrap().text;
    text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

fn has_table(text: &str) -> bool {
    text.contains("|---|")
}

#[test]
fn words_in_columns_are_a_table_between_the_text_above_and_below_it() {
    let table = written(
        700,
        &[
            &[(50, "These limits held during the test of the pump.")],
            &[],
            &[(50, "Part"), (150, "Lowest"), (250, "Highest")],
            &[(50, "Inlet valve"), (150, "2.1"), (250, "4.0")],
            &[(50, "Outlet valve"), (150, "1.4"), (250, "3.25")],
            &[(50, "Bearing"), (250, "80")],
            &[],
            &[],
            &[(50, "All of them were read from the gauge beside the motor.")],
        ],
    );
    assert_eq!(
        shown(table),
        "These limits held during the test of the pump.\n\
         | Part | Lowest | Highest |\n|---|---|---|\n\
         | Inlet valve | 2.1 | 4.0 |\n| Outlet valve | 1.4 | 3.25 |\n| Bearing |  | 80 |\n\
         All of them were read from the gauge beside the motor."
    );
}

#[test]
fn heads_of_two_lines_cells_of_two_lines_and_titles_of_rows_are_told_apart() {
    let table = written(
        700,
        &[
            &[(150, "Hours"), (250, "Hours")],
            &[(50, "Unit"), (150, "planned"), (250, "run")],
            &[(50, "North")],
            &[(50, "Pump 7"), (150, "1,200"), (250, "1,180")],
            &[(50, "Pump 9, with the"), (150, "900"), (250, "870")],
            &[(60, "Impeller 3")],
            &[(50, "South")],
            &[(50, "Pump 2"), (150, "400"), (250, "-")],
        ],
    );
    assert_eq!(
        shown(table),
        "| Unit | Hours planned | Hours run |\n|---|---|---|\n| North |  |  |\n\
         | Pump 7 | 1,200 | 1,180 |\n| Pump 9, with the Impeller 3 | 900 | 870 |\n\
         | South |  |  |\n| Pump 2 | 400 | - |"
    );
}

#[test]
fn heads_of_several_columns_stand_above_years() {
    let table = written(
        700,
        &[
            &[(150, "Planned"), (350, "Run")],
            &[(50, "Unit"), (150, "2025"), (250, "2026"), (350, "2027")],
            &[(50, "North"), (150, "870"), (250, "900"), (350, "940")],
            &[(50, "South"), (150, "400"), (250, "410"), (350, "390")],
        ],
    );
    assert!(shown(table).starts_with("| Unit | Planned 2025 | 2026 | Run 2027 |\n|---|"));
}

#[test]
fn rules_part_the_rows_and_the_columns() {
    let words = written(
        700,
        &[
            &[(50, "Step"), (86, "What to look at before it")],
            &[(50, "Open"), (86, "The gauge of the inlet shows")],
            &[(86, "less than two bars")],
            &[(50, "Close"), (86, "Nobody stands below the outlet, and")],
            &[(86, "the alarm is quiet")],
        ],
    );
    let line = |from: (usize, usize), to: (usize, usize)| {
        format!("{} {} m {} {} l S\n", from.0, from.1, to.0, to.1)
    };
    let level: String = [710, 697, 673, 649].map(|y| line((45, y), (300, y))).concat();
    let upright: String = [45, 83, 300].map(|x| line((x, 649), (x, 710))).concat();
    assert_eq!(
        shown(words + &level + &upright),
        "| Step | What to look at before it |\n|---|---|\n\
         | Open | The gauge of the inlet shows less than two bars |\n\
         | Close | Nobody stands below the outlet, and the alarm is quiet |"
    );
}

#[test]
fn columns_of_running_text_and_lists_are_no_tables() {
    let left = [
        "The pump stopped at noon since",
        "its seal had worn out, and no",
        "one saw the alarm in the hall",
    ];
    let right = [
        "for an hour. The seal was then",
        "replaced by the crew, who also",
        "moved the alarm to the office",
    ];
    let line = |number: usize| [(50, left[number]), (320, right[number])];
    let prose = written(700, &[&line(0), &line(1), &line(2)]);
    assert!(!has_table(&shown(prose)));

    let entry = |number, text| [(50, number), (80, text)];
    let list = written(
        700,
        &[&entry("1.", "Open the valve"), &entry("2.", "Wait"), &entry("3.", "Close the valve")],
    );
    assert!(!has_table(&shown(list)));
}

#[test]
fn running_text_beside_a_table_is_not_of_it() {
    let text = "the crew moved the alarm to the";
    let row = |name, value| [(50, name), (150, value), (320, text)];
    let page = written(
        700,
        &[
            &[(320, text)],
            &[(320, text)],
            &row("Part", "Bars"),
            &row("Inlet", "2.1"),
            &row("Outlet", "1.4"),
            &row("Bearing", "0.3"),
            &[(320, text)],
        ],
    );
    let shown = shown(page);
    assert!(
        shown.contains(
            "| Part | Bars |\n|---|---|\n| Inlet | 2.1 |\n| Outlet | 1.4 |\n| Bearing | 0.3 |"
        ),
        "{shown}"
    );
    assert_eq!(shown.matches("the crew moved the alarm").count(), 7, "{shown}");
}

#[test]
fn dots_that_lead_to_a_number_are_left_out() {
    let row = |name: &'static str, value| [(50, name), (250, value)];
    let table = written(
        700,
        &[
            &row("Part", "Bars"),
            &row("Inlet...............", "2.1"),
            &row("Outlet..............", "1.4"),
        ],
    );
    assert_eq!(shown(table), "| Part | Bars |\n|---|---|\n| Inlet | 2.1 |\n| Outlet | 1.4 |");
}

#[test]
fn tables_below_each_other_keep_their_order_and_tall_words_are_not_lost() {
    let row = |name: &'static str, value| [(50, name), (250, value)];
    let table = [row("Part", "Bars"), row("Inlet", "2.1"), row("Outlet", "1.4")];
    let other = [row("Motor", "Hours"), row("North", "870"), row("South", "400")];
    let write = |top, rows: &[[(usize, &str); 2]; 3]| written(top, &[&rows[0], &rows[1], &rows[2]]);
    let text = shown(write(700, &table) + &write(600, &other));
    let heads = |text: &str| Some((text.find("| Part | Bars |")?, text.find("| Motor | Hours |")?));
    assert!(heads(&text).is_some_and(|(first, second)| first < second), "{text}");
}
