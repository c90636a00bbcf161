//! Bedrock's runtime and a token issuer over HTTP, for a machine that has neither.
//!
//! Read [`run`], then [`bedrock`] (with [`embedder`], [`model`] and [`cache`] below it) and
//! [`issuer`]. Nothing links this program; the product calls it as it would call the real services.
//! Calls to tables, queues and Qdrant that arrive here are passed on ([`pass_on`]), so that tests
//! can make them fail, too ([`fault`]).

mod bedrock;
mod fault;
mod issuer;
mod listen;
mod pass_on;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use axum::http::Uri;
use axum::{Json, Router, routing};
use clap::Parser;
use embedding::{Cache, Embedder, MiniLm};
use serde_json::json;

use crate::fault::with_faults;
use crate::issuer::Issuer;
use crate::listen::{Signals, listen};

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
    /// Serve calls of Qdrant here, and pass them on
    #[arg(long, value_name = "ADDRESS", requires = "qdrant")]
    grpc: Option<SocketAddr>,
    /// Address of the Qdrant (gRPC) that calls are passed on to
    #[arg(long, value_name = "URL", requires = "grpc")]
    qdrant: Option<Uri>,
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
    let mut servers = vec![(listener, routes(&arguments, address)?)];
    let mut places = vec![format!("http on {address}")];
    if let (Some(grpc), Some(qdrant)) = (arguments.grpc, arguments.qdrant) {
        let listener = listen(grpc).await?;
        let address = listener.local_addr()?;
        servers.push((listener, with_faults(pass_on::grpc(qdrant), address)));
        places.push(format!("grpc on {address}"));
    }
    eprintln!("plumbline-local: {}", places.join(", "));
    signals.serve(servers).await
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
        routes = routes.merge(pass_on::aws(aws.clone()));
    }
    Ok(with_faults(routes, address))
}

fn embedder(model: &Path, cache: Option<&Path>) -> anyhow::Result<Embedder> {
    let model = MiniLm::load(model)?;
    let cache = cache.map(|folder| Cache::open(folder, &model)).transpose()?;
    Embedder::start(model, cache)
}
