//! Files that were deployed beside the program.

use std::path::Path;

use crate::env;

/// A folder of files that cannot be read. It fails the cold start.
#[derive(Debug, thiserror::Error)]
#[error("the files in {folder} cannot be read: {cause}")]
pub(crate) struct FilesError {
    folder: String,
    #[source]
    cause: std::io::Error,
}

/// The configuration files in a folder of `$LAMBDA_TASK_ROOT`, each its name and its text, by name.
pub(crate) fn beside_the_program(folder: &str) -> Result<Vec<(String, String)>, FilesError> {
    let root = env::optional("LAMBDA_TASK_ROOT").unwrap_or_else(|| ".".into());
    let folder = Path::new(&root).join(folder);
    read(&folder).map_err(|cause| FilesError { folder: folder.display().to_string(), cause })
}

fn read(folder: &Path) -> std::io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml")
            && let Some(name) = path.file_name()
        {
            files.push((name.to_string_lossy().into_owned(), std::fs::read_to_string(&path)?));
        }
    }
    files.sort();
    Ok(files)
}
