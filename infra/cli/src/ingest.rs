//! A folder's documents into Plumbline, through the API.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use model::document::Origin;
use model::object::LARGEST;
use sha2::{Digest, Sha256};
use uuid::Uuid;
use wire::documents::{Announced, Announcement, DocumentState, DocumentStatus};

use crate::api::{Api, Knowledge, Refusal};
use crate::progress::bar;
use crate::status;
use crate::wording::{count, printable};

pub(crate) mod estimate;
mod media;
mod outcome;
pub(crate) mod tree;
mod walk;

use walk::all_files;
pub(crate) use walk::{Found, found};

/// Uploads at the same time.
const LANES: usize = 6;

/// The time that no document takes, while others are waited for too.
const PATIENCE: Duration = Duration::from_mins(10);

/// The time that the API may not answer while documents are waited for.
const SILENCE: Duration = Duration::from_mins(3);

/// The outcome of an ingest.
#[derive(Debug, Default)]
struct Outcome {
    indexed: usize,
    unchanged: usize,
    refused: Vec<(String, String)>,
    /// The names of those of them that a service did not take, or that could not be read.
    untaken: Vec<String>,
    /// Uploaded and not indexed yet: version and name by document.
    waiting: HashMap<Uuid, (String, String)>,
}

/// The attributes that all files of one run are sent with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    /// The knowledge base that they go into.
    pub(crate) knowledge: &'a Knowledge,
    /// The kind of their origin; otherwise told by what they are.
    pub(crate) source: Option<Origin>,
    /// The commit that they are of.
    pub(crate) commit: Option<&'a str>,
}

/// Reads the name of a source.
pub(crate) fn source(name: &str) -> Result<Origin, String> {
    let names = || Origin::ALL.map(|(_, name)| name).join(", ");
    Origin::parse(name).ok_or_else(|| format!("must be one of {}", names()))
}

pub(crate) fn run(api: &Api, paths: &[PathBuf], target: Target<'_>, is_json: bool) -> Result<()> {
    let (outcome, ended) = bring(api, target, all_files(paths)?);
    tell(outcome, ended, is_json)
}

/// What came of files that were sent.
pub(crate) struct Brought {
    /// In words.
    pub(crate) told: String,
    /// The names of those that may be taken another time: a service did not answer.
    pub(crate) untaken: Vec<String>,
}

/// Sends files and waits for them.
pub(crate) fn brought(
    api: &Api,
    target: Target<'_>,
    files: Vec<(PathBuf, String)>,
) -> Result<Brought> {
    let (mut outcome, ended) = bring(api, target, files);
    ended?;
    let untaken = std::mem::take(&mut outcome.untaken);
    Ok(Brought { told: outcome::report(&mut outcome), untaken })
}

/// Sends files and waits for them. What came of the others is told, whatever went wrong with one.
fn bring(api: &Api, target: Target<'_>, files: Vec<(PathBuf, String)>) -> (Outcome, Result<()>) {
    let outcome = Mutex::new(Outcome::default());
    let sent = send(api, target, files, &outcome);
    let mut outcome = outcome.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let ended = sent.and_then(|()| wait(api, target.knowledge, &mut outcome));
    outcome.leave_waiting();
    (outcome, ended)
}

fn tell(mut outcome: Outcome, ended: Result<()>, is_json: bool) -> Result<()> {
    if ended.is_ok() || !outcome.is_empty() {
        let text =
            if is_json { outcome::json(&mut outcome)? } else { outcome::report(&mut outcome) };
        console::Term::stdout().write_line(text.trim_end())?;
    }
    ended?;
    match outcome.refused.len() {
        0 => Ok(()),
        refused => bail!("{} not indexed", count(refused, "document")),
    }
}

/// Announces and uploads all files.
fn send(
    api: &Api,
    target: Target<'_>,
    files: Vec<(PathBuf, String)>,
    outcome: &Mutex<Outcome>,
) -> Result<()> {
    let bar = bar(files.len(), "uploading");
    let queue = Mutex::new(files.into_iter());
    let sent = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES)
            .map(|_| scope.spawn(|| upload_all(api, target, &queue, outcome, &bar)))
            .collect();
        let ends: Vec<Result<()>> = lanes
            .into_iter()
            .map(|lane| lane.join().unwrap_or_else(|_| bail!("an upload broke off")))
            .collect();
        ends.into_iter().collect()
    });
    bar.finish_and_clear();
    sent
}

impl Outcome {
    fn is_empty(&self) -> bool {
        self.indexed + self.unchanged == 0 && self.refused.is_empty()
    }

