//! Deletes a document, and restores one.

use anyhow::{Result, bail};
use clap::Args;
use console::Term;
use serde_json::{Value, json};
use text::composed;
use wire::documents::{Deleting, DocumentStatus, Restoring};

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::printable;
use crate::{consent, page, status};

/// The most documents that are named where a name could mean several.
const NAMED: usize = 5;

/// The document that is meant.
#[derive(Debug, Args)]
pub(crate) struct Meant {
    /// The document's name, the end of it, or its id.
    #[arg(value_name = "NAME_OR_ID")]
    document: String,
    /// Whose document: `global`, `user`, `case:ID` or `team:ID`.
    #[arg(long)]
    knowledge: Knowledge,
    /// Print the API's answer as it is.
    #[arg(long)]
    json: bool,
}

/// A document to delete.
#[derive(Debug, Args)]
pub(crate) struct Wanted {
    #[command(flatten)]
    meant: Meant,
    /// Erases its files at once, so that nothing can be restored; also of a document that was
    /// deleted before.
    #[arg(long)]
    forever: bool,
    /// Does not ask before something is erased.
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(api: &Api, wanted: &Wanted) -> Result<()> {
    let Wanted { meant: Meant { document, knowledge, json }, forever, yes } = wanted;
    let mut documents = status::all(api, knowledge)?;
    if *forever {
        documents.extend(status::deleted(api, knowledge)?);
    }
    let document = meant(&documents, document)?;
    let name = printable(&document.name);
    let is_erased = *forever || matches!(knowledge, Knowledge::Case(_));
    let question = format!("Erase `{name}`, so that nothing of it can be restored?");
    if is_erased && !*yes && !consent::is_given(&Term::stdout(), &question)? {
        bail!("nothing was deleted");
    }
    let path = format!("{}/{}", knowledge.documents(), document.document_id);
    let query = [("forever", forever.then_some("true")), ("confirm", Some("true"))];
    let deleting: Value = api.delete(&with_query(&path, &query))?;
    page::print(deleting, *json, |deleting: &Deleting, _| {
        let Deleting { document_id, status } = deleting;
        let mut lines = vec![format!("{name}: {} ({document_id})", status.name())];
        if !is_erased {
            let command = format!("plumbline restore {document_id} --knowledge {knowledge}");
            lines.push(format!("Restore it: {command}"));
        }
        lines
    })
}

/// Restores a deleted document.
pub(crate) fn restore(api: &Api, wanted: &Meant) -> Result<()> {
    let Meant { document, knowledge, json } = wanted;
    let deleted = status::deleted(api, knowledge)?;
    let document = meant(&deleted, document)?;
    let path = format!("{}/{}/restore", knowledge.documents(), document.document_id);
    let restoring: Value = api.post(&path, &json!({}))?.map_err(anyhow::Error::from)?;
    page::print(restoring, *json, |restoring: &Restoring, _| {
        let Restoring { document_id, status, .. } = restoring;
        vec![format!("{}: {} ({document_id})", printable(&document.name), status.name())]
    })
}

/// The one document with this id or name, else the one whose name ends in it.
pub(crate) fn meant<'a>(
    documents: &'a [DocumentStatus],
    called: &str,
) -> Result<&'a DocumentStatus> {
    let called = composed::text(called);
    let is_called = |document: &&DocumentStatus| {
        document.document_id.to_string() == called || document.name == called
    };
    if let Some(document) = documents.iter().find(is_called) {
        return Ok(document);
    }
    let ending = format!("/{called}");
    let ends: Vec<&DocumentStatus> =
        documents.iter().filter(|document| document.name.ends_with(&ending)).collect();
    match ends.as_slice() {
        [one] => Ok(one),
        [] => bail!("no document is named `{called}`"),
        several => {
            let names: Vec<&str> =
                several.iter().take(NAMED).map(|document| document.name.as_str()).collect();
            let more = if several.len() > NAMED { ", ..." } else { "" };
            bail!("`{called}` may mean {}{more}: give the whole name", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use wire::testing::{id, reply};

    fn documents(names: &[&str]) -> Vec<DocumentStatus> {
        let document =
            |name: &&str| json!({"document_id": name, "name": name, "status": "indexed"});
        names.iter().map(|name| reply(document(name))).collect()
    }

    #[test]
    fn a_document_is_called_by_its_name_its_id_or_the_end_of_its_name() {
        let documents = documents(&["logs/app.log", "app.log", "logs/web.log"]);
        let name = |called: &str| meant(&documents, called).unwrap().name.as_str();
        assert_eq!(name("app.log"), "app.log");
        assert_eq!(name(&id("logs/app.log").to_string()), "logs/app.log");
        assert_eq!(name("web.log"), "logs/web.log");
    }

    #[test]
    fn a_name_is_the_same_in_composed_and_in_decomposed_letters() {
        let documents = documents(&["logs/K\u{fc}hlung.log"]);
        for called in ["logs/Ku\u{308}hlung.log", "Ku\u{308}hlung.log", "K\u{fc}hlung.log"] {
            assert_eq!(meant(&documents, called).unwrap().name, documents[0].name);
        }
    }

    #[test]
    fn what_may_mean_several_or_none_is_not_deleted() {
        let documents = documents(&["a/app.log", "b/app.log"]);
        let refusal = |called: &str| meant(&documents, called).unwrap_err().to_string();
        assert_eq!(
            refusal("app.log"),
            "`app.log` may mean a/app.log, b/app.log: give the whole name"
        );
        assert_eq!(refusal("pp.log"), "no document is named `pp.log`");
    }
}
