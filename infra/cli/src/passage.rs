//! A passage that an answer cites.

use anyhow::Result;
use clap::Args;
use console::Term;
use wire::passages::PassageReply;

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::printable;

/// A passage by its id.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
    knowledge: Knowledge,
    /// The passage's `passage_id`, as `--json` shows it, or its file with the line or page:
    /// `runbooks/db.md:12`, `manual.pdf, page 3`.
    passage: String,
    /// Shows the secrets in it, too. It is logged that you were shown them.
    #[arg(long)]
    reveal: bool,
    /// Also shows so many passages before and after it.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "json")]
    around: usize,
    /// Print the API's answer as it is.
    #[arg(long)]
    json: bool,
}

/// A passage by its file and line or page, else by its id, as values of the query.
fn which(passage: &str) -> Vec<(&'static str, Option<&str>)> {
    let is_number = |number: &str| number.parse::<u32>().is_ok();
    let by = |between: &str| passage.rsplit_once(between).filter(|(_, number)| is_number(number));
    if let Some((file, page)) = by(", page ") {
        return vec![("file", Some(file)), ("page", Some(page))];
    }
    match by(":") {
        Some((file, line)) => vec![("file", Some(file)), ("line", Some(line))],
        None => vec![("passage_id", Some(passage))],
    }
}

/// Shows the passage.
pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let reveal = ("reveal", wanted.reveal.then_some("true"));
    let mut query = which(&wanted.passage);
    query.push(reveal);
    let path = with_query(&wanted.knowledge.passages(), &query);
    let terminal = Term::stdout();
    if wanted.json {
        let passage: serde_json::Value = api.get(&path)?;
        terminal.write_line(&serde_json::to_string_pretty(&passage)?)?;
        return Ok(());
    }
    let passage: PassageReply = api.get(&path)?;
    if let Some(note) = not_at(&passage, &query) {
        terminal.write_line(&note)?;
    }
    let neighbours = |first: Option<String>, next: fn(&PassageReply) -> &Option<String>| {
        let mut found: Vec<PassageReply> = Vec::new();
        let mut id = first;
        while found.len() < wanted.around
            && let Some(wanted_id) = id.take()
        {
            let query = [("passage_id", Some(wanted_id.as_str())), reveal];
            let passage: PassageReply =
                api.get(&with_query(&wanted.knowledge.passages(), &query))?;
            id.clone_from(next(&passage));
            found.push(passage);
        }
        anyhow::Ok((found, id))
    };
    let (before, previous) = neighbours(passage.previous.clone(), |one| &one.previous)?;
    let (after, next) = neighbours(passage.next.clone(), |one| &one.next)?;
    let all: Vec<&PassageReply> = before.iter().rev().chain([&passage]).chain(&after).collect();
    for passage in &all {
        show(&terminal, passage)?;
    }
    if all.iter().any(|passage| passage.is_masked) {
        terminal.write_line("\nSecrets in it are masked; --reveal shows them.")?;
    }
    for (side, id) in [("before", previous), ("after", next)] {
        if let Some(id) = id {
            terminal.write_line(&format!("\nThe passage {side} it: {id}"))?;
        }
    }
    Ok(())
}

fn show(terminal: &Term, passage: &PassageReply) -> Result<()> {
    let PassageReply { file, section, text, lines, .. } = passage;
    let lines = lines.map_or(String::new(), |(first, last)| format!(", lines {first} to {last}"));
    let section = if section.is_empty() { String::new() } else { format!(" ({section})") };
    terminal.write_line(&printable(&format!("{file}{section}{lines}\n")))?;
    terminal.write_line(&printable(text))?;
    Ok(terminal.write_line("")?)
}

/// Says that the passage does not have the line that was asked for.
fn not_at(passage: &PassageReply, query: &[(&str, Option<&str>)]) -> Option<String> {
    let (_, line) = query.iter().find(|(name, _)| *name == "line")?;
    let line: u32 = (*line)?.parse().ok()?;
    let has_line = passage.lines.is_some_and(|(first, last)| (first..=last).contains(&line));
    (!has_line).then(|| format!("Line {line} is in no passage; the nearest is:\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_named_as_citations_tell_it() {
        let line = [("file", Some("a/db.md")), ("line", Some("12"))];
        assert_eq!(which("a/db.md:12"), line);
        let page = [("file", Some("the manual.pdf")), ("page", Some("3"))];
        assert_eq!(which("the manual.pdf, page 3"), page);
        assert_eq!(which("0b5a"), [("passage_id", Some("0b5a"))]);
    }

    #[test]
    fn a_line_that_the_passage_does_not_have_is_told() {
        let passage: PassageReply = serde_json::from_value(serde_json::json!({
            "passage_id": "1", "document_id": "2", "version": "01A", "file": "a.log", "title": "a",
            "section": "", "lines": [7, 9], "text": "dry", "is_masked": false, "hash": "",
        }))
        .unwrap();
        let told = |wanted: &str| not_at(&passage, &which(wanted));
        assert!(told("a.log:9").is_none() && told("1").is_none());
        assert!(told("a.log:10").unwrap().starts_with("Line 10 is in no passage"));
    }
}
