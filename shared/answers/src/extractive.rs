//! Makes answers without a language model, in the exact words of the documents.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use uuid::Uuid;

use super::candidates::Alike;
use super::compose::{Draft, Quote, Wording};
use super::excerpt::{self, Excerpt};
use super::pick::{self, RankedExcerpt, is_step, place};
use model::document::{DocumentType, Lifecycle, Passage};

/// Upper bounds for the parts of an answer, by its style.
const REASONS: usize = 3;
const SECTIONS: usize = 3;
const PARAGRAPHS: usize = 6;

/// Upper bound for the documents from which explanations are taken.
const DOCUMENTS: usize = 2;

/// The shares of the best score that a part must have.
const RECORDS_NEAR: f64 = 0.75;
const PARAGRAPHS_NEAR: f64 = 0.65;

/// The value that is added to the score of a section with steps.
const STEPS: f64 = 0.2;

/// Finds the records that stand beside the chosen ones and complete them.
pub(super) type Beside<'f, 'c> = dyn Fn(&[&Excerpt<'c>]) -> &'c [Passage] + Sync + 'f;

/// The form of the answer that is wanted about a case.
pub(super) struct Wanted {
    /// Upper bound for the lines that are quoted as nearest.
    pub most: usize,
    /// True if the question asks why.
    pub is_why: bool,
}

/// Returns the best records or lines with what completes them, document by document, in their order
/// in the document. It also returns the number of further lines that are as near and have as many
/// words of the question as the best one; `alike` has the number of records for which a record
/// stands.
pub(super) fn records<'c>(
    picks: &[RankedExcerpt<'c>],
    wanted: &Wanted,
    alike: &Alike,
    beside: &Beside<'_, 'c>,
) -> (Vec<Draft<'c>>, usize) {
    let Some(best) = picks.first() else { return (Vec::new(), 0) };
    let near = picks.iter().filter(|pick| pick.score >= RECORDS_NEAR * best.score);
    let mut near: Vec<&RankedExcerpt<'c>> = near.collect();
    let further = further(&near, wanted.most, alike);
    near.truncate(wanted.most);
    let is_new = |pick: &&RankedExcerpt<'c>| {
        near.iter().all(|other| place(&other.excerpt) != place(&pick.excerpt))
    };
    let reasons = reasons(picks, &best.excerpt, wanted.is_why).into_iter();
    let reasons: Vec<&RankedExcerpt<'c>> = reasons.filter(is_new).collect();
    near.extend(reasons);
    let chosen: Vec<&Excerpt<'c>> = near.iter().map(|pick| &pick.excerpt).collect();
    let beside = beside(&chosen).iter();
    let first_line = |passage| excerpt::lines_of(&[passage]).into_iter().next();
    let beside: Vec<RankedExcerpt<'c>> = beside
        .filter_map(first_line)
        .map(|excerpt| RankedExcerpt { excerpt, score: 0.0, share: 0.0 })
        .collect();
    near.extend(&beside);
    in_order(&mut near);
    let drafts = near.iter().map(|pick| record_of(&pick.excerpt)).collect();
    (outermost(drafts), further)
}

/// Returns the number of records and lines of `near` that have as many words of the question as the
/// first one, beyond the first `quoted` of them. A record of a log stands for others of its
/// template.
fn further(near: &[&RankedExcerpt<'_>], quoted: usize, alike: &Alike) -> usize {
    let least = near.first().map_or(0.0, |best| best.share);
    // A record of several lines counts once.
    let of_record = |pick: &RankedExcerpt<'_>| {
        let Passage { document_id, document_type, lines, .. } = pick.excerpt.passage;
        let key = (*document_id, lines.map_or(0, |(first, _)| first));
        match alike.get(&key).filter(|_| *document_type == DocumentType::Log) {
            Some(count) => ((key.0, key.1, 0), *count),
            None => (place(&pick.excerpt), 1),
        }
    };
    let as_good = near.iter().filter(|pick| pick.share >= least).map(|pick| of_record(pick));
    let as_good: HashMap<(Uuid, u32, usize), usize> = as_good.collect();
    let quoted = near.iter().take(quoted).map(|pick| of_record(pick).0);
    let quoted: HashSet<(Uuid, u32, usize)> =
        quoted.filter(|at| as_good.contains_key(at)).collect();
    as_good.values().sum::<usize>() - quoted.len()
}

/// Removes drafts whose words another one quotes, with others around them.
fn outermost(drafts: Vec<Draft<'_>>) -> Vec<Draft<'_>> {
    let is_within = |inner: &Quote<'_>, outer: &Quote<'_>| {
        inner.passage.id == outer.passage.id
            && inner.passage.lines == outer.passage.lines
            && inner.range != outer.range
            && outer.range.start <= inner.range.start
            && inner.range.end <= outer.range.end
    };
    let quoted: Vec<Quote<'_>> = drafts.iter().map(|draft| draft.quotes[0].clone()).collect();
    let is_new = |draft: &Draft<'_>| !quoted.iter().any(|outer| is_within(&draft.quotes[0], outer));
    drafts.into_iter().filter(is_new).collect()
}

/// Returns what states why beside an excerpt: the last exception in its record of a log or, if the
/// question asks why, the nearest reasons in its document of settings.
fn reasons<'p, 'c>(
    picks: &'p [RankedExcerpt<'c>],
    excerpt: &Excerpt<'c>,
    is_why: bool,
) -> Vec<&'p RankedExcerpt<'c>> {
    if excerpt.passage.document_type != DocumentType::Config {
        return thrown(picks, excerpt).into_iter().collect();
    }
    if !is_why {
        return Vec::new();
    }
    let is_of_document = |pick: &&RankedExcerpt<'c>| {
        pick.excerpt.passage.document_id == excerpt.passage.document_id
            && pick::is_reason(pick.excerpt.text())
    };
    let mut reasons: Vec<&RankedExcerpt<'c>> = picks.iter().filter(is_of_document).collect();
    let (_, position, start) = place(excerpt);
    reasons.sort_by_key(|pick| {
        let (_, other, at) = place(&pick.excerpt);
        (other.abs_diff(position), at.abs_diff(start))
    });
    reasons.truncate(REASONS);
    reasons
}

