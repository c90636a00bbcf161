use model::format::Markup;

use super::*;

fn cell(text: &str, columns: usize, rows: usize, is_head: bool) -> Cell {
    Cell { text: text.into(), columns, rows, is_head }
}

#[test]
fn cells_that_cover_others_are_each_of_them_and_heads_become_one_row() {
    let cells = [
        vec![cell("Pump", 1, 2, true), cell("2025", 2, 1, true)],
        vec![cell("plan", 1, 1, true), cell("real", 1, 1, true)],
        vec![cell("P-7", 1, 2, false), cell("3", 1, 1, false), cell("4", 1, 1, false)],
        vec![cell("5|6", 2, 1, false)],
    ];
    let table = Table::of("Flow", &cells, &mut FILLED.clone()).unwrap();
    assert_eq!(table.heads, ["Pump", "2025 plan", "2025 real"]);
    assert_eq!(table.rows, [["P-7", "3", "4"], ["P-7", "5|6", "5|6"]]);
    let text = table.markdown();
    assert_eq!(
        text,
        "Flow\n\n| Pump | 2025 plan | 2025 real |\n|---|---|---|\n| P-7 | 3 | 4 |\n| P-7 | 5\\|6 | 5\\|6 |\n\n"
    );
    assert_eq!(with_heads(&text).text.trim(), text.trim());
}

#[test]
fn each_part_of_a_long_table_has_its_heads_and_many_rows_are_records() {
    let rows: Vec<String> = (0..100).map(|n| format!("| P-{n} | {n} mbar |\n")).collect();
    let rows = rows.concat();
    let extract = with_heads(&format!("# Pumps\n\n| Pump | Pressure |\n|---|---|\n{rows}\nEnd.\n"));
    assert!(extract.text.matches("| Pump | Pressure |\n|---|---|\n").count() > 2);
    assert!(extract.text.trim_end().ends_with("End."));
    let [grid] = &extract.grids[..] else { panic!("{:?}", extract.grids) };
    assert_eq!((grid.name.as_str(), grid.rows.len()), ("Pumps", 101));
    assert_eq!(extract.text[grid.rows[100].range.clone()], *"| P-99 | 99 mbar |");
}

#[test]
fn large_tables_of_a_file_have_records_at_their_lines() {
    let rows = "| P-7 | 3 |\n".repeat(20);
    let text = format!("## Pumps\n\n| Pump | Flow |\n|---|---|\n{rows}\n| a |\n|---|\n| b |\n");
    let [grid] = &of_file(Format::Markdown, &text, 5)[..] else { panic!() };
    assert_eq!((grid.name.as_str(), grid.rows.len()), ("Pumps", 21));
    assert_eq!((grid.rows[1].number, &text[grid.rows[1].range.clone()]), (9, "| P-7 | 3 |"));
    assert!(grid.tsv.starts_with("Pump\tFlow\nP-7\t3\n"));
}

#[test]
fn tables_of_org_have_records_and_their_rules_are_no_rows() {
    let rows = "| P-7 | 3 |\n|-----+---|\n".repeat(20);
    let code = "#+BEGIN_SRC text\n| a |\n|---|\n| b |\n#+END_SRC\n";
    let text =
        format!("* Pumps\n\n*Note:* they run.\n\n{code}\n| Pump | Flow |\n|------+------|\n{rows}");
    let format = Format::Markup(Markup::Org);
    let [grid] = &of_file(format, &text, 1)[..] else { panic!() };
    assert_eq!((grid.name.as_str(), grid.rows.len()), ("Pumps", 21));
    assert_eq!(count(format, &text), 1);
}

/// Returns the heads and the rows of the only table of an `AsciiDoc` text.
fn asciidoc(text: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let [table] = &drawn(Format::Markup(Markup::AsciiDoc), text)[..] else { panic!("{text}") };
    (table.heads.clone(), table.rows.iter().map(|row| row.cells(text)).collect())
}

#[test]
fn cells_of_asciidoc_stand_in_a_line_or_each_in_its_own() {
    let rows = [["P-7", "3"], ["P-8", "4"]];
    for text in [
        "|===\n|Pump |Flow\n\n|P-7 |3\n|P-8 |4\n|===\n",
        "[cols=\"1,>2\",options=\"header\"]\n|===\n|Pump\n|Flow\n|P-7\n|3\n|P-8\n|4\n|===\n",
        "[%header,cols=2*]\n|===\n|Pump a|Flow\n|P-7 ^.^s|3 |P-8 |4\n|===\n",
    ] {
        let (heads, found) = asciidoc(text);
        assert_eq!(
            (heads.join(" "), found),
            ("Pump Flow".into(), rows.map(|r| r.map(String::from).to_vec()).to_vec())
        );
    }
}

#[test]
fn cells_of_asciidoc_cover_others_and_a_bar_may_be_escaped() {
    let text = "[%header]\n|===\n|Pump |2025 |2026\n.2+|P-7 |3 |a \\| b\n2+|none\n2*|x |y\n|===\n";
    let (heads, rows) = asciidoc(text);
    assert_eq!(heads, ["Pump", "2025", "2026"]);
    assert_eq!(rows, [["P-7", "3", "a | b"], ["P-7", "none", "none"], ["x", "x", "y"]]);
}

#[test]
fn tables_of_asciidoc_have_records_at_their_lines() {
    let rows = "|P-7\n|3\n".repeat(20);
    let text = format!(
        "== Station\n\n====\nA note.\n====\n\n----\n|===\n|a |b\n\n|1 |2\n|===\n----\n\n.Pumps\n|===\n|Pump |Flow\n\n{rows}|===\n"
    );
    let [grid] = &of_file(Format::Markup(Markup::AsciiDoc), &text, 1)[..] else { panic!() };
    assert_eq!((grid.name.as_str(), grid.rows.len()), ("Pumps", 21));
    assert_eq!((grid.rows[2].number, &text[grid.rows[2].range.clone()]), (21, "|P-7\n|3"));
}

#[test]
fn a_table_of_asciidoc_without_heads_or_end_is_bounded() {
    let format = Format::Markup(Markup::AsciiDoc);
    assert_eq!(drawn(format, "|===\n|a |b\n|c |d\n|===\n"), []);
    assert_eq!(drawn(format, "|===\n99999999999999999999999*|a\n\n|b\n"), []);
    let copies = format!("|===\n|a |b\n\n{}|===\n", "99*|x\n".repeat(3_000));
    assert_eq!(drawn(format, &copies), [], "it is too large");
    assert!(drawn(format, "[cols=9999999999*,options=\"header\"]\n|===\n9999999*|a\n").len() < 2);
}

#[test]
fn a_cell_that_covers_all_is_bounded() {
    let wide = vec![vec![cell("x", usize::MAX, usize::MAX, false); 600]; 2];
    assert_eq!(Table::of("", &wide, &mut FILLED.clone()), None);
    assert_eq!(Table::of("", &[vec![cell("x", 1, 1, false)]], &mut FILLED.clone()), None);
}
