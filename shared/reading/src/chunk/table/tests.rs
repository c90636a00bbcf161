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
    let [grid] = &of_file(&text, 5)[..] else { panic!() };
    assert_eq!((grid.name.as_str(), grid.rows.len()), ("Pumps", 21));
    assert_eq!((grid.rows[1].number, &text[grid.rows[1].range.clone()]), (9, "| P-7 | 3 |"));
    assert!(grid.tsv.starts_with("Pump\tFlow\nP-7\t3\n"));
}

#[test]
fn a_cell_that_covers_all_is_bounded() {
    let wide = vec![vec![cell("x", usize::MAX, usize::MAX, false); 600]; 2];
    assert_eq!(Table::of("", &wide, &mut FILLED.clone()), None);
    assert_eq!(Table::of("", &[vec![cell("x", 1, 1, false)]], &mut FILLED.clone()), None);
}
