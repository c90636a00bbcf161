//! A git work tree as source code: the files of the commit that is checked out, and of a tree that
//! was ingested before what changed since. Files are read from git's objects, never from the
//! folder, so that no link leads out of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Result, bail};
use console::Term;
use model::document::Origin;
use model::format::Format;
use serde_json::json;
use wire::documents::{DocumentState, DocumentStatus};

use super::{Outcome, Target, bring, media};
use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::wording::{count, pretty, printable};
use crate::{consent, status};

mod git;

use git::{Repository, Tracked};

/// The largest file that is taken; a larger one was made by a machine.
const LARGEST: u64 = 2 << 20;

/// The most documents that are deleted without a question.
const UNASKED: usize = 20;

/// The first bytes by which a binary is told.
const HEAD: usize = 8_000;

/// The outcome of a tree.
#[derive(Debug, Default)]
struct Counts {
    kept: usize,
    deleted: usize,
    left_out: Vec<(String, &'static str)>,
}

/// Ingests the commit that is checked out in each tree, and fails where a file was refused.
pub(crate) fn run(
    api: &Api,
    paths: &[PathBuf],
    knowledge: &Knowledge,
    may_delete: bool,
    is_json: bool,
) -> Result<()> {
    let repositories: Vec<Repository> =
        paths.iter().map(|path| Repository::at(path)).collect::<Result<_>>()?;
    let mut names = BTreeSet::new();
    for repository in &repositories {
        let name = repository.name()?;
        if !names.insert(name.clone()) {
            bail!("two work trees are named `{name}`: one would take the other's place");
        }
    }
    for repository in &repositories {
        one(api, repository, knowledge, may_delete, is_json)?;
    }
    Ok(())
}

fn one(
    api: &Api,
    repository: &Repository,
    knowledge: &Knowledge,
    may_delete: bool,
    is_json: bool,
) -> Result<()> {
    let prefix = format!("{}/", repository.name()?);
    let documents = status::all(api, knowledge)?;
    let known: Vec<&DocumentStatus> = documents
        .iter()
        .filter(|document| {
            document.name.starts_with(&prefix) && document.status != DocumentState::Deleting
        })
        .collect();
    let changed = changed(repository, &known)?;
    let mut counts = Counts::default();
    let mut tracked = tracked(repository, &mut counts)?;
    let is_kept = |path: &str| {
        let document = known.iter().find(|k| k.name[prefix.len()..] == *path);
        document.is_some_and(|document| {
            let since = document.commit.as_ref().and_then(|commit| changed.get(commit));
            document.status == DocumentState::Indexed
                && since.is_some_and(|all| !all.contains(path))
        })
    };
    let folder = tempfile::tempdir()?;
    let mut files = Vec::new();
    for (number, (path, object)) in tracked.clone().into_iter().enumerate() {
        if is_kept(&path) {
            counts.kept += 1;
            continue;
        }
        let bytes = repository.blob(&object)?;
        if bytes.iter().take(HEAD).any(|byte| *byte == 0) {
            tracked.remove(&path);
            counts.left_out.push((path, "is no text"));
            continue;
        }
        let file = folder.path().join(number.to_string());
        std::fs::write(&file, bytes)?;
        files.push((file, format!("{prefix}{path}")));
    }
    let gone: Vec<&&DocumentStatus> =
        known.iter().filter(|k| !tracked.contains_key(&k.name[prefix.len()..])).collect();
    agree(gone.len(), &prefix, may_delete)?;
    counts.deleted = delete(api, knowledge, &gone)?;
    let commit = repository.commit()?;
    let target = Target { knowledge, source: Some(Origin::Code), commit: Some(&commit) };
    let (outcome, ended) = bring(api, target, files);
    tell(&outcome, &counts, &commit, is_json)?;
    ended?;
    match outcome.refused.len() {
        0 => Ok(()),
        refused => bail!("{} not indexed", count(refused, "file")),
    }
}

/// Asks before many documents are deleted: the branch that is checked out may lack what others
/// have.
fn agree(gone: usize, prefix: &str, may_delete: bool) -> Result<()> {
    let question = format!("Delete {} that `{prefix}` does not have?", count(gone, "document"));
    if gone <= UNASKED || may_delete || consent::is_given(&Term::stdout(), &question)? {
        return Ok(());
    }
    bail!("nothing was deleted or indexed")
}

/// Deletes documents, and returns their number.
fn delete(api: &Api, knowledge: &Knowledge, gone: &[&&DocumentStatus]) -> Result<usize> {
    for document in gone {
        let path = format!("{}/{}", knowledge.documents(), document.document_id);
        api.delete::<serde_json::Value>(&with_query(&path, &[("confirm", Some("true"))]))?;
    }
    Ok(gone.len())
}

/// The files of the commit that people write, each with its object.
fn tracked(repository: &Repository, counts: &mut Counts) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for Tracked { mode, object, bytes, path } in repository.tracked()? {
        match unfit(&mode, bytes, &path) {
            Some(reason) => counts.left_out.push((path, reason)),
            None => {
                files.insert(path, object);
            }
        }
    }
    if files.is_empty() {
        bail!("{} has no tracked text files", repository.root.display());
    }
    Ok(files)
}

