//! Texts that resemble a quantity and are none, or that are another quantity than they seem.

use super::super::{Dimension, quantities};

/// Returns the quantities of `text`: the text, the number and the unit of each.
fn found(text: &str) -> Vec<(String, f64, String)> {
    quantities(text).into_iter().map(|it| (it.text, it.number, it.unit)).collect()
}

fn none_in(texts: &[&str]) {
    for text in texts {
        assert_eq!(found(text), [], "{text}");
    }
}

fn only(text: &str, form: &str, number: f64, unit: &str) {
    assert_eq!(found(text), [(form.to_owned(), number, unit.to_owned())], "{text}");
}

#[test]
fn a_year_is_no_quantity() {
    none_in(&["in 2019", "In 2019 pods were new.", "the 2024 elections", "Rust 2021 editions"]);
    none_in(&["in the 1990s", "since the late 90s, we did"]);
}

#[test]
fn dates_and_times_of_day_are_no_quantities() {
    none_in(&["2026-11-20", "20:15:03", "2026-11-20T20:15:03Z", "at 14:32", "11/20/2026 days"]);
}

#[test]
fn versions_are_no_quantities() {
    none_in(&[
        "version 3.6",
        "v1.2.3",
        "1.19",
        "Go 1.19 users",
        "Python 3 scripts",
        "version 3 GB",
    ]);
    none_in(&["In 1.19 pods can", "Windows 11 users", "C++11 features", "1.x is"]);
}

#[test]
fn standards_and_sections_are_no_quantities() {
    none_in(&["RFC 2119", "RFC 2119 keywords", "ISO 9001", "section 5.3"]);
    none_in(&["Table 5 GB", "step 3 pods", "phase 2 - 10", "page 3 of 5", "HTTP 404 responses"]);
}

#[test]
fn addresses_and_ids_are_no_quantities() {
    none_in(&["10.0.0.1", "10.0.0.0/8 subnets", "/28 prefixes", "E1042", "INC-2041", "port 8080"]);
    none_in(&["550e8400-e29b-41d4-a716-446655440000", "0x10 bytes", "007 agents", "app:10 errors"]);
    none_in(&[
        "port 8080 connections",
        "port:8080 connections",
        "error 404 pages",
        "%20foo",
        "pkg@1.2 ms",
    ]);
}

#[test]
fn digits_within_words_are_no_quantities() {
    none_in(&[
        "sha256",
        "base64",
        "HTTP/2",
        "3D",
        "5G",
        "S3 buckets",
        "x86_64",
        "K8s pods",
        "5xx errors",
    ]);
    none_in(&["ts-travel2-service", "IPv6 addresses", "utf8 strings", "H100 GPUs", "GPT-4 models"]);
}

#[test]
fn list_numbers_are_no_quantities() {
    none_in(&["1. Foo", "1. Foo pods", "2) Bars", "replicas: 5\nselectors: x"]);
}

#[test]
fn issue_numbers_are_no_ranks() {
    none_in(&[
        "#1234",
        "issue #12",
        "PR #7",
        "pull request #9",
        "see #12",
        "(#12)",
        "[#5]",
        "#10b981",
    ]);
    none_in(&["cilium/cilium#12", "Test #1", "3rd party", "99th percentile", "the 2nd rule"]);
}

#[test]
fn bare_numbers_are_no_quantities() {
    none_in(&[
        "5000",
        "a pod",
        "one pod",
        "the 5 of",
        "5 or the pods",
        "5 M",
        "5M",
        "100K",
        "{1:2}",
    ]);
    none_in(&[
        "1/2 memory",
        "24/7 operations",
        "N + 1 pods",
        "16384*8 entries",
        "GB",
        "when 0 interprets the",
    ]);
}

#[test]
fn short_units_are_not_read_into_prose() {
    none_in(&["the \"top 10\" of it", "10 \" x"]);
    none_in(&["10 in", "10 in the", "100 K", "the 2's complement", "option 3 A", "in 2019 A new"]);
    none_in(&["5 N/A", "5 s.t. foo", "2 bar chart", "1-in-8", "step 3 A"]);
}

