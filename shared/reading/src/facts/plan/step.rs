//! Whether a passage is built to be followed: boxes to tick, numbered steps, orders.

use model::block::{Block, Form};
use model::document::Chunk;
use model::sentence::sentences;

/// Verbs that steps begin with. "Use" and "avoid" begin advice.
const VERBS: &str = " add apply approve ask assess attach calculate check choose cleanup click clone collect compare complete \
    configure confirm connect contact copy cordon create decide define delete deploy describe determine \
    disable discuss document download drain edit enable enter establish evaluate examine execute export \
    fetch fill find follow generate get go grant identify import increase inspect install investigate invite \
    issue list locate look merge navigate notify obtain open paste perform prepare press proceed provide \
    publish pull push query read rebuild recreate reboot remove rename repeat replace request rerun resize \
    restart restore retrieve retry review revoke roll rotate run save scale schedule search select send sign \
    stop submit switch tag take tell test trigger turn type uninstall unseal update upgrade upload validate \
    verify view visit wait write ";

/// Words before the verb of a step.
const BEFORE_VERB: &str = " first then next now finally please also ";

/// Words that begin a clause before an order.
const CLAUSES: &str = " once if when after before to from in under at on for ";

/// What follows a noun that looks like one of the verbs ("Test cases are", "Plan of").
const AFTER_NOUN: &str =
    " is are was were of has have should must can will may cases issues questions source ";

/// How strongly the passage's form says that it is to be followed, in hundredths.
pub(super) fn strength(chunk: &Chunk, blocks: &[&Block], has_code: bool) -> u32 {
    let (mut ticks, mut numbered, mut orders) = (0, 0, 0);
    for block in blocks {
        let part = &chunk.text[block.range.clone()];
        let marker = marker(&chunk.text, block);
        let is_order = sentences(part).any(|sentence| is_order(&part[sentence]));
        // A box with a date tells what was done, not what to do.
        let is_dated = part.starts_with(|c: char| c.is_ascii_digit());
        ticks += u32::from(marker.contains('[') && !is_dated);
        orders += u32::from(is_order);
        let is_item = matches!(block.form, Form::Item(_));
        numbered += u32::from(is_item && is_order && marker.contains(|c: char| c.is_ascii_digit()));
    }
    let form = match (ticks, numbered, orders) {
        (2.., _, _) | (_, 2.., _) => 60,
        (_, 1, _) => 40,
        (_, _, 1..) if has_code => 40,
        (_, _, 2..) => 30,
        (_, _, 1) => 20,
        _ => 0,
    };
    // "Restore an index" above steps or a command is their aim.
    let is_aim = is_order(chunk.heading()) && (form > 20 || has_code);
    if is_aim { form.max(20) + 30 } else { form }
}

/// What stands before a block in its line: the marker of an item, with its box to tick.
pub(super) fn marker<'t>(text: &'t str, block: &Block) -> &'t str {
    let line = text[..block.range.start].rfind('\n').map_or(0, |end| end + 1);
    &text[line..block.range.start]
}

/// Whether a sentence tells its reader to do something, at once or after a clause ("Once it runs, check the log").
fn is_order(sentence: &str) -> bool {
    let after_clause = sentence.split_once(", ").filter(|(clause, _)| {
        let first = clause.split_whitespace().next().unwrap_or_default();
        is_in(CLAUSES, &first.to_lowercase())
    });
    begins_with_verb(after_clause.map_or(sentence, |(_, rest)| rest))
}

fn begins_with_verb(text: &str) -> bool {
    let mut words = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()));
    let verb = words.find(|word| !is_in(BEFORE_VERB, word));
    verb.is_some_and(|verb| is_in(VERBS, &verb))
        && words.next().is_some_and(|next| !is_in(AFTER_NOUN, &next))
}

fn is_in(list: &str, word: &str) -> bool {
    list.contains(&format!(" {word} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_begins_with_its_verb_or_after_a_clause() {
        assert!(is_order("Check the pressure."));
        assert!(is_order("Then, **restart** the pump."));
        assert!(is_order("If it is warm, open the valve."));
        assert!(!is_order("Test cases are kept elsewhere."));
        assert!(!is_order("It checks the pressure."));
    }
}
