//! What the tests share: where things are, and the local services as child processes.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

mod stack;

pub use stack::{Reply, Stack};

/// The repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// A port that nobody listens on.
pub fn free_port() -> Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// The program of the local services, built by `make build`.
pub fn local_program() -> Result<PathBuf> {
    let program = root().join("target/release/plumbline-local");
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
    /// Starts a Qdrant with no collection.
    pub fn qdrant() -> Result<Local> {
        Local::start("--qdrant", "--data", None)
    }

    /// Starts a Bedrock with the embedding model that `make tools` fetched.
    pub fn bedrock() -> Result<Local> {
        Local::start("--http", "--model", Some(root().join("target/model")))
    }

    fn start(door: &str, folder: &str, given: Option<PathBuf>) -> Result<Local> {
        let address = format!("127.0.0.1:{}", free_port()?);
        let name = format!("plumbline-{}-{}", std::process::id(), address.replace(':', "-"));
        let data = std::env::temp_dir().join(name);
        let process = Command::new(local_program()?)
            .args([door, &address, folder])
            .arg(given.unwrap_or_else(|| data.clone()))
            .stderr(Stdio::null())
            .spawn()
            .context("the local services do not start")?;
        let local = Local { process, url: format!("http://{address}"), data };
        // Nothing but a connection tells that it listens.
        for _ in 0..600 {
            if std::net::TcpStream::connect(&address).is_ok() {
                return Ok(local);
            }
            std::thread::park_timeout(std::time::Duration::from_millis(50));
        }
        bail!("nothing listens on {address}")
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
