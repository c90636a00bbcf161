//! A passage that an answer cites.

use anyhow::Result;
use clap::Args;
use wire::passages::PassageReply;

use crate::address::part;
use crate::api::{Api, Knowledge};
use crate::wording::printable;

/// A passage by its id.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    /// Whose documents: `global`, `user`, `case:ID` or `team:ID`.
    knowledge: Knowledge,
    /// The passage's `chunk_id`, as `--json` shows it.
    chunk_id: String,
    /// Shows the secrets in it, too. It is logged that you were shown them.
    #[arg(long)]
    reveal: bool,
    /// Prints the API's answer as it is.
    #[arg(long)]
    json: bool,
}

/// Shows the passage.
pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let reveal = if wanted.reveal { "?reveal=true" } else { "" };
    let id = part(&wanted.chunk_id);
    let path = format!("{}/{id}{reveal}", wanted.knowledge.passages());
    let terminal = console::Term::stdout();
    if wanted.json {
        let passage: serde_json::Value = api.get(&path)?;
        terminal.write_line(&serde_json::to_string_pretty(&passage)?)?;
        return Ok(());
    }
    let passage: PassageReply = api.get(&path)?;
    let PassageReply { name, section, text, is_masked, .. } = passage;
    let lines =
        passage.lines.map_or(String::new(), |(first, last)| format!(", lines {first} to {last}"));
    let section = if section.is_empty() { section } else { format!(" ({section})") };
    terminal.write_line(&printable(&format!("{name}{section}{lines}\n")))?;
    terminal.write_line(&printable(&text))?;
    if is_masked {
        terminal.write_line("\nSecrets in it are masked; --reveal shows them.")?;
    }
    Ok(())
}
