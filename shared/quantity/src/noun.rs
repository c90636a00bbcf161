//! Counted nouns such as "500 Fargate pods", and words beside a number which show that it counts
//! nothing.

use super::edge::{before, byte, ends, gap, is_digit, letters, spaced, word_before};
use super::table;
use super::{Dimension, Unit};

/// A noun that is counted.
pub(super) struct Counted {
    /// The noun in the plural; in lower case, except for a name such as "VMs".
    pub(super) noun: String,
    /// The byte offset of its end.
    pub(super) end: usize,
}

/// Upper bound for the adjectives and nouns between a number and its noun.
const MOST_MODIFIERS: usize = 2;

/// Words that end the search for a noun.
pub(super) const STOPS: &str = "\
    a about across after again against all almost along already also although always among an \
    and any are around as at away back be because been before being below besides between both \
    but by can could did do does down during each either else etc even every for from further \
    had has have he hence her here his how however i if in instead into is it its itself just \
    later less let like made may me might must my neither never no nor not now of off ok on once \
    only onto or our out over own per perhaps plus rather s same shall she should since so some \
    still such than that the their them then there these they this those though through thus \
    till to together too toward towards under until up upon us versus very via vs was we were \
    what when where whereas whether which while who whose why will with within without would yes \
    yet you your unless inclusive exclusive jan feb mar apr jun jul aug sep sept oct nov dec january february march april june july august september october november december";

/// Words that end in -s and are not plurals.
const SINGULARS: &str = "\
    analysis aws axis basis bonus business canvas class consensus corpus corps dns gas https is \
    iis ios kubernetes lens less macos means minus news nginx os pandas pass plus postgres \
    previous process redis sales sans status sis tls yes windows rails keras dos os jenkins \
    prometheus";

/// Verbs in the third person, as in "version 3 supports".
const VERBS: &str = "\
    adds allows appears applies asks becomes begins behaves belongs brings comes contains covers \
    creates defines depends describes differs does enables ends ensures exists explains extends \
    fails finds focuses follows gets gives goes happens has helps holds implements improves \
    includes interprets introduces keeps lacks lands leads lets lies looks makes meets needs \
    opens performs prevents provides receives reduces refers remains removes replaces represents \
    requires returns says seems sees sends serves shows specifies stands stays supports suggests \
    takes tells tries uses wants works";

/// Plurals that do not end in -s.
const PLURALS: &str =
    " people children men women criteria vertices indices matrices series mice feet teeth ";

/// Nouns that may be counted in fractions, as in "2.5 cores".
const PARTS: &str = " cores core vcpus vcpu cpus cpu ftes ";

/// Returns true if `list`, which separates its words by spaces, contains `word`.
pub(super) fn holds(list: &str, word: &str) -> bool {
    let alone = |at: usize| {
        at.checked_sub(1).is_none_or(|it| byte(list, it) == b' ')
            && matches!(byte(list, at + word.len()), b' ' | 0)
    };
    !word.is_empty() && list.match_indices(word).any(|(at, _)| alone(at))
}

/// Returns the plural noun that begins at `at`, including up to two words before it.
pub(super) fn counted(text: &str, at: usize) -> Option<Counted> {
    let mut start = at;
    for _ in 0..=MOST_MODIFIERS {
        let word = word(text, start)?;
        let (lower, end) = (word.to_lowercase(), start + word.len());
        if holds(STOPS, &lower) || !ends(text, end) {
            return None;
        }
        if is_plural(word, &lower) {
            let fits = !holds(VERBS, &lower) && !governs(text, start, end);
            return fits.then(|| Counted { noun: plain(word, lower), end });
        }
        let next = spaced(text, end);
        let is_last = next
            .and_then(|it| self::word(text, it))
            .is_none_or(|it| holds(STOPS, &it.to_lowercase()));
        if start == at && is_last && matches!(lower.as_str(), "cpu" | "vcpu") {
            return Some(Counted { noun: format!("{word}s"), end });
        }
        start = next?;
    }
    None
}

