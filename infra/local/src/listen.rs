//! Listens on this machine only, and serves until a signal asks to end.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::Router;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinSet;

/// The time that running calls get to end after a signal.
const GRACE: Duration = Duration::from_secs(3);

/// Listens on an address of this machine; port 0 takes a free one.
pub(crate) async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    if !address.ip().is_loopback() {
        bail!("{address} is not a loopback address: this serves one machine only");
    }
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

/// The signals that ask the process to end. None is missed after this value is created.
pub(crate) struct Signals {
    terminated: Signal,
    interrupted: Signal,
}

impl Signals {
    /// Starts to listen for the signals.
    pub(crate) fn heed() -> anyhow::Result<Signals> {
        let (terminated, interrupted) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(Signals { terminated, interrupted })
    }

    /// Serves the routes of each listener until a signal arrives. Running calls then get a short
    /// time to end.
    pub(crate) async fn serve(mut self, servers: Vec<(TcpListener, Router)>) -> anyhow::Result<()> {
        let (stop, stopped) = tokio::sync::watch::channel(());
        let mut running = JoinSet::new();
        for (listener, routes) in servers {
            let mut stopped = stopped.clone();
            let listener = listener.tap_io(|stream| {
                if let Err(err) = stream.set_nodelay(true) {
                    eprintln!("plumbline-local: TCP_NODELAY was refused: {err}");
                }
            });
            let service = routes.into_make_service_with_connect_info::<SocketAddr>();
            // The channel closes when `stop` is dropped.
            let stopped = async move { drop(stopped.changed().await) };
            running.spawn(async move {
                axum::serve(listener, service).with_graceful_shutdown(stopped).await
            });
        }
        tokio::select! {
            _ = self.terminated.recv() => {}
            _ = self.interrupted.recv() => {}
            Some(ended) = running.join_next() => return Ok(ended??),
        }
        drop(stop);
        // A client that keeps a call open does not keep the process alive.
        tokio::time::timeout(GRACE, running.join_all()).await.ok();
        Ok(())
    }
}
