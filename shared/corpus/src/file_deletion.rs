//! Deletes and hides uploaded files.

use model::Result;
use model::object::Upload;
use ports::{Files, Hiding, StoredFile};

/// The deleted files, and whether any are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletedFiles {
    /// The number of deleted versions of files.
    pub files: u64,
    /// True if no file is left.
    pub is_whole: bool,
}

/// Deletes all versions of all files below `prefix`, up to `pages` pages of their list.
pub async fn folder(files: &dyn Files, prefix: &str, pages: usize) -> Result<DeletedFiles> {
    delete(files, prefix, pages, |_| true).await
}

/// Deletes the uploads of a document up to this one, and their record files.
pub async fn uploads(files: &dyn Files, last: &Upload) -> Result<()> {
    let is_below = |file: &StoredFile| {
        Upload::of_file(&file.key).is_none_or(|upload| upload.version <= last.version)
    };
    for folder in [last.folder(), last.records_folder()] {
        delete(files, &folder, usize::MAX, is_below).await?;
    }
    Ok(())
}

/// Hides the uploads of a document up to this one, so that the last one can be restored, and
/// deletes their record files, which are made from uploads.
pub async fn hide(files: &dyn Hiding, last: &Upload) -> Result<()> {
    let is_below =
        |key: &String| Upload::of_file(key).is_none_or(|upload| upload.version <= last.version);
    let mut after = None;
    loop {
        let page = files.present(&last.folder(), after.as_deref()).await?;
        let keys: Vec<String> = page.items.into_iter().filter(is_below).collect();
        if !keys.is_empty() {
            files.hide(&keys).await?;
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let is_below = |file: &StoredFile| is_below(&file.key);
    delete(files, &last.records_folder(), usize::MAX, is_below).await.map(drop)
}

/// Deletes one upload and its record file.
pub async fn upload(files: &dyn Files, upload: &Upload) -> Result<()> {
    let key = upload.key();
    delete(files, &key, usize::MAX, |file| file.key == key).await?;
    records(files, upload).await
}

/// Deletes the record file of one upload.
pub async fn records(files: &dyn Files, upload: &Upload) -> Result<()> {
    let key = upload.records_key();
    delete(files, &key, usize::MAX, |file| file.key == key).await.map(drop)
}

/// Deletes the record files of a document's uploads before this one, which cannot be found any
/// more.
pub async fn records_before(files: &dyn Files, upload: &Upload) -> Result<()> {
    let is_before =
        |file: &StoredFile| Upload::of_file(&file.key).is_some_and(|o| o.version < upload.version);
    delete(files, &upload.records_folder(), usize::MAX, is_before).await.map(drop)
}

async fn delete(
    files: &dyn Files,
    prefix: &str,
    pages: usize,
    is_meant: impl Fn(&StoredFile) -> bool,
) -> Result<DeletedFiles> {
    let mut erased = DeletedFiles { files: 0, is_whole: false };
    let mut after = None;
    for _ in 0..pages {
        let page = files.list(prefix, after.as_ref()).await?;
        let meant: Vec<StoredFile> = page.items.into_iter().filter(&is_meant).collect();
        if !meant.is_empty() {
            files.delete_versions(&meant).await?;
        }
        erased.files += meant.len() as u64;
        after = page.next;
        if after.is_none() {
            return Ok(DeletedFiles { is_whole: true, ..erased });
        }
    }
    Ok(erased)
}