/// Returns true if the number at `start` is the number of a heading whose first word is at `next`:
/// "## 1 Purpose". With `is_marked`, only lines that contain a `#` are headings.
pub(super) fn begins_heading(text: &str, start: usize, next: usize, is_marked: bool) -> bool {
    let line = text[..start].rsplit('\n').next().unwrap_or_default();
    let is_first = line.chars().all(|it| !it.is_alphanumeric());
    is_first && byte(text, next).is_ascii_uppercase() && (line.contains('#') || !is_marked)
}

/// Returns the singular noun after the number 1, including up to two words before it. The noun
/// counts only if the text after it ends the phrase.
pub(super) fn one(text: &str, at: usize) -> Option<Counted> {
    let (mut start, mut last) = (at, None);
    for _ in 0..=MOST_MODIFIERS {
        let word = word(text, start)?;
        let (lower, end) = (word.to_lowercase(), start + word.len());
        if holds(STOPS, &lower) || holds(VERBS, &lower) || lower == "means" {
            break;
        }
        let is_path = byte(text, end) == b'.' && byte(text, end + 1).is_ascii_alphanumeric();
        if !ends(text, end) || is_path || lower.ends_with("ed") || lower.ends_with("ly") {
            return None;
        }
        last = Some(Counted { noun: plural(plain(word, lower)), end });
        match spaced(text, end).filter(|next| self::word(text, *next).is_some()) {
            Some(next) => start = next,
            None => break,
        }
    }
    let counted = last.filter(|counted| counted.noun.len() > 2)?;
    let next = spaced(text, counted.end);
    let is_end = next.and_then(|next| self::word(text, next)).is_none_or(|next| {
        let next = next.to_lowercase();
        holds(STOPS, &next) || holds(VERBS, &next) || next == "means"
    });
    let is_column = next.is_some_and(|next| is_digit(text, next));
    (is_end && !is_column && !governs(text, at, counted.end)).then_some(counted)
}

/// Returns the singular noun at `at`, as after "per", without the adjective before it.
pub(super) fn single(text: &str, at: usize) -> Option<(&str, usize)> {
    const ADJECTIVES: &str = "\
    active additional concurrent individual monthly physical provisioned registered single \
    virtual";
    let first = word(text, at)?;
    let skip = holds(ADJECTIVES, first).then(|| spaced(text, at + first.len())).flatten();
    let start = skip.unwrap_or(at);
    let noun = skip.map_or(Some(first), |it| word(text, it))?;
    let fits = noun.len() > 1
        && !holds(STOPS, noun)
        && !holds(" default se capita ", noun)
        && !plural_in_s(noun);
    fits.then_some((noun, start + noun.len()))
}

/// Returns the plural of a noun: "requests" for "request".
pub(super) fn plural(noun: String) -> String {
    let vowel = |it: char| matches!(it, 'a' | 'e' | 'o' | 'u');
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(vowel) => format!("{stem}ies"),
        _ => noun + "s",
    }
}

/// Returns true if the noun may be counted in fractions.
pub(super) fn in_parts(noun: &str) -> bool {
    holds(PARTS, &noun.to_lowercase())
}

/// Returns the singular of a noun: "request" for "requests".
pub(super) fn singular(noun: &str) -> String {
    match (noun.strip_suffix("ies"), noun.strip_suffix('s')) {
        (Some(stem), _) => format!("{stem}y"),
        (None, Some(stem)) if plural_in_s(noun) => stem.to_owned(),
        _ => noun.to_owned(),
    }
}

/// Returns the unit that a counted noun is, if it measures time, size or money: "3 business days".
pub(super) fn measured(noun: &str) -> Option<Unit> {
    let unit = table::find(noun).filter(|_| noun.len() > 3)?;
    matches!(unit.dimension(), Dimension::Time | Dimension::Size | Dimension::Money).then_some(unit)
}

/// Returns the word at `at`: letters first, then also digits and hyphens.
pub(super) fn word(text: &str, at: usize) -> Option<&str> {
    let inner = |it: &u8| it.is_ascii_alphanumeric() || *it == b'-';
    let bytes = &text.as_bytes()[at..];
    let length = bytes.iter().take(40).take_while(|it| inner(it)).count();
    let word = text[at..at + length].trim_end_matches('-');
    bytes.first().is_some_and(u8::is_ascii_alphabetic).then_some(word)
}

