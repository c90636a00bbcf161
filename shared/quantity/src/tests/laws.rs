//! Properties that hold for every text and every unit.

use proptest::prelude::*;

use super::super::table::symbols;
use super::super::{Dimension, Quantity, Unit, quantities, unit};

/// Fragments of quantities and of texts that resemble them.
const FRAGMENTS: [&str; 82] = [
    "two",
    "half an ",
    "hours",
    "-day",
    "at most ",
    " of ",
    "1 ",
    "Gb",
    "replica",
    " out of the ",
    "5",
    "10",
    "1,200",
    "3.5",
    "0",
    "2019",
    "1e9",
    "10^6",
    "99999999999999999999",
    ".5",
    "007",
    " ",
    " ",
    " ",
    " ",
    "-",
    "–",
    "−",
    "±",
    "+/-",
    "+",
    "/",
    "*",
    "**",
    "`",
    "_",
    ".",
    ",",
    ":",
    "#",
    "$",
    "€",
    "%",
    "‰",
    "°C",
    " to ",
    " and ",
    "between ",
    "from ",
    "up to ",
    "less than ",
    "<",
    ">=",
    "~",
    "sub-",
    "ms",
    "s",
    "MB",
    "Mb",
    "k",
    "M",
    "million",
    "x",
    "×",
    "µs",
    "Ω",
    "K",
    "A",
    "m",
    "m²",
    "per ",
    "/s",
    "a month",
    "pods",
    "Fargate pods",
    "EUR ",
    "USD",
    "\n",
    "\u{a0}",
    "é",
    "🚀",
    "th place",
];

/// Units whose symbol alone, after a space, may be something else; `traps` tests them.
const FUSSY: [&str; 9] = ["F", "H", "K", "in", "d", "x", ":1", "°", "1/s"];

fn plain_symbols() -> Vec<String> {
    symbols().into_iter().filter(|it| !FUSSY.contains(&it.as_str())).collect()
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let mut end = 0;
    for quantity in quantities(text) {
        prop_assert!(quantity.start >= end && quantity.end > quantity.start);
        prop_assert_eq!(text.get(quantity.start..quantity.end), Some(quantity.text.as_str()));
        prop_assert!(quantity.number.is_finite());
        prop_assert!(quantity.si.as_ref().is_none_or(|it| it.number.is_finite()));
        prop_assert!(quantity.low.is_some() == quantity.high.is_some());
        prop_assert!(quantity.low.is_none_or(|it| it <= quantity.number));
        prop_assert!(quantity.high.is_none_or(|it| it >= quantity.number));
        let known = quantity.si.is_none() || unit(&quantity.unit).is_some();
        prop_assert!(known, "no unit named {}", quantity.unit);
        end = quantity.end;
    }
    Ok(())
}

proptest! {
    #[test]
    fn whatever_is_found_stands_in_the_text_in_order(text in "\\PC*") {
        check(&text)?;
    }

    #[test]
    fn whatever_is_found_in_near_quantities_stands_in_the_text(
        parts in prop::collection::vec(prop::sample::select(&FRAGMENTS[..]), 0..16),
    ) {
        check(&parts.concat())?;
    }

    #[test]
    fn a_number_with_any_unit_is_read_back(
        number in prop_oneof![(4_u32..100_000).prop_map(f64::from), (4.0..9999.0_f64)],
        symbol in prop::sample::select(plain_symbols()),
    ) {
        let text = format!("{number} {symbol}");
        let found = quantities(&text);
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        prop_assert_eq!((&found[0].text, found[0].number, &found[0].unit), (&text, number, &symbol));
        let unit = unit(&symbol).unwrap();
        prop_assert_eq!(found[0].in_unit(&unit), Some((number, number)));
        prop_assert_eq!(found[0].dimension(), unit.dimension());
    }

    #[test]
    fn what_is_converted_and_converted_back_is_the_same(
        number in 4.0..9999.0_f64,
        pair in prop::sample::select(vec![
            ("GB", "MiB"), ("GB/s", "Gbit/s"), ("USD/mo", "USD/yr"), ("USD/GB", "USD/TB"), ("°C", "°F"),
            ("ms", "h"), ("requests/s", "requests/d"), ("%", "‰"), ("kWh", "MJ"), ("lb", "kg"),
        ]),
    ) {
        let (one, two) = pair;
        let there = quantities(&format!("{number} {one}"))[0].in_unit(&unit(two).unwrap()).unwrap().0;
        let back = quantities(&format!("{there} {two}"))[0].in_unit(&unit(one).unwrap()).unwrap().0;
        prop_assert!((back - number).abs() < number * 1e-6, "{} {}", back, number);
    }
}

