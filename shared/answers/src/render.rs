//! The fifth stage renders the answer for the caller.

use std::collections::HashSet;

use wire::answer::{Abstention, AnswerReport, Citation, PassageRead, Support};
use wire::records::{RecordsFound, RecordsReply, RecordsRequest, RecordsRow, Select};

use super::Given;
use super::cache::{Cache, Kept};
use super::compose::{Draft, Wording, compose, sources_line};
use super::knowledge::KnowledgeBase;
use super::retrieve::{NearestPassages, Retrieved};
use super::understand::Understood;
use super::verify::Verified;
use ask::evidence::Evidence;
use model::document::Passage;
use model::evidence::Place;
use ports::question::Question;
use ports::scope::Scope;

/// Returns the answer for the caller.
pub(super) fn rendered(
    understood: &Understood<'_>,
    retrieved: &Retrieved,
    verified: Verified<'_>,
) -> Given {
    let asking = understood.asking;
    let (evidence, passages): (&[Evidence], Vec<&Passage>) = match retrieved {
        Retrieved::Nothing => (&[], Vec::new()),
        Retrieved::Records(_, rows) => (&[], rows.iter().flatten().collect()),
        Retrieved::Lines(passages, _) => (&[], passages.iter().collect()),
        Retrieved::Passages(passages) => (&passages.evidence, passages.whole.iter().collect()),
    };
    let written: &[Question] = match retrieved {
        Retrieved::Passages(passages) => &passages.written,
        _ => &[],
    };
    let unsaid = unsaid(understood, &verified.drafts);
    let drafted = drafted(&asking.scope, asking.base, &verified);
    let scores: Vec<_> = evidence.iter().map(|e| (e.passage.document_id, e.parts.total)).collect();
    let all: Vec<&Passage> = evidence.iter().map(|e| &e.passage).chain(passages).collect();
    let mut report = AnswerReport {
        sources_line: sources_line(&drafted.citations, &scores, asking.base, &all),
        unsaid,
        queries_written: written.iter().map(|w| w.as_str().into()).collect(),
        rewritten_question: understood.texts.get(1).cloned(),
        read: passages_read(evidence, &drafted.citations, asking.top_k.value()),
        ..drafted
    };
    tell(&mut report, retrieved);
    if report.records.is_none() {
        report.unread = understood.uncounted();
    }
    let kept =
        Kept { answer_id: None, mode: asking.mode.name().into(), corpus: 0, cache: Cache::Miss };
    Given { report, kept, degraded: verified.degraded.into_iter().collect() }
}

/// Returns the answer that verified drafts are, without what is known of the search for them.
pub(super) fn drafted(
    scope: &Scope,
    base: &KnowledgeBase,
    verified: &Verified<'_>,
) -> AnswerReport {
    let composed = compose(&verified.drafts, base);
    let supported = verified.drafts.len();
    AnswerReport {
        result_type: "answer".into(),
        knowledge: scope.to_string(),
        sources_line: String::new(),
        answer: composed.answer,
        claims: composed.claims,
        read_as: None,
        also_read_as: None,
        unread: Vec::new(),
        unsaid: Vec::new(),
        further: verified.further,
        records: None,
        queries_written: Vec::new(),
        rewritten_question: None,
        abstained: verified.reason.map(|reason| Abstention { reason }),
        support: Support {
            claims: supported + verified.dropped,
            supported,
            dropped: verified.dropped,
            removed: verified.removed,
        },
        read: passages_read(&[], &composed.citations, composed.citations.len()),
        citations: composed.citations,
        now: None,
    }
}

/// Returns the meaningful words of the question that are neither in a quote nor in the headings,
/// title or name of its document.
fn unsaid(understood: &Understood<'_>, drafts: &[Draft<'_>]) -> Vec<String> {
    if drafts.iter().any(|draft| draft.wording != Wording::Documents) || drafts.is_empty() {
        return Vec::new();
    }
    let quotes = drafts.iter().flat_map(|draft| &draft.quotes);
    let texts = quotes.flat_map(|quote| {
        [quote.text(), &quote.passage.section, &quote.passage.title, &quote.passage.name]
    });
    let words = &understood.words;
    let said = texts.fold(0, |said, text| said | words.mask(text).exact);
    let unsaid = words.words().iter().enumerate().filter(|(place, _)| said & (1 << place) == 0);
    unsaid.map(|(_, word)| word.clone()).collect()
}

/// Returns the best passages; if all records were examined, the cited ones.
fn passages_read(evidence: &[Evidence], citations: &[Citation], most: usize) -> Vec<PassageRead> {
    if !evidence.is_empty() {
        let found = evidence
            .iter()
            .map(|e| PassageRead { passage: Place::of(&e.passage), score: e.parts.total });
        return found.take(most).collect();
    }
    let cited = citations
        .iter()
        .map(|citation| PassageRead { passage: citation.passage.clone(), score: 1.0 });
    let mut seen = HashSet::new();
    cited.filter(|cited| seen.insert(cited.passage.passage_id)).take(most).collect()
}

/// Reports the query by which records were found.
fn tell(report: &mut AnswerReport, retrieved: &Retrieved) {
    match retrieved {
        Retrieved::Records(reply, _) => tell_records(report, reply),
        Retrieved::Passages(NearestPassages { held: Some(held), .. })
            if !report.claims.is_empty() =>
        {
            report.read_as = Some(RecordsRequest {
                conditions: held.clone(),
                select: Select::List,
                ..RecordsRequest::default()
            });
        }
        _ => {}
    }
}

/// Reports the query and its results, apart from the cited records.
fn tell_records(report: &mut AnswerReport, reply: &RecordsReply) {
    let bare = |row: &RecordsRow| RecordsRow { records: Vec::new(), ..row.clone() };
    report.records = Some(RecordsFound {
        rows: reply.rows.iter().map(bare).collect(),
        totals: reply.totals.clone(),
        all_records_read: reply.all_records_read,
        not_read: reply.not_read.clone(),
        not_read_left: reply.not_read_left,
        assumed: reply.assumed.clone(),
    });
    report.read_as = Some(reply.query.clone());
    report.also_read_as = reply.also.as_deref().cloned();
    report.unread.clone_from(&reply.unread);
}
