//! Judges one answer.

use plumbline::evaluate::names_document;
use std::collections::BTreeSet;

use plumbline::wording::{flat, name};
use wire::answer::{AnswerReport, Citation, Claim};
use wire::meta::Reply;

use super::question::Known;
use super::tally::Figure;
use crate::judge::holds;

/// The marks of an answer, each with its figure, and descriptions of the differences from the known
/// answer.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    pub(super) marks: Vec<(Figure, usize, usize)>,
    pub(super) wrong: Vec<String>,
}

pub(super) fn judge(known: &Known, reply: &Reply<AnswerReport>) -> Judgement {
    let Reply { report: answer, meta, .. } = reply;
    let mut judged = Judgement::default();
    let is_extractive = meta.answer.as_ref().is_some_and(|meta| meta.mode == "extractive");
    judged.citations(answer, is_extractive && answer.records.is_none());
    let is_silent = answer.claims.is_empty();
    if !known.answerable {
        let text = || format!("is not to be answered; came: {}", came(answer));
        judged.mark(Figure::Abstained, is_silent, text);
        return judged;
    }
    judged.mark(Figure::Answered, !is_silent, || format!("came: {}", came(answer)));
    judged.documents(known, answer);
    judged.lines(known, answer);
    judged.texts(known, answer);
    judged.counts(known, answer);
    if is_silent {
        // An abstention is the reason for everything else that is missing.
        judged.wrong.truncate(1);
    }
    judged
}

impl Judgement {
    fn mark(&mut self, figure: Figure, is_right: bool, wrong: impl FnOnce() -> String) {
        self.marks.push((figure, usize::from(is_right), 1));
        if !is_right {
            self.wrong.push(format!("{}: {}", figure.name(), wrong()));
        }
    }

    fn documents(&mut self, known: &Known, answer: &AnswerReport) {
        if known.right().next().is_none() {
            return;
        }
        let is_right = |name: &str| known.right().any(|doc| names_document(name, doc));
        let right = || {
            let files: BTreeSet<&str> = known.right().map(file).collect();
            files.into_iter().collect::<Vec<_>>().join(" or ")
        };
        let cited = answer.citations.first().map(|citation| citation.passage.file.as_str());
        let read: Vec<&str> =
            answer.read.iter().map(|passage| passage.passage.file.as_str()).collect();
        let instead =
            |name: Option<&str>| format!("{} instead of {}", name.map_or("none", file), right());
        self.mark(Figure::CitedFirst, cited.is_some_and(is_right), || instead(cited));
        let best = read.first().copied();
        self.mark(Figure::ReadFirst, best.is_some_and(is_right), || instead(best));
        let is_read = read.iter().any(|name| is_right(name));
        self.mark(Figure::Read, is_read, || instead(best));
    }

    fn lines(&mut self, known: &Known, answer: &AnswerReport) {
        if known.places().next().is_none() {
            return;
        }
        let is_right = |citation: &Citation| {
            known.places().any(|(doc, line)| {
                names_document(&citation.passage.file, doc) && holds_line(citation, line)
            })
        };
        let wanted = || {
            let lines: Vec<String> =
                known.places().take(3).map(|(_, line)| line.to_string()).collect();
            let cited: Vec<&str> =
                answer.citations.iter().map(|citation| citation.display.as_str()).collect();
            format!("line {} instead of: {}", lines.join(" or "), cited.join(", "))
        };
        self.mark(Figure::Line, answer.citations.iter().any(is_right), wanted);
        let is_first = answer.citations.first().is_some_and(is_right);
        self.mark(Figure::LineFirst, is_first, wanted);
    }

    fn texts(&mut self, known: &Known, answer: &AnswerReport) {
        let quotes = answer.citations.iter().map(|citation| flat(&citation.quote));
        let texts: Vec<String> = quotes.chain([flat(&answer.answer)]).collect();
        for quote in known.quotes() {
            let is_held = texts.iter().any(|text| text.contains(&flat(quote)));
            self.mark(Figure::Quote, is_held, || flat(quote));
        }
        if !known.answer_contains.is_empty() {
            let is_held = |word: &&String| holds(&answer.answer, word);
            let missed: Vec<&str> = known
                .answer_contains
                .iter()
                .filter(|word| !is_held(word))
                .map(String::as_str)
                .collect();
            let text = || format!("{}; came: {}", missed.join(", "), came(answer));
            self.mark(Figure::Contains, missed.is_empty(), text);
        }
    }

    fn counts(&mut self, known: &Known, answer: &AnswerReport) {
        let Some(expected) = known.count else { return };
        // Questions about the most frequent value ask for the largest group.
        let counted = answer.records.as_ref().map(|records| match records.rows.first() {
            Some(row) if !row.group.is_empty() => row.count,
            _ => records.totals.records,
        });
        let came = counted.map_or("nothing".into(), |number| number.to_string());
        self.mark(Figure::Count, counted == Some(expected), || {
            format!("{came} instead of {expected}")
        });
        let is_cited =
            |line: &&u32| answer.citations.iter().any(|citation| stands(citation, **line, known));
        let cited = known.all_lines.iter().filter(is_cited).count();
        self.marks.push((Figure::CountedLines, cited, known.all_lines.len()));
    }

    /// Marks the answer if every claim has existing citations and, without a model, consists of
    /// their words.
    fn citations(&mut self, answer: &AnswerReport, is_verbatim: bool) {
        for claim in &answer.claims {
            let cited = cited(claim, answer);
            let is_whole = !cited.is_empty() && cited.len() == claim.citations.len();
            self.mark(Figure::Resolves, is_whole, || flat(&claim.text));
            if is_verbatim {
                let text = flat(&claim.text);
                let is_quoted = cited.iter().any(|citation| flat(&citation.quote).contains(&text));
                self.mark(Figure::Verbatim, is_quoted, || text.clone());
            }
        }
    }
}

fn cited<'a>(claim: &Claim, answer: &'a AnswerReport) -> Vec<&'a Citation> {
    let citation = |id: &String| answer.citations.iter().find(|citation| citation.id == *id);
    claim.citations.iter().filter_map(citation).collect()
}

/// Returns true if the citation is from a right document and contains the line.
fn stands(citation: &Citation, line: u32, known: &Known) -> bool {
    known.right().any(|doc| names_document(&citation.passage.file, doc))
        && holds_line(citation, line)
}

fn holds_line(citation: &Citation, line: u32) -> bool {
    citation.lines.is_some_and(|(first, last)| (first..=last).contains(&line))
}

fn file(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Returns a short form of the answer, or the reason why there is none.
fn came(answer: &AnswerReport) -> String {
    /// Upper bound for the characters of an answer that are shown; enough to recognize its subject.
    const LETTERS: usize = 160;
    match &answer.abstained {
        Some(abstained) if answer.claims.is_empty() => name(&abstained.reason),
        _ => flat(&answer.answer).chars().take(LETTERS).collect(),
    }
}

#[cfg(test)]
mod tests;
