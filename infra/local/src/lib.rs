//! The parts that both programs share: they listen on this machine only, serve until asked to end, and fail on command.

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;

mod fault;

pub use fault::{Peer, with_faults};

/// The time that calls under way have to end after a signal.
const GRACE: Duration = Duration::from_secs(3);

/// Listens on an address of this machine; port 0 takes a free one.
pub async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    if !address.ip().is_loopback() {
        bail!("{address} is not a loopback address: this serves one machine only");
    }
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

/// The signals that ask the process to end. None is missed from the moment this is made.
pub struct Signals {
    terminated: Signal,
    interrupted: Signal,
}

impl Signals {
    /// Starts to listen for the signals.
    pub fn heed() -> anyhow::Result<Signals> {
        let (terminated, interrupted) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(Signals { terminated, interrupted })
    }

    /// Runs a server until a signal comes. Then the receiver given to the server resolves, and the server has a little
    /// time left to end.
    pub async fn serve<F: Future<Output = anyhow::Result<()>>>(
        mut self,
        server: impl FnOnce(oneshot::Receiver<()>) -> F,
    ) -> anyhow::Result<()> {
        let (stop, stopped) = oneshot::channel();
        let mut server = Box::pin(server(stopped));
        tokio::select! {
            _ = self.terminated.recv() => {}
            _ = self.interrupted.recv() => {}
            ended = &mut server => return ended,
        }
        drop(stop);
        // A client that keeps a call open does not keep the process.
        tokio::time::timeout(GRACE, server).await.unwrap_or(Ok(()))
    }
}
