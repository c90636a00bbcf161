//! Every form that is read, with the expected quantity.

use super::super::{Comparison, Unit, quantities, unit};
use super::only;

/// Checks the number, the unit and the SI value of each form.
fn check(rows: &[(&str, f64, &str, f64, &str)]) {
    for (form, number, unit, si, si_unit) in rows {
        let quantity = only(form);
        assert_eq!((quantity.number, quantity.unit.as_str()), (*number, *unit), "{form}");
        let found = quantity.si.map(|it| (it.number, it.unit));
        assert_eq!(found, Some((*si, (*si_unit).to_owned())), "{form}");
    }
}

/// Checks the number and the noun of each form, which has no SI value.
fn check_counts(rows: &[(&str, f64, &str)]) {
    for (form, number, unit) in rows {
        let quantity = only(form);
        assert_eq!((quantity.number, quantity.unit.as_str()), (*number, *unit), "{form}");
        assert_eq!(quantity.si, None, "{form}");
    }
}

#[test]
fn shares_are_read_in_every_spelling() {
    check(&[
        ("5%", 5.0, "%", 0.05, "1"),
        ("5 %", 5.0, "%", 0.05, "1"),
        ("5 percent", 5.0, "%", 0.05, "1"),
        ("3 per cent", 3.0, "%", 0.03, "1"),
        ("2 percentage points", 2.0, "%", 0.02, "1"),
        ("99.95 percent", 99.95, "%", 0.9995, "1"),
        ("99.9%", 99.9, "%", 0.999, "1"),
        ("99,9%", 99.9, "%", 0.999, "1"),
        ("-48.95%", -48.95, "%", -0.4895, "1"),
        ("+8.5%", 8.5, "%", 0.085, "1"),
        ("0.5‰", 0.5, "‰", 0.0005, "1"),
        ("20 ppm", 20.0, "ppm", 2e-5, "1"),
        ("3:1", 3.0, ":1", 3.0, "1"),
        ("4x", 4.0, "x", 4.0, "1"),
        ("4×", 4.0, "x", 4.0, "1"),
        ("10-fold", 10.0, "x", 10.0, "1"),
    ]);
}

#[test]
fn times_are_read_in_every_spelling() {
    check(&[
        ("10 ns", 10.0, "ns", 1e-8, "s"),
        ("5 µs", 5.0, "µs", 5e-6, "s"),
        ("5 μs", 5.0, "µs", 5e-6, "s"),
        ("5us", 5.0, "µs", 5e-6, "s"),
        ("12 ms", 12.0, "ms", 0.012, "s"),
        ("12-millisecond", 12.0, "ms", 0.012, "s"),
        ("2 s", 2.0, "s", 2.0, "s"),
        ("5 sec", 5.0, "s", 5.0, "s"),
        ("5 Seconds", 5.0, "s", 5.0, "s"),
        ("5 min", 5.0, "min", 300.0, "s"),
        ("5-minute", 5.0, "min", 300.0, "s"),
        ("2 h", 2.0, "h", 7200.0, "s"),
        ("1.5 hours", 1.5, "h", 5400.0, "s"),
        ("30 days", 30.0, "d", 2_592_000.0, "s"),
        ("3 business days", 3.0, "d", 259_200.0, "s"),
        ("2 weeks", 2.0, "wk", 1_209_600.0, "s"),
        ("6 months", 6.0, "mo", 15_778_476.0, "s"),
        ("5 years", 5.0, "yr", 157_784_760.0, "s"),
        ("1e-6 s", 1e-6, "s", 1e-6, "s"),
    ]);
}

