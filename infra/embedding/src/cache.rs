//! Embeddings stored in a file, so that the processes that share it embed no text twice.
//!
//! The file is a sequence of entries of one size, each appended under a lock of the file. A process
//! that is killed meanwhile leaves an incomplete entry at the end. Nobody reads it, and the next
//! process that appends removes it. An entry that a failing disk has changed has a wrong checksum,
//! and its text is embedded again.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::model::{Embedding, MiniLm};

/// SHA-256 of a text.
type Key = [u8; 32];

const KEY: usize = size_of::<Key>();
const TOKENS: usize = size_of::<u32>();
/// The size of a checksum: the first bytes of the SHA-256 of the bytes before it.
const CHECKSUM: usize = 8;
/// The number of entries that are read at once to catch up: half a megabyte.
const STRIDE: usize = 320;

/// The file, and the place of each of its entries.
pub struct Cache {
    file: File,
    /// The size of an entry.
    size: usize,
    places: HashMap<Key, u64>,
    /// The length of the file up to which `places` is complete.
    known: u64,
}

impl Cache {
    /// Opens the file of this model's embeddings in `folder`. The file is not read before it is
    /// needed.
    pub fn open(folder: &Path, model: &MiniLm) -> anyhow::Result<Cache> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(&model.fingerprint);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        Ok(Cache {
            file: file.with_context(|| format!("cannot open {}", path.display()))?,
            size: KEY + TOKENS + model.dimensions * size_of::<f32>() + CHECKSUM,
            places: HashMap::new(),
            known: 0,
        })
    }

    /// Returns the embedding of `text` if any process has stored one.
    pub fn get(&mut self, text: &str) -> io::Result<Option<Embedding>> {
        self.catch_up()?;
        let Some(place) = self.places.get(&key(text)) else { return Ok(None) };
        let mut entry = vec![0; self.size];
        self.file.read_exact_at(&mut entry, *place)?;
        Ok(parse(&entry))
    }

    /// Stores the embedding of `text`.
    pub fn put(&mut self, text: &str, embedding: &Embedding) -> io::Result<()> {
        self.file.lock()?;
        let appended = self.append(&entry(text, embedding));
        self.file.unlock()?;
        appended
    }

    fn append(&mut self, entry: &[u8]) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let whole = self.whole(length);
        if whole < length {
            self.file.set_len(whole)?;
        }
        self.file.write_all(entry)
    }

    /// Reads the places of the entries that were added since the last call.
    fn catch_up(&mut self) -> io::Result<()> {
        let end = self.whole(self.file.metadata()?.len());
        let mut entries = Vec::new();
        while self.known < end {
            let left = usize::try_from(end - self.known).unwrap_or(usize::MAX);
            entries.resize(left.min(STRIDE * self.size), 0);
            self.file.read_exact_at(&mut entries, self.known)?;
            for entry in entries.chunks_exact(self.size) {
                if let Some(key) = entry.first_chunk() {
                    self.places.insert(*key, self.known);
                }
                self.known += entry.len() as u64;
            }
        }
        Ok(())
    }

    /// Returns the length without an incomplete entry.
    fn whole(&self, length: u64) -> u64 {
        length - length % self.size as u64
    }
}

fn key(text: &str) -> Key {
    Sha256::digest(text).into()
}

fn entry(text: &str, embedding: &Embedding) -> Vec<u8> {
    let mut entry = key(text).to_vec();
    entry.extend(embedding.tokens.to_le_bytes());
    entry.extend(embedding.vector.iter().flat_map(|value| value.to_le_bytes()));
    let checksum = Sha256::digest(&entry);
    entry.extend(&checksum[..CHECKSUM]);
    entry
}

/// Parses an entry; `None` if the checksum is wrong.
fn parse(entry: &[u8]) -> Option<Embedding> {
    let (content, checksum) = entry.split_last_chunk::<CHECKSUM>()?;
    if !Sha256::digest(content).starts_with(checksum) {
        return None;
    }
    let (tokens, vector) = content.get(KEY..)?.split_first_chunk()?;
    let (values, _) = vector.as_chunks();
    Some(Embedding {
        vector: values.iter().map(|value| f32::from_le_bytes(*value)).collect(),
        tokens: u32::from_le_bytes(*tokens),
    })
}
