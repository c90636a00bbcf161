//! A project's decisions as files, to keep beside its code.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use console::Term;
use serde_json::Value;
use wire::decisions::Decided;

use super::Named;
use crate::address::part;
use crate::api::Api;
use crate::page;
use crate::wording::count;

/// Where the records go.
#[derive(Debug, Args)]
pub(super) struct Target {
    #[command(flatten)]
    named: Named,
    /// The folder; it is made where it is not there. Records of the same names are written anew.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// The most characters of a file's name, without number and ending.
const NAME: usize = 60;

/// Writes one Markdown record (MADR) for each decision, numbered in the order in which they were
/// recorded.
pub(super) fn export(api: &Api, target: &Target) -> Result<()> {
    let path = format!("{}/decisions", target.named.path());
    let mut list = page::list(api, &path, &[], "decisions", usize::MAX)?;
    let decisions: Vec<Decided> =
        serde_json::from_value(list.get_mut("decisions").map_or(Value::Null, Value::take))?;
    let folder = &target.folder;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    for (number, Decided { decision, .. }) in (1..).zip(decisions.iter().rev()) {
        let record =
            api.text(&format!("{path}/{}", part(&decision.decision_id)), "text/markdown")?;
        let file = folder.join(name(number, &decision.decision));
        std::fs::write(&file, record)
            .with_context(|| format!("{} cannot be written", file.display()))?;
    }
    let message = format!("{} in {}", count(decisions.len(), "record"), folder.display());
    Ok(Term::stdout().write_line(&message)?)
}

/// Returns a name as `0007-use-carbon-seals.md`: nothing of the decision's text but its letters and
/// digits.
fn name(number: usize, decision: &str) -> String {
    let words = decision.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let words: String = words.join("-").chars().take(NAME).collect();
    format!("{number:04}-{}.md", words.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_by_its_number_and_words() {
        assert_eq!(name(7, "Use carbon seals (v2)!"), "0007-use-carbon-seals-v2.md");
        assert_eq!(name(12, "../../etc/passwd"), "0012-etc-passwd.md");
        assert_eq!(name(1, "استخدام"), "0001-استخدام.md");
        assert_eq!(name(1, &"long ".repeat(40)).len(), 5 + 59 + 3);
    }
}
