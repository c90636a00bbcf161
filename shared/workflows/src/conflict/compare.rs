//! Decides whether two claims are about one subject, and whether both can be true.

use std::collections::BTreeSet;

use quantity::{Comparison, Quantity};

use super::claim::{Claim, What, interval};
use super::words::Kind;

/// Lower bound for the likeness of two claims about one subject.
const ALIKE: f64 = 0.6;

/// Lower bound for the words that both claims have, unless they have all words in common.
const SHARED: usize = 2;

/// The value that is added to the likeness of claims with a common name or number of a thing.
const MARK: f64 = 0.2;

/// Returns the likeness of two claims that cannot both be true; `None` if they can.
pub(super) fn conflict(a: &Claim<'_>, b: &Claim<'_>) -> Option<f64> {
    // The values are compared first, because most pairs end there and words take longer.
    if a.passage.document_id == b.passage.document_id || !values_disagree(a, b) {
        return None;
    }
    let likeness = of_one_subject(a, b)?;
    (!are_apart(a, b)).then_some(likeness)
}

/// Returns the likeness of two claims about one subject; `None` for different subjects.
pub(super) fn of_one_subject(a: &Claim<'_>, b: &Claim<'_>) -> Option<f64> {
    let shared = a.words.intersection(&b.words).count();
    let likeness = likeness(a, b);
    let is_whole = shared > 0 && likeness >= 1.0;
    (likeness >= ALIKE && (shared >= SHARED || is_whole)).then_some(likeness)
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn ratio(some: usize, all: usize) -> f64 {
    some as f64 / all.max(1) as f64
}

/// Returns true if the claims are of one kind and could not both be true about one subject.
fn values_disagree(a: &Claim<'_>, b: &Claim<'_>) -> bool {
    match (&a.what, &b.what) {
        (What::Quantity(one), What::Quantity(other)) => {
            let agrees =
                |beside: &Quantity, value| is_comparable(beside, value) && !differ(beside, value);
            let is_stated_by_both = || {
                a.beside.iter().any(|beside| agrees(beside, other))
                    || b.beside.iter().any(|beside| agrees(beside, one))
            };
            differ(one, other) && !is_stated_by_both() && !have_other_conditions(a, b)
        }
        (What::Version(one), What::Version(other)) => {
            let names = |claim: &Claim<'_>, value| {
                claim.versions.iter().any(|version| !versions_differ(version, value))
            };
            !names(a, other) && !names(b, one)
        }
        _ => false,
    }
}

/// Returns the likeness, from the share of each claim's words that the other has, in itself or in
/// its headings.
fn likeness(a: &Claim<'_>, b: &Claim<'_>) -> f64 {
    let share = |one: &Claim<'_>, other: &Claim<'_>| {
        let has = |word: &&String| other.words.contains(*word) || other.heads.contains(*word);
        ratio(one.words.iter().filter(has).count(), one.words.len())
    };
    let (one, other) = (share(a, b), share(b, a));
    // Additional words of one claim reduce the likeness less than different words of both.
    let likeness = (2.0 * one.max(other) + one.min(other)) / 3.0;
    let is_marked = a.marks.intersection(&b.marks).next().is_some();
    likeness + if is_marked { MARK } else { 0.0 }
}

/// Returns true if words or marks distinguish the claims: both have words of one kind, but
/// different ones; or each has a mark that the other lacks; or only one is about a bound, a time or
/// an example; or they differ in one word each.
fn are_apart(a: &Claim<'_>, b: &Claim<'_>) -> bool {
    let of_kind = |claim: &Claim<'_>, kind: Kind| -> BTreeSet<&str> {
        claim.apart.iter().filter(|(c, _)| *c == kind).map(|(_, is)| *is).collect()
    };
    let kinds: BTreeSet<Kind> = a.apart.iter().chain(&b.apart).map(|(kind, _)| *kind).collect();
    let differs = |kind: &Kind| {
        let (one, other) = (of_kind(a, *kind), of_kind(b, *kind));
        let has_value = matches!(a.what, What::Quantity(_));
        let must_agree = has_value && matches!(kind, Kind::Bound | Kind::Time);
        one != other && (must_agree || !one.is_empty() && !other.is_empty())
    };
    let only =
        |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).next().is_some();
    kinds.iter().any(differs)
        || only(&a.marks, &b.marks) && only(&b.marks, &a.marks)
        || is_substitution(a, b)
}

/// Returns true if the claims differ in one word each: "refresh tokens" and "access tokens".
fn is_substitution(a: &Claim<'_>, b: &Claim<'_>) -> bool {
    let only = |one: &Claim<'_>, other: &Claim<'_>| {
        let has = |word: &&String| other.words.contains(*word) || other.heads.contains(*word);
        one.words.iter().filter(|word| !has(word)).count()
    };
    only(a, b) == 1 && only(b, a) == 1
}

/// Returns true if two quantities have one unit and bound the same side.
fn is_comparable(one: &Quantity, other: &Quantity) -> bool {
    let unit = |quantity: &Quantity| {
        quantity.si.as_ref().map_or_else(|| quantity.unit.clone(), |si| si.unit.clone())
    };
    let side = |quantity: &Quantity| match quantity.comparison {
        Some(Comparison::Lt | Comparison::Le) => -1,
        Some(Comparison::Gt | Comparison::Ge) => 1,
        Some(Comparison::About) | None => 0,
    };
    unit(one) == unit(other) && side(one) == side(other) && one.unit != "rank"
}

/// Returns true if two quantities have one unit and no number in common.
fn differ(one: &Quantity, other: &Quantity) -> bool {
    if !is_comparable(one, other) {
        return false;
    }
    let ((low, high), (least, most)) = (interval(one), interval(other));
    let room = 0.01 * high.abs().max(most.abs());
    high + room < least || most + room < low
}

/// Returns true if both claims have a further value of one unit, and these values differ.
fn have_other_conditions(a: &Claim<'_>, b: &Claim<'_>) -> bool {
    a.beside.iter().any(|one| b.beside.iter().any(|other| differ(one, other)))
}

/// Returns true if neither version is a prefix of the other.
fn versions_differ(one: &str, other: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.trim_start_matches(['v', 'V']).split('.').map(str::to_owned).collect()
    };
    let (one, other) = (parts(one), parts(other));
    one.iter().zip(&other).any(|(a, b)| a != b)
}