#[test]
fn sizes_are_decimal_unless_they_say_binary() {
    check(&[
        ("64 B", 64.0, "B", 64.0, "B"),
        ("5 KB", 5.0, "kB", 5000.0, "B"),
        ("5kB", 5.0, "kB", 5000.0, "B"),
        ("2.0MB", 2.0, "MB", 2e6, "B"),
        ("10-GB", 10.0, "GB", 1e10, "B"),
        ("5 TB", 5.0, "TB", 5e12, "B"),
        ("5 PB", 5.0, "PB", 5e15, "B"),
        ("5 KiB", 5.0, "KiB", 5120.0, "B"),
        ("10Gi", 10.0, "GiB", 10_737_418_240.0, "B"),
        ("1_000_000 bytes", 1e6, "B", 1e6, "B"),
        ("2 billion bytes", 2e9, "B", 2e9, "B"),
        ("100 gigabytes", 100.0, "GB", 1e11, "B"),
        ("64-bit", 64.0, "bit", 64.0, "bit"),
        ("5 Mbit", 5.0, "Mbit", 5e6, "bit"),
    ]);
}

#[test]
fn rates_are_read_with_what_they_are_per() {
    check(&[
        ("30MB/s", 30.0, "MB/s", 3e7, "B/s"),
        ("30MB/min", 30.0, "MB/min", 5e5, "B/s"),
        ("5 GB per day", 5.0, "GB/d", 5e9 / 86_400.0, "B/s"),
        ("10 Gbps", 10.0, "Gbit/s", 1e10, "bit/s"),
        ("10 Gbit/s", 10.0, "Gbit/s", 1e10, "bit/s"),
        ("5 Mb/s", 5.0, "Mbit/s", 5e6, "bit/s"),
        ("100 Mbps", 100.0, "Mbit/s", 1e8, "bit/s"),
        ("500 requests/s", 500.0, "requests/s", 500.0, "1/s"),
        ("500 req/s", 500.0, "requests/s", 500.0, "1/s"),
        ("100k req/s", 1e5, "requests/s", 1e5, "1/s"),
        ("500 rps", 500.0, "requests/s", 500.0, "1/s"),
        ("50 QPS", 50.0, "queries/s", 50.0, "1/s"),
        ("60 requests per minute", 60.0, "requests/min", 1.0, "1/s"),
        ("2.5 requests per second", 2.5, "requests/s", 2.5, "1/s"),
        ("500 per second", 500.0, "1/s", 500.0, "1/s"),
        ("500/month", 500.0, "1/mo", 500.0 / 2_629_746.0, "1/s"),
        ("7 per month", 7.0, "1/mo", 7.0 / 2_629_746.0, "1/s"),
        ("7/mo", 7.0, "1/mo", 7.0 / 2_629_746.0, "1/s"),
        ("5 ms/op", 5.0, "ms/op", 0.005, "s/op"),
        ("9.8 m/s²", 9.8, "m/s²", 9.8, "m/s²"),
        ("36 km/h", 36.0, "km/h", 10.0, "m/s"),
    ]);
}

#[test]
fn money_is_read_before_and_after_its_currency() {
    check(&[
        ("$1,200", 1200.0, "USD", 1200.0, "USD"),
        ("$1.2k", 1200.0, "USD", 1200.0, "USD"),
        ("$3.5M", 3.5e6, "USD", 3.5e6, "USD"),
        ("$5 million", 5e6, "USD", 5e6, "USD"),
        ("EUR 3.5M", 3.5e6, "EUR", 3.5e6, "EUR"),
        ("3.5M EUR", 3.5e6, "EUR", 3.5e6, "EUR"),
        ("€ 20", 20.0, "EUR", 20.0, "EUR"),
        ("€20", 20.0, "EUR", 20.0, "EUR"),
        ("1.200,50 €", 1200.5, "EUR", 1200.5, "EUR"),
        ("19,99 €", 19.99, "EUR", 19.99, "EUR"),
        ("£5", 5.0, "GBP", 5.0, "GBP"),
        ("US$5", 5.0, "USD", 5.0, "USD"),
        ("USD 5", 5.0, "USD", 5.0, "USD"),
        ("5 USD", 5.0, "USD", 5.0, "USD"),
        ("5 dollars", 5.0, "USD", 5.0, "USD"),
    ]);
}

