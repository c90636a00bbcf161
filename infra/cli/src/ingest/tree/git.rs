//! Asks git about a work tree. Nothing that a repository's settings name is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A git work tree.
#[derive(Debug)]
pub(super) struct Repository {
    /// Its outermost folder.
    pub(super) root: PathBuf,
}

impl Repository {
    /// Finds the work tree that has `path`.
    pub(super) fn at(path: &Path) -> Result<Repository> {
        let path =
            path.canonicalize().with_context(|| format!("{} cannot be read", path.display()))?;
        let root = run(&path, &["rev-parse", "--show-toplevel"])
            .with_context(|| format!("{} is no git work tree", path.display()))?;
        Ok(Repository { root: PathBuf::from(text(root)?.trim_end()) })
    }

    /// The name of its folder.
    pub(super) fn name(&self) -> Result<String> {
        let name = self.root.file_name().context("the work tree has no name")?;
        Ok(name.to_string_lossy().into_owned())
    }

    /// The commit that is checked out.
    pub(super) fn commit(&self) -> Result<String> {
        let commit =
            self.run(&["rev-parse", "--verify", "HEAD"]).context("there is no commit yet")?;
        Ok(text(commit)?.trim_end().to_owned())
    }

    /// The tracked files, each with git's mode, by path.
    pub(super) fn tracked(&self) -> Result<Vec<(String, String)>> {
        let listed = text(self.run(&["ls-files", "--stage", "-z"])?)?;
        let one = |line: &str| {
            let (about, path) = line.split_once('\t')?;
            Some((about.split(' ').next()?.to_owned(), path.to_owned()))
        };
        Ok(listed.split('\0').filter_map(one).collect())
    }

    /// The latest of these commits that leads to the one that is checked out; `None` where none does.
    pub(super) fn latest(&self, commits: &BTreeSet<&str>) -> Result<Option<String>> {
        let leads = |own: &&str| {
            let is_name = own.len() >= 7 && own.bytes().all(|byte| byte.is_ascii_hexdigit());
            is_name && self.run(&["merge-base", "--is-ancestor", own, "HEAD"]).is_ok()
        };
        let leading: Vec<&str> = commits.iter().copied().filter(leads).collect();
        if leading.is_empty() {
            return Ok(None);
        }
        let mut arguments = vec!["rev-list", "--topo-order", "--max-count=1"];
        arguments.extend(leading);
        Ok(Some(text(self.run(&arguments)?)?.trim_end().to_owned()))
    }

    /// The files that differ between a commit and the work tree, also those that are gone.
    pub(super) fn changed_since(&self, commit: &str) -> Result<BTreeSet<String>> {
        let arguments = [
            "diff",
            "--name-only",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "-z",
            commit,
            "--",
        ];
        let listed = text(self.run(&arguments)?)?;
        Ok(listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        run(&self.root, arguments)
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    // A repository's own settings may name programs.
    command.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(arguments);
    let output = command.output().context("git cannot be run; is it installed?")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).context("a path of the work tree is not UTF-8")
}
