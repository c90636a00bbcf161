//! The collections on disk: one folder and one shard of the engine each.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anyhow::Context;
use qdrant_edge::{EdgeConfig, EdgeShard, UpdateOperation};
use tonic::Status;

use crate::status::{bad_input, from_engine, internal, no_collection};
use crate::vector::Bm25;

/// The file that the engine writes first; a folder without it comes from a creation that was cut short.
const CONFIG_FILE: &str = "edge_config.json";
/// The file that is locked by the process. The engine would wait silently for another process to end; this lock is
/// refused at once.
const LOCK_FILE: &str = ".lock";
/// The longest name that Qdrant takes.
const NAME_MAX: usize = 255;

/// All collections of one data folder.
pub(crate) struct Store {
    folder: PathBuf,
    collections: RwLock<BTreeMap<String, Arc<Collection>>>,
    /// The models that turn text into sparse vectors.
    pub(crate) bm25: Bm25,
    /// Locked for as long as the process lives.
    _lock: File,
}

/// One collection. The shard is gone once the collection is deleted.
pub(crate) struct Collection {
    shard: RwLock<Option<EdgeShard>>,
    /// Held by the writer: the engine's flush panics when it meets another writer.
    writing: Mutex<()>,
    is_dirty: AtomicBool,
}

impl Store {
    /// Opens every collection in `folder`, which is made if it does not exist.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Store> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let lock = File::create(folder.join(LOCK_FILE))?;
        lock.try_lock().with_context(|| {
            format!("the data in {} is in use by another process", folder.display())
        })?;
        let mut collections = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) =
                path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_dir())
            else {
                continue;
            };
            if path.join(CONFIG_FILE).exists() {
                let shard = EdgeShard::load(&path, None)
                    .with_context(|| format!("cannot open the collection in {}", path.display()))?;
                collections.insert(name.to_owned(), Arc::new(Collection::new(shard)));
            } else {
                fs::remove_dir_all(&path)?;
            }
        }
        Ok(Store {
            folder: folder.to_owned(),
            collections: RwLock::new(collections),
            bm25: Bm25::default(),
            _lock: lock,
        })
    }

    /// Names the collections, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.collections.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// Finds a collection.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<Collection>, Status> {
        let collections = self.collections.read().unwrap_or_else(PoisonError::into_inner);
        collections.get(name).cloned().ok_or_else(|| no_collection(name))
    }

    /// Makes a collection.
    pub(crate) fn create(&self, name: &str, config: EdgeConfig) -> Result<(), Status> {
        check_name(name)?;
        let mut collections = self.collections.write().unwrap_or_else(PoisonError::into_inner);
        if collections.contains_key(name) {
            return Err(Status::already_exists(format!(
                "Wrong input: Collection `{name}` already exists!"
            )));
        }
        let path = self.folder.join(name);
        if path.exists() {
            fs::remove_dir_all(&path).map_err(internal)?;
        }
        fs::create_dir_all(&path).map_err(internal)?;
        let shard = EdgeShard::new(&path, config).map_err(|err| from_engine(&err))?;
        shard.flush();
        collections.insert(name.to_owned(), Arc::new(Collection::new(shard)));
        Ok(())
    }

    /// Deletes a collection with its files; returns true if it was there.
    pub(crate) fn delete(&self, name: &str) -> Result<bool, Status> {
        let mut collections = self.collections.write().unwrap_or_else(PoisonError::into_inner);
        let Some(collection) = collections.remove(name) else { return Ok(false) };
        drop(collection.shard.write().unwrap_or_else(PoisonError::into_inner).take());
        fs::remove_dir_all(self.folder.join(name)).map_err(internal)?;
        Ok(true)
    }

    /// Writes the changes since the last flush to the disk.
    pub(crate) fn flush(&self) {
        let collections: Vec<_> = self
            .collections
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect();
        for collection in collections {
            collection.flush();
        }
    }
}

impl Collection {
    fn new(shard: EdgeShard) -> Collection {
        Collection {
            shard: RwLock::new(Some(shard)),
            writing: Mutex::new(()),
            is_dirty: AtomicBool::new(false),
        }
    }

    /// Reads from the shard.
    pub(crate) fn read<T>(
        &self,
        work: impl FnOnce(&EdgeShard) -> Result<T, Status>,
    ) -> Result<T, Status> {
        let shard = self.shard.read().unwrap_or_else(PoisonError::into_inner);
        work(
            shard.as_ref().ok_or_else(|| {
                Status::not_found("Not found: the collection was deleted meanwhile")
            })?,
        )
    }

    /// Applies one operation; when it returns, every later read sees it.
    pub(crate) fn write(&self, operation: UpdateOperation) -> Result<(), Status> {
        self.read(|shard| {
            let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            self.is_dirty.store(true, Ordering::Relaxed);
            shard.update(operation).map_err(|err| from_engine(&err))
        })
    }

    fn flush(&self) {
        let shard = self.shard.read().unwrap_or_else(PoisonError::into_inner);
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shard) = shard.as_ref().filter(|_| self.is_dirty.swap(false, Ordering::Relaxed))
        {
            shard.flush();
        }
    }
}

fn check_name(name: &str) -> Result<(), Status> {
    let is_plain = |letter: char| !letter.is_control() && !r#"<>:"/\|?*"#.contains(letter);
    if name.is_empty()
        || name.len() > NAME_MAX
        || name.starts_with('.')
        || !name.chars().all(is_plain)
    {
        return Err(bad_input(format!("`{name}` cannot be the name of a collection")));
    }
    Ok(())
}