#[test]
fn prices_are_money_per_something() {
    check(&[
        ("$0.01/GB", 0.01, "USD/GB", 1e-11, "USD/B"),
        ("$199/mo", 199.0, "USD/mo", 199.0 / 2_629_746.0, "USD/s"),
        ("$5 a month", 5.0, "USD/mo", 5.0 / 2_629_746.0, "USD/s"),
        ("$12 per year", 12.0, "USD/yr", 12.0 / 31_556_952.0, "USD/s"),
        ("$25 per user", 25.0, "USD/user", 25.0, "USD/user"),
        ("$5 per active user", 5.0, "USD/user", 5.0, "USD/user"),
        ("$0.20 per million requests", 0.2, "USD/1M requests", 2e-7, "USD/request"),
        ("$0.35 per 10M metric samples", 0.35, "USD/10M samples", 3.5e-8, "USD/sample"),
        ("$5/1M tokens", 5.0, "USD/1M tokens", 5e-6, "USD/token"),
        ("$36 per GB-hour", 36.0, "USD/GB-h", 1e-11, "USD/B·s"),
    ]);
}

#[test]
fn si_units_take_their_prefixes() {
    check(&[
        ("5 kg", 5.0, "kg", 5.0, "kg"),
        ("5 mg", 5.0, "mg", 5e-6, "kg"),
        ("10 lbs", 10.0, "lb", 4.535_923_7, "kg"),
        ("100 m", 100.0, "m", 100.0, "m"),
        ("7 nm", 7.0, "nm", 7e-9, "m"),
        ("5 µm", 5.0, "µm", 5e-6, "m"),
        ("10\"", 10.0, "in", 0.254, "m"),
        ("10 inches", 10.0, "in", 0.254, "m"),
        ("50 m²", 50.0, "m²", 50.0, "m²"),
        ("2 L", 2.0, "L", 0.002, "m³"),
        ("5 mW", 5.0, "mW", 0.005, "W"),
        ("5 MW", 5.0, "MW", 5e6, "W"),
        ("5 kWh", 5.0, "kWh", 1.8e7, "J"),
        ("12-volt", 12.0, "V", 12.0, "V"),
        ("5 mV", 5.0, "mV", 0.005, "V"),
        ("3 A", 3.0, "A", 3.0, "A"),
        ("10 kΩ", 10.0, "kΩ", 1e4, "Ω"),
        ("12 MHz", 12.0, "MHz", 1.2e7, "Hz"),
        ("3000 rpm", 3000.0, "rpm", 50.0, "Hz"),
        ("2 bar", 2.0, "bar", 2e5, "Pa"),
        ("5 MPa", 5.0, "MPa", 5e6, "Pa"),
        ("5 kN", 5.0, "kN", 5000.0, "N"),
        ("5 N·m", 5.0, "Nm", 5.0, "N·m"),
        ("60 dB", 60.0, "dB", 60.0, "dB"),
    ]);
}

#[test]
fn temperatures_are_kelvins_in_si() {
    check(&[
        ("-40 °C", -40.0, "°C", 233.15, "K"),
        ("−40°C", -40.0, "°C", 233.15, "K"),
        ("77 °F", 77.0, "°F", 298.15, "K"),
        ("20 degrees Celsius", 20.0, "°C", 293.15, "K"),
        ("300 kelvin", 300.0, "K", 300.0, "K"),
    ]);
    assert_eq!(quantities("a temperature of 300 K")[0].unit, "K");
}

