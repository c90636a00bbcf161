use super::*;

mod foreign;
mod sheet;
mod table;

fn read(name: &str, text: &'static str) -> Records<'static> {
    let format = Format::of(name, "text/plain").unwrap();
    of_file(format, name, text, Near::Unknown).unwrap()
}

/// Returns the values of the named columns in the first record.
fn first(name: &str, text: &'static str, columns: &[&str]) -> Vec<String> {
    let records = read(name, text).records;
    let cell = |column: &&str| records[0].cell(column).unwrap_or("-").to_owned();
    columns.iter().map(cell).collect()
}

#[test]
fn a_long_line_is_one_record_and_a_stack_trace_part_of_it() {
    let long = "x".repeat(5_000);
    let text = format!(
        "2026-11-20T18:10:00Z INFO start {long} at 07:05:52Z\n2026-11-20T18:10:01Z ERROR no pump\n  at Pump.run(Pump.java:7)\n  at Main.main(Main.java:1)\n\n2026-11-20T18:10:02Z INFO end\n"
    );
    let records = of_file(Format::Log, "a.log", text.leak(), Near::Unknown).unwrap().records;
    let lines: Vec<(u32, u32)> = records.iter().map(|record| record.lines).collect();
    assert_eq!(lines, [(1, 1), (2, 4), (6, 6)]);
    assert!(records[1].text.ends_with("Main.java:1)"));
    let moment = records[1].moment.unwrap();
    assert_eq!((moment.micros, moment.ahead), (1_795_198_201_000_000, Some(0)));
}

#[test]
fn an_access_log_has_a_status_by_its_column() {
    let line = r#"10.0.0.9 - ann [20/Nov/2026:18:10:00 +0100] "GET /a/304?b=404 HTTP/1.1" 200 304 "http://x/" "Moz \"1\" (404)""#;
    let columns = ["client", "user", "method", "path", "code", "bytes", "agent", "level"];
    assert_eq!(
        first("access.log", line, &columns),
        ["10.0.0.9", "ann", "GET", "/a/304?b=404", "200", "304", r#"Moz \"1\" (404)"#, "-"]
    );
    assert_eq!(read("access.log", line).records[0].moment.unwrap().ahead, Some(3600));
}

#[test]
fn empty_lines_above_a_record_are_no_part_of_it() {
    let text = format!("\n\n{}\n2026-11-20T18:10:00Z INFO end\n", "x".repeat(2_000));
    let records = read("a.log", text.leak()).records;
    assert_eq!((records[0].lines, records[0].text.len()), ((3, 3), 2_000));
}

#[test]
fn a_field_of_a_long_path_is_no_column() {
    let text = format!("{{\"{}\":{{\"a\":1}},\"b\":2}}\n{{\"b\":3}}\n", "n".repeat(300));
    let records = read("a.jsonl", text.leak()).records;
    assert_eq!((records[0].cell("b"), records[0].cells.len()), (Some("2"), 1));
}

/// The columns that state the author of a record.
const WHO: [&str; 8] =
    ["level", "host", "process", "service", "pod", "logger", "thread", "message"];

/// Lines, each with the expected values of these columns.
const WRITERS: [(&str, [&str; 8]); 15] = [
    (
        "2026-11-20T18:10:00Z ERROR [exec-3] acme.Orders - E1042 no pump",
        ["ERROR", "-", "-", "-", "-", "acme.Orders", "exec-3", "E1042 no pump"],
    ),
    (
        "Nov 20 18:10:00 web-1 sshd[12]: error: too many",
        ["ERROR", "web-1", "sshd", "-", "-", "-", "-", "too many"],
    ),
    (
        "[2026-11-20 18:10:00,352] INFO [Group 1]: Removed 0 (acme.store.Manager)",
        [
            "INFO",
            "-",
            "-",
            "-",
            "-",
            "acme.store.Manager",
            "Group 1",
            "Removed 0 (acme.store.Manager)",
        ],
    ),
    (
        "2026-11-20T18:10:00,139 INFO [main       ] FarmApp      : Starting",
        ["INFO", "-", "-", "-", "-", "FarmApp", "main", "Starting"],
    ),
    (
        "2026-11-20T18:10:00.1Z seat-api-5c66d57d58-6mp2b 18:10:00.1 WARN t.c.Seat#12 TraceID: 5f3cab01 sold out",
        [
            "WARN",
            "-",
            "-",
            "seat-api",
            "seat-api-5c66d57d58-6mp2b",
            "t.c.Seat",
            "-",
            "TraceID: 5f3cab01 sold out",
        ],
    ),
    (
        "26/11/20 18:10:00 INFO executor.Executor: Finished task 1.0",
        ["INFO", "-", "-", "-", "-", "executor.Executor", "-", "Finished task 1.0"],
    ),
    (
        "Main::ERROR::2026-11-20 18:10:00,300::vds::74::vds::(run) no pump",
        ["ERROR", "-", "vds", "-", "-", "vds", "Main", "no pump"],
    ),
    (
        "11-20 18:10:00.811  1702  2395 D WindowManager: no pump: dry",
        ["DEBUG", "-", "-", "-", "-", "WindowManager", "2395", "no pump: dry"],
    ),
    (
        "20261120-18:10:0:606|Step_LSC|30002312|no pump",
        ["-", "-", "-", "-", "-", "Step_LSC", "-", "no pump"],
    ),
    (
        "2026-11-20 18:10:00,747 - INFO  [QuorumPeer[myid=1]/0:0:2181:FastLeaderElection@774] - no pump",
        [
            "INFO",
            "-",
            "-",
            "-",
            "-",
            "FastLeaderElection",
            "QuorumPeer[myid=1]/0:0:2181",
            "no pump",
        ],
    ),
    (
        "2026-11-20 18:10:00, Info                  CBS    no pump",
        ["INFO", "-", "-", "-", "-", "CBS", "-", "no pump"],
    ),
    (
        "2026-11-20 18:10:00,537 WARN [Renewer:ann@web-1:9000] a.b.Renewer: no pump",
        ["WARN", "-", "-", "-", "-", "a.b.Renewer", "Renewer:ann@web-1:9000", "no pump"],
    ),
    (
        "Nov 20 18:10:00 web-1 sshd(pam_unix)[12]: no pump",
        ["-", "web-1", "sshd", "-", "-", "-", "-", "no pump"],
    ),
    ("web-1  | 2026-11-20T18:10:00Z started", ["-", "-", "-", "web-1", "-", "-", "-", "started"]),
    (
        r#"{"level":"warn","ts":1795198200,"logger":"http","msg":"slow","app":"shop"}"#,
        ["WARN", "-", "-", "shop", "-", "http", "-", "slow"],
    ),
];

#[test]
fn who_wrote_a_record_is_read_in_many_dialects() {
    for (line, expected) in WRITERS {
        assert_eq!(first("a.log", line, &WHO), expected, "{line}");
    }
}

#[test]
fn a_syslog_record_of_rfc_5424_tells_host_and_program() {
    let line = r#"<34>1 2026-11-20T18:10:00.003Z web-1.plant.example pump 12 ID47 [a@1 k="v ]"][b@1 n="1"] E1042 dry"#;
    let columns = ["level", "host", "process", "pid", "msgid", "logger", "message"];
    assert_eq!(
        first("a.log", line, &columns),
        ["CRITICAL", "web-1.plant.example", "pump", "12", "ID47", "-", "E1042 dry"]
    );
    let nil = "<13>1 2026-11-20T18:10:00Z - pump - - - dry";
    assert_eq!(first("a.log", nil, &columns), ["NOTICE", "-", "pump", "-", "-", "-", "dry"]);
    let bare = "2026-11-20T18:10:00Z web-1.plant.example sshd[12]: too many";
    assert_eq!(
        first("a.log", bare, &columns),
        ["-", "web-1.plant.example", "sshd", "12", "-", "-", "too many"]
    );
}

#[test]
fn a_line_of_a_container_is_read_behind_its_stream() {
    let columns = ["stream", "client", "user", "code", "level", "message"];
    let line = "2026-11-20T18:10:00.123Z stdout F pump started";
    assert_eq!(first("a.log", line, &columns), ["stdout", "-", "-", "-", "-", "pump started"]);
    let access = r#"2026-11-20T18:10:00Z stderr F 10.0.0.9 - ann [20/Nov/2026:18:10:00 +0100] "GET /a HTTP/1.1" 200 304"#;
    assert_eq!(first("a.log", access, &columns)[..4], ["stderr", "10.0.0.9", "ann", "200"]);
    let timed = r#"2026-11-20T18:10:00Z shop ann [pump] "dry" 200 304"#;
    assert_eq!(first("a.log", timed, &columns)[1], "-");
}

#[test]
fn a_word_before_a_colon_is_a_host_only_where_hosts_stand() {
    let text = "2026-11-20T18:10:00Z After closing: the pump stopped\n2026-11-20T18:10:01Z the pump stopped\n2026-11-20T18:10:02Z INFO CBS Loaded: the pump\n";
    let records = read("a.log", text).records;
    assert!(records.iter().all(|record| record.cell("host").is_none()));
    assert_eq!(records[0].cell("message"), Some("After closing: the pump stopped"));
    let syslog = "Nov 20 18:10:00 web-1 sudo: ann\n";
    assert_eq!(first("a.log", syslog, &["host", "process"]), ["web-1", "sudo"]);
}

#[test]
fn values_with_names_are_columns() {
    let line = r#"2026-11-20T18:10:00Z level=info msg="took long" took=3001ms pool.size=7 path=/a"#;
    assert_eq!(
        first("a.log", line, &["message", "took", "pool.size", "path"]),
        ["took long", "3001ms", "7", "/a"]
    );
    let worker = "[pid: 88|app: 0|req: 1/1] 10.0.0.1 () {38 vars in 6 bytes} [Fri Nov 20 18:10:00 2026] POST /m => generated 47 bytes in 129 msecs (HTTP/1.1 200) 9 headers";
    assert_eq!(
        first("a.log", worker, &["pid", "duration", "code", "bytes"]),
        ["88", "129 msecs", "200", "47"]
    );
    let seat = "2026-11-20T18:10:00Z INFO t.c.Seat#12 reading part 7 took 17 ms\n";
    assert_eq!(
        first("a.log", seat, &["took", "logger", "source_line"]),
        ["17 ms", "t.c.Seat", "12"]
    );
    let list = "2026-11-20T18:10:00Z INFO Times: total = 40, boot = 15\n";
    assert_eq!(first("a.log", list, &["total", "boot"]), ["40", "15"]);
    let json = r#"{"time":"2026-11-20T18:10:00Z","http":{"status":502,"user_agent":"x"},"tags":["a","b"]}"#;
    assert_eq!(first("a.jsonl", json, &["code", "agent", "tags"]), ["502", "x", "a, b"]);
}

#[test]
fn a_table_has_a_record_for_each_row() {
    let records = read("pumps.csv", "Name,Flow\n\"P1\nold\",7\nP2,8\n").records;
    let rows: Vec<_> = records
        .iter()
        .map(|record| {
            (record.lines, record.cell("name").unwrap().to_owned(), record.cell("flow").unwrap())
        })
        .collect();
    assert_eq!(rows[0].0, (2, 3));
    assert_eq!((rows[1].0, rows[1].1.as_str(), rows[1].2), ((4, 4), "P2", "8"));
    let windows = read("pumps.csv", "Name,Line\r\nP1,7\r\n\r\nP2,8\r\n").records;
    let lines: Vec<_> = windows.iter().map(|window| window.lines).collect();
    assert_eq!(lines, [(2, 2), (4, 4)]);
    assert_eq!(windows[0].cell("field.line"), Some("7"));
}

#[test]
fn a_setting_has_its_path_value_comment_and_line() {
    let text = "# the pump\npump:\n  rpm: 30 # slow\n  valves:\n    - name: a\n    - name: b\n  note: |\n    one\n    two\n";
    let records = read("a.yaml", text).records;
    let settings: Vec<String> = records
        .iter()
        .map(|record| {
            let cell = |name| record.cell(name).unwrap_or("-").trim().replace('\n', "/");
            format!("{}={} {:?} {}", cell("key"), cell("value"), record.lines, cell("comment"))
        })
        .collect();
    assert_eq!(
        settings,
        [
            "pump.rpm=30 (3, 3) slow",
            "pump.valves.0.name=a (5, 5) -",
            "pump.valves.1.name=b (6, 6) -",
            "pump.note=one/two (7, 9) -",
        ]
    );
    let ini = read("a.ini", "[pump]\n; fast\nrpm = 30\n").records;
    assert_eq!((ini[0].cell("key"), ini[0].cell("value")), (Some("pump.rpm"), Some("30")));
}

#[test]
fn records_of_one_statement_share_a_template() {
    let text = "2026-11-20T18:10:00Z INFO pump 7 started in 12 ms by ann\n\
                2026-11-20T18:10:01Z INFO pump 8 started in 40 ms by bob\n\
                2026-11-20T18:10:02Z ERROR valve stuck\n\
                2026-11-20T18:10:03Z WARN pump 9 started in 41 ms by ann\n";
    let Records { records, templates, .. } = read("a.log", text);
    let summaries: Vec<(&str, u64, Option<&str>)> = templates
        .iter()
        .map(|template| (template.text.as_str(), template.count, template.level.as_deref()))
        .collect();
    assert_eq!(
        summaries,
        [("pump <*> started in <*> ms by <*>", 3, Some("WARN")), ("valve stuck", 1, Some("ERROR"))]
    );
    assert_eq!(
        records.iter().map(|record| record.template).collect::<Vec<_>>(),
        [Some(0), Some(0), Some(1), Some(0)]
    );
}
