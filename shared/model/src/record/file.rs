//! Reads a record file.

use std::io::Read;

use flate2::read::DeflateDecoder;
use serde::de::DeserializeOwned;

use super::{BlockHead, Header, KEY, Moment, Part, VALUE, mask};
use text::secret;

/// Upper bound for the bytes of an inflated part. A block of records contains no more than its
/// document.
const LARGEST_PART: u64 = 256 << 20;

/// The reason why a record file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("a record file is damaged: {0}")]
pub struct Damaged(String);

/// A record file in memory. Its parts are inflated when they are read.
#[derive(Debug)]
pub struct RecordFile {
    /// The file's description of itself.
    pub header: Header,
    bytes: Vec<u8>,
    start: usize,
}

/// A block of a file.
#[derive(Debug, Clone, Copy)]
pub struct Block<'f> {
    file: &'f RecordFile,
    head: &'f BlockHead,
}

/// A column of a block.
#[derive(Debug, Default)]
pub struct Column {
    /// The distinct values.
    pub values: Vec<String>,
    /// For each record, the place of its value, counted from 1; 0 if it has none.
    pub rows: Vec<u32>,
}

impl RecordFile {
    /// Reads the header.
    ///
    /// # Errors
    /// Returns [`Damaged`] if the bytes are not a record file.
    pub fn open(bytes: Vec<u8>) -> Result<RecordFile, Damaged> {
        let cut = || Damaged("it ends before its header".into());
        let length = bytes.first_chunk::<4>().ok_or_else(cut)?;
        let start = 4 + u32::from_le_bytes(*length) as usize;
        let head = bytes.get(4..start).ok_or_else(cut)?;
        Ok(RecordFile { header: unpacked(head)?, bytes, start })
    }

    /// Returns the blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block<'_>> {
        self.header.blocks.iter().map(|head| Block { file: self, head })
    }

    /// Returns the block at this place.
    pub fn block(&self, place: usize) -> Option<Block<'_>> {
        self.header.blocks.get(place).map(|head| Block { file: self, head })
    }

    fn read<T: DeserializeOwned>(&self, part: Part) -> Result<T, Damaged> {
        let start = self.start.saturating_add(usize::try_from(part.start).unwrap_or(usize::MAX));
        let end = start.saturating_add(usize::try_from(part.length).unwrap_or(usize::MAX));
        let bytes = self.bytes.get(start..end);
        unpacked(bytes.ok_or_else(|| Damaged("it ends before a part".into()))?)
    }
}

impl Block<'_> {
    /// Returns the number of records in the block.
    pub fn records(&self) -> usize {
        self.head.records as usize
    }

    /// Returns the earliest and the latest moment, in microseconds since 1970.
    pub fn span(&self) -> Option<(i64, i64)> {
        self.head.span
    }

    /// Returns the first and last line of each record.
    ///
    /// # Errors
    /// Returns [`Damaged`] if the file is damaged.
    pub fn lines(&self) -> Result<Vec<(u32, u32)>, Damaged> {
        self.each(self.head.fixed[0])
    }

    /// Returns the moment of each record.
    ///
    /// # Errors
    /// Returns [`Damaged`] if the file is damaged.
    pub fn moments(&self) -> Result<Vec<Option<Moment>>, Damaged> {
        let zones = &self.file.header.zones;
        let moments: Vec<Option<(i64, u16)>> = self.each(self.head.fixed[1])?;
        let moment = |option: Option<(i64, u16)>| {
            option.map(|(micros, zone)| Moment {
                micros,
                ahead: zones.get(usize::from(zone)).copied().flatten(),
            })
        };
        Ok(moments.into_iter().map(moment).collect())
    }

    /// Returns the place of each record's template among the templates of the header.
    ///
    /// # Errors
    /// Returns [`Damaged`] if the file is damaged.
    pub fn templates(&self) -> Result<Vec<Option<u32>>, Damaged> {
        self.each(self.head.fixed[2])
    }

    /// Returns the text of each record.
    ///
    /// # Errors
    /// Returns [`Damaged`] if the file is damaged.
    pub fn texts(&self) -> Result<Vec<String>, Damaged> {
        let mut texts: Vec<String> = self.each(self.head.fixed[3])?;
        if self.head.has_secrets {
            for text in &mut texts {
                *text = secret::mask(text).into_owned();
            }
        }
        Ok(texts)
    }

    /// Returns the column with this place in the header; `None` if no record of the block has it.
    ///
    /// # Errors
    /// Returns [`Damaged`] if the file is damaged.
    pub fn column(&self, place: usize) -> Result<Option<Column>, Damaged> {
        let Some(column) = self.unmasked(place)? else { return Ok(None) };
        if !self.head.has_secrets {
            return Ok(Some(column));
        }
        let columns = &self.file.header.columns;
        let name = columns.get(place).map_or("", |column| column.name.as_str());
        let keys = columns.iter().position(|column| column.name == KEY).filter(|_| name == VALUE);
        let keys = keys.map(|place| self.unmasked(place)).transpose()?.flatten();
        Ok(Some(mask::column(name, column, keys.as_ref())))
    }

    fn unmasked(&self, place: usize) -> Result<Option<Column>, Damaged> {
        let part = self.head.columns.iter().find(|(column, _)| *column as usize == place);
        let Some((_, part)) = part else { return Ok(None) };
        let (values, rows) = self.file.read(*part)?;
        self.whole(rows).map(|rows| Some(Column { values, rows }))
    }

    /// Returns a part that has one entry for each record.
    fn each<T: DeserializeOwned>(&self, part: Part) -> Result<Vec<T>, Damaged> {
        self.whole(self.file.read(part)?)
    }

    fn whole<T>(&self, ts: Vec<T>) -> Result<Vec<T>, Damaged> {
        if ts.len() == self.records() {
            return Ok(ts);
        }
        Err(Damaged(format!("a part has {} entries for {} records", ts.len(), self.records())))
    }
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damaged> {
    let mut plain = Vec::new();
    let mut decoder = DeflateDecoder::new(bytes).take(LARGEST_PART);
    decoder.read_to_end(&mut plain).map_err(|error| Damaged(error.to_string()))?;
    postcard::from_bytes(&plain).map_err(|error| Damaged(error.to_string()))
}
