//! A folder of documents that is followed: what is new, changed, moved or deleted there is so here.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use notify::{RecursiveMode, Watcher};
use plumbline::api::Api;
use plumbline::follow::{Sent, sync};

use crate::state::State;

/// The file that says what was sent.
const SENT: &str = "sent.json";

/// The time without changes after which they are looked at: an editor writes a file in several
/// steps.
const QUIET: Duration = Duration::from_millis(500);

/// The time after which the folder is looked at, changes or not: some are not told, as on network
/// disks.
const AT_LEAST: Duration = Duration::from_mins(5);

/// Follows a folder on a thread of its own, until the process ends.
///
/// # Errors
/// Says why the folder cannot be followed.
pub(crate) fn follow(url: &str, state: &State, folder: PathBuf) -> Result<()> {
    let api = Api::new(url, &state.token)?;
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |_| {
        let _ = sender.send(());
    })?;
    let shown = folder.display().to_string();
    watcher
        .watch(&folder, RecursiveMode::Recursive)
        .with_context(|| format!("{shown} cannot be watched"))?;
    let path = state.file(SENT);
    let thread = std::thread::Builder::new().name("folder".into());
    thread.spawn(move || {
        let _watcher = watcher;
        loop {
            if let Err(error) = synced(&api, &folder, &path) {
                eprintln!("plumbline: {error:#}");
            }
            wait(&changes);
        }
    })?;
    Ok(())
}

fn synced(api: &Api, folder: &Path, kept: &Path) -> Result<()> {
    let mut sent = Sent::read(kept)?;
    let report = sync(api, folder, &mut sent, |sent| sent.write(kept))?;
    if let Some(report) = report {
        eprintln!("plumbline: {}", report.trim_end());
    }
    Ok(())
}

/// Waits for a change, and until no more come.
fn wait(changes: &Receiver<()>) {
    let _ = changes.recv_timeout(AT_LEAST);
    while changes.recv_timeout(QUIET).is_ok() {}
}
