//! What `plumbline serve` and `plumbline mcp` do.

use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use adapters::env;
use anyhow::{Context, Result, anyhow, bail};
use handlers::{Alerts, All, Handler};
use mcp::{Mcp, Settings};
use plumbline::api::Api;
use plumbline::local::{Local, People, Place, Serve};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

use crate::folder;
use crate::home::Home;
use crate::http::{self, Reach, Server};
use crate::page::CASE_PAGE;
use crate::routes::{self, Routes};
use crate::session::Session;
use crate::settings;
use crate::state::State;
use crate::stdio;
use crate::worker;

/// This program, for the command line.
#[derive(Debug, Clone, Copy)]
pub struct Program;

impl Local for Program {
    fn serve(&self, wanted: &Serve) -> Result<()> {
        embed_on_one_thread()?;
        let routes = routes::read(wanted.alerts.as_deref())?;
        let teams = routes.teams.clone();
        let runtime = runtime()?;
        LocalSet::new().block_on(&runtime, async {
            let (listener, url) = listening(wanted.port).await?;
            let public = wanted.people.public_url.clone().unwrap_or_else(|| url.clone());
            let given = Given { new_token: wanted.new_token, routes, public };
            let (folder, state) = folders(&wanted.place)?;
            let opened = Opened { folder, ..open(&state, &wanted.place, given)? };
            let session = Session::new(&opened.state.token, port_of(&listener)?)?;
            let opens = session.query().unwrap_or_default();
            eprintln!("plumbline: answers at {url}; in a browser, once: {url}/{opens}");
            serve(listener, session, &opened, &wanted.people, teams).await
        })
    }

    fn mcp(&self, place: &Place) -> Result<()> {
        embed_on_one_thread()?;
        let (folder, state) = folders(place)?;
        if State::is_taken(&state)? {
            let (url, token) = plumbline::local::answering(&state)
                .with_context(|| format!("what uses {} does not answer", state.display()))?;
            return stdio::bridge(&url, &token);
        }
        let nobody_else = People::default();
        let opened = Opened { folder, ..open(&state, place, Given::default())? };
        let runtime = runtime()?;
        LocalSet::new().block_on(&runtime, async {
            let (listener, url) = listening(0).await?;
            let token = opened.state.token.clone();
            let session = Session::new(&token, port_of(&listener)?)?;
            let bridge = tokio::task::spawn_blocking(move || stdio::bridge(&url, &token));
            tokio::select! {
                served = serve(listener, session, &opened, &nobody_else, Vec::new()) => served,
                ended = bridge => ended?,
            }
        })
    }
}

/// The options of a program besides its folders.
#[derive(Default)]
struct Given {
    /// True if a new token is made.
    new_token: bool,
    routes: Routes,
    /// The address by which people come.
    public: String,
}

/// The folders of a program, opened.
struct Opened {
    state: State,
    home: Arc<Home>,
    /// The folder of documents that is followed.
    folder: Option<PathBuf>,
}

/// Opens the folder of the state, and begins to work.
fn open(state: &Path, place: &Place, given: Given) -> Result<Opened> {
    let state = State::take(state, given.new_token)?;
    lambda::log_errors();
    let page = format!("{}{CASE_PAGE}", given.public);
    env::assume(settings::all(&given.routes.secrets, &page));
    let home = Arc::new(Home::open(&state, &model(place)?, given.routes.files)?);
    start_worker(&home)?;
    Ok(Opened { state, home, folder: None })
}

/// Listens at a port of loopback, and returns the address.
async fn listening(port: u16) -> Result<(TcpListener, String)> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!("{address} cannot be listened at; --port names another port, 0 any free one")
    })?;
    let url = format!("http://{}", listener.local_addr()?);
    Ok((listener, url))
}

fn port_of(listener: &TcpListener) -> Result<u16> {
    Ok(listener.local_addr()?.port())
}

