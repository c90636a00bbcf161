//! The parts that tests share: paths, and the local services as child processes.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

mod collection;
mod fault;
mod reply;
mod stack;

pub use collection::{Collection, server};
pub use fault::{Alone, Faults, Frozen, Rotated, Service};
pub use reply::Reply;
pub use stack::{Stack, for_all};

/// Returns the repository's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

fn stack_py(arguments: &[&str]) -> Result<String> {
    run(Command::new("python3").arg("infra/stack/stack.py").args(arguments))
}

fn run(command: &mut Command) -> Result<String> {
    let output = command
        .current_dir(root())
        .output()
        .with_context(|| format!("{command:?} does not start"))?;
    if !output.status.success() {
        bail!(
            "{} failed: {}\n{}",
            command.get_program().display(),
            String::from_utf8_lossy(&output.stderr),
            String::from_utf8_lossy(&output.stdout)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A local service in its own process, killed when this value is dropped.
pub struct Local {
    process: Child,
    /// The address of the service.
    pub url: String,
    /// The folder of its data, which is removed with it.
    data: Option<PathBuf>,
}

impl Local {
    /// Starts Qdrant's engine without a collection.
    pub fn qdrant() -> Result<Local> {
        let data = std::env::temp_dir().join(format!("plumbline-{}", uuid::Uuid::now_v7()));
        let mut server = Command::new(installed("target/venv/bin/python")?);
        server.arg(root().join("infra/qdrant/server.py")).args(["--grpc", "127.0.0.1:0", "--data"]);
        Local::start(server.arg(&data), data.clone())
    }

    /// Starts a Bedrock with the embedding model that `make tools` fetched.
    pub fn bedrock() -> Result<Local> {
        let mut server = Command::new(installed("target/debug/plumbline-local")?);
        server.args(["--http", "127.0.0.1:0", "--model"]).arg(root().join("target/model"));
        Local::start(&mut server, None)
    }

    /// Starts a service on a port that it chooses itself. A port chosen here would have to be
    /// released first. A process that another test forks at that moment would keep it open for a
    /// while, and connections to the service would be reset.
    fn start(server: &mut Command, data: impl Into<Option<PathBuf>>) -> Result<Local> {
        let server = server.stderr(Stdio::piped());
        let process = server.spawn().context("the local services do not start")?;
        let mut local = Local { process, url: String::new(), data: data.into() };
        let stderr = local.process.stderr.take().context("stderr is no pipe")?;
        local.url = url(stderr)?;
        Ok(local)
    }
}

/// Returns the path of a program that `make build` builds or `make tools` installs.
fn installed(path: &str) -> Result<PathBuf> {
    let program = root().join(path);
    if !program.is_file() {
        bail!("{} is missing: `make tools build` makes it", program.display());
    }
    Ok(program)
}

/// Reads the service's address from the line `<name>: <service> on <address>`; warnings may precede
/// it. Later output is read and dropped, because it would fill the pipe.
fn url(stderr: ChildStderr) -> Result<String> {
    let mut stderr = BufReader::new(stderr);
    let mut line = String::new();
    while !line.contains(" on ") {
        line.clear();
        ensure!(stderr.read_line(&mut line)? > 0, "the local services opened no port");
    }
    let (_, address) = line.trim().split_once(" on ").unwrap_or_default();
    let url = format!("http://{}", address.split(',').next().unwrap_or(address));
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    Ok(url)
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if let Some(data) = &self.data {
            let _ = std::fs::remove_dir_all(data);
        }
    }
}
