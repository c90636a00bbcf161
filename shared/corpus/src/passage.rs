//! Reads a passage by its id or by its file and line, with its secrets if the caller asks for them.

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

/// Selects a passage: by its id, else by its file and line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The id of the passage.
    pub passage_id: Option<&'a str>,
    /// The name of the uploaded document.
    pub file: Option<&'a str>,
    /// A line of the file, counted from 1; the first line if absent.
    pub line: Option<&'a str>,
    /// `true` shows the secrets in the passage.
    pub reveal: Option<&'a str>,
}

/// Reads a passage of `scope`. Secrets are masked unless `reveal` is `true`; a caller that reveals
/// them must log it.
///
/// # Errors
/// [`Error::Missing`] for a scope, a document or a passage that is foreign or unknown;
/// [`Error::Malformed`] if neither id nor file is given, and for an invalid `line` or `reveal`;
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
        (None, Some(file)) => by_line(services, &grant, scope, file, wanted.line).await?,
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

/// Finds the last passage that begins at or before a line. Passages are in the order of their first
/// lines.
async fn by_line(
    services: &Services<'_>,
    grant: &Grant,
    scope: &Scope,
    file: &str,
    line: Option<&str>,
) -> Result<Passage> {
    let line: u32 = match line.map(str::parse) {
        None => 1,
        Some(Ok(line)) if line > 0 => line,
        Some(_) => return Err(malformed("line", "must be a whole number from 1")),
    };
    let document = document_id(scope, file);
    let record = services.documents.document(scope, document).await?;
    let indexed = record.and_then(|record| record.live).filter(|live| live.passages > 0);
    let indexed = indexed.ok_or_else(|| missing("document", file))?;
    let at = async |position: u32| -> Result<Option<Passage>> {
        let id = passage_id(document, &indexed.version, position);
        Ok(services.index.passages(grant, &[id]).await?.pop())
    };
    let (mut low, mut high) = (0, indexed.passages);
    let mut found = at(0).await?;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let passage = at(middle).await?;
        if passage
            .as_ref()
            .and_then(|passage| passage.lines)
            .is_some_and(|(first, _)| first <= line)
        {
            (low, found) = (middle, passage);
        } else {
            high = middle;
        }
    }
    found.ok_or_else(|| missing("document", file))
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
mod tests {
    use super::*;
    use model::document::{document_id, passage_id};
    use testing::{Corpus, FakeMembers, caller};

    const SECRET: &str = "hunter2-Zx81";

    struct Site {
        corpus: Corpus,
        id: String,
    }

    impl Site {
        fn new() -> Site {
            let text = format!("# Database\n\nThe password: {SECRET} is for the standby.\n");
            let corpus = pollster::block_on(Corpus::of(&[("db.md", text.as_str())]));
            let document = document_id(&Scope::Global, "db.md");
            Site { corpus, id: passage_id(document, "01A", 0).to_string() }
        }

        fn show(&self, scope: &Scope, reveal: Option<&str>) -> Result<PassageReply> {
            let caller = Caller { groups: vec!["knowledge-admins".into()], ..caller("ann") };
            self.show_to(&caller, scope, reveal)
        }

        fn show_to(
            &self,
            caller: &Caller,
            scope: &Scope,
            reveal: Option<&str>,
        ) -> Result<PassageReply> {
            let services = Services {
                index: &self.corpus.index,
                originals: &self.corpus.index,
                documents: &self.corpus.documents,
                members: &FakeMembers::default(),
            };
            let wanted = Wanted { passage_id: Some(&self.id), reveal, ..Wanted::default() };
            pollster::block_on(show(&services, caller, scope, wanted))
        }
    }

    #[test]
    fn secrets_are_shown_to_those_who_ask_for_them_and_the_hash_is_the_same() {
        let site = Site::new();
        let masked = site.show(&Scope::Global, None).unwrap();
        let open = site.show(&Scope::Global, Some("true")).unwrap();
        assert!(!masked.text.contains(SECRET) && masked.is_masked, "{}", masked.text);
        assert!(open.text.contains(SECRET) && !open.is_masked, "{}", open.text);
        assert_eq!(masked.hash, open.hash);
    }

    #[test]
    fn secrets_of_everyones_knowledge_base_are_shown_to_those_who_fill_it() {
        let (site, anybody) = (Site::new(), caller("eve"));
        assert!(site.show_to(&anybody, &Scope::Global, None).unwrap().is_masked);
        let denied = site.show_to(&anybody, &Scope::Global, Some("true"));
        assert!(matches!(denied, Err(Error::Denied { .. })));
    }

    #[test]
    fn a_passage_of_another_scope_is_not_shown_open_or_masked() {
        let site = Site::new();
        for reveal in [None, Some("true")] {
            let scope = Scope::User("ann".into());
            assert!(matches!(site.show(&scope, reveal), Err(Error::Missing { .. })));
        }
        let odd = site.show(&Scope::Global, Some("yes"));
        assert!(matches!(odd, Err(Error::Malformed { .. })));
    }

    /// Returns the passage of a file that contains a line.
    fn at(corpus: &Corpus, file: &str, line: Option<&str>) -> Result<PassageReply> {
        let services = Services {
            index: &corpus.index,
            originals: &corpus.index,
            documents: &corpus.documents,
            members: &FakeMembers::default(),
        };
        let wanted = Wanted { file: Some(file), line, ..Wanted::default() };
        pollster::block_on(show(&services, &caller("ann"), &Scope::Global, wanted))
    }

    #[test]
    fn a_passage_is_found_by_file_and_line_and_leads_to_those_around_it() {
        let section = |number: usize| {
            format!(
                "## Step {number}\n\n{}\n\n",
                format!("Turn valve {number} slowly. ").repeat(30)
            )
        };
        let text: String = (1..=9).map(section).collect();
        let corpus = pollster::block_on(Corpus::of(&[("valves.md", text.as_str())]));
        let line = |wanted: &str| text.lines().position(|line| line == wanted).unwrap() + 1;
        for number in 1..=9 {
            let at_line = (line(&format!("## Step {number}")) + 1).to_string();
            let found = at(&corpus, "valves.md", Some(&at_line)).unwrap();
            assert!(found.text.contains(&format!("valve {number} ")), "{at_line}: {}", found.text);
            assert_eq!((found.previous.is_some(), found.next.is_some()), (number > 1, number < 9));
        }
        assert!(at(&corpus, "valves.md", None).unwrap().text.contains("valve 1 "));
    }

    #[test]
    fn a_file_that_is_not_there_is_missing_and_a_line_must_be_a_number() {
        let corpus = pollster::block_on(Corpus::of(&[("a.md", "# A\n\nText.\n")]));
        assert!(matches!(at(&corpus, "b.md", None), Err(Error::Missing { kind: "document", .. })));
        for line in ["0", "-1", "three"] {
            assert!(
                matches!(at(&corpus, "a.md", Some(line)), Err(Error::Malformed { .. })),
                "{line}"
            );
        }
    }
}
