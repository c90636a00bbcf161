//! A folder whose documents are the same in Plumbline: what is new or changed is sent, and what is
//! gone is deleted.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use model::document::document_id;
use model::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::address::with_query;
use crate::api::{Api, Knowledge};
use crate::ingest;
use crate::local::write_whole;
use crate::wording::count;

/// Upper bound for the files of a folder that is followed: more is a folder that nobody meant, such
/// as a disk.
const MOST: usize = 100_000;

/// The files of a folder that were sent, each with what was known of it then.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    folder: PathBuf,
    files: BTreeMap<String, Mark>,
}

/// What tells that a file changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl Sent {
    /// Reads what was sent of a folder; nothing, where there is no such file.
    ///
    /// # Errors
    /// Says why the file cannot be read, or that it is of another folder: its documents would be
    /// deleted.
    pub fn read(path: &Path, folder: &Path) -> Result<Sent> {
        let shown = || path.display().to_string();
        let sent: Sent = match fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes).with_context(shown)?,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Sent { folder: folder.into(), files: BTreeMap::new() }
            }
            Err(error) => return Err(error).with_context(shown),
        };
        if sent.folder != folder {
            let other = sent.folder.display();
            bail!("the state has the documents of {other}: name another folder with --state");
        }
        Ok(sent)
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// Says why it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        write_whole(path, &serde_json::to_vec(self)?)
    }
}

/// Makes the documents of everyone those of the folder, and returns in words what changed. What was
/// ingested otherwise stays. `keep` is called before something is sent, with the names of all that
/// will be, and when it is there: what is gone after a kill in between is deleted all the same.
///
/// Nothing is deleted while a part of the folder cannot be read, or where all files are gone: a
/// disk that is not there looks like that.
///
/// # Errors
/// Says what the API refuses, or that the folder has too many files.
pub fn sync(
    api: &Api,
    sent: &mut Sent,
    keep: impl Fn(&Sent) -> Result<()>,
) -> Result<Option<String>> {
    let mut present = BTreeMap::new();
    let mut changed: Vec<(PathBuf, String)> = Vec::new();
    let ingest::Found { files, unread } = ingest::found(&sent.folder, MOST)?;
    for (path, name) in files {
        // A file that was just removed is found to be gone the next time.
        let Ok(mark) = mark(&path) else { continue };
        if sent.files.get(&name) != Some(&mark) {
            changed.push((path, name.clone()));
        }
        present.insert(name, mark);
    }
    let mut told = unread;
    let gone: Vec<String> =
        sent.files.keys().filter(|name| !present.contains_key(*name)).cloned().collect();
    if told.is_empty() && (!present.is_empty() || gone.is_empty()) {
        for name in &gone {
            delete(api, name)?;
        }
        let deleted = format!("{} deleted", count(gone.len(), "document"));
        told.extend((!gone.is_empty()).then_some(deleted));
        sent.files.retain(|name, _| present.contains_key(name));
    } else {
        let kept = count(gone.len(), "document");
        told.push(format!("{kept} of files that are not there stay as they are"));
    }
    if !changed.is_empty() {
        sent.files.extend(changed.iter().map(|(_, name)| (name.clone(), Mark::default())));
        keep(sent)?;
        let target = ingest::Target { knowledge: &Knowledge::Global, source: None, commit: None };
        let ingest::Brought { told: brought, untaken } = ingest::brought(api, target, changed)?;
        told.push(brought.trim_end().to_owned());
        present.extend(untaken.into_iter().map(|name| (name, Mark::default())));
    }
    sent.files.extend(present);
    keep(sent)?;
    Ok((!told.is_empty()).then(|| told.join("\n")))
}

fn mark(path: &Path) -> std::io::Result<Mark> {
    let about = fs::metadata(path)?;
    let modified = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Mark { bytes: about.len(), modified: u64::try_from(modified.as_nanos()).unwrap_or(0) })
}

/// Deletes the document of a file; one that is not there is no failure.
fn delete(api: &Api, name: &str) -> Result<()> {
    let path = format!("{}/{}", Knowledge::Global.documents(), document_id(&Scope::Global, name));
    let deleted = api.delete_one::<Value>(&with_query(&path, &[("confirm", Some("true"))]))?;
    match deleted {
        Err(refusal) if refusal.status != 404 => Err(refusal.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tiny_http::{Method, Response, Server};

    use super::*;

    /// Starts an API whose store takes no file; returns its address.
    fn full() -> String {
        let server = Server::http("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.server_addr());
        let file = format!("{url}/file");
        let announced = json!({
            "document_id": "00000000-0000-0000-0000-000000000007", "version": "01A", "status": "waiting",
            "upload": {"url": file, "headers": {}, "expires": 60},
        });
        std::thread::spawn(move || {
            for request in server.incoming_requests() {
                let status = if *request.method() == Method::Put { 503 } else { 200 };
                let reply = Response::from_string(announced.to_string()).with_status_code(status);
                let _ = request.respond(reply);
            }
        });
        url
    }

    #[test]
    fn a_file_that_the_store_did_not_take_is_sent_again() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.md"), "# A\n").unwrap();
        let api = Api::new(&full(), "token").unwrap();
        let mut sent = Sent { folder: folder.path().into(), files: BTreeMap::new() };
        for _ in 0..2 {
            let told = sync(&api, &mut sent, |_| Ok(())).unwrap().unwrap();
            assert!(told.contains("1 refused"), "{told}");
        }
    }
}
