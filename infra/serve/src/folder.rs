//! A folder of documents that is followed: what is new, changed, moved or deleted there is so here.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::Result;
use notify::{Event, RecursiveMode, Watcher};
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

/// Checks that a state has no documents of another folder.
///
/// # Errors
/// Names the other folder.
pub(crate) fn check(state: &Path, folder: &Path) -> Result<()> {
    Sent::read(&state.join(SENT), folder).map(|_| ())
}

/// Follows a folder on a thread of its own, until the process ends.
///
/// # Errors
/// Says why the folder cannot be followed.
pub(crate) fn follow(api: Api, state: &State, folder: &Path) -> Result<()> {
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // To read a file, as is done here, is no change.
        if event.is_ok_and(|event| event.kind.is_access()) {
            return;
        }
        let _ = sender.send(());
    })?;
    // Such as too many folders in it for what the system watches.
    if let Err(error) = watcher.watch(folder, RecursiveMode::Recursive) {
        eprintln!("plumbline: changes are looked for every five minutes: {error}");
    }
    let path = state.file(SENT);
    let mut sent = Sent::read(&path, folder)?;
    let thread = std::thread::Builder::new().name("folder".into());
    thread.spawn(move || {
        let _watcher = watcher;
        loop {
            if let Err(error) = synced(&api, &mut sent, &path) {
                eprintln!("plumbline: {error:#}");
            }
            wait(&changes);
        }
    })?;
    Ok(())
}

fn synced(api: &Api, sent: &mut Sent, kept: &Path) -> Result<()> {
    let report = sync(api, sent, |sent| sent.write(kept))?;
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
