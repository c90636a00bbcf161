//! The files of folders, with the names that their documents get.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use text::composed;
use walkdir::WalkDir;

/// The files of all paths; no two may get the same name, for one would take the other's place.
pub(super) fn all_files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, String)>> {
    let mut all: Vec<(PathBuf, String)> = Vec::new();
    let mut names: HashMap<String, PathBuf> = HashMap::new();
    for path in paths {
        let files = files(path)?;
        if files.is_empty() {
            bail!("{} holds no files", path.display());
        }
        for (path, name) in files {
            if let Some(other) = names.insert(name.clone(), path.clone()) {
                bail!("{} and {} would both be `{name}`", other.display(), path.display());
            }
            all.push((path, name));
        }
    }
    Ok(all)
}

/// The files below `folder` with the names they get, in order; what begins with a dot is left out.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let Found { files, unread } = found(folder, usize::MAX)?;
    match unread.into_iter().next() {
        None => Ok(files),
        Some(reason) => bail!("{reason}"),
    }
}

/// The files below a folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The files with the names they get, in order.
    pub(crate) files: Vec<(PathBuf, String)>,
    /// The entries that cannot be read, each with the reason.
    pub(crate) unread: Vec<String>,
}

/// Looks for the files below `folder`; what begins with a dot is left out, and links are not
/// followed.
///
/// # Errors
/// Says that they are more than `most`.
pub(crate) fn found(folder: &Path, most: usize) -> Result<Found> {
    let base = if folder.is_file() { folder.parent().unwrap_or(folder) } else { folder };
    let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let mut found = Found::default();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !hidden(entry.file_name())) {
        match entry {
            Ok(entry) if entry.file_type().is_file() && found.files.len() == most => {
                bail!("{} has more than {most} files: name a folder of fewer", folder.display());
            }
            Ok(entry) if entry.file_type().is_file() => {
                let path = entry.into_path();
                let name = path.strip_prefix(base).unwrap_or(&path).to_string_lossy();
                // macOS tells names with letters and marks apart, and the API together.
                let name = composed::owned(name.replace('\\', "/"));
                found.files.push((path, name));
            }
            Ok(_) => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder).display().to_string();
                let reason =
                    error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                found.unread.push(format!("{path} cannot be read: {reason}"));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_too_many_files_is_refused_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..3 {
            std::fs::write(folder.path().join(format!("{number}.md")), "").unwrap();
        }
        assert_eq!(found(folder.path(), 3).unwrap().files.len(), 3);
        let told = found(folder.path(), 2).unwrap_err().to_string();
        assert!(told.ends_with("has more than 2 files: name a folder of fewer"), "{told}");
    }
}