    /// Tells of what is not indexed yet as of what was refused.
    fn leave_waiting(&mut self) {
        let late = std::mem::take(&mut self.waiting);
        self.refused.extend(late.into_values().map(|(_, name)| {
            (name, "is still being indexed; `plumbline status` tells when it is done".into())
        }));
    }
}

fn upload_all(
    api: &Api,
    target: Target<'_>,
    queue: &Mutex<impl Iterator<Item = (PathBuf, String)>>,
    outcome: &Mutex<Outcome>,
    bar: &ProgressBar,
) -> Result<()> {
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    while let Some((path, name)) = next() {
        let done = upload(api, target, &path, &name)
            .with_context(|| format!("`{}` was not sent", printable(&name)))?;
        let Ok(mut outcome) = outcome.lock() else { bail!("an upload broke off") };
        match done {
            Ok(Some((document, version))) => {
                outcome.waiting.insert(document, (version, name));
            }
            Ok(None) => outcome.unchanged += 1,
            Err(Refusal { status, reason }) => {
                if status == 0 || status >= 500 {
                    outcome.untaken.push(name.clone());
                }
                outcome.refused.push((name, reason));
            }
        }
        bar.inc(1);
    }
    Ok(())
}

/// Reads a file that is not too large; its size is looked at first.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > LARGEST {
        return Err(format!("has {size} bytes; a document has at most {LARGEST}"));
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// The document and version that are on their way; `None` where the same bytes are there already.
fn upload(
    api: &Api,
    Target { knowledge, source, commit }: Target<'_>,
    path: &Path,
    name: &str,
) -> Result<Result<Option<(Uuid, String)>, Refusal>> {
    let bytes = match read(path) {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(Err(Refusal { status: 0, reason })),
    };
    let hash = Sha256::digest(&bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    let body = Announcement {
        name: name.into(),
        content_type: media::media_type(name, &bytes).into(),
        bytes: bytes.len() as u64,
        sha256: Some(hash),
        // The prose in a repository is no code.
        source: source
            .filter(|_| commit.is_none() || media::media_type(name, &bytes) != "text/markdown"),
        commit: commit.map(str::to_owned),
        ..Announcement::default()
    };
    let announced: Announced = match api.post_patiently(&knowledge.documents(), &body)? {
        Ok(announced) => announced,
        // These concern every file, so going on would only repeat them.
        Err(refusal) if matches!(refusal.status, 401 | 403 | 404) => {
            return Err(refusal.into());
        }
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(upload) = announced.upload else { return Ok(Ok(None)) };
    Ok(api.upload(&upload, &bytes)?.map(|()| Some((announced.document_id, announced.version))))
}

/// Watches until every upload is indexed or failed.
fn wait(api: &Api, knowledge: &Knowledge, outcome: &mut Outcome) -> Result<()> {
    let bar = bar(outcome.waiting.len(), "indexing");
    let (mut moved, mut heard) = (Instant::now(), Instant::now());
    while !outcome.waiting.is_empty() && moved.elapsed() < PATIENCE {
        let asked = Instant::now();
        match status::all(api, knowledge) {
            Ok(documents) => {
                heard = Instant::now();
                let settled = documents.iter().filter(|document| settle(outcome, document)).count();
                if settled > 0 {
                    moved = Instant::now();
                    bar.inc(settled as u64);
                }
            }
            Err(error) if heard.elapsed() > SILENCE => return Err(error),
            Err(_) => {}
        }
        if !outcome.waiting.is_empty() {
            // A long list is many requests.
            std::thread::park_timeout(asked.elapsed().max(Duration::from_millis(700)));
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Returns true if `document` was waited for and has come to its end.
fn settle(outcome: &mut Outcome, document: &DocumentStatus) -> bool {
    let Some((version, name)) = outcome.waiting.get(&document.document_id) else { return false };
    let is_live = document.live_version.as_ref().is_some_and(|live| live >= version);
    let is_gone = document.status == DocumentState::Deleting;
    let is_failed = document.status == DocumentState::Failed && document.version == *version;
    let is_unchanged =
        document.status == DocumentState::Indexed && document.version == *version && !is_live;
    if is_gone {
        outcome.refused.push((name.clone(), "is being deleted; ingest it again afterwards".into()));
    } else if is_failed {
        outcome.refused.push((name.clone(), document.reason.clone().unwrap_or_default()));
    } else if is_unchanged {
        outcome.unchanged += 1;
    } else if is_live {
        outcome.indexed += 1;
    } else {
        return false;
    }
    outcome.waiting.remove(&document.document_id);
    true
}

#[cfg(test)]
mod tests;
