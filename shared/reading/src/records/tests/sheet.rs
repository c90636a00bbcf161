use office_oxide::xlsx::write::{CellData, CellStyle, SheetData, XlsxWriter};

use super::*;
use crate::chunk::{Extract, office as read};

fn xlsx(name: &str, write: impl FnOnce(&mut SheetData<'_>)) -> Vec<u8> {
    let (mut writer, mut bytes) = (XlsxWriter::new(), std::io::Cursor::new(Vec::new()));
    write(&mut writer.add_sheet(name));
    writer.write_to(&mut bytes).unwrap();
    bytes.into_inner()
}

fn row(cells: &[&str]) -> Vec<CellData> {
    let cell = |cell: &&str| match cell.parse() {
        Ok(number) => CellData::Number(number),
        Err(_) if cell.is_empty() => CellData::Empty,
        Err(_) => CellData::String((*cell).into()),
    };
    cells.iter().map(cell).collect()
}

fn cells(record: &Record<'_>) -> Vec<String> {
    record.cells.iter().map(|(name, value)| format!("{name}={value}")).collect()
}

#[test]
fn rows_are_records_at_their_places_below_a_title_and_beside_another_table() {
    let bytes = xlsx("Pumps", |sheet| {
        sheet.add_row(row(&["Pumps of hall 3"]));
        sheet.add_row(row(&["Pump", "Flow", "", "Valve", "State"]));
        sheet.add_row(row(&["P-7", "3.5", "", "V-1", "shut"]));
        sheet.add_row(row(&["P-8", "4", "", "V-2", "open"]));
    });
    let extract = read("plan.xlsx", &bytes).unwrap();
    let sections: Vec<&str> =
        extract.cut.pieces.iter().map(|piece| piece.section[0].as_str()).collect();
    assert_eq!(sections, ["Pumps!A1:B4", "Pumps!D2:E4"]);
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    assert_eq!(cells(&records[0]), ["pump=P-7", "flow=3.5", "table=Pumps", "place=Pumps!A3:B3"]);
    assert_eq!(cells(&records[3]), ["valve=V-2", "state=open", "table=Pumps", "place=Pumps!D4:E4"]);
    assert_eq!((records[3].lines, records[3].template), ((4, 4), Some(1)));
    assert_eq!(records[3].text, "| V-2 | open |");
}

#[test]
fn each_passage_of_a_long_sheet_has_the_heads() {
    let bytes = xlsx("Pumps", |sheet| {
        sheet.add_row(row(&["Pump", "Flow"]));
        for number in 0..200 {
            sheet.add_row(row(&[&format!("P-{number}"), &number.to_string()]));
        }
    });
    let Extract { text, cut, grids, .. } = read("plan.xlsx", &bytes).unwrap();
    assert!(cut.pieces.len() > 3);
    for piece in &cut.pieces {
        assert!(text[piece.range.clone()].starts_with("| Pump | Flow |\n|---|---|\n| P-"));
    }
    assert!(cut.pieces[1].section[0].starts_with("Pumps!A"), "{:?}", cut.pieces[1]);
    assert_eq!(grids[0].rows.len(), 201);
}

#[test]
fn records_have_values_as_they_are_stored_and_passages_as_they_are_shown() {
    let bytes = xlsx("Costs", |sheet| {
        sheet.add_row(row(&["Part", "Share", "Code"]));
        let percent = CellStyle::new().number_format_code("0%");
        sheet.set_cell(1, 0, CellData::String("seal".into()));
        sheet.set_cell_styled(1, 1, CellData::Number(0.125), percent);
        sheet.set_cell(1, 2, CellData::String("00123".into()));
    });
    let extract = read("costs.xlsx", &bytes).unwrap();
    assert!(extract.text.contains("| seal | 13% | 00123 |"), "{}", extract.text);
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    assert_eq!(cells(&records[0])[..3], ["part=seal", "share=0.125", "code=00123"]);
}

#[test]
fn a_merged_cell_stands_in_each_of_its_rows_and_empty_rows_end_no_table() {
    let bytes = xlsx("Plan", |sheet| {
        sheet.add_row(row(&["Hall", "Pump", "Flow"]));
        sheet.add_row(row(&["North", "P-1", "1"]));
        sheet.add_row(row(&["", "P-2", "2"]));
        sheet.add_row(row(&["South", "P-3", "3"]));
        sheet.add_row(row(&[]));
        sheet.add_row(row(&["South", "P-4", "4"]));
        sheet.merge_cells(1, 0, 2, 1);
    });
    let extract = read("plan.xlsx", &bytes).unwrap();
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    let halls: Vec<&str> = records.iter().filter_map(|record| record.cell("hall")).collect();
    assert_eq!(halls, ["North", "North", "South", "South"]);
    assert_eq!(records[3].cell("place"), Some("Plan!A6:C6"));
}

#[test]
fn a_form_keeps_its_values_beside_their_names() {
    let bytes = xlsx("Form", |sheet| {
        sheet.add_row(row(&["Rated voltage", "", "kV", "11"]));
        sheet.add_row(row(&["Ambient", "", "C", "40"]));
        sheet.add_row(row(&["Owner"]));
    });
    let extract = read("form.xlsx", &bytes).unwrap();
    assert!(extract.text.contains("Rated voltage") && extract.text.contains("11"));
    let line = extract.text.lines().find(|line| line.contains("Rated voltage")).unwrap();
    assert!(line.contains("kV") && line.contains("11"), "{line}");
}

/// Returns a file of `OpenDocument` with this content.
fn open_document(content: &str) -> Vec<u8> {
    use std::io::Write;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("content.xml", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(content.as_bytes()).unwrap();
    archive.finish().unwrap().into_inner()
}

#[test]
fn sheets_of_open_document_have_values_and_places() {
    let content = r#"<office:body><office:spreadsheet><table:table table:name="Pumps">
        <table:table-row table:number-rows-repeated="2"><table:table-cell/></table:table-row>
        <table:table-row><table:table-cell><text:p>Pump</text:p></table:table-cell><table:table-cell><text:p>Flow &amp; more</text:p></table:table-cell></table:table-row>
        <table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>P-7</text:p></table:table-cell>
          <table:table-cell office:value-type="float" office:value="3.14159"><text:p>3.14</text:p></table:table-cell></table:table-row>
        <table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        </table:table></office:spreadsheet></office:body>"#;
    let extract = read("plan.ods", &open_document(content)).unwrap();
    assert_eq!(extract.text, "| Pump | Flow & more |\n|---|---|\n| P-7 | 3.14 |\n| P-7 | 3.14 |\n");
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    assert_eq!(
        cells(&records[1]),
        ["pump=P-7", "flow & more=3.14159", "table=Pumps", "place=Pumps!A5:B5"]
    );
}

#[test]
fn texts_of_open_document_have_headings_lists_and_tables_and_nothing_that_was_deleted() {
    let content = r#"<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
        <text:h text:outline-level="1">Pump<text:s/>7</text:h><text:h text:outline-level="2">Cause</text:h>
        <text:p>The valve was <text:span>shut</text:span>.</text:p>
        <text:list><text:list-item><text:p>Open it</text:p></text:list-item></text:list>
        <table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Flow</text:p></table:table-cell><table:covered-table-cell/></table:table-row>
        <table:table-row><table:table-cell><text:p>P-7</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell></table:table-row></table:table></office:text>"#;
    let Extract { text, cut, .. } = read("report.odt", &open_document(content)).unwrap();
    assert_eq!(cut.title.as_deref(), Some("Pump 7"));
    assert!(text.contains("The valve was shut.\n\n- Open it\n"), "{text}");
    assert!(text.contains("| Flow | Flow |\n|---|---|\n| P-7 | 3 |"), "{text}");
    assert!(!text.contains("gone"));
}

#[test]
fn notes_do_not_break_what_they_stand_in() {
    let content = r#"<office:text><text:h text:outline-level="1">Cause<office:annotation><dc:creator>Ann</dc:creator><text:p>why?</text:p></office:annotation> of it</text:h>
        <text:p>It ran dry<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>See log.</text:p></text:note-body></text:note> on Monday.</text:p></office:text>"#;
    let Extract { text, cut, .. } = read("report.odt", &open_document(content)).unwrap();
    assert_eq!(cut.title.as_deref(), Some("Cause of it"));
    assert_eq!(text.trim(), "# Cause of it\n\nwhy?\n\nIt ran dry (See log.) on Monday.");
    let content = r#"<table:table table:name="S"><table:table-row><table:table-cell><text:p>Pump</text:p></table:table-cell><table:table-cell><text:p>Flow</text:p></table:table-cell></table:table-row>
        <table:table-row><table:table-cell><office:annotation><text:p>check</text:p></office:annotation><text:p>P-0</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell></table:table-row></table:table>"#;
    let extract = read("plan.ods", &open_document(content)).unwrap();
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    assert_eq!(records[0].cell("pump"), Some("P-0"));
    assert!(extract.text.ends_with("A2: check"), "{}", extract.text);
}

#[test]
fn tables_with_the_same_heads_are_two_and_groups_of_texts_are_one() {
    let years = xlsx("Years", |sheet| {
        for name in ["Pump", "Cost"] {
            sheet.add_row(row(&[name, "2024", "2025"]));
            for number in 1..4 {
                sheet.add_row(row(&[&format!("{name} {number}"), "3", "4"]));
            }
            sheet.add_row(row(&[]));
        }
    });
    let extract = read("years.xlsx", &years).unwrap();
    assert_eq!(extract.grids.len(), 2);
    let groups = xlsx("Groups", |sheet| {
        sheet.add_row(row(&["Pump", "Owner"]));
        sheet.add_row(row(&["P-a", "Ann"]));
        sheet.add_row(row(&["P-b", "Bob"]));
        sheet.add_row(row(&[]));
        sheet.add_row(row(&["P-c", "Eve"]));
        sheet.add_row(row(&["P-d", "Ida"]));
    });
    let extract = read("groups.xlsx", &groups).unwrap();
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    let owners: Vec<&str> = records.iter().filter_map(|record| record.cell("owner")).collect();
    assert_eq!(owners, ["Ann", "Bob", "Eve", "Ida"]);
}

#[test]
fn times_of_day_are_shown_as_such() {
    let bytes = xlsx("Times", |sheet| {
        sheet.add_row(row(&["At", "Small"]));
        sheet.set_cell_styled(
            1,
            0,
            CellData::Number(0.395_833_333_333),
            CellStyle::new().number_format_code("h:mm"),
        );
        sheet.set_cell_styled(
            1,
            1,
            CellData::Number(1.503_45e-7),
            CellStyle::new().number_format_code("0.00E+00"),
        );
    });
    let extract = read("times.xlsx", &bytes).unwrap();
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    assert_eq!(records[0].cell("at"), Some("09:30:00"));
    assert_eq!(records[0].cell("small"), Some("0.000000150345"));
}

#[test]
fn little_that_fills_much_is_refused_or_left_as_it_is() {
    let long = "x".repeat(20_000);
    let cell = format!(
        r#"<table:table-cell table:number-columns-repeated="50000"><text:p>{long}</text:p></table:table-cell>"#
    );
    let repeated = format!("<table:table><table:table-row>{cell}</table:table-row></table:table>");
    let told = read("rep.ods", &open_document(&repeated)).unwrap_err();
    assert!(told.contains("limit exceeded"), "{told}");
    let beyond = r#"<table:table><table:table-row><table:table-cell table:number-columns-repeated="4294967295"/><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>"#;
    assert!(read("beyond.ods", &open_document(beyond)).unwrap_err().contains("beyond the"));
    let wide = r#"<table:table-row><table:table-cell table:number-columns-repeated="20000"><text:p>a</text:p></table:table-cell></table:table-row>"#;
    let narrow = r#"<table:table-row table:number-rows-repeated="2000"><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>"#;
    let padded = format!("<table:table>{wide}{narrow}</table:table>");
    let text = read("wide.ods", &open_document(&padded)).unwrap().text;
    assert!(text.len() < 1 << 20, "{}", text.len());
}

#[test]
fn what_repeats_to_too_much_is_refused() {
    let content = r#"<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000"><text:p>x</text:p></table:table-cell></table:table-row></table:table>"#;
    let told = read("plan.ods", &open_document(content)).unwrap_err();
    assert!(told.contains("limit exceeded"), "{told}");
    assert!(read("plan.ods", b"PK\x03\x04").unwrap_err().starts_with("is no .ods document"));
}

#[test]
fn a_column_called_place_does_not_hide_the_place() {
    let bytes = xlsx("Pumps", |sheet| {
        sheet.add_row(row(&["Pump", "Place"]));
        sheet.add_row(row(&["P-7", "hall 3"]));
    });
    let extract = read("plan.xlsx", &bytes).unwrap();
    let records = of_grids(&extract, &extract.cut.pieces).unwrap().records;
    let cells = cells(&records[0]);
    assert_eq!(cells[1..], ["field.place=hall 3", "table=Pumps", "place=Pumps!A2:B2"]);
}
