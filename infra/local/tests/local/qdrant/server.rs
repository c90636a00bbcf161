//! Starting and stopping `plumbline-qdrant`.

use std::path::Path;
use std::process::{Command, ExitStatus};

use crate::spawn::Program;

/// A running `plumbline-qdrant`.
pub(crate) struct Server(Program);

impl Server {
    /// Starts it over `data` on a free port.
    pub(crate) fn start(data: &Path) -> Server {
        Server(Program::start(&mut command(data)))
    }

    /// Returns Qdrant's client, connected to it.
    pub(crate) fn client(&self) -> qdrant_client::Qdrant {
        qdrant_client::Qdrant::from_url(self.0.url()).skip_compatibility_check().build().unwrap()
    }

    /// Returns the root of its addresses.
    pub(crate) fn url(&self) -> &str {
        self.0.url()
    }

    /// Asks it to end and waits.
    pub(crate) fn end(self) -> ExitStatus {
        self.0.end("TERM")
    }
}

/// Returns the command for `plumbline-qdrant` over `data`, not yet started.
pub(crate) fn command(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumbline-qdrant"));
    command.args(["--grpc", "127.0.0.1:0", "--data"]).arg(data);
    command
}
