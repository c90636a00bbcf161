//! Things that settings list: "how many alerts", "which rules are critical".

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::unit::Unit;
use super::words::{Mask, Words, pattern};
use crate::document::DocumentType;
use crate::term::stem;
use crate::topic::is_common;

static NOUN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:how many|list|which|what|name|show(?: me)?|all|every)\s+(?:(?:all|the|of|different)\s+)*([a-z]{3,})",
    )
});
static KEY: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^(?:- )?["']?([A-Za-z_]+)["']?\s*:"#));

/// The items whose key is the noun that `question` asks for, each with the line in it that has most of `sought`; none
/// where nothing is listed so.
pub(super) fn items<'c>(all: &[Unit<'c>], question: &str, sought: &[String]) -> Vec<Unit<'c>> {
    let Some(noun) = NOUN.captures(question).map(|found| stem(&found[1])) else {
        return Vec::new();
    };
    let is_item = |unit: &Unit<'_>| {
        unit.chunk.document_type == DocumentType::Config
            && KEY.captures(unit.text()).is_some_and(|key| stem(&key[1]) == noun)
    };
    let mut starts: Vec<usize> = (0..all.len()).filter(|place| is_item(&all[*place])).collect();
    // The key that the list itself stands under is no item of it.
    if starts.iter().any(|place| all[*place].text().starts_with("- ")) {
        starts.retain(|place| all[*place].text().starts_with("- "));
    }
    if starts.len() < 2 {
        return Vec::new();
    }
    let sought: Vec<&str> = sought
        .iter()
        .map(String::as_str)
        .filter(|word| stem(word) != noun && !is_common(word))
        .collect();
    let words = (!sought.is_empty()).then(|| Words::of(&sought.join(" ")));
    let item = |(place, start): (usize, &usize)| {
        let head = &all[*start];
        let next = starts.get(place + 1).copied().unwrap_or(all.len());
        let own = all[*start..next]
            .iter()
            .filter(|unit| unit.chunk.document_id == head.chunk.document_id);
        words.as_ref().map_or_else(|| Some(head.clone()), |words| best(words, head, own))
    };
    starts.iter().enumerate().filter_map(item).collect()
}

/// The line of an item with most of the words, below the item's own; `None` where the item lacks one of them.
fn best<'c, 'u>(
    words: &Words,
    head: &Unit<'c>,
    own: impl Iterator<Item = &'u Unit<'c>>,
) -> Option<Unit<'c>>
where
    'c: 'u,
{
    let mut seen = HashMap::new();
    let masks: Vec<(Mask, &Unit<'c>)> =
        own.map(|unit| (words.mask(unit.text(), &mut seen), unit)).collect();
    let all = masks.iter().fold(Mask::default(), |all, (mask, _)| all.with(*mask));
    let has_all = (0..words.own.len()).all(|word| all.has(word));
    let count = |mask: &Mask| (mask.own.count_ones(), mask.alike.count_ones());
    let (_, line) = masks.iter().filter(|_| has_all).max_by_key(|(mask, _)| count(mask))?;
    let above = vec![(head.chunk, head.range.clone())];
    Some(if line.range == head.range { head.clone() } else { Unit { above, ..(*line).clone() } })
}

#[cfg(test)]
mod tests {
    use super::super::unit::records;
    use super::*;
    use crate::testing::chunks;

    #[test]
    fn items_are_told_by_their_key_and_what_stands_in_them() {
        let text = "rules:\n- rule: Pump\n  labels:\n    level: critical\n- rule: Fan\n  labels:\n    level: info";
        let own = chunks("x").pop().unwrap();
        let kind = DocumentType::Config;
        let chunk = crate::document::Chunk {
            document_type: kind,
            text: text.into(),
            lines: Some((1, 7)),
            ..own
        };
        let all = records(&[&chunk]);
        assert_eq!(items(&all, "How many rules are there?", &[]).len(), 2);
        let critical = items(&all, "Which rules are critical?", &["critical".into()]);
        assert_eq!(critical.len(), 1);
        assert_eq!((critical[0].text(), critical[0].lines), ("level: critical", Some((4, 4))));
        assert_eq!(critical[0].head(), "- rule: Pump");
        assert!(items(&all, "How many valves are there?", &[]).is_empty());
    }
}
