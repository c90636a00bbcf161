//! Plumbline on this machine: the options of `serve` and `mcp`. The program is built on this
//! library.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use etcetera::BaseStrategy;
use oauth2::url::Url;

/// Runs Plumbline on this machine.
pub trait Local {
    /// Answers over HTTP until it is ended.
    ///
    /// # Errors
    /// Says why it cannot begin.
    fn serve(&self, wanted: &Serve) -> Result<()>;

    /// Speaks the Model Context Protocol on standard input and output until the input ends.
    ///
    /// # Errors
    /// Says why it cannot begin.
    fn mcp(&self, wanted: &Place) -> Result<()>;
}

/// The folders of the documents and of the state.
#[derive(Debug, Clone, Args)]
pub struct Place {
    /// The folder of the documents, which is followed: what is new, changed, moved or deleted there
    /// is so in answers a moment later.
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// The folder in which everything is kept; by default one for each folder of documents, among
    /// your data.
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
    /// The folder of the embedding model all-MiniLM-L6-v2.
    #[arg(long, value_name = "DIR", env = "PLUMBLINE_MODEL")]
    pub model: Option<PathBuf>,
}

/// The options of a server on this machine.
#[derive(Debug, Clone, Args)]
pub struct Serve {
    /// The folders.
    #[command(flatten)]
    pub place: Place,
    /// The port on loopback; 0 takes a free one.
    #[arg(long, default_value_t = 7600)]
    pub port: u16,
    /// Makes a new token; the one before it opens nothing any more.
    #[arg(long)]
    pub new_token: bool,
    /// The folder of routes of alerts: a file each, and their secrets in `secrets.json`.
    #[arg(long, value_name = "DIR")]
    pub alerts: Option<PathBuf>,
    /// Who else may ask.
    #[command(flatten)]
    pub people: People,
}

/// Several people, whose tokens an issuer signs.
#[derive(Debug, Clone, Default, Args)]
pub struct People {
    /// Let in who has a token of this OpenID Connect issuer, too: each with their own documents,
    /// teams and projects.
    #[arg(long, value_name = "URL", requires = "audience")]
    pub issuer: Option<String>,
    /// The audience of those tokens; several by commas.
    #[arg(long, value_name = "NAME", requires = "issuer")]
    pub audience: Option<String>,
    /// The address by which people come, where a proxy takes their requests and passes them on.
    #[arg(long, value_name = "URL", requires = "issuer", value_parser = origin)]
    pub public_url: Option<String>,
}

/// Reads an address without a path, and returns it without a slash at its end.
fn origin(text: &str) -> Result<String, String> {
    let url = Url::parse(text).map_err(|error| error.to_string())?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.has_host();
    if is_bare {
        Ok(url.origin().ascii_serialization())
    } else {
        Err("must have a host and no path".into())
    }
}

/// Returns the folder of this user's data of Plumbline.
///
/// # Errors
/// Says that the user has no home.
pub fn data_folder() -> Result<PathBuf> {
    Ok(etcetera::choose_base_strategy()?.data_dir().join("plumbline"))
}

/// Returns the folder of the embedding model beside this program, if it is there.
pub fn model_folder() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?.canonicalize().ok()?;
    let folder = program.parent()?;
    let places = ["model", "../model", "../share/plumbline/model"];
    places
        .map(|place| folder.join(place))
        .into_iter()
        .find(|it| it.join("model.safetensors").is_file())
}

/// The files in which a program that answers says how it is asked: its address and its token, in
/// the folder of its state, and the place of that, in the folder of all.
const ADDRESS: &str = "address";
/// See [`ADDRESS`].
pub const TOKEN: &str = "token";
const RUNNING: &str = "running";

/// Notes that a program answers at `address`, for commands on this machine that name no other.
///
/// # Errors
/// Says which file cannot be written.
pub fn announce(state: &Path, address: &str) -> Result<()> {
    write_whole(&state.join(ADDRESS), address.as_bytes())?;
    let all = data_folder()?;
    fs::create_dir_all(&all).with_context(|| format!("{} cannot be made", all.display()))?;
    let state = state.canonicalize()?;
    write_whole(&all.join(RUNNING), state.as_os_str().as_encoded_bytes())
}

/// Writes a file so that who reads it meanwhile finds all of it, or what was there before.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    let written = fs::write(&new, content).and_then(|()| fs::rename(&new, path));
    written.with_context(|| format!("{} cannot be written", path.display()))
}

/// Returns the address and the token of the program that keeps its state in a folder, if it was
/// started there.
pub fn answering(state: &Path) -> Option<(String, String)> {
    let read = |name: &str| fs::read_to_string(state.join(name)).ok();
    Some((read(ADDRESS)?, read(TOKEN)?.trim().to_owned()))
}

/// Returns the address and the token of the program that was started last on this machine.
pub(crate) fn running() -> Option<(String, String)> {
    let state = fs::read_to_string(data_folder().ok()?.join(RUNNING)).ok()?;
    answering(Path::new(&state))
}
