//! Exact queries over the records of logs and settings.
//!
//! The records of each document are in a file of columns ([`model::record`]) that its ingest wrote.
//! A query reads the files of one scope, in the versions that can be found now, and examines all of
//! their records: [`load`] reads the files; `plan` compiles the query with `names` and `reading`
//! (the meaning of a column's values); `scan` finds the records that satisfy it; `group` collects
//! what the query asks of them; `show` builds the reply; and `gaps` lists what is missing.

use futures_util::future::try_join_all;
use model::document::{document_point_id, passage_id};
use model::record::{Damaged, READER, RecordFile};
use shape::Shape;
use uuid::Uuid;
use wire::records::{NotRead, RecordsReply, RecordsRequest, RecordsTotals};

use model::{Error, Result};
use ports::chat::Chat;
use ports::scope::{Caller, Grant, Scope};
use ports::{Documents, Files, Members, Record, scope};

mod best;
mod by;
mod check;
mod columns;
mod gaps;
mod group;
pub mod mention;
mod names;
mod pair;
mod pattern;
mod plan;
pub mod question;
mod reading;
mod scan;
mod shape;
mod show;
mod shown;
mod test;
#[cfg(test)]
mod tests;
mod when;

pub use best::{FullRecord, at_lines, best_of_templates};
pub use columns::{asked, columns};
pub use plan::{Plan, in_columns};
pub use when::instant;

/// Upper bound for the record files that are read at once.
const AT_ONCE: usize = 8;

/// Upper bound for the bytes of record files that a query holds: deflated, about two million
/// records of a log.
const LARGEST: usize = 160 << 20;

/// The number of documents that are listed at once, and the upper bound for such pages.
const PAGE: u32 = 500;
const PAGES: usize = 40;

/// The services that a query needs.
pub struct Services<'a> {
    /// The list of documents.
    pub documents: &'a dyn Documents,
    /// The store of the record files.
    pub files: &'a dyn Files,
    /// The members of cases.
    pub members: &'a dyn Members,
    /// The model that reads questions in words, if there is one.
    pub chat: Option<Chat<'a>>,
    /// The check for remaining time: true while time is left. It is called before each block of
    /// records.
    pub may_go_on: &'a (dyn Fn() -> bool + Sync),
}

/// A document with its records.
#[derive(Debug)]
pub struct Recorded {
    /// The stored data of the document.
    pub document: Record,
    /// The version of the document that contains the records.
    pub version: String,
    /// The records.
    pub file: RecordFile,
}

impl Recorded {
    /// Returns the id of the passage that contains a record, or of the whole document's point if
    /// there is none.
    fn passage(&self, line: u32, template: Option<u32>) -> Uuid {
        let document = self.document.document_id;
        match self.file.header.passage(line, template) {
            Some(position) => passage_id(document, &self.version, position),
            None => document_point_id(document, &self.version),
        }
    }
}

/// The records of a scope.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The documents with records, sorted by name.
    pub documents: Vec<Recorded>,
    /// All documents, with and without records.
    pub listed: Vec<Record>,
    /// The documents with missing records.
    pub not_read: Vec<NotRead>,
    /// True if all documents were listed and read.
    pub is_whole: bool,
}

/// Answers a query over the records of `scope`.
///
/// # Errors
/// [`Error::Missing`] for a scope that is foreign or unknown, see [`scope::grant_one`];
/// [`Error::Invalid`] for a wrong query, with the reason.
pub async fn run(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    request: RecordsRequest,
) -> Result<RecordsReply> {
    // The reply repeats the query without the limit on its own size.
    let request = RecordsRequest { max_bytes: None, ..request };
    let grant = scope::grant_one(caller, scope, services.members).await?;
    let asked = question::parse(&request)?;
    let shape = Shape::asked(&request)?;
    let loaded = load(services, &grant).await?;
    match asked {
        Some(asked) => question::answer(&asked, &request, &loaded, scope, services).await,
        None => query_as(shape, &loaded, scope, request, services.may_go_on),
    }
}

