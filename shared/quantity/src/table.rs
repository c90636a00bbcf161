//! The table of units: symbols, spellings, and their conversions to SI or base units.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Dimension::{
    self, Angle, Area, Capacitance, Charge, Current, Energy, Force, Frequency, Inductance, Length,
    Level, Mass, Money, Power, Pressure, Rate, Resistance, Share, Size, Temperature, Time, Torque,
    Voltage, Volume,
};
use super::unit::Unit;

/// A unit, and the units that its prefixes form.
struct Row {
    /// The usual symbol.
    symbol: &'static str,
    /// Spellings in lower case, separated by spaces.
    words: &'static str,
    dimension: Dimension,
    si: &'static str,
    /// The numerator of the factor: one unit is `up / down` in `si`. Two numbers are needed because
    /// thirds and tenths have no exact factor.
    up: f64,
    down: f64,
    /// The prefixes that are in use with it.
    prefixes: &'static str,
}

/// Builds a row of the table in one line.
const fn row(
    symbol: &'static str,
    words: &'static str,
    dimension: Dimension,
    si: &'static str,
    up: f64,
    down: f64,
    prefixes: &'static str,
) -> Row {
    Row { symbol, words, dimension, si, up, down, prefixes }
}

const PREFIXES: [(&str, &str, f64, f64); 11] = [
    ("p", "pico", 1.0, 1e12),
    ("n", "nano", 1.0, 1e9),
    ("µ", "micro", 1.0, 1e6),
    ("m", "milli", 1.0, 1e3),
    ("c", "centi", 1.0, 1e2),
    ("h", "hecto", 1e2, 1.0),
    ("k", "kilo", 1e3, 1.0),
    ("M", "mega", 1e6, 1.0),
    ("G", "giga", 1e9, 1.0),
    ("T", "tera", 1e12, 1.0),
    ("P", "peta", 1e15, 1.0),
];

