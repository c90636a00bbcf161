//! What "which ... most often" counts: addresses, pages, pods, classes, or messages of one shape.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::mention::family;
use super::unit::Unit;
use super::words::pattern;

/// Nouns, and where what they name stands in a record.
static KEYS: LazyLock<Vec<(Regex, Regex)>> = LazyLock::new(|| {
    let of =
        |nouns: &str, place: &str| (pattern(&format!(r"(?i)\b(?:{nouns})s?\b")), pattern(place));
    vec![
        of("ip|address|addresse|client|host|visitor|remote", r"\b(\d{1,3}(?:\.\d{1,3}){3})\b"),
        of(
            "url|page|path|resource|endpoint|uri|file",
            r#""?(?:GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) (/\S*)"#,
        ),
        of("method|verb", r#""(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS) "#),
        of(
            "pod|service|container|component|instance",
            r"\b([a-z][a-z0-9]*(?:-[a-z0-9]+)*)-[a-z0-9]{6,10}-[a-z0-9]{5}\b",
        ),
        of("exception|error class", r"\b((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Exception|Error))\b"),
        of("user|account", r"(?i)\buser(?:name)?[=: ]+\W?([\w.@-]+)"),
        of("thread", r"\[([\w-]+-\d+)\]"),
        of("class|logger", r"\b((?:[a-z]\w*\.){1,8}[A-Z]\w*)\b"),
    ]
});

/// What a record's reader knows already.
static LEVELS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:severit(?:y|ies)|levels?)\b"));
static CODES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:status(?:es)?|codes?|responses?)\b"));

/// What has logs of its own, named by its number: `kafka1-server.log`.
static MEMBERS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:broker|node|server|machine|controller|replica)s?\b"));

/// What differs between messages of one shape.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{16,}\b|\d+")
});

/// How many places in a record are looked at for what tells records apart.
const PLACES: usize = 3;

/// A time in front, masked.
static STAMP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\[(]?#(?:[-/:.,+ TZ]*#)+Z?[\])]?[ :|-]*"));

/// Groups records by what `noun` names, else by the shape of their messages; the largest group first.
pub(super) fn groups(units: &[Unit<'_>], noun: Option<&str>) -> Vec<(String, Vec<usize>)> {
    let key = noun.and_then(|noun| KEYS.iter().find(|(nouns, _)| nouns.is_match(noun)));
    let is = |nouns: &Regex| noun.is_some_and(|noun| nouns.is_match(noun));
    let member = |unit: &Unit<'_>| {
        family(&unit.chunk.name).map(|(letters, number)| format!("{letters}{number}"))
    };
    let first = units.first().and_then(member);
    let has_members = is(&MEMBERS) && units.iter().any(|unit| member(unit) != first);
    let which = key.map_or(0, |(_, place)| telling(units, place));
    let name = |unit: &Unit<'_>| match key {
        _ if has_members => member(unit),
        _ if is(&LEVELS) => unit.severity.clone(),
        _ if is(&CODES) => unit.code.first().cloned(),
        Some((_, place)) => nth(place, unit, which),
        None => Some(shape(unit.text())),
    };
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, unit) in units.iter().enumerate() {
        if let Some(name) = name(unit) {
            groups.entry(name).or_default().push(place);
        }
    }
    let mut groups: Vec<(String, Vec<usize>)> = groups.into_iter().collect();
    groups.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.1.cmp(&b.1)));
    groups
}

/// Which place in the records, from 0, tells them apart. Where a syslog names its own host behind the time, this is in
/// all of them and no client.
fn telling(units: &[Unit<'_>], place: &Regex) -> usize {
    let is_syslog = |unit: &Unit<'_>| {
        let host = place.find(unit.text());
        host.is_some_and(|host| HOST.is_match(&unit.text()[..host.start()]))
    };
    let tells = |which: &usize| {
        let first = units.iter().find_map(|unit| nth(place, unit, *which));
        units.iter().any(|unit| nth(place, unit, *which).is_some_and(|own| Some(own) != first))
    };
    let is_named = units.iter().all(is_syslog);
    (0..PLACES).filter(|_| is_named).find(tells).unwrap_or_default()
}

/// What stands before the host of a syslog: the time, and perhaps a priority.
static HOST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:<\d{1,3}>)?(?:\d )?(?:[A-Z][a-z]{2} +\d{1,2} [\d:.]+|\d{4}-\S+) $")
});

/// The place of this number, from 0, in a record.
fn nth(place: &Regex, unit: &Unit<'_>, number: usize) -> Option<String> {
    place.captures_iter(unit.text()).nth(number).map(|found| found[1].to_owned())
}

/// A record's first line with what varies masked.
pub(super) fn shape(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let line = &line[crate::sentence::after_time(line)..];
    let masked = VARIABLE.replace_all(line.trim(), "#");
    STAMP.replace(&masked, "").chars().take(160).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_of_a_question_finds_its_place_in_the_records() {
        let line = r#"10.1.2.3 - - [20/Nov/2026:07:00:00 +0000] "GET /a/b?x=1 HTTP/1.1" 404 12"#;
        let found = |noun: &str| {
            let (_, place) = KEYS.iter().find(|(nouns, _)| nouns.is_match(noun)).unwrap();
            place.captures(line).map(|found| found[1].to_owned())
        };
        assert_eq!(found("ip address").as_deref(), Some("10.1.2.3"));
        assert_eq!(found("pages").as_deref(), Some("/a/b?x=1"));
        let pods = &KEYS[3].1;
        let text = "2026 pump-service-6c9f8d7b5-x2k4q ERROR";
        assert_eq!(&pods.captures(text).unwrap()[1], "pump-service");
    }

    #[test]
    fn messages_that_differ_in_numbers_and_ids_have_one_shape() {
        let a = shape("2026-11-20T10:00:00Z WARN job 17 took 2000 ms");
        let b = shape("2026-11-20T10:07:00Z WARN job 9 took 31 ms");
        assert_eq!((a.as_str(), &b), ("WARN job # took # ms", &a));
        assert_eq!(shape("[2026-11-20 10:07:00,123] WARN slow"), "WARN slow");
    }
}
