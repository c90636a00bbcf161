//! A git work tree as source code: what git tracks, by the commit, and of a tree that was ingested before what changed since.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use model::document::Origin;
use model::format::Format;
use serde_json::json;
use wire::documents::{DocumentState, DocumentStatus};

use super::{Outcome, Target, bring, media};
use crate::api::{Api, Knowledge};
use crate::status;
use crate::wording::{count, pretty, printable};

mod git;

use git::Repository;

/// The largest file that is taken; a larger one was made by a machine.
const LARGEST: u64 = 2 << 20;

/// The first bytes by which a binary is told.
const HEAD: usize = 8_000;

/// What came of a tree.
#[derive(Debug, Default)]
struct Counts {
    kept: usize,
    deleted: usize,
    left_out: Vec<(String, &'static str)>,
}

/// Ingests each tree, and fails where a file was refused.
pub(crate) fn run(
    api: &Api,
    paths: &[PathBuf],
    knowledge: &Knowledge,
    is_json: bool,
) -> Result<()> {
    for path in paths {
        let repository = Repository::at(path)?;
        one(api, &repository, knowledge, is_json)?;
    }
    Ok(())
}

fn one(api: &Api, repository: &Repository, knowledge: &Knowledge, is_json: bool) -> Result<()> {
    let prefix = format!("{}/", repository.name()?);
    let documents = status::all(api, knowledge)?;
    let known: Vec<&DocumentStatus> =
        documents.iter().filter(|own| own.name.starts_with(&prefix)).collect();
    let mut counts = Counts::default();
    let tracked = tracked(repository, &mut counts)?;
    let changed = changed(repository, &known)?;
    let is_there = |name: &str| {
        known.iter().any(|own| {
            own.name == name
                && own.status != DocumentState::Failed
                && own.status != DocumentState::Deleting
        })
    };
    let mut files = Vec::new();
    for path in &tracked {
        let name = format!("{prefix}{path}");
        let is_same =
            changed.as_ref().is_some_and(|changed| !changed.contains(path)) && is_there(&name);
        if is_same {
            counts.kept += 1;
        } else {
            files.push((repository.root.join(path), name));
        }
    }
    let kept: BTreeSet<String> = tracked.iter().map(|path| format!("{prefix}{path}")).collect();
    let gone = known
        .iter()
        .filter(|own| !kept.contains(&own.name) && own.status != DocumentState::Deleting);
    for document in gone {
        let path = format!("{}/{}", knowledge.documents(), document.document_id);
        api.delete::<serde_json::Value>(&path)?;
        counts.deleted += 1;
    }
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

/// The tracked files that are texts of a size that people write.
fn tracked(repository: &Repository, counts: &mut Counts) -> Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for (mode, path) in repository.tracked()? {
        let reason = match mode.as_str() {
            "120000" => Some("is a symbolic link"),
            "160000" => Some("is a submodule: ingest it by itself"),
            _ if Format::of(&path, media::of(&path, b"")).is_none() => {
                Some("is of a kind that is not read")
            }
            _ => unfit(&repository.root.join(&path)),
        };
        match reason {
            Some(reason) => counts.left_out.push((path, reason)),
            None => {
                files.insert(path);
            }
        }
    }
    if files.is_empty() {
        bail!("{} has no tracked text files", repository.root.display());
    }
    Ok(files)
}

/// Why a file is left out, where it is.
fn unfit(path: &Path) -> Option<&'static str> {
    // What is a link in the tree although git says otherwise is not followed either.
    let Ok(about) = std::fs::symlink_metadata(path) else { return Some("is not in the work tree") };
    if !about.is_file() {
        return Some("is no file");
    }
    if about.len() > LARGEST {
        return Some("is larger than 2 MiB");
    }
    if about.len() == 0 {
        return Some("is empty");
    }
    match std::fs::read(path) {
        Ok(bytes) if bytes.iter().take(HEAD).any(|byte| *byte == 0) => Some("is no text"),
        Ok(_) => None,
        Err(_) => Some("cannot be read"),
    }
}

/// The files that changed since the last ingested commit; `None` where all have to be looked at.
fn changed(repository: &Repository, known: &[&DocumentStatus]) -> Result<Option<BTreeSet<String>>> {
    let commits: BTreeSet<&str> = known.iter().filter_map(|own| own.commit.as_deref()).collect();
    let Some(last) = repository.latest(&commits)? else { return Ok(None) };
    repository.changed_since(&last).map(Some)
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
mod tests {
    use super::*;

    #[test]
    fn what_no_person_writes_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            unfit(&path)
        };
        assert_eq!(file("a.rs", b"fn a() {}"), None);
        assert_eq!(file("b.bin", b"a\0b"), Some("is no text"));
        assert_eq!(file("c.rs", b""), Some("is empty"));
        assert_eq!(file("d.sql", &vec![b'a'; 3 << 20]), Some("is larger than 2 MiB"));
        assert_eq!(unfit(folder.path()), Some("is no file"));
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink("/etc/hostname", &link).unwrap();
            assert_eq!(unfit(&link), Some("is no file"));
        }
    }

    #[test]
    fn a_tree_tells_what_changed_since_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let mut command = std::process::Command::new("git");
            command.arg("-C").arg(folder.path());
            command.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments);
            assert!(command.output().unwrap().status.success(), "{arguments:?}");
        };
        let write =
            |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        git(&["init", "-q"]);
        for name in ["one.rs", "two.rs", "old.rs"] {
            write(name, "fn a() {}\n");
        }
        write(".gitignore", "ignored.rs\n");
        write("ignored.rs", "fn hidden() {}\n");
        git(&["add", "."]);
        git(&["commit", "-qm", "first"]);
        let repository = Repository::at(folder.path()).unwrap();
        let first = repository.commit().unwrap();
        write("two.rs", "fn b() {}\n");
        git(&["mv", "old.rs", "new.rs"]);
        git(&["commit", "-qam", "second"]);
        let tracked: Vec<String> =
            repository.tracked().unwrap().into_iter().map(|(_, path)| path).collect();
        assert_eq!(tracked, [".gitignore", "new.rs", "one.rs", "two.rs"]);
        let changed = repository.changed_since(&first).unwrap();
        assert_eq!(
            changed.iter().map(String::as_str).collect::<Vec<_>>(),
            ["new.rs", "old.rs", "two.rs"]
        );
        let unknown = "0123456789012345678901234567890123456789";
        let latest =
            |commits: &[&str]| repository.latest(&commits.iter().copied().collect()).unwrap();
        assert_eq!(latest(&[unknown]), None);
        assert_eq!(
            latest(&[unknown, &first, &repository.commit().unwrap()]),
            Some(repository.commit().unwrap())
        );
    }
}