#[test]
fn counts_have_the_noun_as_their_unit() {
    check_counts(&[
        ("500 Fargate pods", 500.0, "pods"),
        ("~2000 pods", 2000.0, "pods"),
        ("15 collaborators", 15.0, "collaborators"),
        ("5,000 nodes", 5000.0, "nodes"),
        ("10 000 services", 10_000.0, "services"),
        ("450k events", 450_000.0, "events"),
        ("400 k events", 400_000.0, "events"),
        ("64K peers", 64_000.0, "peers"),
        ("50 million requests", 5e7, "requests"),
        ("50 million", 5e7, ""),
        ("7B parameters", 7e9, "parameters"),
        ("10m samples", 1e7, "samples"),
        ("10^6 events", 1e6, "events"),
        ("2 × 10⁶ rows", 2e6, "rows"),
        ("2^21 contiguous pages", 2_097_152.0, "pages"),
        ("3 Kubernetes clusters", 3.0, "clusters"),
        ("4 VMs", 4.0, "VMs"),
        ("8 vCPU", 8.0, "vCPUs"),
        ("2.5 cores", 2.5, "cores"),
        ("10 pods per node", 10.0, "pods/node"),
    ]);
}

#[test]
fn events_per_month_are_counted_per_second_in_si() {
    check(&[("450k events per month", 450_000.0, "events/mo", 450_000.0 / 2_629_746.0, "1/s")]);
}

#[test]
fn ranks_are_told_from_issue_numbers() {
    let ranked = "It was ranked the **#5** as the best; it took 3rd place, now ranked 12th. #7";
    let found: Vec<_> = quantities(ranked).into_iter().map(|it| (it.text, it.number)).collect();
    let texts = [("#5", 5.0), ("3rd place", 3.0), ("12th", 12.0)];
    assert_eq!(found, texts.map(|(text, number)| (text.to_owned(), number)));
    assert_eq!(quantities("#5")[0].unit, "rank");
}

#[test]
fn a_multiple_counts_only_where_it_compares() {
    let found = quantities("It was 4 times faster and retried 3 times.");
    let units: Vec<&str> = found.iter().map(|it| it.unit.as_str()).collect();
    assert_eq!(units, ["x", "times"]);
    assert_eq!(unit("fold"), unit("x"));
}

#[test]
fn times_are_read_in_words_too() {
    check(&[
        ("two weeks", 2.0, "wk", 1_209_600.0, "s"),
        ("half an hour", 0.5, "h", 1_800.0, "s"),
        ("three-day", 3.0, "d", 259_200.0, "s"),
        ("Thirty seconds", 30.0, "s", 30.0, "s"),
        ("one month", 1.0, "mo", 2_629_746.0, "s"),
    ]);
    let most = quantities("After 5 ms it waits at most two hours.").remove(1);
    assert_eq!((most.text.as_str(), most.comparison), ("at most two hours", Some(Comparison::Le)));
}

#[test]
fn a_time_may_have_several_units() {
    check(&[
        ("1h30m", 90.0, "min", 5_400.0, "s"),
        ("1d 5h 47m", 1_787.0, "min", 107_220.0, "s"),
        ("2m30.5s", 150.5, "s", 150.5, "s"),
        ("24h0m0s", 86_400.0, "s", 86_400.0, "s"),
        ("1 hour and 30 minutes", 90.0, "min", 5_400.0, "s"),
        ("2 minutes, 5 seconds", 125.0, "s", 125.0, "s"),
    ]);
    let texts = |text: &str| quantities(text).into_iter().map(|it| it.text).collect::<Vec<_>>();
    assert_eq!(texts("10s 20s"), ["10s", "20s"]);
    assert_eq!(quantities("Between 1 hour and 30 minutes")[0].unit, "h");
    assert_eq!(texts("two nodes or more than 5 GB"), ["more than 5 GB"]);
    assert_eq!(quantities("43m 12s per month")[0].unit, "s/mo");
    assert_eq!(texts("within 1h30m of it"), ["within 1h30m"]);
}

#[test]
fn a_single_thing_is_counted_as_several_are() {
    let counts = |text: &str| quantities(text).remove(0).in_unit(&Unit::count("replicas"));
    assert_eq!(counts("only 1 replica."), Some((1.0, 1.0)));
    assert_eq!(counts("only 3 replicas."), Some((3.0, 3.0)));
    check(&[("1 business day", 1.0, "d", 86_400.0, "s")]);
    assert_eq!(quantities("1 batch entry.")[0].unit, "entries");
}