#[test]
fn a_joined_m_may_be_minutes_or_thousandths() {
    none_in(&["rate(x[5m])", "cpu: 20m", "every 5m"]);
    only("a 5m long cable", "5m", 5.0, "m");
    only("1.5m", "1.5m", 1.5, "m");
}

#[test]
fn shell_parameters_and_formulas_are_no_money() {
    none_in(&["TARGET=$1", "awk '{ print $1 }'", "f(0, $1)", "$1-u$", "$\\div 1024$", "{foo:.2$}"]);
}

#[test]
fn fifty_million_is_not_fifty_meters() {
    only("50 million", "50 million", 5e7, "");
    assert_eq!(quantities("50 million")[0].dimension(), Dimension::Count);
    only("it is 50 million away", "50 million", 5e7, "");
}

#[test]
fn a_letter_that_goes_on_is_no_unit_of_its_own() {
    only("12 MHz", "12 MHz", 12.0, "MHz");
    only("2 B-trees", "2 B-trees", 2.0, "b-trees");
}

#[test]
fn five_min_are_minutes_and_a_hundred_m_are_meters() {
    only("5 min", "5 min", 5.0, "min");
    only("100 m", "100 m", 100.0, "m");
}

#[test]
fn a_k_before_a_noun_is_a_thousand() {
    only("100K events", "100K events", 1e5, "events");
    only("100 k events", "100 k events", 1e5, "events");
}

#[test]
fn mb_are_bits_only_where_a_time_follows() {
    for text in ["5 Mb", "16 Gb", "20Gb"] {
        let found = quantities(text).remove(0);
        assert_eq!(found.dimension(), Dimension::Size);
        assert_eq!((found.text.as_str(), found.si), (text, None), "bits or bytes");
    }
    only("5 Mb/s", "5 Mb/s", 5.0, "Mbit/s");
    only("5 MB/s", "5 MB/s", 5.0, "MB/s");
}

#[test]
fn a_change_is_two_quantities() {
    let rows = [
        ("from 150MB/min to 30MB/min", [("150MB/min", 150.0), ("30MB/min", 30.0)], "MB/min"),
        ("dropped from 50 to 20 ms", [("50", 50.0), ("20 ms", 20.0)], "ms"),
        ("grew from 5 to 10 pods", [("5", 5.0), ("10 pods", 10.0)], "pods"),
    ];
    for (text, parts, unit) in rows {
        let wanted = parts.map(|(form, number)| (form.to_owned(), number, unit.to_owned()));
        assert_eq!(found(text), wanted, "{text}");
    }
}

#[test]
fn the_factors_of_an_equation_stand_alone() {
    let wanted = [("~2.0MB", 2.0, "MB"), ("10GB", 10.0, "GB")];
    let wanted = wanted.map(|(form, number, unit)| (form.to_owned(), number, unit.to_owned()));
    assert_eq!(found("~2.0MB * 5000 = 10GB"), wanted);
}

#[test]
fn emphasis_is_no_part_of_the_text_unless_it_stands_inside() {
    let wanted = [("$199/mo", 199.0, "USD/mo"), ("450k events", 450_000.0, "events")];
    let wanted = wanted.map(|(form, number, unit)| (form.to_owned(), number, unit.to_owned()));
    assert_eq!(found("**$199/mo** for **450k events**"), wanted);
    only("about **5** _ms_.", "about **5** _ms", 5.0, "ms");
}

#[test]
fn an_arrow_a_tag_and_a_quotation_compare_nothing() {
    for text in ["a -> 5 ms", "=> 5 ms", "<td>5 ms</td>", "first\n> 5 ms"] {
        assert_eq!(quantities(text)[0].comparison, None, "{text}");
    }
}

