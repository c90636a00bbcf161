//! An answer as it is shown: claim by claim with what each rests on, and all that tells how far to
//! trust it.

use model::document::DocumentType;
use wire::answer::{
    self, AbstentionReason, AnswerReport, Citation, CitationNow, CitationStanding as Standing,
    Currency, PassageRead,
};
use wire::meta::{CacheUse, Meta};

use crate::report::notices;
use crate::view::{Block, Card, Cited, Claim, Depth, Section, View, Words};
use crate::wording::{count, flat};

/// The most documents that are named where none answers.
const NEAREST: usize = 3;

/// Shows an answer with the `meta` of its reply.
pub fn view<'a>(answer: &'a AnswerReport, meta: &'a Meta) -> View<'a> {
    let mut blocks = notices(&meta.degraded);
    let freshness = match answer.now {
        Some(Currency::Stale) => Some("Stale: something that it cites stands no more."),
        Some(Currency::Contradicted) => {
            Some("Contradicted: a document that it cites says otherwise now.")
        }
        Some(Currency::Current) | None => None,
    };
    blocks.extend(freshness.map(|text| Block::Verdict(text.into())));
    let understood = answer.rewritten_question.iter();
    blocks.extend(understood.map(|text| Block::remark(format!("Understood as: {text}"))));
    if let Some(abstained) = &answer.abstained {
        blocks.push(Block::Verdict(sentence(abstained.reason, answer).into()));
        blocks.extend(nearest(&answer.read).filter(|_| answer.claims.is_empty()));
        blocks.extend(uncounted(answer).filter(|_| answer.claims.is_empty()));
    }
    let (names, words): (Vec<&str>, Vec<&str>) =
        answer.unsaid.iter().map(String::as_str).partition(|word| is_name(word));
    blocks.extend(notice("None of these quotes says", &names, "; they may be of something else"));
    blocks.extend(unread(answer));
    blocks.extend(claims(answer));
    blocks.extend(further(answer));
    if !words.is_empty() {
        blocks.push(Block::remark(format!("No quote has the words: {}", words.join(", "))));
    }
    blocks.extend(made(answer, meta));
    View { kind: "Answer".into(), blocks }
}

/// Tells why there is no answer, or none to rely on.
fn sentence(reason: AbstentionReason, answer: &AnswerReport) -> &'static str {
    match reason {
        AbstentionReason::NoEvidence if answer.read_as.is_some() => {
            "None: no record is as the question was read."
        }
        AbstentionReason::NoEvidence => "No answer: nothing in these documents speaks of this.",
        AbstentionReason::BelowThreshold => {
            "No answer: what was found is too far from the question to rest an answer on it."
        }
        AbstentionReason::NotIndexedYet => {
            "No answer yet: documents are still being indexed; their status tells when they are done."
        }
        AbstentionReason::IndexingFailed => {
            "No answer in what could be read; other documents could not be indexed: their status tells why."
        }
        AbstentionReason::Conflicting => {
            "The documents contradict each other; both sides are shown."
        }
    }
}

/// The documents that came nearest to answering, each once.
fn nearest(passages: &[PassageRead]) -> Option<Block<'_>> {
    let mut cards: Vec<Card<'_>> = Vec::new();
    for PassageRead { passage, .. } in passages {
        if cards.len() < NEAREST && cards.iter().all(|card| card.file() != passage.file) {
            cards.push(Card::place(passage));
        }
    }
    Block::section("Read, and no answer", "", vec![Block::Cards(cards)])
}

/// Returns true for a word that may be a name or a number. Half of the answers that lack another
/// word of the question are right (48 of 98 on real documents, with or without such a word).
fn is_name(word: &str) -> bool {
    word.contains(|c: char| c.is_uppercase() || c.is_numeric())
}

/// Tells that the quotes are some of several that say as much.
fn further(answer: &AnswerReport) -> Option<Block<'_>> {
    let lines = count(answer.further, "more line");
    let verb = if answer.further == 1 { "has" } else { "have" };
    (answer.further > 0).then(|| {
        Block::remark(format!(
            "{lines} {verb} as many words of the question: a larger top_k or a query over records shows more"
        ))
    })
}

fn notice<'a>(about: &str, words: &[&str], end: &str) -> Option<Block<'a>> {
    let reason = format!("{}{end}", words.join(", "));
    (!words.is_empty()).then(|| Block::Notice(about.to_owned(), reason.into()))
}

/// Tells the words of the question for which nothing was counted.
fn unread(answer: &AnswerReport) -> Option<Block<'_>> {
    let end = match answer.records {
        None => "; nothing was counted for them: send a query over records",
        Some(_) => "",
    };
    let words: Vec<&str> = answer.unread.iter().map(String::as_str).collect();
    notice("Not read as a query", &words, end)
}

/// The endings of files of rows; logs are known by their type.
const OF_ROWS: [&str; 5] = [".csv", ".tsv", ".xlsx", ".xls", ".ods"];

/// Tells how to count what the nearest files hold, where there is no answer.
fn uncounted(answer: &AnswerReport) -> Option<Block<'_>> {
    let is_of_rows = |read: &PassageRead| {
        let file = read.passage.file.to_ascii_lowercase();
        read.passage.document_type == DocumentType::Log
            || OF_ROWS.iter().any(|ending| file.ends_with(ending))
    };
    let has_rows = answer.read.iter().any(is_of_rows);
    (has_rows && answer.read_as.is_none()).then(|| {
        Block::remark("The nearest have rows: a query over records counts and sorts them.")
    })
}

