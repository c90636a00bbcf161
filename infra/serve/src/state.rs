//! The folder in which everything is kept.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use plumbline::local::TOKEN;
use ring::rand::{SecureRandom, SystemRandom};

/// A folder that no other process uses.
pub(crate) struct State {
    folder: PathBuf,
    /// The token that callers must have.
    pub(crate) token: String,
    /// Locked while this process lives, however it ends.
    _lock: File,
}

impl State {
    /// Takes a folder, which is made if it does not exist; with `renewed` the token is a new one.
    ///
    /// # Errors
    /// Says why it cannot be used: another process uses it, or it cannot be written.
    pub(crate) fn take(folder: &Path, renewed: bool) -> Result<State> {
        let shown = folder.display();
        let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
        made.with_context(|| format!("{shown} cannot be made"))?;
        let lock = private(&folder.join("lock"), false)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!(
                    "another `plumbline` keeps its state in {shown}: end it, or name another folder with --state"
                )
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("{shown} cannot be locked"));
            }
        }
        let token = token(&folder.join(TOKEN), renewed)?;
        Ok(State { folder: folder.to_owned(), token, _lock: lock })
    }

    /// Returns true if another process uses a folder.
    ///
    /// # Errors
    /// Says why that cannot be told.
    pub(crate) fn is_taken(folder: &Path) -> Result<bool> {
        if !folder.join("lock").is_file() {
            return Ok(false);
        }
        let lock = private(&folder.join("lock"), false)?;
        Ok(matches!(lock.try_lock(), Err(TryLockError::WouldBlock)))
    }

    /// Returns the folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a file in the folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Reads the token of a folder, and makes one where there is none.
fn token(path: &Path, renewed: bool) -> Result<String> {
    let kept = std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    if !kept.is_empty() && !renewed {
        return Ok(kept);
    }
    let mut bytes = [0; 32];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|_| anyhow::anyhow!("this machine gives no random numbers"))?;
    let token = model::document::hexadecimal(&bytes);
    write(path, &token)?;
    Ok(token)
}

fn write(path: &Path, content: &str) -> Result<()> {
    let mut file = private(path, true)?;
    let written = file.write_all(content.as_bytes()).and_then(|()| file.sync_all());
    written.with_context(|| format!("{} cannot be written", path.display()))
}

/// Opens a file that nobody else on this machine may read.
fn private(path: &Path, is_emptied: bool) -> Result<File> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(is_emptied).mode(0o600);
    options.open(path).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_serves_one_process_at_a_time_and_keeps_its_token_until_a_new_one_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("state");
        assert!(!State::is_taken(&place).unwrap());
        let state = State::take(&place, false).unwrap();
        let token = state.token.clone();
        assert_eq!(token.len(), 64);
        assert!(State::is_taken(&place).unwrap());
        let refused = State::take(&place, false).err().unwrap().to_string();
        assert!(refused.contains("another `plumbline`"), "{refused}");
        drop(state);
        assert_eq!(State::take(&place, false).unwrap().token, token);
        assert_ne!(State::take(&place, true).unwrap().token, token);
    }

    #[test]
    fn nobody_else_reads_what_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("state");
        let _state = State::take(&place, false).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&place), mode(&place.join(TOKEN))), (0o700, 0o600));
    }
}
