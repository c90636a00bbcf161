//! Bedrock's runtime and a token issuer over HTTP, for a machine that has neither.
//!
//! Read [`run`], then [`bedrock`] (with [`embedder`], [`model`] and [`cache`] beneath it) and [`issuer`]. Nothing links this
//! program; the product reaches it as it would reach the services it stands for. Calls of tables and queues that come here are
//! passed on ([`aws`]), so that tests can make them fail, too.

mod aws;
mod bedrock;
mod cache;
mod embedder;
mod issuer;
mod model;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use axum::extract::ConnectInfo;
use axum::http::Uri;
use axum::serve::ListenerExt;
use axum::{Json, Router, routing};
use clap::Parser;
use plumbline_local::{Signals, listen, with_faults};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::cache::Cache;
use crate::embedder::Embedder;
use crate::issuer::Issuer;
use crate::model::MiniLm;

/// Serves Bedrock's runtime and a token issuer on this machine.
#[derive(Parser)]
#[command(name = "plumbline-local", version)]
struct Arguments {
    /// Serve here; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    http: SocketAddr,
    /// Folder of the embedding model; without it `invoke` is unavailable
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// Folder to keep embeddings in, so that no text is embedded twice; processes may share it
    #[arg(long, value_name = "DIR", requires = "model")]
    cache: Option<PathBuf>,
    /// Name of the token issuer [default: the HTTP address]
    #[arg(long, value_name = "URL")]
    issuer_url: Option<String>,
    /// Folder to keep the issuer's key in, so that tokens outlive a restart
    #[arg(long, value_name = "DIR")]
    keys: Option<PathBuf>,
    /// Address of the tables and queues; calls of them that come here are passed on
    #[arg(long, value_name = "URL")]
    aws: Option<Uri>,
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
    let signals = Signals::heed()?;
    let listener = listen(arguments.http).await?;
    let address = listener.local_addr()?;
    let routes = routes(&arguments, address)?;
    eprintln!("plumbline-local: http on {address}");
    signals.serve(|stopped| serve(routes, listener, stopped)).await
}

fn routes(arguments: &Arguments, address: SocketAddr) -> anyhow::Result<Router> {
    let model = arguments.model.as_deref();
    let model = model.map(|folder| embedder(folder, arguments.cache.as_deref())).transpose()?;
    let url = arguments.issuer_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let issuer = Issuer::new(&url, arguments.keys.as_deref().map(Path::new))?;
    let mut routes = bedrock::routes(model)
        .merge(issuer::routes(issuer))
        .route("/health", routing::get(|| async { Json(json!({"status": "ok"})) }));
    if let Some(aws) = &arguments.aws {
        routes = routes.merge(aws::routes(aws.clone()));
    }
    Ok(with_faults(routes, address, |call| {
        call.get::<ConnectInfo<SocketAddr>>().map(|info| info.0)
    }))
}

fn embedder(model: &Path, cache: Option<&Path>) -> anyhow::Result<Embedder> {
    let model = MiniLm::load(model)?;
    let cache = cache.map(|folder| Cache::open(folder, &model)).transpose()?;
    Embedder::start(model, cache)
}

async fn serve(
    routes: Router,
    listener: TcpListener,
    stopped: oneshot::Receiver<()>,
) -> anyhow::Result<()> {
    let listener = listener.tap_io(|stream| {
        if let Err(err) = stream.set_nodelay(true) {
            eprintln!("plumbline-local: TCP_NODELAY was refused: {err}");
        }
    });
    let stopped = async { drop(stopped.await) };
    let service = routes.into_make_service_with_connect_info::<SocketAddr>();
    Ok(axum::serve(listener, service).with_graceful_shutdown(stopped).await?)
}
