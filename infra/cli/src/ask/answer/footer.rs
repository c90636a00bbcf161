//! The lines that tell how an answer came about, and how far to trust it.

use console::style;
use wire::answer::{Abstention, AbstentionReason, AnswerReport, Currency, PassageRead};
use wire::meta::{CacheUse, Meta, Reply};

use crate::wording::{count, flat, listed, remark, wrapped};

/// The most documents that are named where none answers.
const NEAREST: usize = 3;

/// Tells in plain words why there is no answer.
pub(super) fn abstained(
    abstained: &Abstention,
    answer: &AnswerReport,
    width: usize,
) -> Vec<String> {
    let (Abstention { reason }, knowledge) = (abstained, &answer.knowledge);
    let why = match reason {
        AbstentionReason::NoEvidence if answer.read_as.is_some() => {
            "No answer: no record is as the question was read.".into()
        }
        AbstentionReason::NoEvidence => {
            "No answer: nothing in these documents speaks of this.".into()
        }
        AbstentionReason::BelowThreshold => {
            "No answer: what was found is too far from the question to rest an answer on it.".into()
        }
        AbstentionReason::NotIndexedYet => {
            format!(
                "No answer yet: documents are still being indexed; `plumbline status --knowledge {knowledge}` tells when they are done."
            )
        }
        AbstentionReason::IndexingFailed => {
            format!(
                "No answer: documents could not be indexed; `plumbline status --knowledge {knowledge}` tells why."
            )
        }
        AbstentionReason::Conflicting => {
            "The documents contradict each other; both sides are shown.".into()
        }
    };
    wrapped(&style(why).bold().to_string(), "", "  ", width)
}

/// The documents that came nearest to answering.
pub(super) fn nearest(passages: &[PassageRead], width: usize) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    for passage in passages {
        if !names.contains(&passage.passage.file.as_str()) {
            names.push(&passage.passage.file);
        }
    }
    names.truncate(NEAREST);
    if names.is_empty() {
        return Vec::new();
    }
    wrapped(&format!("Nearest: {}", listed(&names)), "  ", "    ", width)
}

/// Tells the words of the question that no quote says, and those for which nothing was counted.
pub(super) fn lacking(answer: &AnswerReport, width: usize) -> Vec<String> {
    let all = [
        (&answer.unsaid, "None of these quotes says", "; they may be of something else."),
        (&answer.unread, "Nothing was counted, as these words were not read as a query", "."),
    ];
    let told = all.into_iter().filter(|(words, ..)| !words.is_empty() && answer.records.is_none());
    told.flat_map(|(words, of, end)| {
        let text = format!("{of}: {}{end}", flat(&words.join(", ")));
        wrapped(&style(text).bold().to_string(), "", "  ", width)
    })
    .collect()
}

/// Says that an answer which is read again does not hold any more; nothing where it does.
fn freshness(answer: &AnswerReport, width: usize) -> Vec<String> {
    let text = match answer.now {
        Some(Currency::Stale) => "Stale: something that it cites stands no more.",
        Some(Currency::Contradicted) => {
            "Contradicted: a document that it cites says otherwise now."
        }
        Some(Currency::Current) | None => return Vec::new(),
    };
    wrapped(&style(text).bold().to_string(), "", "  ", width)
}

/// The sources, what was read from the question, what was left out, and how the answer was made.
pub(super) fn lines(reply: &Reply<AnswerReport>, width: usize) -> Vec<String> {
    let Reply { report: answer, meta, .. } = reply;
    let mut lines = freshness(answer, width);
    if !answer.sources_line.is_empty() {
        lines.extend(wrapped(&flat(&answer.sources_line), "", "  ", width));
    }
    for query in [&answer.read_as, &answer.also_read_as].into_iter().flatten() {
        let text = serde_json::to_string(query).unwrap_or_default();
        lines.extend(wrapped(&format!("Read as: {}", flat(&text)), "", "  ", width));
    }
    if let Some(found) = answer.records.as_ref().filter(|record| !record.all_records_read) {
        let (scanned, of) = (found.totals.scanned, found.totals.of);
        if scanned < of {
            lines.push(format!("Not complete: {scanned} of {of} records were looked at"));
        }
        for lacks in &found.not_read {
            let text = format!("Not complete: {}: {}", flat(&lacks.file), flat(&lacks.reason));
            lines.extend(wrapped(&text, "", "  ", width));
        }
    }
    if answer.support.dropped > 0 {
        let dropped = count(answer.support.dropped, "claim");
        lines.push(format!("{dropped} dropped: not in the passages that were cited"));
    }
    let made = made(meta);
    if !made.is_empty() {
        lines.extend(remark(&made.join(", "), width));
    }
    lines
}

/// Tells the id and the mode of an answer, and whether it was kept from before.
fn made(meta: &Meta) -> Vec<String> {
    let Some(answer) = &meta.answer else { return Vec::new() };
    let id = answer.answer_id.as_ref().map(|id| format!("answer {id}"));
    let age = answer.cache_age_s.map(|age| format!(" {} ago", duration(age)));
    let left = answer.cache_left_s.map(|left| format!(", kept for {} more", duration(left)));
    let cache = (meta.cache == CacheUse::Hit).then(|| {
        let age = age.unwrap_or_else(|| " before".into());
        format!("first given{age}{}", left.unwrap_or_default())
    });
    id.into_iter().chain([format!("mode {}", answer.mode)]).chain(cache).collect()
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
