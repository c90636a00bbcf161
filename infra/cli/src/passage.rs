//! A passage that an answer cites.

use anyhow::Result;
use clap::Args;
use wire::passages::PassageReply;

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::printable;

/// A passage by its id.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
    knowledge: Knowledge,
    /// The passage's `passage_id`, as `--json` shows it, or its file and line: `runbooks/db.md:12`.
    passage: String,
    /// Shows the secrets in it, too. It is logged that you were shown them.
    #[arg(long)]
    reveal: bool,
    /// Print the API's answer as it is.
    #[arg(long)]
    json: bool,
}

/// A passage by its file and line, else by its id, as values of the query.
fn which(passage: &str) -> [(&'static str, Option<&str>); 3] {
    match passage.rsplit_once(':').filter(|(_, line)| line.parse::<u32>().is_ok()) {
        Some((file, line)) => [("file", Some(file)), ("line", Some(line)), ("passage_id", None)],
        None => [("file", None), ("line", None), ("passage_id", Some(passage))],
    }
}

/// Shows the passage.
pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let [file, line, id] = which(&wanted.passage);
    let reveal = ("reveal", wanted.reveal.then_some("true"));
    let path = with_query(&wanted.knowledge.passages(), &[file, line, id, reveal]);
    let terminal = console::Term::stdout();
    if wanted.json {
        let passage: serde_json::Value = api.get(&path)?;
        terminal.write_line(&serde_json::to_string_pretty(&passage)?)?;
        return Ok(());
    }
    let passage: PassageReply = api.get(&path)?;
    let PassageReply { file, section, text, is_masked, .. } = passage;
    let lines =
        passage.lines.map_or(String::new(), |(first, last)| format!(", lines {first} to {last}"));
    let section = if section.is_empty() { section } else { format!(" ({section})") };
    terminal.write_line(&printable(&format!("{file}{section}{lines}\n")))?;
    terminal.write_line(&printable(&text))?;
    if is_masked {
        terminal.write_line("\nSecrets in it are masked; --reveal shows them.")?;
    }
    for (side, id) in [("before", passage.previous), ("after", passage.next)] {
        if let Some(id) = id {
            terminal.write_line(&format!("\nThe passage {side} it: {id}"))?;
        }
    }
    Ok(())
}
