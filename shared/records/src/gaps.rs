//! The missing records of a scope, and the assumptions about the times of its records.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use model::format::Format;
use wire::records::NotRead;

use super::Loaded;
use super::plan::Plan;
use super::scan::is_meant;
use ports::{Record, Status};

/// Upper bounds for the files that are named, and for the bytes of a reason.
const TOLD: usize = 20;
const LONGEST: usize = 200;

/// File extensions of tables, whose format is that of plain texts.
const TABLES: [&str; 2] = ["csv", "tsv"];

/// The files with missing records.
pub(super) struct Gaps(Vec<NotRead>);

impl Gaps {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the files that are named in the reply.
    pub(super) fn told(self) -> Vec<NotRead> {
        self.0.into_iter().take(TOLD).collect()
    }

    /// Returns the number of the other files.
    pub(super) fn left(&self) -> u64 {
        self.0.len().saturating_sub(TOLD) as u64
    }
}

/// Returns the files with missing records. `unread` are files of which some records could not be
/// read.
pub(super) fn not_read(loaded: &Loaded, unread: Vec<String>) -> Vec<NotRead> {
    let listed = loaded.listed.iter();
    let listed = listed.filter_map(|document| Some((document.name.clone(), gap(document)?)));
    let reason = || "its records could not be read; index it again".to_owned();
    let unread = unread.into_iter().map(|name| (name, reason()));
    let misfits = loaded.documents.iter().filter_map(|recorded| {
        let rows = recorded.file.header.misfits;
        let plural = if rows == 1 { "row does" } else { "rows do" };
        let reason = format!("{rows} {plural} not fit its table");
        (rows > 0).then(|| (recorded.document.name.clone(), reason))
    });
    listed.chain(unread).chain(misfits).map(|(file, reason)| NotRead { file, reason }).collect()
}

impl Loaded {
    /// Returns the files with missing records, among those to which a query refers.
    pub(super) fn gaps(&self, plan: Option<&Plan>) -> Gaps {
        let is_meant = |gap: &&NotRead| plan.is_none_or(|plan| is_meant(plan, &gap.file));
        Gaps(self.not_read.iter().filter(is_meant).cloned().collect())
    }

    /// Returns the assumptions about the times in the documents at these places; with the names of
    /// files, if they do not apply to all.
    pub(super) fn assumed(&self, documents: &BTreeSet<u32>) -> Option<String> {
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for place in documents {
            let Some(recorded) = self.documents.get(*place as usize) else { continue };
            if let Some(assumed) = &recorded.file.header.assumed {
                files.entry(assumed).or_default().push(&recorded.document.name);
            }
        }
        let of_files = |(assumed, files): (&str, &[&str])| match files {
            [_, ..] if files.len() == documents.len() => assumed.to_owned(),
            [first] => format!("{assumed} in {first}"),
            [first, rest @ ..] => format!("{assumed} in {first} and {} more", rest.len()),
            [] => String::new(),
        };
        let all: Vec<String> =
            files.iter().map(|(assumed, files)| of_files((assumed, files))).collect();
        (!all.is_empty()).then(|| all.join("; "))
    }
}

/// Returns the reason why records of a document are missing; `None` if none are, and for prose and
/// code.
fn gap(document: &Record) -> Option<String> {
    let format = Format::of(&document.name, &document.content_type);
    let has_ending = |ending: &str| TABLES.iter().any(|table| ending.eq_ignore_ascii_case(table));
    let ending = Path::new(&document.name).extension().and_then(|ending| ending.to_str());
    let is_table = ending.is_some_and(has_ending);
    let is_of_records = is_table || matches!(format, Ok(Format::Log | Format::Config));
    // A plain text may have been a table.
    if !is_of_records && !matches!(format, Ok(Format::Plain | Format::Unknown)) {
        return None;
    }
    let has_some = document.live.as_ref().is_some_and(|live| live.records > 0);
    let now = if has_some { "its latest version" } else { "it" };
    match &document.status {
        Status::Failed { reason } => {
            let reason = &reason[..reason.floor_char_boundary(LONGEST)];
            Some(format!("{now} failed: {reason}"))
        }
        Status::Waiting | Status::Indexing => Some(format!("{now} is still being read")),
        Status::Indexed if is_of_records && !has_some => Some("it gave no records".into()),
        Status::Indexed | Status::Deleting | Status::Deleted => None,
    }
}