const ROWS: &[Row] = &[
    row("USD", "dollar dollars usd", Money, "USD", 1.0, 1.0, ""),
    row("¢", "", Money, "USD", 1.0, 100.0, ""),
    row("EUR", "euro euros eur", Money, "EUR", 1.0, 1.0, ""),
    row("GBP", "gbp", Money, "GBP", 1.0, 1.0, ""),
    row("JPY", "yen", Money, "JPY", 1.0, 1.0, ""),
    row("CHF", "", Money, "CHF", 1.0, 1.0, ""),
    row("CAD", "", Money, "CAD", 1.0, 1.0, ""),
    row("AUD", "", Money, "AUD", 1.0, 1.0, ""),
    row("CNY", "", Money, "CNY", 1.0, 1.0, ""),
    row("INR", "", Money, "INR", 1.0, 1.0, ""),
    row("BRL", "", Money, "BRL", 1.0, 1.0, ""),
    row("SEK", "", Money, "SEK", 1.0, 1.0, ""),
    row("s", "sec secs second seconds", Time, "s", 1.0, 1.0, "pnµm"),
    row("s²", "s^2", Time, "s²", 1.0, 1.0, ""),
    row("min", "mins minute minutes", Time, "s", 60.0, 1.0, ""),
    row("h", "hr hrs hour hours", Time, "s", 3600.0, 1.0, ""),
    row("d", "day days", Time, "s", 86_400.0, 1.0, ""),
    row("wk", "wks week weeks", Time, "s", 604_800.0, 1.0, ""),
    row("mo", "month months", Time, "s", 2_629_746.0, 1.0, ""),
    row("yr", "yrs year years", Time, "s", 31_556_952.0, 1.0, ""),
    row("B", "byte bytes", Size, "B", 1.0, 1.0, "kMGTP"),
    row("KiB", "kibibyte kibibytes", Size, "B", 1024.0, 1.0, ""),
    row("MiB", "mebibyte mebibytes", Size, "B", 1_048_576.0, 1.0, ""),
    row("GiB", "gibibyte gibibytes", Size, "B", 1_073_741_824.0, 1.0, ""),
    row("TiB", "tebibyte tebibytes", Size, "B", 1_099_511_627_776.0, 1.0, ""),
    row("PiB", "pebibyte pebibytes", Size, "B", 1_125_899_906_842_624.0, 1.0, ""),
    row("bit", "bits", Size, "bit", 1.0, 1.0, "kMGT"),
    row("bit/s", "bps", Rate, "bit/s", 1.0, 1.0, ""),
    row("kbit/s", "kbps", Rate, "bit/s", 1e3, 1.0, ""),
    row("Mbit/s", "mbps", Rate, "bit/s", 1e6, 1.0, ""),
    row("Gbit/s", "gbps", Rate, "bit/s", 1e9, 1.0, ""),
    row("Tbit/s", "tbps", Rate, "bit/s", 1e12, 1.0, ""),
    row("requests/s", "rps", Rate, "1/s", 1.0, 1.0, ""),
    row("queries/s", "qps", Rate, "1/s", 1.0, 1.0, ""),
    row("transactions/s", "tps", Rate, "1/s", 1.0, 1.0, ""),
    row("packets/s", "pps", Rate, "1/s", 1.0, 1.0, ""),
    row("frames/s", "fps", Rate, "1/s", 1.0, 1.0, ""),
    row("IOPS", "iops", Rate, "1/s", 1.0, 1.0, ""),
    row("mph", "", Rate, "m/s", 0.44704, 1.0, ""),
    row("%", "percent pct", Share, "1", 1.0, 100.0, ""),
    row("‰", "permille", Share, "1", 1.0, 1000.0, ""),
    row("ppm", "", Share, "1", 1.0, 1e6, ""),
    row("ppb", "", Share, "1", 1.0, 1e9, ""),
    row("x", "fold", Share, "1", 1.0, 1.0, ""),
    row(":1", "", Share, "1", 1.0, 1.0, ""),
    row("K", "kelvin kelvins", Temperature, "K", 1.0, 1.0, ""),
    row("°C", "celsius", Temperature, "K", 1.0, 1.0, ""),
    row("°F", "fahrenheit", Temperature, "K", 5.0, 9.0, ""),
    row("m", "meter meters metre metres", Length, "m", 1.0, 1.0, "nµmck"),
    row("in", "inch inches", Length, "m", 0.0254, 1.0, ""),
    row("ft", "feet foot", Length, "m", 0.3048, 1.0, ""),
    row("mi", "mile miles", Length, "m", 1609.344, 1.0, ""),
    row("cm²", "cm^2", Area, "m²", 1.0, 1e4, ""),
    row("mm²", "mm^2", Area, "m²", 1.0, 1e6, ""),
    row("m²", "m^2", Area, "m²", 1.0, 1.0, ""),
    row("km²", "km^2", Area, "m²", 1e6, 1.0, ""),
    row("cm³", "cm^3", Volume, "m³", 1.0, 1e6, ""),
    row("m³", "m^3", Volume, "m³", 1.0, 1.0, ""),
    row("L", "liter liters litre litres", Volume, "m³", 1.0, 1000.0, "µm"),
    row("g", "gram grams", Mass, "kg", 1.0, 1000.0, "µmk"),
    row("t", "tonne tonnes", Mass, "kg", 1000.0, 1.0, ""),
    row("lb", "lbs pound pounds", Mass, "kg", 0.453_592_37, 1.0, ""),
    row("oz", "ounce ounces", Mass, "kg", 0.453_592_37, 16.0, ""),
    row("W", "watt watts", Power, "W", 1.0, 1.0, "nµmkMGT"),
    row("J", "joule joules", Energy, "J", 1.0, 1.0, "µmkMG"),
    row("Wh", "", Energy, "J", 3600.0, 1.0, "mkMGT"),
    row("V", "volt volts", Voltage, "V", 1.0, 1.0, "nµmk"),
    row("A", "amp amps ampere amperes", Current, "A", 1.0, 1.0, "nµmk"),
    row("Ω", "ohm ohms", Resistance, "Ω", 1.0, 1.0, "mkMG"),
    row("F", "farad farads", Capacitance, "F", 1.0, 1.0, "pnµm"),
    row("H", "henry henries", Inductance, "H", 1.0, 1.0, "nµm"),
    row("Ah", "", Charge, "C", 3600.0, 1.0, "m"),
    row("Hz", "hertz", Frequency, "Hz", 1.0, 1.0, "mkMGT"),
    row("rpm", "", Frequency, "Hz", 1.0, 60.0, ""),
    row("Pa", "pascal pascals", Pressure, "Pa", 1.0, 1.0, "hkMG"),
    row("bar", "", Pressure, "Pa", 1e5, 1.0, "m"),
    row("psi", "", Pressure, "Pa", 6_894.757_293_168, 1.0, ""),
    row("N", "newton newtons", Force, "N", 1.0, 1.0, "mkM"),
    row("Nm", "n·m n⋅m", Torque, "N·m", 1.0, 1.0, "mk"),
    row("°", "deg degree degrees", Angle, "rad", std::f64::consts::PI, 180.0, ""),
    row("rad", "radian radians", Angle, "rad", 1.0, 1.0, ""),
    row("dB", "decibel decibels", Level, "dB", 1.0, 1.0, ""),
];

