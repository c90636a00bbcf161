//! Tables as people and programs write them.

use model::record::{About, ColumnHead, ColumnKind, Decimal, RecordFile, write};

use super::*;

/// Returns the values of each record, joined.
fn rows(name: &str, text: &'static str) -> Vec<String> {
    let values = |record: &Record<'_>| {
        let cells = record.cells.iter().map(|(name, value)| format!("{name}={value}"));
        cells.collect::<Vec<_>>().join(" ")
    };
    read(name, text).records.iter().map(values).collect()
}

fn is_table(name: &str, text: &'static str) -> bool {
    of_file(Format::Plain, name, text, Near::Unknown).is_some()
}

/// Returns the time of each record, as a date.
fn times(text: &'static str) -> Vec<String> {
    let time = |record: &Record<'_>| {
        let time = record.moment.map(|moment| jiff::Timestamp::from_microsecond(moment.micros));
        time.map_or("-".into(), |time| time.unwrap().to_string())
    };
    read("a.csv", text).records.iter().map(time).collect()
}

fn heads(records: Records<'_>) -> Vec<ColumnHead> {
    let Records { records, decimal, .. } = records;
    let bytes = write(&records, About { decimal, ..About::default() });
    RecordFile::open(bytes).unwrap().header.columns
}

#[test]
fn two_columns_of_one_name_are_both_there() {
    assert_eq!(
        rows("a.csv", "Flow,flow,,flow_2\n7,8,9,10\n"),
        ["flow=7 flow_2=8 column_3=9 flow_2_2=10"]
    );
}

#[test]
fn semicolons_tabs_and_bars_separate_as_commas_do() {
    for text in [
        "name,flow\nP1,7\nP2,8\n",
        "name;flow\nP1;7\nP2;8\n",
        "name\tflow\nP1\t7\nP2\t8\n",
        "name|flow\nP1|7\nP2|8\n",
        "| name | flow |\n|------|-----:|\n| P1   |    7 |\n| P2   |    8 |\n",
        "+------+------+\n| name | flow |\n+------+------+\n| P1 | 7 |\n| P2 | 8 |\n+------+------+\n",
    ] {
        for name in ["a.csv", "a.tsv", "a.txt"] {
            let rows = rows(name, text);
            let bare: Vec<String> = rows.iter().map(|row| row.replace("column_1", "")).collect();
            let expected = ["name=P1 flow=7", "name=P2 flow=8"];
            assert_eq!(bare, expected, "{name}: {text}");
        }
    }
}

#[test]
fn a_table_with_decimal_commas_has_its_numbers() {
    let text = "name;flow;price\nP1;1,7;1.024\nP2;2,5;3.500\n";
    let comma = ColumnKind::Number { decimal: Decimal::Comma };
    let kinds: Vec<_> = heads(read("a.csv", text)).into_iter().map(|head| head.kind).collect();
    assert_eq!(kinds, [comma, ColumnKind::Text, comma]);
    let ambiguous = heads(read("a.csv", "name;flow\nP1;1,024\n"));
    assert_eq!(ambiguous[0].kind, comma);
    let thousands = heads(read("a.csv", "name,flow\nP1,\"1,024\"\n"));
    assert_eq!(thousands[0].kind, ColumnKind::Number { decimal: Decimal::Point });
}

#[test]
fn a_table_in_a_text_is_one_and_prose_is_none() {
    assert!(is_table("a.txt", "Pumps\n\nname;state\nP1;on\nP2;off\nP3;on\n"));
    for prose in [
        "The pump, which ran dry, stopped.\nThe valve, which was old, leaked.\nThe seal, which held, stayed.\n",
        "Dear Ann,\nthe pump runs, again\nthe valve leaks, again\n",
        "To do:\n\tgrease the pump\n\tclose the valve\n\tclose the valve\n",
        "on;P1;7\noff;P2;8\non;P3;9\n",
        "on;P1\noff;P2\non;P3\n",
        "2026-11-20 18:10:00|pump|on\n2026-11-20 18:10:01|pump|off\n",
        "{\"a\":\"start\",\"b\":\"x\"}\n{\"a\":\"go\",\"b\":\"y\"}\n{\"a\":\"go\",\"b\":\"z\"}\n",
        "one line of text\n",
        "",
    ] {
        assert!(!is_table("a.txt", prose), "{prose}");
    }
}

#[test]
fn a_log_whose_lines_are_rows_is_a_table() {
    let format = |text| format_in(Format::Log, "a.log", text);
    assert_eq!(format("id | name\n---+-----\n 1 | P1\n 2 | P2\n"), Format::Plain);
    assert_eq!(format("2026-11-20 18:10:00|pump|7\n2026-11-20 18:10:01|pump|8\n"), Format::Log);
}

#[test]
fn what_stands_above_the_head_and_below_the_rows_is_no_row() {
    let text = ",,,\nPumps of the plant,,,\n\nname,flow,place,note\nP1,7,north,\nP2,8,south,old\nSource: our own counts,,,\nall figures in l/s\n";
    let found = read("a.csv", text);
    assert_eq!(found.misfits, 0);
    assert_eq!(
        rows("a.csv", text),
        ["name=P1 flow=7 place=north", "name=P2 flow=8 place=south note=old"]
    );
    assert_eq!(found.records[1].lines, (6, 6));
}

