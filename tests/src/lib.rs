//! Parts that the tests share: paths, and the local services as child processes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use anyhow::{Context, Result, bail};

mod collection;
mod fault;
mod stack;

pub use collection::{Collection, server};
pub use fault::{Alone, Faults, Frozen, Rotated, Service};
pub use stack::{Reply, Stack};

/// Returns the repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// Returns the path of a program of the local services, built by `make build`.
fn local_program(name: &str) -> Result<PathBuf> {
    let program = root().join("target/release").join(name);
    if !program.is_file() {
        bail!("{} is missing: `make build` builds it", program.display());
    }
    Ok(program)
}

/// One of the local services as a process of its own, killed when this value is dropped.
pub struct Local {
    process: Child,
    /// The address where it answers.
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

    /// Starts a service on a port that it chooses. A port chosen here would have to be released first, and a process
    /// that another test forks at that moment holds it open for a while: connections for the service would be reset.
    fn start([program, listen, folder]: [&str; 3], given: Option<PathBuf>) -> Result<Local> {
        let data = std::env::temp_dir().join(format!("plumbline-{}", uuid::Uuid::now_v7()));
        let process = Command::new(local_program(program)?)
            .args([listen, "127.0.0.1:0", folder])
            .arg(given.unwrap_or_else(|| data.clone()))
            .stderr(Stdio::piped())
            .spawn()
            .context("the local services do not start")?;
        let mut local = Local { process, url: String::new(), data };
        let stderr = local.process.stderr.take().context("stderr is no pipe")?;
        local.url = url(stderr)?;
        Ok(local)
    }
}

/// Reads the service's address from the line `plumbline-local: <service> on <address>`. Later output is read and
/// dropped, or it would fill the pipe.
fn url(stderr: ChildStderr) -> Result<String> {
    let mut stderr = BufReader::new(stderr);
    let mut line = String::new();
    stderr.read_line(&mut line)?;
    let Some((_, address)) = line.trim().split_once(" on ") else {
        bail!("the local services opened no port: {line}");
    };
    let url = format!("http://{}", address.split(',').next().unwrap_or(address));
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    Ok(url)
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
