//! Asks git about commits. The work tree is never read, so that no filter, hook or other program
//! that a repository's settings name is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use text::composed;

/// A repository, by its work tree.
#[derive(Debug)]
pub(super) struct Repository {
    /// The outermost folder of the work tree.
    pub(super) root: PathBuf,
}

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tracked {
    /// Git's mode, such as `100644`.
    pub(super) mode: String,
    /// The name of its object.
    pub(super) object: String,
    /// Its size; 0 for a submodule.
    pub(super) bytes: u64,
    /// Its path.
    pub(super) path: String,
}

impl Repository {
    /// Finds the repository whose work tree is this folder.
    pub(super) fn at(path: &Path) -> Result<Repository> {
        let folder =
            path.canonicalize().with_context(|| format!("{} cannot be read", path.display()))?;
        let root = run(&folder, &["rev-parse", "--show-toplevel"])
            .with_context(|| format!("{} is no git work tree", path.display()))?;
        let root = PathBuf::from(text(root)?.trim_end());
        if root.canonicalize().ok().as_ref() != Some(&folder) {
            bail!("{} is within the work tree {}: give that one", path.display(), root.display());
        }
        Ok(Repository { root: folder })
    }

    /// The name of its folder.
    pub(super) fn name(&self) -> Result<String> {
        let name = self.root.file_name().context("the work tree has no name")?;
        Ok(composed::owned(name.to_string_lossy().into_owned()))
    }

    /// The commit that is checked out.
    pub(super) fn commit(&self) -> Result<String> {
        let commit =
            self.run(&["rev-parse", "--verify", "HEAD"]).context("there is no commit yet")?;
        Ok(text(commit)?.trim_end().to_owned())
    }

    /// The files of the commit that is checked out, by path.
    pub(super) fn tracked(&self) -> Result<Vec<Tracked>> {
        let listed = text(self.run(&["ls-tree", "-r", "-l", "-z", "HEAD"])?)?;
        let one = |line: &str| {
            let (about, path) = line.split_once('\t')?;
            let mut about = about.split_whitespace();
            let (mode, _, object) = (about.next()?, about.next()?, about.next()?);
            Some(Tracked {
                mode: mode.into(),
                object: object.into(),
                bytes: about.next()?.parse().unwrap_or_default(),
                path: composed::text(path).into_owned(),
            })
        };
        Ok(listed.split('\0').filter_map(one).collect())
    }

    /// The bytes of an object, as they were committed.
    pub(super) fn blob(&self, object: &str) -> Result<Vec<u8>> {
        self.run(&["cat-file", "blob", object])
    }

    /// Returns true if it has this commit.
    pub(super) fn has(&self, commit: &str) -> bool {
        let is_name = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name && self.run(&["cat-file", "-e", &format!("{commit}^{{commit}}")]).is_ok()
    }

    /// The files that differ between a commit and the one that is checked out, also those that are
    /// gone.
    pub(super) fn changed_since(&self, commit: &str) -> Result<BTreeSet<String>> {
        let arguments = ["diff-tree", "-r", "-z", "--no-renames", "--name-only", commit, "HEAD"];
        let listed = text(self.run(&arguments)?)?;
        let paths = listed.split('\0').filter(|path| !path.is_empty());
        Ok(paths.map(|path| composed::text(path).into_owned()).collect())
    }

    fn run(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        run(&self.root, arguments)
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.env("GIT_NO_LAZY_FETCH", "1").arg("-C").arg(folder);
    let output = command
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .output()
        .context("git cannot be run; is it installed?")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(output.stdout)
}

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).context("a path of the work tree is not UTF-8")
}