async fn serve(
    listener: TcpListener,
    session: Session,
    Opened { state, home, folder }: &Opened,
    people: &People,
    teams: Vec<String>,
) -> Result<()> {
    let address = listener.local_addr()?;
    let url = format!("http://{address}");
    let public = people.public_url.clone().unwrap_or_else(|| url.clone());
    home.uploads.listening_at(public.clone());
    let mut settings = Settings::from_env().map_err(|error| anyhow!("{error}"))?;
    if let Some((issuer, audience)) = people.issuer.as_deref().zip(people.audience.as_deref()) {
        settings = settings.of_issuer(issuer, audience, &public);
    }
    let handlers = All::of(&**home).map_err(|error| anyhow!("{error}"))?;
    let reach = Reach { address, url: public.clone(), has_issuer: people.issuer.is_some() };
    let alerts = Alerts::of(&**home).map_err(|error| anyhow!("{error}"))?;
    let server = Server {
        mcp: Mcp::new(settings, handlers),
        routes: http::routes()?,
        token: state.token.clone(),
        session,
        uploads: home.uploads.clone(),
        queues: home.queues.clone(),
        marks: home.marks.clone(),
        reach,
        alerts,
        teams,
    };
    plumbline::local::announce(state.folder(), &url)?;
    if let Some(folder) = folder {
        let api = Api::new(&url, &state.token)?.with_uploads_at(public, url);
        folder::follow(api, state, folder)?;
    }
    server.serve(listener).await;
    Ok(())
}

/// Starts this program again where each embedding would be computed on all processors: several
/// texts are embedded at once, and together they would wait for each other (measured: a folder took
/// 1.5 times as long). Candle reads the setting from the environment alone.
#[expect(clippy::disallowed_methods, reason = "it is candle's, and no setting of ours")]
fn embed_on_one_thread() -> Result<()> {
    const THREADS: &str = "CANDLE_NUM_THREADS";
    if std::env::var_os(THREADS).is_some() {
        return Ok(());
    }
    let mut again = Command::new(std::env::current_exe()?);
    again.args(std::env::args_os().skip(1)).env(THREADS, "1");
    Err(again.exec().into())
}

/// Works behind the requests, on a thread of its own.
fn start_worker(home: &Arc<Home>) -> Result<()> {
    let (home, runtime) = (Arc::clone(home), runtime()?);
    let thread = std::thread::Builder::new().name("worker".into());
    thread.spawn(move || {
        if let Err(error) = LocalSet::new().block_on(&runtime, worker::work(&home)) {
            eprintln!("plumbline: nothing is ingested any more: {error}");
        }
    })?;
    Ok(())
}

fn runtime() -> Result<Runtime> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

/// Returns the folder of the documents, whole, and that of the state, which has no others.
fn folders(place: &Place) -> Result<(Option<PathBuf>, PathBuf)> {
    let folder = place.folder.as_deref().map(checked).transpose()?;
    let state = state_folder(place, folder.as_deref())?;
    if let Some(folder) = &folder {
        folder::check(&state, folder)?;
    }
    Ok((folder, state))
}

/// Returns the folder of the documents, whole.
fn checked(folder: &Path) -> Result<PathBuf> {
    let shown = folder.display();
    let whole = folder.canonicalize().with_context(|| format!("{shown} cannot be read"))?;
    if !whole.is_dir() {
        bail!("{shown} is no folder");
    }
    Ok(whole)
}

/// Returns where all is kept: by default a folder for each folder of documents, among the user's
/// data.
fn state_folder(place: &Place, documents: Option<&Path>) -> Result<PathBuf> {
    if let Some(named) = &place.state {
        return Ok(named.clone());
    }
    let data = plumbline::local::data_folder()?;
    Ok(data.join(documents.map_or_else(|| "default".into(), folder_name)))
}

/// Returns a name that other folders do not have: the last part of the path, and a mark of all of
/// it.
fn folder_name(folder: &Path) -> String {
    let mark =
        uuid::Uuid::new_v5(&uuid::Uuid::NAMESPACE_URL, folder.as_os_str().as_encoded_bytes());
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}-{}", &mark.simple().to_string()[..8])
}

/// Returns the folder of the embedding model.
fn model(place: &Place) -> Result<PathBuf> {
    let known = place.model.clone().or_else(plumbline::local::model_folder);
    known.context("the embedding model is not there; --model names the folder of config.json, tokenizer.json and model.safetensors of all-MiniLM-L6-v2")
}
