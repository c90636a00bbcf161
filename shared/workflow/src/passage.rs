//! A passage that an answer cites, read by its id; with the secrets in it where the caller asks for them.

use uuid::Uuid;
use wire::passages::PassageReply;

use crate::document::Chunk;
use crate::ports::{Index, Members, Originals};
use crate::scope::{self, Caller, Scope};
use crate::{Error, Result};

/// The services that a passage is read with.
pub struct Services<'a> {
    /// Has the passages, secrets masked.
    pub index: &'a dyn Index,
    /// Has them as they were uploaded.
    pub originals: &'a dyn Originals,
    /// Knows who belongs to a case.
    pub members: &'a dyn Members,
}

/// Reads a passage of `scope`. Secrets in it are masked unless `reveal` is `true`; who reads it so logs that.
///
/// # Errors
/// [`Error::Missing`] for a scope or a passage that is foreign or unknown, [`Error::Malformed`] for another `reveal`, and
/// [`Error::Denied`] for secrets in everyone's knowledge base, which those who fill it may see.
pub async fn show(
    services: &Services<'_>,
    caller: &Caller,
    scope: &Scope,
    (chunk, reveal): (&str, Option<&str>),
) -> Result<PassageReply> {
    let grant = scope::grant_one(caller, scope, services.members).await?;
    let missing = || Error::Missing { kind: "passage", name: chunk.into() };
    let id: Uuid = chunk.parse().map_err(|_| missing())?;
    let found = match reveal {
        Some("true") => {
            scope::admit(caller, scope, services.members).await?;
            services.originals.original(&grant, id).await?
        }
        None | Some("false") => services.index.chunks(&grant, &[id]).await?.pop(),
        Some(_) => {
            let reason = "must be true or false".into();
            return Err(Error::Malformed { field: "reveal".into(), reason });
        }
    };
    found.map(passage).ok_or_else(missing)
}

fn passage(chunk: Chunk) -> PassageReply {
    PassageReply {
        chunk_id: chunk.id.to_string(),
        document_id: chunk.document_id.to_string(),
        hash: chunk.hash(),
        is_masked: chunk.unmasked.is_some(),
        version: chunk.version,
        name: chunk.name,
        title: chunk.title,
        section: chunk.section,
        lines: chunk.lines,
        text: chunk.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{chunk_id, document_id};
    use crate::testing::{Corpus, FakeMembers, caller};

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
            Site { corpus, id: chunk_id(document, "01A", 0).to_string() }
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
                members: &FakeMembers::default(),
            };
            pollster::block_on(show(&services, caller, scope, (&self.id, reveal)))
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
}
