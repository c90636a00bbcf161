//! What the tests share: where things are, and the local services as child processes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use anyhow::{Context, Result, bail};

mod collection;
mod fault;
mod stack;

pub use collection::{Collection, server};
pub use fault::{Alone, Door, Faults, Frozen, Rotated};
pub use stack::{Reply, Stack};

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A program of the local services, built by `make build`.
fn local_program(name: &str) -> Result<PathBuf> {
    let program = root().join("target/release").join(name);
    if !program.is_file() {
        bail!("{} is missing: `make build` builds it", program.display());
    }
    Ok(program)
}

/// One of the local services as a process of its own, gone with this value.
pub struct Local {
    process: Child,
    /// Where it answers.
    pub url: String,
    data: PathBuf,
}

impl Local {
    /// Starts Qdrant's engine with no collection.
    pub fn qdrant() -> Result<Local> {
        Local::start(["plumbline-qdrant", "--grpc", "--data"], None)
    }

    /// Starts a Bedrock with the embedding model that `make tools` fetched.
    pub fn bedrock() -> Result<Local> {
        let model = root().join("target/model");
        Local::start(["plumbline-local", "--http", "--model"], Some(model))
    }

    /// Has it choose its port. One chosen here would have to be let go first, and a process that another test forks
    /// at that moment holds it open for a while: connections meant for the service reach nobody and are reset.
    fn start([program, door, folder]: [&str; 3], given: Option<PathBuf>) -> Result<Local> {
        let data = std::env::temp_dir().join(format!("plumbline-{}", uuid::Uuid::now_v7()));
        let process = Command::new(local_program(program)?)
            .args([door, "127.0.0.1:0", folder])
            .arg(given.unwrap_or_else(|| data.clone()))
            .stderr(Stdio::piped())
            .spawn()
            .context("the local services do not start")?;
        let mut local = Local { process, url: String::new(), data };
        let said = local.process.stderr.take().context("stderr is no pipe")?;
        local.url = url(said)?;
        Ok(local)
    }
}

/// Where a door was opened, from the line `plumbline-local: <door> on <address>`. What is said later is read and
/// dropped, or it would fill the pipe.
fn url(said: ChildStderr) -> Result<String> {
    let mut said = BufReader::new(said);
    let mut line = String::new();
    said.read_line(&mut line)?;
    let Some((_, address)) = line.trim().split_once(" on ") else {
        bail!("the local services opened no door: {line}");
    };
    let url = format!("http://{}", address.split(',').next().unwrap_or(address));
    std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
    Ok(url)
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
