//! Qdrant's gRPC services in front of its own engine, for a machine that has no Qdrant.
//!
//! Read [`run`], then [`service`] (which calls are served), [`store`] (what lies on disk), [`collection`], [`write`] and
//! [`read`] (the calls), and [`filter`], [`point`], [`vector`] and [`schema`] (protobuf to engine and back).
//! It refuses every other call by its name.

#[expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "calls have one shape, that of `service::answer`"
)]
mod collection;
mod filter;
mod point;
mod read;
mod schema;
mod service;
mod status;
mod store;
mod vector;
#[expect(
    clippy::needless_pass_by_value,
    reason = "calls have one shape, that of `service::answer`"
)]
mod write;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use plumbline_local::{Signals, listen};

use crate::service::{Handler, serve};

/// Serves Qdrant's gRPC on this machine.
#[derive(Parser)]
#[command(name = "plumbline-qdrant", version)]
struct Arguments {
    /// Serve here; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    grpc: SocketAddr,
    /// Folder of the collections
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("plumbline-qdrant: {err:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let signals = Signals::heed()?;
    let listener = listen(arguments.grpc).await?;
    let handler = Handler::open(&arguments.data)?;
    let address = listener.local_addr()?;
    eprintln!("plumbline-qdrant: grpc on {address}, data in {}", arguments.data.display());
    let served = signals.serve(|stopped| serve(handler.clone(), listener, stopped)).await;
    handler.flush().await.context("flushing the collections failed")?;
    served
}
