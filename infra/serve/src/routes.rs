//! The routes of alerts of a folder, with their secrets.

use std::path::Path;

use alerts::{AlertRoutes, Vendors};
use anyhow::{Context, Result};

/// The file of the folder that has the secrets: a JSON object of texts.
const SECRETS: &str = "secrets.json";

/// The routes of alerts.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    /// Their files, each its name and its text.
    pub(crate) files: Vec<(String, String)>,
    /// The text of the file with their secrets; empty without one.
    pub(crate) secrets: String,
    /// The teams that their cases belong to.
    pub(crate) teams: Vec<String>,
}

/// Reads the routes of a folder; there are none without one.
///
/// # Errors
/// Names the file that cannot be read or used.
pub(crate) fn read(folder: Option<&Path>) -> Result<Routes> {
    let Some(folder) = folder else { return Ok(Routes::default()) };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            let text = std::fs::read_to_string(&path);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, text.with_context(|| path.display().to_string())?));
        }
    }
    files.sort();
    let secrets = folder.join(SECRETS);
    let secrets = match std::fs::read_to_string(&secrets) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.with_context(|| secrets.display().to_string())?,
    };
    let vendors = Vendors::parse(&Vendors::carried())?;
    let routes = AlertRoutes::parse(&files, &vendors)?;
    let mut teams: Vec<String> = routes.all().map(|route| route.team.clone()).collect();
    teams.sort();
    teams.dedup();
    Ok(Routes { files, secrets, teams })
}