#[test]
fn a_unit_of_another_kind_ends_no_range() {
    let wanted = [("5 ms", 5.0, "ms"), ("10 pods", 10.0, "pods")];
    let wanted = wanted.map(|(form, number, unit)| (form.to_owned(), number, unit.to_owned()));
    assert_eq!(found("from 5 ms to 10 pods"), wanted);
    assert_eq!(found("5 ms to 10 pods"), wanted);
}

#[test]
fn two_numbers_with_a_space_are_not_one_unless_zeros_say_so() {
    none_in(&["2 128 GB disks"]);
    only("10 000 nodes", "10 000 nodes", 10_000.0, "nodes");
}

#[test]
fn a_one_counts_what_is_no_name_path_month_or_heading() {
    none_in(&[
        "set to 1 by default",
        "a priority 1 incident",
        "since 1 January 1970",
        "## 1 Purpose",
        "I0228 1 log.go:184",
        "-rw-r--r-- 1 anna staff 536868209",
        "A value of 1 means no limit.",
        "It is 1 unless you set it.",
        "Released on 1 Jan.",
        "set it to 1 automatically.",
    ]);
    only("Only 1 failing node is left.", "1 failing node", 1.0, "nodes");
    only("each has 1 Nvidia T4 GPU, and", "1 Nvidia T4 GPU", 1.0, "GPUs");
}

#[test]
fn a_number_in_words_counts_nothing_that_was_told_before() {
    none_in(&[
        "these three functions",
        "one day we will",
        "one node failed",
        "the two second-level caches",
        "half of the days",
        "Windows Seven machines",
        "three times faster",
        "two thirds of the requests",
        "nodes close to one another",
        "until at least one succeeds",
        "two of them",
    ]);
    none_in(&["two-factor", "in one go", "twenty", "seventy-two hours", "twenty five minutes"]);
    none_in(&["one hundred and twenty seconds", "two point five seconds", "2 or three days"]);
}

#[test]
fn numbers_of_headings_code_and_nines_count_nothing() {
    none_in(&["## 9 References", "set `limit = 1` directive", "with four 9s of it"]);
    only("runs 3 `etcd` nodes", "3 `etcd` nodes", 3.0, "nodes");
    only("`>= 3` replicas", ">= 3` replicas", 3.0, "replicas");
    only("`3` replicas", "3` replicas", 3.0, "replicas");
    only("5 References", "5 References", 5.0, "references");
}

#[test]
fn two_numbers_are_a_list_of_one_thing_only_where_they_stand_for_each_other() {
    let numbers =
        |text: &str| found(text).into_iter().map(|(_, number, _)| number).collect::<Vec<_>>();
    assert_eq!(numbers("a replication factor of 3 and 12 partitions"), [12.0]);
    assert_eq!(numbers("Between 2019 and 2021, 12 outages were recorded."), [12.0]);
    assert_eq!(numbers("In 2019, 2020 and 2021, 40 nodes failed"), [40.0]);
    assert_eq!(numbers("ports 80 and 443, and 2 replicas"), [2.0]);
    assert_eq!(numbers("steps 2, 3 and 20 ms"), [20.0]);
    assert_eq!(numbers("10 or 20 million users"), [20e6]);
}

#[test]
fn a_part_counts_what_its_whole_counts() {
    let numbers = |text: &str| {
        found(text).into_iter().map(|(_, number, unit)| (number, unit)).collect::<Vec<_>>()
    };
    let replicas = [(2.0, "replicas".to_owned()), (3.0, "replicas".to_owned())];
    assert_eq!(numbers("It ran on 2 out of the 3 replicas."), replicas);
    assert_eq!(numbers("Step 2 of 3 tasks"), [(3.0, "tasks".to_owned())]);
    assert_eq!(numbers("5 of 3 replicas"), [(3.0, "replicas".to_owned())]);
    assert_eq!(numbers("Attempt 2 of 5 attempts"), [(5.0, "attempts".to_owned())]);
    none_in(&["5 of", "5 out", "5 out of", "5 of the"]);
}
