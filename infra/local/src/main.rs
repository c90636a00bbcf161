//! The cloud's services that a machine lacks, behind two local ports: Qdrant over gRPC; Bedrock's runtime and a
//! token issuer over HTTP.
//!
//! Read [`run`], then [`qdrant`], [`bedrock`] (with [`model`] beneath it) and [`issuer`]. Nothing links this
//! binary; the product reaches it as it would reach the services it stands for.

mod bedrock;
mod issuer;
mod model;
mod qdrant;

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use axum::serve::ListenerExt;
use axum::{Json, Router, routing};
use clap::Parser;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::issuer::Issuer;
use crate::model::MiniLm;
use crate::qdrant::Door;

/// What calls under way have to end in after a signal.
const GRACE: Duration = Duration::from_secs(3);

/// Serves Qdrant, Bedrock's runtime and a token issuer on this machine.
#[derive(Parser)]
#[command(name = "plumbline-local", version)]
struct Arguments {
    /// Serve Qdrant's gRPC here; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", requires = "data")]
    qdrant: Option<SocketAddr>,
    /// Folder of the collections
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Serve Bedrock's runtime and the token issuer here; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Folder of the embedding model; without it `invoke` is unavailable
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// Name of the token issuer [default: the HTTP address]
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// Folder to keep the issuer's key in, so that tokens outlive a restart
    #[arg(long, value_name = "DIR")]
    keys: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("plumbline-local: {err:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> anyhow::Result<()> {
    if arguments.qdrant.is_none() && arguments.http.is_none() {
        bail!("nothing to serve: give --qdrant with --data, or --http, or both");
    }
    // Before anything is served, so that a signal is never missed.
    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let (stop, stopped) = watch::channel(());
    let mut servers = JoinSet::new();
    let qdrant = match arguments.qdrant {
        Some(address) => Some(listen(address).await?),
        None => None,
    };
    if let Some(address) = arguments.http {
        let listener = listen(address).await?;
        let routes = routes(&arguments, listener.local_addr()?)?;
        eprintln!("plumbline-local: http on {}", listener.local_addr()?);
        servers.spawn(serve_http(routes, listener, until(stopped.clone())));
    }
    let mut door = None;
    if let (Some(listener), Some(folder)) = (qdrant, &arguments.data) {
        let opened = Door::open(folder)?;
        eprintln!(
            "plumbline-local: qdrant on {}, data in {}",
            listener.local_addr()?,
            folder.display()
        );
        servers.spawn(qdrant::serve(opened.clone(), listener, until(stopped)));
        door = Some(opened);
    }
    tokio::select! {
        _ = terminated.recv() => {}
        _ = interrupted.recv() => {}
        Some(ended) = servers.join_next() => ended.context("a server failed")??,
    }
    drop(stop);
    let ending = async { while servers.join_next().await.is_some() {} };
    // A client that keeps a call open does not keep the data from the disk.
    let _ = tokio::time::timeout(GRACE, ending).await;
    if let Some(door) = door {
        door.flush().await.context("flushing the collections failed")?;
    }
    Ok(())
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    if !address.ip().is_loopback() {
        bail!("{address} is not a loopback address: this serves one machine only");
    }
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

fn routes(arguments: &Arguments, address: SocketAddr) -> anyhow::Result<Router> {
    let model = arguments.model.as_deref().map(MiniLm::load).transpose()?;
    let url = arguments.issuer_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let issuer = Issuer::new(&url, arguments.keys.as_deref().map(Path::new))?;
    Ok(bedrock::routes(model)
        .merge(issuer::routes(issuer))
        .route("/health", routing::get(|| async { Json(json!({"status": "ok"})) })))
}

async fn serve_http(
    routes: Router,
    listener: TcpListener,
    stopped: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let listener = listener.tap_io(|stream| {
        if let Err(err) = stream.set_nodelay(true) {
            eprintln!("plumbline-local: TCP_NODELAY was refused: {err}");
        }
    });
    Ok(axum::serve(listener, routes).with_graceful_shutdown(stopped).await?)
}

/// Ends when the sender is dropped.
async fn until(mut stopped: watch::Receiver<()>) {
    let _ = stopped.changed().await;
}