/// Runs a query over loaded records. The records come with all data that an answer needs, five for
/// each count.
///
/// # Errors
/// [`Error::Invalid`] for a wrong query, with the reason.
pub fn query(
    loaded: &Loaded,
    scope: &Scope,
    request: RecordsRequest,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<RecordsReply> {
    query_as(Shape::WHOLE, loaded, scope, request, may_go_on)
}

/// Runs a query and shows its records in the given `shape`.
fn query_as(
    shape: Shape,
    loaded: &Loaded,
    scope: &Scope,
    request: RecordsRequest,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<RecordsReply> {
    let plan = Plan { shape, ..Plan::of(&request, loaded)? };
    let found = scan::scan(&plan, loaded, may_go_on).map_err(damaged)?;
    let mut reply = show::reply(&plan, loaded, &found).map_err(damaged)?;
    reply.knowledge = scope.to_string();
    reply.query = request;
    Ok(reply)
}

fn damaged(error: Damaged) -> Error {
    Error::unavailable("the record store", error)
}

/// Loads the records of the one granted scope.
///
/// # Errors
/// [`Error::Unavailable`] if a service failed.
pub async fn load(services: &Services<'_>, grant: &Grant) -> Result<Loaded> {
    let mut loaded = Loaded { is_whole: true, ..Loaded::default() };
    let (mut bytes, mut unread) = (0, Vec::new());
    for scope in grant.scopes() {
        let (listed, is_all) = list_documents(services, scope).await?;
        loaded.is_whole &= is_all;
        let has_records =
            |document: &&Record| document.live.as_ref().is_some_and(|live| live.records > 0);
        let documents: Vec<Record> = listed.iter().filter(has_records).cloned().collect();
        loaded.listed.extend(listed);
        for batch in documents.chunks(AT_ONCE) {
            if bytes > LARGEST || !(services.may_go_on)() {
                loaded.is_whole = false;
                break;
            }
            let files = batch.iter().map(|document| open(services, document.clone()));
            for (opened, document) in try_join_all(files).await?.into_iter().zip(batch) {
                match opened {
                    Opened::Found(recorded, size) => {
                        bytes += size;
                        loaded.documents.push(*recorded);
                    }
                    Opened::Missing => {
                        loaded.is_whole = false;
                        unread.push(document.name.clone());
                    }
                    Opened::Gone => {}
                }
            }
        }
    }
    loaded.documents.sort_by(|a, b| a.document.name.cmp(&b.document.name));
    loaded.not_read = gaps::not_read(&loaded, unread);
    Ok(loaded)
}

/// Returns the documents of a scope, with true if these are all.
async fn list_documents(services: &Services<'_>, scope: &Scope) -> Result<(Vec<Record>, bool)> {
    let mut documents = Vec::new();
    let mut after = None;
    for _ in 0..PAGES {
        let page = services.documents.documents(scope, PAGE, after).await?;
        documents.extend(page.items);
        after = page.next;
        if after.is_none() {
            return Ok((documents, true));
        }
    }
    Ok((documents, false))
}

/// The result of opening a document's records.
enum Opened {
    /// The records, and the number of bytes of their file.
    Found(Box<Recorded>, usize),
    /// The document is gone.
    Gone,
    /// The document exists, but has no records that this reader understands.
    Missing,
}

/// Opens the records of a document, or of its next version if that has replaced it meanwhile.
async fn open(services: &Services<'_>, mut document: Record) -> Result<Opened> {
    for _ in 0..2 {
        let Some(live) = document.live.as_ref().filter(|live| live.records > 0) else {
            return Ok(Opened::Gone);
        };
        let version = live.version.clone();
        let upload = model::object::Upload {
            scope: document.scope.clone(),
            document_id: document.document_id,
            version: version.clone(),
        };
        if let Some(bytes) = services.files.read(&upload.records_key()).await? {
            let size = bytes.len();
            return Ok(match RecordFile::open(bytes) {
                Ok(file) if file.header.reader == READER => {
                    Opened::Found(Box::new(Recorded { document, version, file }), size)
                }
                Ok(_) | Err(_) => Opened::Missing,
            });
        }
        match services.documents.document(&document.scope, document.document_id).await? {
            None => return Ok(Opened::Gone),
            Some(now) => document = now,
        }
    }
    Ok(Opened::Missing)
}

impl Loaded {
    /// Returns the number of records and the span of their times.
    pub fn totals(&self) -> RecordsTotals {
        let headers = || self.documents.iter().map(|recorded| &recorded.file.header);
        let spans = || headers().filter_map(|header| header.span);
        let first = spans().map(|(first, _)| first).min();
        let last = spans().map(|(_, last)| last).max();
        let of = headers().map(|header| header.records).sum();
        let span = first.zip(last).map(|(first, last)| (instant(first), instant(last)));
        RecordsTotals { records: of, groups: None, scanned: 0, of, span }
    }
}
