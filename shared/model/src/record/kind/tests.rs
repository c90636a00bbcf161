use super::*;

fn kind(values: &[&str]) -> ColumnKind {
    of(&[values], Decimal::Point)[0]
}

fn of(columns: &[&[&str]], usual: Decimal) -> Vec<ColumnKind> {
    of_columns(columns.iter().map(|values| values.iter().copied()), usual)
}

const POINT: ColumnKind = ColumnKind::Number { decimal: Decimal::Point };
const COMMA: ColumnKind = ColumnKind::Number { decimal: Decimal::Comma };

#[test]
fn a_column_of_numbers_has_nothing_else_in_it() {
    assert_eq!(kind(&["1", "-2.5", "+3", "1,024"]), POINT);
    assert_eq!(kind(&["3001ms", "2 s", "7"]), POINT);
    assert_eq!(kind(&["1", "n/a"]), ColumnKind::Text);
    assert_eq!(kind(&["1", "1e3"]), ColumnKind::Text);
    assert_eq!(kind(&[]), ColumnKind::Text);
}

#[test]
fn a_number_with_a_zero_in_front_is_a_name() {
    let parts = kind(&["00123", "123", "1000"]);
    assert_eq!(parts, ColumnKind::Text);
    assert_ne!(parts.canonical("00123"), parts.canonical("123"));
    assert_eq!(parts.compare("00123", "123"), None);
    assert_eq!(kind(&["0", "0.5", "-0.25"]), POINT);
}

#[test]
fn numbers_are_compared_digit_by_digit() {
    let (a, b) = ("12345678901234567890", "12345678901234567891");
    let batches = kind(&[a, b]);
    assert_ne!(batches.canonical(a), batches.canonical(b));
    assert_eq!(batches.compare(a, b), Some(Ordering::Less));
    assert_eq!(batches.compare("-3", "-20"), Some(Ordering::Greater));
    assert_eq!(batches.compare("2 s", "1999ms"), Some(Ordering::Greater));
    assert_eq!(batches.compare("2 s", "5 KiB"), None);
    assert_eq!(batches.compare("2", "zebra"), None);
    assert_eq!(batches.canonical("+1,024.50"), "1024.5");
    assert!(matches!(batches.canonical("1024.5"), Cow::Borrowed(_)));
}

#[test]
fn a_comma_before_other_than_three_digits_is_decimal() {
    let column = kind(&["1,7", "1.234,50", "2"]);
    assert_eq!(column, COMMA);
    assert!((column.number("1.234,50").unwrap().value - 1234.5).abs() < 1e-9);
    assert_eq!(kind(&["0,512"]), COMMA);
    assert_eq!(kind(&["1,7", "1.5"]), ColumnKind::Text);
}

#[test]
fn thousands_are_read_as_the_rest_of_the_file_writes_numbers() {
    let ambiguous = ["1,024", "3,500"];
    assert_eq!(of(&[&ambiguous], Decimal::Point), [POINT]);
    assert_eq!(of(&[&ambiguous], Decimal::Comma), [COMMA]);
    assert_eq!(of(&[&ambiguous, &["1,7"]], Decimal::Point), [COMMA, COMMA]);
    assert_eq!(of(&[&ambiguous, &["1.7"]], Decimal::Comma), [POINT, POINT]);
    assert_eq!(of(&[&["1.234"]], Decimal::Comma), [POINT]);
    assert_eq!(of(&[&["1.234"], &["1,7"]], Decimal::Point), [COMMA, COMMA]);
    assert_eq!(of(&[&["7"], &["1,7"]], Decimal::Point), [POINT, COMMA]);
}

#[test]
fn dates_of_one_order_are_moments() {
    let day = |values: &[&str]| {
        let kind = kind(values);
        kind.canonical(values[0]).into_owned()
    };
    for values in [
        &["2015-05-17", "2016/1/2"][..],
        &["05/17/2015", "05/06/2015"],
        &["17/05/2015", "05/06/2015"],
        &["17.05.2015"],
        &["17 May 2015", "1-Jun-2016"],
        &["May 17, 2015", "June 1, 2015"],
        &["Sun, 17 May 2015"],
    ] {
        assert_eq!(day(values), "2015-05-17", "{values:?}");
    }
    assert_eq!(day(&["5/17/2015 8:05 PM"]), "2015-05-17T20:05:00Z");
    assert_eq!(day(&["2015-05-17T08:05:32.5+02:00"]), "2015-05-17T06:05:32.5Z");
    assert_eq!(day(&["17/May/2015:08:05:32 +0000"]), "2015-05-17T08:05:32Z");
}

#[test]
fn dates_that_can_be_in_two_orders_are_texts() {
    assert_eq!(kind(&["05/06/2015", "07/08/2015"]), ColumnKind::Text);
    assert_eq!(kind(&["13/06/2015", "07/18/2015"]), ColumnKind::Text);
    assert_eq!(kind(&["2015-05-17", "17.05.2015"]), ColumnKind::Text);
    assert_eq!(kind(&["2015-02-30"]), ColumnKind::Text);
    assert_eq!(kind(&["2015-05-17", "soon"]), ColumnKind::Text);
    assert_eq!(kind(&["10.0.0.1"]), ColumnKind::Text);
}

#[test]
fn a_date_of_another_form_is_compared_where_it_means_one_day() {
    let column = kind(&["05/17/2015"]);
    assert_eq!(column.compare("05/17/2015", "2015-05-18"), Some(Ordering::Less));
    assert_eq!(column.compare("05/06/2015", "06.05.2015"), Some(Ordering::Equal));
    assert_eq!(column.compare("05/17/2015", "zebra"), None);
    let iso = kind(&["2015-05-17"]);
    assert_eq!(iso.moment("05/06/2015"), None);
    assert_eq!(iso.number("2015"), None);
}
