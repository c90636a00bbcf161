//! The points, and the words that they have.

use std::collections::HashMap;

use model::document::Passage;
use model::evidence::PointKind;
use model::object::Upload;
use ports::Embedded;
use ports::scope::{Grant, Scope};
use text::language::Language;
use uuid::Uuid;

use super::bm25;

/// A point.
pub(super) struct Entry {
    pub(super) scope: Scope,
    /// True if searches see it.
    pub(super) is_live: bool,
    pub(super) kind: PointKind,
    /// The passage, its secrets masked.
    pub(super) passage: Passage,
    /// The passage as it was uploaded, if it has secrets.
    pub(super) original: Option<Passage>,
    /// The text that words are matched against.
    pub(super) words: String,
    pub(super) vector: Vec<f32>,
    pub(super) embedded: Embedded,
}

impl Entry {
    /// Returns true if searches of this grant see it.
    pub(super) fn is_seen(&self, grant: &Grant) -> bool {
        self.is_live && grant.scopes().contains(&self.scope)
    }

    /// Returns the version of the document that it belongs to.
    pub(super) fn upload(&self) -> Upload {
        let Passage { document_id, version, .. } = &self.passage;
        Upload { scope: self.scope.clone(), document_id: *document_id, version: version.clone() }
    }
}

/// The place of a point in the list.
type Place = u32;

/// All points.
#[derive(Default)]
pub(super) struct Points {
    entries: Vec<Option<Entry>>,
    /// The places that are free.
    free: Vec<Place>,
    by_id: HashMap<Uuid, Place>,
    /// The points that have a word, each with the word's weight there.
    postings: HashMap<String, Vec<(Place, f32)>>,
}

impl Points {
    /// Returns the points in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().flatten()
    }

    /// Returns those of the points with these ids that there are.
    pub(super) fn with_ids(&self, ids: &[Uuid]) -> impl Iterator<Item = &Entry> {
        let places = ids.iter().filter_map(|id| self.by_id.get(id));
        places.filter_map(|place| self.at(*place))
    }

    /// Returns the points that have a word, each with the word's weight there.
    pub(super) fn having(&self, word: &str) -> &[(Place, f32)] {
        self.postings.get(word).map_or(&[], Vec::as_slice)
    }

    pub(super) fn at(&self, place: Place) -> Option<&Entry> {
        self.entries.get(place as usize)?.as_ref()
    }

    /// Returns the number of points.
    pub(super) fn count(&self) -> usize {
        self.by_id.len()
    }

    /// Adds a point, in the place of one with its id.
    pub(super) fn insert(&mut self, entry: Entry) {
        self.remove(entry.passage.id);
        let place = self.free.pop().unwrap_or_else(|| {
            self.entries.push(None);
            u32::try_from(self.entries.len() - 1).unwrap_or(Place::MAX)
        });
        for (word, weight) in bm25::weights(&entry.words, language(&entry)) {
            self.postings.entry(word).or_default().push((place, weight));
        }
        self.by_id.insert(entry.passage.id, place);
        self.entries[place as usize] = Some(entry);
    }

    /// Has searches see a point. Returns false where there is none with this id.
    pub(super) fn show(&mut self, id: Uuid) -> bool {
        let place = self.by_id.get(&id).copied();
        let entry = place.and_then(|place| self.entries[place as usize].as_mut());
        entry.map(|entry| entry.is_live = true).is_some()
    }

    /// Removes a point, if it is there.
    pub(super) fn remove(&mut self, id: Uuid) {
        let Some(place) = self.by_id.remove(&id) else { return };
        let Some(entry) = self.entries[place as usize].take() else { return };
        for (word, _) in bm25::weights(&entry.words, language(&entry)) {
            if let Some(points) = self.postings.get_mut(&word) {
                points.retain(|(other, _)| *other != place);
                if points.is_empty() {
                    self.postings.remove(&word);
                }
            }
        }
        self.free.push(place);
    }

    /// Removes the points that `unwanted` names, and returns their number.
    pub(super) fn remove_where(&mut self, unwanted: impl Fn(&Entry) -> bool) -> u64 {
        let ids: Vec<Uuid> =
            self.all().filter(|entry| unwanted(entry)).map(|entry| entry.passage.id).collect();
        for id in &ids {
            self.remove(*id);
        }
        ids.len() as u64
    }
}

fn language(entry: &Entry) -> Language {
    let tag = entry.passage.language.as_deref();
    tag.and_then(Language::of_tag).unwrap_or_default()
}