/// Other spellings of symbols; their case matters.
const ALIASES: &[(&str, &str)] = &[
    ("$", "USD"),
    ("US$", "USD"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("¥", "JPY"),
    ("₹", "INR"),
    ("R$", "BRL"),
    ("C$", "CAD"),
    ("CA$", "CAD"),
    ("A$", "AUD"),
    ("AU$", "AUD"),
    ("KB", "kB"),
    ("kb", "kB"),
    ("mb", "MB"),
    ("gb", "GB"),
    ("tb", "TB"),
    ("Ki", "KiB"),
    ("Mi", "MiB"),
    ("Gi", "GiB"),
    ("Ti", "TiB"),
    ("kiB", "KiB"),
    ("Kbit", "kbit"),
    ("Mo", "mo"),
    ("msec", "ms"),
    ("msecs", "ms"),
    ("usec", "µs"),
    ("nsec", "ns"),
    ("hz", "Hz"),
    ("khz", "kHz"),
    ("mhz", "MHz"),
    ("ghz", "GHz"),
    ("ml", "mL"),
    ("l", "L"),
    ("kw", "kW"),
    ("kwh", "kWh"),
    ("degC", "°C"),
    ("degF", "°F"),
    ("℃", "°C"),
    ("\"", "in"),
    ("″", "in"),
    ("℉", "°F"),
    ("×", "x"),
    ("X", "x"),
    ("KBps", "kB/s"),
    ("kBps", "kB/s"),
    ("MBps", "MB/s"),
    ("GBps", "GB/s"),
];

static UNITS: LazyLock<HashMap<String, Unit>> = LazyLock::new(|| {
    let mut units = HashMap::new();
    for row in ROWS {
        insert(&mut units, row);
    }
    for bytes in ["kB", "MB", "GB"] {
        if let Some(rate) =
            units.get(bytes).zip(units.get("s")).map(|(size, second)| size.per(second))
        {
            units.insert(rate.symbol().to_owned(), rate);
        }
    }
    for (alias, symbol) in ALIASES {
        if let Some(unit) = units.get(*symbol).cloned() {
            units.insert((*alias).to_owned(), unit);
        }
    }
    units
});

/// Symbols that mean bits before a time: "Mb/s" is bits, while "Mb" alone may be bits or bytes.
const BITS: [(&str, &str); 4] = [("kb", "kbit"), ("Kb", "kbit"), ("Mb", "Mbit"), ("Gb", "Gbit")];

fn insert(units: &mut HashMap<String, Unit>, row: &Row) {
    let none = ("", "", 1.0, 1.0);
    for (short, long, up, down) in std::iter::once(&none).chain(&PREFIXES) {
        if !row.prefixes.contains(short) {
            continue;
        }
        let symbol = format!("{short}{}", row.symbol);
        let zero = match row.symbol {
            "°C" => 273.15,
            "°F" => 459.67,
            _ => 0.0,
        };
        let unit = Unit::known(&symbol, row.dimension, row.si, row.up * up, row.down * down, zero);
        let words = row.words.split_whitespace().map(|it| format!("{long}{it}"));
        units.extend(words.map(|it| (it, unit.clone())));
        if *short == "µ" {
            units.insert(symbol.replace('µ', "u"), unit.clone());
        }
        units.insert(symbol, unit);
    }
}

/// Returns the unit with this spelling; the case of long spellings does not matter.
pub(super) fn find(written: &str) -> Option<Unit> {
    if written.is_ascii() {
        return lookup(written);
    }
    let plain = written.replace('μ', "µ").replace('\u{2126}', "Ω").replace('º', "°");
    lookup(&plain)
}

fn lookup(written: &str) -> Option<Unit> {
    let exact = UNITS.get(written);
    exact.or_else(|| (written.len() > 2).then(|| UNITS.get(&written.to_lowercase()))?).cloned()
}

/// Returns the unit of bits with this spelling before "/s".
pub(super) fn bits(written: &str) -> Option<Unit> {
    BITS.iter().find(|(it, _)| *it == written).and_then(|(_, symbol)| lookup(symbol))
}

/// Returns the unit of a symbol that may mean bits or bytes; it converts to neither.
pub(super) fn bits_or_bytes(written: &str) -> Option<Unit> {
    BITS.iter().find(|(it, _)| *it == written).map(|(it, _)| Unit::count(it))
}

/// Returns every symbol of the table, for tests that apply to each of them.
#[cfg(test)]
pub(super) fn symbols() -> Vec<String> {
    let mut symbols: Vec<String> = UNITS.values().map(|it| it.symbol().to_owned()).collect();
    symbols.sort();
    symbols.dedup();
    symbols
}
