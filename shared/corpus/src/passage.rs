//! Reads a passage by its id or by its file and line or page, with its secrets if the caller asks
//! for them.

use uuid::Uuid;
use wire::passages::PassageReply;

use model::document::{Passage, document_id, passage_id};
use model::{Error, Result};
use ports::scope::{Caller, Grant, Scope};
use ports::{Documents, Index, Members, Originals, scope};

/// The services that reading a passage needs.
pub struct Services<'a> {
    /// The index, which returns passages with their secrets masked.
    pub index: &'a dyn Index,
    /// The passages as they were uploaded.
    pub originals: &'a dyn Originals,
    /// The documents' items, with the versions that can be found.
    pub documents: &'a dyn Documents,
    /// The members of cases.
    pub members: &'a dyn Members,
}

/// Selects a passage: by its id, else by its file and line or page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The id of the passage.
    pub passage_id: Option<&'a str>,
    /// The name of the uploaded document.
    pub file: Option<&'a str>,
    /// A line of the file, counted from 1; the first line if absent.
    pub line: Option<&'a str>,
    /// A page of the file, counted from 1, where it has pages.
    pub page: Option<&'a str>,
    /// `true` shows the secrets in the passage.
    pub reveal: Option<&'a str>,
}

/// Reads a passage of `scope`. Secrets are masked unless `reveal` is `true`; a caller that reveals
/// them must log it.
///
/// # Errors
/// [`Error::Missing`] for a scope, a document or a passage that is foreign or unknown;
/// [`Error::Malformed`] if neither id nor file is given, and for an invalid `line`, `page` or
/// `reveal`;
/// [`Error::Denied`] for secrets in everyone's knowledge base, which only those who fill it may
/// see.
pub async fn show(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    wanted: Wanted<'_>,
) -> Result<PassageReply> {
    let grant = scope::grant_one(caller, scope, services.members).await?;
    let is_open = match wanted.reveal {
        Some("true") => true,
        None | Some("false") => false,
        Some(_) => return Err(malformed("reveal", "must be true or false")),
    };
    let masked = match (wanted.passage_id, wanted.file) {
        (Some(id), _) => by_id(services, &grant, id).await?,
        (None, Some(file)) => by_place(services, &grant, scope, file, Place::of(wanted)?).await?,
        (None, None) => return Err(malformed("passage_id", "must be there, or a `file`")),
    };
    let around = around(services, &grant, &masked).await?;
    let shown = if is_open {
        scope::admit(caller, scope, services.members).await?;
        let original = services.originals.original(&grant, masked.id).await?;
        original.ok_or_else(|| missing("passage", &masked.id.to_string()))?
    } else {
        masked
    };
    let [previous, next] = around;
    Ok(PassageReply { previous, next, ..passage(shown) })
}

fn malformed(field: &'static str, reason: &str) -> Error {
    Error::Malformed { field: field.into(), reason: reason.into() }
}

fn missing(kind: &'static str, name: &str) -> Error {
    Error::Missing { kind, name: name.into() }
}

async fn by_id(services: &Services<'_>, grant: &Grant, id: &str) -> Result<Passage> {
    let parsed: Uuid = id.parse().map_err(|_| missing("passage", id))?;
    let found = services.index.passages(grant, &[parsed]).await?.pop();
    found.ok_or_else(|| missing("passage", id))
}

/// A place in a file.
#[derive(Clone, Copy)]
enum Place {
    Line(u32),
    Page(u32),
}

impl Place {
    fn of(wanted: Wanted<'_>) -> Result<Place> {
        let number = |field, text: &str| match text.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(malformed(field, "must be a whole number from 1")),
        };
        match (wanted.page, wanted.line) {
            (Some(page), _) => Ok(Place::Page(number("page", page)?)),
            (None, Some(line)) => Ok(Place::Line(number("line", line)?)),
            (None, None) => Ok(Place::Line(1)),
        }
    }

    /// Returns true for a passage before the one at this place. One that begins at the line, or
    /// before it, may still hold it.
    fn is_behind(self, passage: &Passage) -> bool {
        match self {
            Place::Line(line) => passage.lines.is_some_and(|(first, _)| first <= line),
            Place::Page(page) => passage.page().is_some_and(|number| number < page),
        }
    }
}

/// Finds the last passage that begins at or before a line, or the first of a page. Passages are in
/// the order of their lines and pages.
async fn by_place(
    services: &Services<'_>,
    grant: &Grant,
    scope: &Scope,
    file: &str,
    place: Place,
) -> Result<Passage> {
    let document = document_id(scope, file);
    let record = services.documents.document(scope, document).await?;
    let indexed = record.and_then(|record| record.live).filter(|live| live.passages > 0);
    let indexed = indexed.ok_or_else(|| missing("document", file))?;
    let at = async |position: u32| -> Result<Option<Passage>> {
        let id = passage_id(document, &indexed.version, position);
        Ok(services.index.passages(grant, &[id]).await?.pop())
    };
    let (mut low, mut high) = (0, indexed.passages);
    while low < high {
        let middle = low + (high - low) / 2;
        if at(middle).await?.is_some_and(|passage| place.is_behind(&passage)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    match place {
        Place::Line(_) => at(low.saturating_sub(1)).await?.ok_or_else(|| missing("document", file)),
        Place::Page(page) => {
            let found = at(low).await?.filter(|passage| passage.page() == Some(page));
            found.ok_or_else(|| missing("page", &page.to_string()))
        }
    }
}

/// Returns the ids of the passages before and after one in its document.
async fn around(
    services: &Services<'_>,
    grant: &Grant,
    passage: &Passage,
) -> Result<[Option<String>; 2]> {
    let id = |position: u32| passage_id(passage.document_id, &passage.version, position);
    let ids = [passage.position.checked_sub(1).map(id), passage.position.checked_add(1).map(id)];
    let wanted: Vec<Uuid> = ids.iter().flatten().copied().collect();
    let there = services.index.passages(grant, &wanted).await?;
    let is_there =
        |id: &Uuid| there.iter().any(|passage| passage.id == *id && !passage.is_summary());
    Ok(ids.map(|id| id.filter(is_there).map(|id| id.to_string())))
}

fn passage(passage: Passage) -> PassageReply {
    PassageReply {
        passage_id: passage.id.to_string(),
        document_id: passage.document_id.to_string(),
        hash: passage.hash(),
        is_masked: passage.unmasked.is_some(),
        version: passage.version,
        file: passage.name,
        title: passage.title,
        section: passage.section,
        lines: passage.lines,
        text: passage.text,
        previous: None,
        next: None,
    }
}

#[cfg(test)]
mod tests;
