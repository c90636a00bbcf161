//! The ids that the tries know: those of foreign things, the stranger's own, and ids of nothing.

/// A kind of id or name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Id {
    Case,
    Team,
    Project,
    Decision,
    Document,
    Answer,
    Passage,
    Cursor,
    /// A knowledge base as requests name it.
    Knowledge,
    /// The name of a document.
    File,
    /// The title of a document.
    Title,
}

/// Whose things the rest of a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Foreign,
    Own,
}

impl Whose {
    pub(super) const ALL: [Whose; 2] = [Whose::Foreign, Whose::Own];
}

/// The ids of one kind.
pub(super) struct Ids {
    pub id: Id,
    /// Each foreign id, with one of its form that names nothing.
    pub foreign: Vec<[String; 2]>,
    pub own: String,
}

/// All ids.
pub(super) struct Known(pub Vec<Ids>);

impl Known {
    /// Returns the ids of a kind.
    pub(super) fn of(&self, id: Id) -> &Ids {
        let found = self.0.iter().find(|ids| ids.id == id);
        found.unwrap_or_else(|| unreachable!("{id:?} has ids"))
    }

    /// Returns an id of a kind.
    pub(super) fn one(&self, id: Id, whose: Whose) -> &str {
        let ids = self.of(id);
        match whose {
            Whose::Foreign => &ids.foreign[0][0],
            Whose::Own => &ids.own,
        }
    }
}