/// Returns the last exception in the record of `excerpt`.
fn thrown<'p, 'c>(
    picks: &'p [RankedExcerpt<'c>],
    excerpt: &Excerpt<'c>,
) -> Option<&'p RankedExcerpt<'c>> {
    let record = excerpt.above.first().map_or(excerpt.range.start, |(_, head)| head.start);
    let is_of_record = |pick: &&RankedExcerpt<'c>| {
        pick.excerpt.passage.id == excerpt.passage.id
            && pick.excerpt.above.first().is_some_and(|(_, head)| head.start == record)
            && pick::is_thrown(pick.excerpt.text())
    };
    picks.iter().filter(is_of_record).max_by_key(|pick| pick.excerpt.range.start)
}

/// Quotes a record; or a line with the keys above it, and a key with the settings under it.
pub(super) fn record_of<'c>(excerpt: &Excerpt<'c>) -> Draft<'c> {
    if excerpt.passage.document_type == DocumentType::Log || excerpt.above.is_empty() {
        return Draft::verbatim(Quote::of(&excerpt::with_body(excerpt)));
    }
    let quote = Quote::of(&excerpt::with_body(excerpt));
    let above = excerpt.above.iter().map(|(passage, range)| Quote {
        passage,
        range: range.clone(),
        time: None,
    });
    let above: Vec<Quote<'c>> = above.collect();
    let path: Vec<&str> = above.iter().map(Quote::text).collect();
    let text = format!("{} › {}", path.join(" › "), quote.text());
    let quotes = std::iter::once(quote).chain(above).collect();
    Draft { text, wording: Wording::Documents, quotes, shown: 1 }
}

