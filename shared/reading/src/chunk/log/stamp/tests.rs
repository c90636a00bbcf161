use super::*;

fn read(line: &str) -> String {
    match leading(line).map(|found| found.stamp) {
        Some(Stamp::Instant(time)) => time.to_string(),
        Some(Stamp::Civil { civil, has_year, offset }) => {
            let zone = offset.map_or("?".to_owned(), |offset| offset.to_string());
            let year = if has_year { "" } else { " no year" };
            format!("{civil} {zone}{year}")
        }
        Some(Stamp::Clock) => "clock".into(),
        None => "-".into(),
    }
}

#[test]
fn times_of_the_usual_forms_are_read() {
    for (line, expected) in [
        ("2026-11-20T18:10:00.123456789Z x", "2026-11-20T18:10:00.123456789 +00"),
        ("[2016-03-01 05:00:01,5] INFO x", "2016-03-01T05:00:01.5 ?"),
        ("2016/03/01 05:00:01 x", "2016-03-01T05:00:01 ?"),
        ("2016-03-01T05:00:01.25+0200 x", "2016-03-01T05:00:01.25 +02"),
        ("2016-03-01 05:00:01.25-03 x", "2016-03-01T05:00:01.25 -03"),
        ("2025-04-12 00:14:12.837 CEST [1] ERROR: x", "2025-04-12T00:14:12.837 +02"),
        ("2015-03-12T23:16:52.071:INFO:com.root:x", "2015-03-12T23:16:52.071 ?"),
        ("\"2014-06-15 01:04:52\"\tx", "2014-06-15T01:04:52 ?"),
        ("# Time: 2021-01-26T23:45:57.678222Z", "2021-01-26T23:45:57.678222 +00"),
        ("MainThread::INFO::2011-12-05 07:04:56,101::x", "2011-12-05T07:04:56.101 ?"),
        ("logger=settings t=2025-04-24T19:51:48.52Z level=info", "2025-04-24T19:51:48.52 +00"),
        ("time=\"2021-09-15T21:17:10Z\" level=error", "2021-09-15T21:17:10 +00"),
        ("ERROR 2016-03-01 05:00:01 x", "2016-03-01T05:00:01 ?"),
        ("nova-api.log.1 2017-05-16 00:00:00.008 25746 INFO nova", "2017-05-16T00:00:00.008 ?"),
        // The number behind the time looks like one, too.
        ("081110 111638 10033 INFO dfs.Data: x", "2008-11-10T11:16:38 ?"),
        ("2005-06-03-15.42.50.363779 R02", "2005-06-03T15:42:50.363779 ?"),
        ("1.2.3.4 - - [17/May/2015:08:05:32 +0000] \"GET /\"", "2015-05-17T08:05:32 +00"),
        (
            "[pid: 8|app: 0|req: 1/1] 127.0.0.1 () {3 vars} [Sun Mar 13 22:49:12 2016] POST /",
            "2016-03-13T22:49:12 ?",
        ),
        ("[Sun Dec 04 04:47:44 2005] [notice] ok", "2005-12-04T04:47:44 ?"),
        ("1:M 25 Apr 2024 05:32:35.019 * Ready", "2024-04-25T05:32:35.019 ?"),
        ("[13-Mar-2016 22:49:12 UTC] PHP Warning", "2016-03-13T22:49:12 +00"),
        ("Dec  1 10:00:00 web-1 sshd[1]: x", "2000-12-01T10:00:00 ? no year"),
        ("<34>1 2003-10-11T22:14:15.003Z host su - x", "2003-10-11T22:14:15.003 +00"),
        ("<13>Feb 29 01:02:03 host x", "2000-02-29T01:02:03 ? no year"),
        ("15/08/11 10:00:00 INFO spark.X: y", "2015-08-11T10:00:00 ?"),
        ("I1219 18:14:38.461 7 main.go:12] up", "2000-12-19T18:14:38.461 ? no year"),
        ("03-17 16:13:38.811  1702  2395 D WindowManager: x", "2000-03-17T16:13:38.811 ? no year"),
        ("081109 203615 148 INFO dfs.DataNode: x", "2008-11-09T20:36:15 ?"),
        ("20171223-22:15:29:606|Step|x", "2017-12-23T22:15:29.606 ?"),
        ("20240101T101530Z x", "2024-01-01T10:15:30 +00"),
        ("24.12.2023 18:00:01 x", "2023-12-24T18:00:01 ?"),
        ("1066036250.603     5 1.2.3.4 TCP_MISS/200", "2003-10-13T09:10:50.603Z"),
        ("type=SYSCALL msg=audit(1364481363.243:24287): x", "2013-03-28T14:36:03.243Z"),
        ("16:52:09.298 [main] INFO x", "clock"),
    ] {
        assert_eq!(read(line), expected, "{line}");
    }
}

#[test]
fn parts_of_a_time_may_have_one_digit() {
    for (line, expected) in [
        ("20171224-0:0:0:215|Step|x", "2017-12-24T00:00:00.215 ?"),
        ("20171224-0:10:9:136|Step|x", "2017-12-24T00:10:09.136 ?"),
        ("2026-1-5 3:4:5 x", "2026-01-05T03:04:05 ?"),
        ("5.1.2026 3:04 x", "2026-01-05T03:04:00 ?"),
        ("0:0:0:215|Step|x", "clock"),
    ] {
        assert_eq!(read(line), expected, "{line}");
    }
}

#[test]
fn what_is_no_time_of_a_record_is_none() {
    for line in [
        "",
        "no time here",
        "2016-13-41 25:00:01 x",
        "   at a.B.c(B.java:12)",
        "'2016-03-01 05:00:01',",
        "Expires on 2016-03-01 05:00:01",
        "version 1.2.3.4 of 2016",
        "1714024483199999999999 x",
        "#0 /var/www/a.php(140): x 2016-03-01 05:00:01",
    ] {
        assert_eq!(read(line), "-", "{line}");
    }
}

#[test]
fn a_number_tells_its_unit_by_its_size() {
    for number in ["1700000000", "1700000000000", "1700000000000000", "1700000000000000000"] {
        assert_eq!(epoch(number).unwrap().as_second(), 1_700_000_000, "{number}");
    }
    assert_eq!(epoch("1761019822.3152757").unwrap().to_string(), "2025-10-21T04:10:22.3152757Z");
    assert_eq!(epoch("12"), None);
}