/// Returns the reason for which a file is left out by what git says of it, where there is one.
fn unfit(mode: &str, bytes: u64, path: &str) -> Option<&'static str> {
    match mode {
        "120000" => Some("is a symbolic link"),
        "160000" => Some("is a submodule: ingest it by itself"),
        _ if bytes == 0 => Some("is empty"),
        _ if bytes > LARGEST => Some("is larger than 2 MiB"),
        _ if !is_read(path) => Some("is of a kind that is not read"),
        _ => None,
    }
}

/// Returns true for a file that is read by its name. A repository has many files of other endings
/// that are no texts.
fn is_read(path: &str) -> bool {
    match Format::of(path, media::media_type(path, b"")) {
        Ok(Format::Unknown) => !model::document::file_name(path).contains('.'),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// Finds for each commit of which documents are the files that differ between it and the commit
/// that is checked out.
fn changed(
    repository: &Repository,
    known: &[&DocumentStatus],
) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut changed = BTreeMap::new();
    for document in known {
        let commit = document.commit.as_ref().filter(|commit| repository.has(commit));
        let Some(commit) = commit else {
            bail!(
                "`{}` is not of this repository, and would be deleted: delete it, or give the folder another name",
                printable(&document.name)
            );
        };
        if !changed.contains_key(commit) {
            changed.insert(commit.clone(), repository.changed_since(commit)?);
        }
    }
    Ok(changed)
}

fn tell(outcome: &Outcome, counts: &Counts, commit: &str, is_json: bool) -> Result<()> {
    let out = console::Term::stdout();
    let Counts { kept, deleted, left_out } = counts;
    let Outcome { indexed, unchanged, refused, .. } = outcome;
    let unchanged = unchanged + kept;
    if is_json {
        let reasons = |all: &mut dyn Iterator<Item = (&str, &str)>| -> Vec<_> {
            all.map(|(name, reason)| json!({"name": name, "reason": reason})).collect()
        };
        let refused =
            reasons(&mut refused.iter().map(|(name, reason)| (name.as_str(), reason.as_str())));
        let left_out = reasons(&mut left_out.iter().map(|(name, reason)| (name.as_str(), *reason)));
        let value = json!({
            "commit": commit, "indexed": indexed, "unchanged": unchanged, "deleted": deleted, "refused": refused, "left_out": left_out,
        });
        return Ok(out.write_line(&pretty(&value)?)?);
    }
    let short = commit.get(..12).unwrap_or(commit);
    out.write_line(&format!(
        "commit {short}: {} indexed, {unchanged} unchanged, {deleted} deleted, {} refused, {} left out",
        count(*indexed, "file"),
        refused.len(),
        left_out.len()
    ))?;
    for (name, reason) in refused
        .iter()
        .map(|(name, reason)| (name, reason.as_str()))
        .chain(left_out.iter().map(|(name, reason)| (name, *reason)))
    {
        out.write_line(&printable(&format!("  {name} {reason}")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
