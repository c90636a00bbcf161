//! Ranges, tolerances, comparisons, lists, and counted things whose number is a word.

use super::super::Comparison::{self, About, Ge, Gt, Le, Lt};
use super::super::quantities;
use super::only;

/// Checks the text, the low and the high end, and the unit of the first quantity of each text.
fn check_ranges(rows: &[(&str, &str, f64, f64, &str)]) {
    for (text, form, low, high, unit) in rows {
        let found = quantities(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let quantity = &found[0];
        assert_eq!((quantity.text.as_str(), quantity.unit.as_str()), (*form, *unit));
        assert_eq!((quantity.low, quantity.high), (Some(*low), Some(*high)), "{text}");
    }
}

#[test]
fn ranges_and_tolerances_have_two_ends() {
    check_ranges(&[
        ("takes 10-20 ms", "10-20 ms", 10.0, 20.0, "ms"),
        ("takes 10–20 ms", "10–20 ms", 10.0, 20.0, "ms"),
        ("takes 10ms - 20ms", "10ms - 20ms", 10.0, 20.0, "ms"),
        ("takes 10 to 20 ms", "10 to 20 ms", 10.0, 20.0, "ms"),
        ("takes 500 ms to 2 s", "500 ms to 2 s", 0.5, 2.0, "s"),
        ("is between 10 and 20 ms", "between 10 and 20 ms", 10.0, 20.0, "ms"),
        ("ranges from 5 to 10 ms", "5 to 10 ms", 5.0, 10.0, "ms"),
        ("needs 2-3 pods", "2-3 pods", 2.0, 3.0, "pods"),
        ("a `20-50%` share", "20-50%", 20.0, 50.0, "%"),
        ("costs $5-$10", "$5-$10", 5.0, 10.0, "USD"),
        ("costs $10–20k", "$10–20k", 10_000.0, 20_000.0, "USD"),
        ("costs $10k - $160k", "$10k - $160k", 10_000.0, 160_000.0, "USD"),
        ("costs $5–10 per seat", "$5–10 per seat", 5.0, 10.0, "USD/seat"),
        ("costs $5-10/mo", "$5-10/mo", 5.0, 10.0, "USD/mo"),
        ("costs $5–10k/yr", "$5–10k/yr", 5000.0, 10_000.0, "USD/yr"),
        ("costs $5-$10k", "$5-$10k", 5.0, 10_000.0, "USD"),
        ("sees 5-10k events", "5-10k events", 5000.0, 10_000.0, "events"),
        ("5 pods to 10k pods", "5 pods to 10k pods", 5.0, 10_000.0, "pods"),
        ("from -10°C...50°C", "-10°C...50°C", -10.0, 50.0, "°C"),
        ("costs $5 to $10 per month", "$5 to $10 per month", 5.0, 10.0, "USD/mo"),
        ("-40 to +85 °C", "-40 to +85 °C", -40.0, 85.0, "°C"),
        ("5 V ± 0.1 V", "5 V ± 0.1 V", 4.9, 5.1, "V"),
        ("5 ± 0.1 V", "5 ± 0.1 V", 4.9, 5.1, "V"),
        ("5 V +/- 100 mV", "5 V +/- 100 mV", 4.9, 5.1, "V"),
        ("5 V ± 2%", "5 V ± 2%", 4.9, 5.1, "V"),
        ("accuracy of ±5%", "±5%", -5.0, 5.0, "%"),
        ("accuracy of ±0.5 °C", "±0.5 °C", -0.5, 0.5, "K"),
    ]);
}

#[test]
fn a_range_stands_at_its_middle() {
    let quantity = only("20-50%");
    let si = quantity.si.unwrap();
    assert_eq!((quantity.number, si.number), (35.0, 0.35));
    assert_eq!((si.low, si.high), (Some(0.2), Some(0.5)));
}

#[test]
fn comparisons_are_part_of_the_text() {
    let rows: &[(&str, Comparison)] = &[
        ("<5 ms", Lt),
        ("under 5 ms", Lt),
        ("less than 5 ms", Lt),
        ("below 5 ms", Lt),
        ("sub-5 ms", Lt),
        ("up to 1,200 ms", Le),
        ("at most 5 ms", Le),
        ("no more than 5 ms", Le),
        ("max 5 ms", Le),
        ("≤ 5 ms", Le),
        ("<= 5 ms", Le),
        ("5 ms or less", Le),
        ("> 5 ms", Gt),
        ("more than 5 ms", Gt),
        ("over 50 million", Gt),
        (">= 5 ms", Ge),
        ("at least 5 ms", Ge),
        ("minimum of 5 ms", Ge),
        ("5+ years", Ge),
        ("5 or more nodes", Ge),
        ("~5MB", About),
        ("about 5 ms", About),
        ("around **5 ms", About),
        ("approximately $5", About),
        ("almost 5%", About),
        ("nearly 2x", About),
        ("roughly 10-20 ms", About),
    ];
    for (form, comparison) in rows {
        assert_eq!(only(form).comparison, Some(*comparison), "{form}");
    }
}

#[test]
fn things_are_counted_in_words_too() {
    let first = |text: &str| {
        let first = quantities(text).remove(0);
        (first.number, first.unit)
    };
    assert_eq!(first("Two teams were away."), (2.0, "teams".into()));
    assert_eq!(first("three **primary** languages"), (3.0, "languages".into()));
    assert_eq!(first("at least one healthy replica"), (1.0, "replicas".into()));
    assert_eq!(first("four requests per second"), (4.0, "requests/s".into()));
    assert_eq!(first("two business days"), (2.0, "d".into()));
    assert_eq!(first("twelve volts"), (12.0, "V".into()));
}

#[test]
fn numbers_of_a_list_share_the_last_ones_unit() {
    let numbers = |text: &str| {
        quantities(text).into_iter().map(|it| (it.number, it.unit)).collect::<Vec<_>>()
    };
    let ms = |number: f64| (number, "ms".to_owned());
    assert_eq!(numbers("after 10, 20 and 50 ms"), [ms(10.0), ms(20.0), ms(50.0)]);
    assert_eq!(numbers("10 or 20 ms"), [ms(10.0), ms(20.0)]);
    assert_eq!(numbers("In 2019, 20 ms"), [ms(20.0)]);
    assert_eq!(numbers("steps 2 and 20 ms"), [ms(20.0)]);
}