/// Sorts by document, the one with the best part first, then by place. Documents that say that they
/// do not hold any more come last.
fn in_order(picks: &mut [&RankedExcerpt<'_>]) {
    let mut documents: Vec<(Uuid, bool)> = Vec::new();
    for pick in picks.iter() {
        let Passage { document_id, lifecycle, .. } = pick.excerpt.passage;
        let is_past = lifecycle.is_some_and(Lifecycle::is_past);
        if !documents.contains(&(*document_id, is_past)) {
            documents.push((*document_id, is_past));
        }
    }
    documents.sort_by_key(|(_, is_past)| *is_past);
    picks.sort_by_key(|pick| {
        let (document, position, start) = place(&pick.excerpt);
        (documents.iter().position(|(d, _)| *d == document), position, start)
    });
}

/// Returns the whole sections of the best document that say what to do.
pub(super) fn sections<'c>(picks: &[RankedExcerpt<'c>], whole: &[&'c Passage]) -> Vec<Draft<'c>> {
    let Some(best) = picks.first() else { return Vec::new() };
    let document = whole.first().map_or(best.excerpt.passage.document_id, |w| w.document_id);
    let mut passages: Vec<&Passage> =
        whole.iter().copied().filter(|passage| passage.document_id == document).collect();
    if passages.is_empty() {
        passages.push(best.excerpt.passage);
    }
    let mut scored: Vec<(f64, &Passage)> =
        passages.iter().map(|passage| (section_score(passage, picks), *passage)).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.position.cmp(&b.1.position)));
    let least = scored.first().map_or(0.0, |(score, _)| score * 0.55);
    scored.retain(|(score, _)| *score >= least);
    scored.truncate(SECTIONS);
    let mut chosen: Vec<&Passage> = scored.into_iter().map(|(_, passage)| passage).collect();
    let broken: Vec<&Passage> = chosen.iter().filter_map(|c| rest_of_list(c, &passages)).collect();
    chosen.extend(broken);
    chosen.sort_by_key(|passage| passage.position);
    chosen.dedup_by_key(|passage| passage.id);
    let quote = |passage: &'c Passage| Quote { passage, range: body(passage), time: None };
    chosen.into_iter().map(|passage| Draft::verbatim(quote(passage))).collect()
}

/// Scores how well a section says what to do about the question.
fn section_score(passage: &Passage, picks: &[RankedExcerpt<'_>]) -> f64 {
    let scores =
        picks.iter().filter(|pick| pick.excerpt.passage.id == passage.id).map(|pick| pick.score);
    let best = scores.fold(0.0, f64::max);
    let has_steps = passage.text.lines().any(is_step);
    best + if has_steps { STEPS } else { 0.0 }
}

/// Returns the passage that continues a list that was cut at the end of `passage`.
fn rest_of_list<'c>(passage: &Passage, passages: &[&'c Passage]) -> Option<&'c Passage> {
    let next = passages.iter().find(|other| other.position == passage.position + 1)?;
    let ends_in_list = passage.text.lines().last().is_some_and(is_step);
    let goes_on = next.text.lines().next().is_some_and(is_step);
    (next.section == passage.section && ends_in_list && goes_on).then_some(*next)
}

/// Returns the range of the passage without white space around it.
fn body(passage: &Passage) -> Range<usize> {
    text::sentence::trimmed(&passage.text, 0..passage.text.len())
}

/// Returns the paragraphs about the question, from the few best documents.
pub(super) fn explanations<'c>(picks: &[RankedExcerpt<'c>]) -> Vec<Draft<'c>> {
    let Some(best) = picks.first() else { return Vec::new() };
    let mut documents: Vec<Uuid> = Vec::new();
    let mut chosen: Vec<&RankedExcerpt<'c>> = Vec::new();
    for pick in picks.iter().take_while(|pick| pick.score >= PARAGRAPHS_NEAR * best.score) {
        let document = pick.excerpt.passage.document_id;
        if !documents.contains(&document) {
            if documents.len() == DOCUMENTS {
                continue;
            }
            documents.push(document);
        }
        chosen.push(pick);
        if chosen.len() == PARAGRAPHS {
            break;
        }
    }
    in_order(&mut chosen);
    chosen.iter().map(|pick| Draft::verbatim(Quote::of(&pick.excerpt))).collect()
}