#[test]
fn a_row_with_its_name_alone_is_one_where_others_are_so_too() {
    let text = "name,flow,place\nP1,,\nP2,8,south\nP3,,\n";
    assert_eq!(rows("a.csv", text).len(), 3);
}

#[test]
fn a_total_is_no_row() {
    let with_gap = "id,name,flow\n1,P1,7\n2,P2,8\n,Total,15\n";
    assert_eq!(rows("a.csv", with_gap).len(), 2);
    let with_two_sums = "name,flow,cost\nP1,7,\"1,000.5\"\nP2,8,20\nP3,9,0\nAll,24,\"1,020.5\"\n";
    assert_eq!(rows("a.csv", with_two_sums).len(), 3);
    for text in [
        "id,name,flow\n1,P1,7\n2,P2,8\n3,P3,15\n",
        "name,flow\nP1,1\nP2,1\nP3,2\n",
        "id,name,flow\n1,P1,0\n2,P2,0\n,P3,0\n",
        "id,name,flow\n1,P1,7\n2,P2,8\n3,,9\n",
    ] {
        assert_eq!(rows("a.csv", text).len(), 3, "{text}");
    }
}

#[test]
fn rows_that_do_not_fit_are_counted_and_are_no_records() {
    let text = "id,name,flow\n1,P1,7\n2,P2,x,8\n3,P3\nnorth\n4,P4,9,,\n5,P5,1\n";
    let found = read("a.csv", text);
    assert_eq!(found.misfits, 3);
    assert_eq!(
        rows("a.csv", text),
        ["id=1 name=P1 flow=7", "id=4 name=P4 flow=9", "id=5 name=P5 flow=1"]
    );
}

#[test]
fn columns_that_a_comment_names_are_those_of_the_rows_below() {
    const W3C: &str = "#Software: IIS\r\n#Fields: date time cs-uri-stem cs(User-Agent) sc-status\r\n\
        2026-05-17 20:05:32 /a \"M+(KHTML,+like) 404\r\n#Date: 2026-05-18\r\n\
        #Fields: date time cs-uri-stem cs(User-Agent) sc-status\r\n2026-05-18 00:00:01 /b - 200\r\n";
    let found = read("a.log", W3C);
    let expected = [
        "date=2026-05-17 cs-uri-stem=/a cs(user-agent)=\"M+(KHTML,+like) sc-status=404",
        "date=2026-05-18 cs-uri-stem=/b sc-status=200",
    ];
    assert_eq!(rows("a.log", W3C), expected);
    assert_eq!(
        (found.records[1].lines, found.records[1].text),
        ((6, 6), "2026-05-18 00:00:01 /b - 200")
    );
    assert!(
        found.records.iter().all(|record| record.moment.is_some()) && !found.templates.is_empty()
    );
    // Commas within values make no table of two columns.
    let line = "2026-05-17 20:05:32 /a M+(KHTML,+like) 404\r\n".repeat(20);
    let many = format!("#Fields: date time cs-uri-stem cs(User-Agent) sc-status\r\n{line}").leak();
    assert_eq!(rows("a.log", many).len(), 20);
    assert!(rows("a.log", many)[0].ends_with("sc-status=404"));
    // Which columns the rows below the second comment have would be a guess.
    let others = W3C.replacen("cs-uri-stem", "s-ip", 1).leak();
    assert!(!rows("a.log", others).concat().contains("sc-status="));
}

#[test]
fn a_date_and_a_time_of_day_make_the_time() {
    let text = "Date,Time,Level,Flow\n05/17/2015,8:05:32 PM,WARNING,7\n05/06/2015,10:00,ERROR,8\n";
    assert_eq!(times(text), ["2015-05-17T20:05:32Z", "2015-05-06T10:00:00Z"]);
    assert_eq!(rows("a.csv", text)[0], "date=05/17/2015 level=WARNING flow=7");
    assert_eq!(read("a.csv", text).assumed.as_deref(), Some("UTC"));
    let moments = "at,flow\n2015-05-17T08:05:32+02:00,7\n";
    assert_eq!(times(moments), ["2015-05-17T06:05:32Z"]);
    let found = read("a.csv", moments);
    assert_eq!((found.records[0].moment.unwrap().ahead, found.assumed), (Some(7200), None));
}

#[test]
fn a_column_of_dates_is_compared_as_dates_whatever_its_name() {
    let columns = heads(read("a.csv", "due,added\n17.05.2015,01.02.2015\n,02.03.2015\n"));
    assert!(columns.iter().all(|head| matches!(head.kind, ColumnKind::Date { .. })));
    let two = "due,added\n17.05.2015,01.02.2015\n18.05.2015,02.02.2015\n";
    assert_eq!(times(two), ["-", "-"]);
    let named = "timestamp,flow\n2015-05-17T08:05:32Z,7\nunknown,8\n";
    assert_eq!(times(named), ["2015-05-17T08:05:32Z", "-"]);
    assert_eq!(rows("a.csv", named)[0], "timestamp=2015-05-17T08:05:32Z flow=7");
}

#[test]
fn a_column_keeps_the_files_own_word_for_a_level() {
    assert_eq!(rows("a.csv", "level,pump\nWarning,P1\n"), ["level=Warning pump=P1"]);
    let severity = rows("a.csv", "severity,pump\nWarning,P1\n");
    assert_eq!(severity, ["level=WARN severity=Warning pump=P1"]);
}