fn first(text: &str) -> Quantity {
    quantities(text).remove(0)
}

fn within(text: &str, symbol: &str) -> Option<(f64, f64)> {
    first(text).in_unit(&unit(symbol).unwrap())
}

#[test]
fn a_quantity_is_told_in_another_unit_of_its_dimension() {
    assert_eq!(within("1.2 s", "ms"), Some((1200.0, 1200.0)));
    assert_eq!(within("10-20 ms", "s"), Some((0.01, 0.02)));
    assert_eq!(within("7%", "%"), Some((7.0, 7.0)));
    assert_eq!(within("$12 per year", "$/month"), Some((1.0, 1.0)));
    assert_eq!(within("8 Gbit/s", "GB/s"), Some((1.0, 1.0)));
    assert_eq!(within("77 °F", "°C"), Some((25.0, 25.0)));
    assert_eq!(within("60 requests per minute", "req/s"), Some((1.0, 1.0)));
}

#[test]
fn what_measures_something_else_is_not_converted() {
    assert_eq!(within("5 ms", "MB"), None);
    assert_eq!(within("$5", "EUR"), None);
    assert_eq!(within("500 requests per second", "events/s"), None);
    assert_eq!(within("50 million", "m"), None);
    assert_eq!(first("5 pods").in_unit(&Unit::count("pods")), Some((5.0, 5.0)));
    assert_eq!(first("5 pods").in_unit(&Unit::count("nodes")), None);
}

#[test]
fn a_unit_is_read_as_a_caller_writes_it() {
    let rows = [
        ("ms", "ms", Dimension::Time),
        ("USD", "USD", Dimension::Money),
        ("$", "USD", Dimension::Money),
        ("$/month", "USD/mo", Dimension::Rate),
        ("USD per month", "USD/mo", Dimension::Rate),
        ("GB/s", "GB/s", Dimension::Rate),
        ("Mb/s", "Mbit/s", Dimension::Rate),
        ("Mb/Ω", "Mb/Ω", Dimension::Rate),
        ("%", "%", Dimension::Share),
        ("percent", "%", Dimension::Share),
        ("requests/s", "requests/s", Dimension::Rate),
        ("req/s", "requests/s", Dimension::Rate),
        ("requests per second", "requests/s", Dimension::Rate),
        ("/month", "1/mo", Dimension::Rate),
        ("1/s", "1/s", Dimension::Rate),
        ("degrees Celsius", "°C", Dimension::Temperature),
        ("x", "x", Dimension::Share),
        (" GiB ", "GiB", Dimension::Size),
        ("in", "in", Dimension::Length),
        ("K", "K", Dimension::Temperature),
    ];
    for (written, symbol, dimension) in rows {
        let unit = unit(written).unwrap();
        assert_eq!((unit.symbol(), unit.dimension()), (symbol, dimension), "{written}");
    }
    assert_eq!(unit("MB/min").map(|it| it.factor()), Some(1e6 / 60.0));
}

#[test]
fn what_is_no_unit_is_none() {
    for written in
        ["", " ", "pods", "furlong", "Mb", "5 ms", "ms s", "/", "per", "M", "requests", "ms/"]
    {
        assert_eq!(unit(written), None, "{written}");
    }
}

#[test]
fn the_wire_has_no_place_in_the_text_and_short_comparisons() {
    let wire = serde_json::to_value(first("up to 5 ms")).unwrap();
    let si = serde_json::json!({"number": 0.005, "unit": "s"});
    let wanted = serde_json::json!(
        {"text": "up to 5 ms", "number": 5.0, "unit": "ms", "si": si, "comparison": "le"}
    );
    assert_eq!(wire, wanted);
}