pub(super) fn is_plural(word: &str, lower: &str) -> bool {
    holds(PLURALS, lower) || (plural_in_s(word) && !holds(SINGULARS, lower))
}

/// Returns true if the word is a plural: "pods" and "VMs", but not "status", "access" or "AWS".
fn plural_in_s(word: &str) -> bool {
    let lower = word.rsplit('-').next().unwrap_or(word).to_lowercase();
    let ending = ["ss", "us", "is"].iter().any(|it| lower.ends_with(it));
    let exception = lower.ends_with("pus") || lower.ends_with("apis") || lower.ends_with("menus");
    lower.len() > 2 && lower.ends_with('s') && (!ending || exception)
}

/// Returns true if the text around the word shows that it is a verb, a key or a call: "interprets
/// the", "selectors:", "sleeps(".
fn governs(text: &str, start: usize, end: usize) -> bool {
    let next = gap(text, end);
    let value = !matches!(byte(text, end + 1), 0 | b' ' | b'\n' | b'\r');
    let is_key = match byte(text, end) {
        b'(' | b'=' => value,
        b':' => value || text[..start].trim_end_matches(' ').ends_with('\n'),
        _ => false,
    };
    is_key || next > end && holds(" the a an it its them this him us ", letters(text, next))
}

/// Returns a common noun in lower case, and a name unchanged.
pub(super) fn plain(word: &str, lower: String) -> String {
    if word.bytes().skip(1).any(|it| it.is_ascii_uppercase()) { word.to_owned() } else { lower }
}

/// Words that make the number after them a name or a place: "section 5", "port 8080".
const LABELS: &str = "\
    v ver version section sec chapter figure fig table appendix option port rfc iso iec ieee \
    release issue pr pull ticket adr kep";

/// Words that make the number after them a name, unless it has a unit: "step 2", but "a step of 2
/// s".
const TITLES: &str = "\
    step phase line page part level tier layer stage item rule article clause milestone round \
    type class case example day week scenario question number node error errno status code exit \
    http id column row bit byte passage stream generation gen edition volume track grade \
    alternative goal requirement slot shard group model priority severity sev attempt try batch wave";

/// The degree to which the word before a number makes the number a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// The number is not a name.
    No,
    /// The number counts nothing, but it may measure: "step 10 ms".
    Title,
    /// The number is part of a name and no quantity: "option 3 A".
    Name,
}

/// Reads the word before `start`.
pub(super) fn label(text: &str, start: usize) -> Label {
    let word = word_before(text, start).to_lowercase();
    let single = if word.len() > 3 { word.trim_end_matches('s') } else { &word };
    match () {
        () if holds(LABELS, single) => Label::Name,
        () if holds(TITLES, single) => Label::Title,
        () => Label::No,
    }
}

/// Words that begin a sentence before an amount. Their capital letter does not make them names.
const OPENERS: &str = "\
    about above add additional all allow almost and any approximately around at below between \
    both build by clusters create deploy each every exactly expect first for from handle has \
    have having in keep last launch limit make max maximum merge min minimum most need nearly \
    next now of on only or other our over past provide roughly run scale some spread start store \
    support than the then there these those to top total under up use used using via we when \
    where with within";

/// Returns true if the number at `start` follows a name and may belong to it: "Python 3", "HTTP
/// 404".
pub(super) fn follows_name(text: &str, start: usize, amount: bool) -> bool {
    let word = word_before(text, start);
    if !word.starts_with(|it: char| it.is_ascii_uppercase()) {
        return false;
    }
    let lower = word.to_lowercase();
    let shouted = word.len() > 1 && word.bytes().all(|it| it.is_ascii_uppercase());
    let known = holds(OPENERS, &lower)
        || lower.ends_with("ing")
        || (plural_in_s(word) && !holds(SINGULARS, &lower));
    // A verb or a preposition at the start of a sentence has a capital letter and is not a name.
    !(amount || known && !shouted && begins_sentence(text, start, word))
}

fn begins_sentence(text: &str, start: usize, word: &str) -> bool {
    let end = super::edge::back(text, start) - word.len();
    let head = text[..end].trim_end_matches([' ', '*', '_', '`', '"', '(']);
    before(head, head.len()).is_none_or(|it| !it.is_alphanumeric() && it != ',')
}
