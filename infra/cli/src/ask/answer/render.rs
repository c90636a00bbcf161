//! An answer for a person to read.

use console::style;
use wire::answer::{AnswerReport, Citation, CitationNow, CitationStanding as Standing, Claim};
use wire::meta::Reply;

use super::footer;
use super::kept::{self, Nature};
use crate::wording::{flat, wrapped};

/// The claims with what each rests on, then everything that tells how far to trust them.
pub(super) fn lines(reply: &Reply<AnswerReport>, width: usize) -> Vec<String> {
    let answer = &reply.report;
    let mut lines = Vec::new();
    if let Some(question) = &answer.rewritten_question {
        let text = format!("Understood as: {}", flat(question));
        lines.extend(wrapped(&style(text).dim().to_string(), "", "  ", width));
        lines.push(String::new());
    }
    if let Some(abstained) = &answer.abstained {
        lines.extend(footer::abstained(abstained, answer, width));
        if answer.claims.is_empty() {
            lines.extend(footer::nearest(&answer.read, width));
        }
    }
    lines.extend(footer::lacking(answer, width));
    let mut quoted: Vec<&str> = Vec::new();
    for (place, claim) in answer.claims.iter().enumerate() {
        if !lines.last().is_none_or(String::is_empty) {
            lines.push(String::new());
        }
        if is_shown_below(claim, &answer.claims[place + 1..]) {
            let text = style(flat(&claim.text)).bold().to_string();
            lines.extend(wrapped(&text, "", "  ", width));
        } else {
            lines.extend(claim_lines(claim, answer, &mut quoted, width));
        }
    }
    let footer = footer::lines(reply, width);
    if !footer.is_empty() && !lines.last().is_none_or(String::is_empty) {
        lines.push(String::new());
    }
    lines.extend(footer);
    lines
}

/// A number's examples are claims below it: they show all that it rests on.
fn is_shown_below(claim: &Claim, below: &[Claim]) -> bool {
    let is_below = |id: &String| below.iter().any(|b| b.citations.contains(id));
    !claim.citations.is_empty() && claim.citations.iter().all(is_below)
}

/// The claim, where it stands, and below it the quotes that say more than the claim; each quote
/// once.
fn claim_lines<'a>(
    claim: &Claim,
    answer: &'a AnswerReport,
    quoted: &mut Vec<&'a str>,
    width: usize,
) -> Vec<String> {
    let cited: Vec<&Citation> = claim
        .citations
        .iter()
        .filter_map(|id| answer.citations.iter().find(|citation| citation.id == *id))
        .collect();
    let verbatim = cited.iter().find(|citation| is_same(&citation.quote, &claim.text));
    let nature = verbatim.map_or(Nature::Prose, |citation| Nature::of(&citation.passage.file));
    let mut lines = kept::lines(&claim.text, nature, "", width);
    for citation in cited {
        lines.extend(place(citation, width));
        let is_new = !quoted.contains(&citation.id.as_str());
        if is_new && !is_same(&citation.quote, &claim.text) {
            let nature = Nature::of(&citation.passage.file);
            lines.extend(kept::lines(&citation.quote, nature, "      | ", width));
        }
        quoted.push(&citation.id);
    }
    lines
}

/// Returns true if the texts are the same but for their white space, or the claim is a part of the
/// quote. A quote that a claim has is not there a second time.
fn is_same(quote: &str, claim: &str) -> bool {
    quote.is_empty() || flat(quote).contains(&flat(claim))
}

/// Returns `    [server.log:1045 (14:32:15Z)]`, the file where that does not name it, and what is
/// to be known of it.
fn place(citation: &Citation, width: usize) -> Vec<String> {
    let display = style(format!("[{}]", flat(&citation.display))).cyan();
    let assumed = citation.assumed.as_ref().map(|what| format!("times read as {}", flat(what)));
    let flagged = citation.flagged.as_ref().map(|what| match what.as_str() {
        "instruction" => "reads like an instruction to an assistant; shown as data".into(),
        other => format!("flagged as {}; shown as data", flat(other)),
    });
    let mut text = display.to_string();
    let file = citation.passage.file.rsplit('/').next().unwrap_or(&citation.passage.file);
    if !citation.display.contains(file) {
        let (name, lines) = (flat(&citation.passage.file), citation.lines);
        let lines = lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
        text = format!("{text} {}", style(format!("{name}{lines}")).dim());
    }
    if let Some(assumed) = assumed {
        text = format!("{text} {}", style(assumed).dim());
    }
    if let Some(flagged) = flagged {
        text = format!("{text} {}", style(format!("! {flagged}")).yellow());
    }
    let mut lines = wrapped(&text, "    ", "      ", width);
    lines.extend(citation.now.iter().flat_map(|now| became(now, width)));
    lines
}

/// Tells what became of a citation since; nothing where it stands as it was quoted.
fn became(now: &CitationNow, width: usize) -> Vec<String> {
    let text = match (now.standing, now.lines, &now.instead) {
        (Standing::AsQuoted, ..) => return Vec::new(),
        (Standing::Moved, Some((first, last)), _) if first != last => {
            format!("stands at lines {first}-{last} now")
        }
        (Standing::Moved, Some((line, _)), _) => format!("stands at line {line} now"),
        (Standing::Moved, ..) => "stands at another place of the document now".into(),
        (_, _, Some(instead)) => format!("the document says now: {}", flat(instead)),
        (Standing::Changed, ..) => "the document does not say this any more".into(),
        (Standing::Gone, ..) => "the document is there no more".into(),
    };
    wrapped(&style(format!("! {text}")).yellow().to_string(), "      ", "        ", width)
}

#[cfg(test)]
mod tests;
