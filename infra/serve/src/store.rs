//! The file of all that is kept beside the table: uploaded files, messages and the index.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use model::{Error, Result};
use rusqlite::Connection;

pub(crate) mod files;
pub(crate) mod queue;

/// The name by which the caller may know it.
const SERVICE: &str = "the store";

/// The version of the tables, and of the ids in them. A program refuses a file of another one.
const VERSION: u32 = 2;

const TABLES: &str = "
    CREATE TABLE files (
        key TEXT NOT NULL, version TEXT NOT NULL, bytes BLOB, PRIMARY KEY (key, version)
    ) WITHOUT ROWID;
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, body TEXT NOT NULL,
        receives INTEGER NOT NULL DEFAULT 0, visible_at INTEGER NOT NULL, error TEXT
    );
    CREATE TABLE points (
        id BLOB PRIMARY KEY, scope TEXT NOT NULL, document BLOB NOT NULL, version TEXT NOT NULL,
        live INTEGER NOT NULL, body TEXT NOT NULL, vector BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE marks (question TEXT PRIMARY KEY, body TEXT NOT NULL);
    CREATE INDEX points_of_documents ON points (scope, document, version);
";

/// A database of `SQLite`.
pub(crate) struct Store(Mutex<Connection>);

impl Store {
    /// Opens the database in a file, which is made if it does not exist.
    ///
    /// # Errors
    /// Says why the file cannot be used; also if another version of Plumbline wrote it.
    pub(crate) fn open(file: &Path) -> anyhow::Result<Store> {
        let mut connection = Connection::open(file)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        let change = connection.transaction()?;
        let version: u32 = change.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let is_known = [0, VERSION].contains(&version);
        let age = if version > VERSION { "a later" } else { "an earlier" };
        anyhow::ensure!(
            is_known,
            "{age} version of Plumbline made it: name another folder with --state, or delete this one"
        );
        if version == 0 {
            change.execute_batch(TABLES)?;
            change.pragma_update(None, "user_version", VERSION)?;
        }
        change.commit()?;
        Ok(Store(Mutex::new(connection)))
    }

    /// Reads or writes with `work`, all of whose writes are kept, or none.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let mut connection = self.connection();
        let done = connection.transaction().and_then(|change| {
            let done = work(&change)?;
            change.commit()?;
            Ok(done)
        });
        done.map_err(failed)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn failed(error: rusqlite::Error) -> Error {
    Error::unavailable(SERVICE, error)
}

#[cfg(test)]
mod tests;