/// The claims with the places below them, and those quotes that say more than the claim; each
/// quote once.
pub fn claims(answer: &AnswerReport) -> Vec<Block<'_>> {
    let mut quoted: Vec<&str> = Vec::new();
    let mut blocks = Vec::new();
    for (place, claim) in answer.claims.iter().enumerate() {
        let cited = claim.citations.iter();
        let cited: Vec<&Citation> = cited
            .filter_map(|id| answer.citations.iter().find(|citation| citation.id == *id))
            .collect();
        let verbatim = cited.iter().find(|citation| says(&citation.quote, &claim.text));
        let is_shown_below =
            answer.records.is_some() && is_shown_below(claim, &answer.claims[place + 1..]);
        let mut citations = Vec::new();
        for citation in &cited {
            let is_new = !is_shown_below && !quoted.contains(&citation.id.as_str());
            let quote = Some(citation.quote.as_str());
            let quote = quote.filter(|quote| is_new && !says(quote, &claim.text));
            citations.push(Cited { quote, ..shown(citation) });
            if !is_shown_below {
                quoted.push(&citation.id);
            }
        }
        let file = verbatim.map(|citation| citation.passage.file.as_str());
        blocks.push(Block::Claim(Claim { text: &claim.text, file, is_shown_below, citations }));
    }
    blocks
}

/// Returns true if claims below, as the examples of a number, show all that it rests on.
fn is_shown_below(claim: &answer::Claim, below: &[answer::Claim]) -> bool {
    let is_below = |id: &String| below.iter().any(|other| other.citations.contains(id));
    !claim.citations.is_empty() && claim.citations.iter().all(is_below)
}

/// Returns true if the claim has the quote's own words, or the quote is left out for that.
fn says(quote: &str, claim: &str) -> bool {
    quote.is_empty() || flat(quote).contains(&flat(claim))
}

fn shown(citation: &Citation) -> Cited<'_> {
    let assumed = citation.assumed.as_ref().map(|what| format!("read as {what}"));
    Cited {
        display: &citation.display,
        place: &citation.passage,
        lines: citation.lines,
        quote: None,
        remark: assumed.unwrap_or_default(),
        warnings: citation.now.as_ref().and_then(became).into_iter().collect(),
    }
}

/// Tells what became of a citation since; nothing where it stands as it was quoted.
fn became(now: &CitationNow) -> Option<String> {
    Some(match (now.standing, now.lines, &now.instead) {
        (Standing::AsQuoted, ..) => return None,
        (Standing::Moved, Some((first, last)), _) if first != last => {
            format!("stands at lines {first}-{last} now")
        }
        (Standing::Moved, Some((line, _)), _) => format!("stands at line {line} now"),
        (Standing::Moved, ..) => "stands at another place of the document now".into(),
        (_, _, Some(instead)) => format!("the document says now: {instead}"),
        (Standing::Changed, ..) => "the document does not say this any more".into(),
        (Standing::Gone, ..) => "the document is there no more".into(),
    })
}

/// The sources, what was read from the question, what was left out, and how the answer was made.
fn made<'a>(answer: &'a AnswerReport, meta: &'a Meta) -> Option<Block<'a>> {
    let mut lines = Vec::new();
    if !answer.sources_line.is_empty() {
        lines.push(answer.sources_line.clone());
    }
    for query in [&answer.read_as, &answer.also_read_as].into_iter().flatten() {
        let text = serde_json::to_string(query).unwrap_or_default();
        lines.push(format!("Read as: {text}"));
    }
    if let Some(found) = answer.records.as_ref().filter(|record| !record.all_records_read) {
        let (scanned, of) = (found.totals.scanned, found.totals.of);
        if scanned < of {
            lines.push(format!("Not complete: {scanned} of {of} records were looked at"));
        }
        let lacks = found.not_read.iter();
        lines.extend(lacks.map(|lacks| format!("Not complete: {}: {}", lacks.file, lacks.reason)));
    }
    if answer.support.dropped > 0 {
        let dropped = count(answer.support.dropped, "claim");
        lines.push(format!("{dropped} dropped: not in the passages that were cited"));
    }
    if !answer.queries_written.is_empty() {
        let queries = answer.queries_written.join("; ");
        lines.push(format!("A language model also searched for: {queries}"));
    }
    lines.extend(origin(meta));
    let blocks: Vec<Block<'_>> = lines.into_iter().map(Block::remark).collect();
    let title = Words::Plain("Made from".into());
    let section = Section { title, remark: String::new(), depth: Depth::Full, blocks };
    (!section.blocks.is_empty()).then_some(Block::Section(section))
}

/// Tells the id and the mode of an answer, and whether it was kept from before.
fn origin(meta: &Meta) -> Option<String> {
    let answer = meta.answer.as_ref()?;
    let id = answer.answer_id.as_ref().map(|id| format!("answer {id}"));
    let cache = (meta.cache == CacheUse::Hit).then(|| {
        let ago = answer.cache_age_s.map(|age| format!("{} ago", duration(age)));
        let left = answer.cache_left_s.map(|left| format!(", kept for {} more", duration(left)));
        let ago = ago.unwrap_or_else(|| "before".into());
        format!("first given {ago}{}", left.unwrap_or_default())
    });
    let parts: Vec<String> =
        id.into_iter().chain([format!("mode {}", answer.mode)]).chain(cache).collect();
    Some(parts.join(", "))
}

/// Tells a time in its largest whole unit.
fn duration(seconds: i64) -> String {
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_their_largest_unit() {
        let texts: Vec<String> = [0, 119, 120, 7_199, 7_200, 604_800].map(duration).into();
        assert_eq!(texts, ["0 s", "119 s", "2 min", "119 min", "2 h", "7 d"]);
    }
}
