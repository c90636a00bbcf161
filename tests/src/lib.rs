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

/// A local Qdrant of its own, gone with this value.
pub struct LocalQdrant {
    process: Child,
    /// Where it answers gRPC.
    pub url: String,
    data: PathBuf,
}

impl LocalQdrant {
    /// Starts one with no collection.
    pub fn start() -> Result<LocalQdrant> {
        let port = free_port()?;
        let data =
            std::env::temp_dir().join(format!("plumbline-qdrant-{}-{port}", std::process::id()));
        let address = format!("127.0.0.1:{port}");
        let process = Command::new(local_program()?)
            .args(["--qdrant", &address, "--data"])
            .arg(&data)
            .stderr(Stdio::null())
            .spawn()
            .context("the local services do not start")?;
        let qdrant = LocalQdrant { process, url: format!("http://{address}"), data };
        // Nothing but a connection tells that it listens.
        for _ in 0..600 {
            if std::net::TcpStream::connect(&address).is_ok() {
                return Ok(qdrant);
            }
            std::thread::park_timeout(std::time::Duration::from_millis(50));
        }
        bail!("the local Qdrant does not listen on {address}")
    }
}

impl Drop for LocalQdrant {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.data);
    }
}
