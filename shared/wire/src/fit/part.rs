//! The parts of a reply: elements of its lists, each of which can be left out.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

use super::json::{is_list, put, size};
use super::reference::Reference;
use super::{cut, places, rank};

/// A list that can be cut off at its end, or a value that can be left out.
#[derive(Debug)]
struct Part {
    /// The place of the part that it is within; `None` for the reply itself.
    within: Option<usize>,
    /// The names of the fields down to it.
    path: Vec<String>,
    /// The place in its list; `None` for a value that is no element.
    index: Option<usize>,
    /// The turn in which it is taken, and the place of its field among all.
    turn: (usize, usize),
    /// The value, its lists empty.
    value: Value,
    is_taken: bool,
}

/// A place in a reply: the part that it is within, the names of the fields down to it, and its
/// turn.
type At<'p> = (Option<usize>, &'p [String], (usize, usize));

/// A reply, taken apart.
#[derive(Debug)]
pub(super) struct Parts {
    /// What stays whatever the budget is.
    base: Map<String, Value>,
    all: Vec<Part>,
    /// The places of the parts in the order in which they were taken.
    taken: Vec<usize>,
    /// The places of parts that others refer to.
    known: HashMap<Reference, usize>,
    cut: usize,
}

impl Parts {
    /// Takes a reply apart.
    pub(super) fn of(reply: Map<String, Value>) -> Parts {
        let mut parts = Parts {
            base: Map::new(),
            all: Vec::new(),
            taken: Vec::new(),
            known: HashMap::new(),
            cut: 0,
        };
        for (field, value) in reply {
            let rank = rank(&field);
            let path = vec![field.clone()];
            if is_list(&field, &value) {
                parts.base.insert(field, Value::Array(Vec::new()));
                parts.add_list((None, &path, (0, rank)), value);
            } else if WHOLE.contains(&field.as_str()) {
                parts.all.push(Part {
                    within: None,
                    path,
                    index: None,
                    turn: (0, rank),
                    value,
                    is_taken: false,
                });
            } else {
                let value = parts.without_lists((None, &path, (0, rank)), value);
                parts.base.insert(field, value);
            }
        }
        parts
    }

    fn add_list(&mut self, at: At<'_>, list: Value) {
        let (within, path, (turn, rank)) = at;
        let Value::Array(items) = list else { return };
        for (index, item) in items.into_iter().enumerate() {
            let place = self.all.len();
            let turn = (turn + index, rank);
            self.all.push(Part {
                within,
                path: path.to_vec(),
                index: Some(index),
                turn,
                value: Value::Null,
                is_taken: false,
            });
            let value = self.without_lists((Some(place), path, turn), item);
            if let Some(reference) = Reference::to(path, &value) {
                self.known.entry(reference).or_insert(place);
            }
            self.all[place].value = value;
        }
    }

    /// A value with its lists empty; their elements become parts.
    fn without_lists(&mut self, at: At<'_>, value: Value) -> Value {
        let (within, path, turn) = at;
        let Value::Object(fields) = value else { return value };
        let mut left = Map::new();
        for (field, value) in fields {
            let below = [path, std::slice::from_ref(&field)].concat();
            let value = if is_list(&field, &value) {
                self.add_list((within, &below, turn), value);
                Value::Array(Vec::new())
            } else {
                self.without_lists((within, &below, turn), value)
            };
            left.insert(field, value);
        }
        Value::Object(left)
    }

    /// Takes parts in turns until `most` bytes are used up.
    pub(super) fn take(&mut self, most: usize) {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        // What lies within an element comes after all elements: five reports in short are worth
        // more than one with all it tells.
        order.sort_by_key(|place| (self.depth(*place), self.all[*place].turn));
        let mut left = most.saturating_sub(size(&Value::Object(self.base.clone())) + LEFT_OUT);
        for place in self.referred(&Value::Object(self.base.clone())) {
            left = left.saturating_sub(self.bytes(place));
            self.take_one(place);
        }
        // Lists that were cut off: by what they are within, and their paths.
        let mut ended: Vec<(Option<usize>, Vec<String>)> = Vec::new();
        for place in order {
            let part = &self.all[place];
            let list = (part.within, part.path.clone());
            let is_within = part.within.is_none_or(|within| self.all[within].is_taken);
            if part.is_taken || !is_within || part.is_passage() || ended.contains(&list) {
                continue;
            }
            let index = part.index;
            let Some(with) = self.with_referred(place) else { continue };
            let bytes: usize = with.iter().map(|place| self.bytes(*place)).sum();
            if bytes <= left {
                left -= bytes;
                // What cites is dropped before what it cites.
                with.into_iter().rev().for_each(|place| self.take_one(place));
            } else if index == Some(0)
                && self.shorten(place, left.saturating_sub(bytes - self.bytes(place)))
            {
                left -= with.iter().map(|place| self.bytes(*place)).sum::<usize>();
                with.into_iter().rev().for_each(|place| self.take_one(place));
            } else if index.is_some() {
                ended.push(list);
            }
        }
    }

    /// The depth of a part: 0 for one of the reply itself.
    fn depth(&self, place: usize) -> usize {
        self.all[place].within.map_or(0, |within| 1 + self.depth(within))
    }

    /// A part, and the parts that it refers to and that are not taken yet, itself first. `None`
    /// where it is within another one and refers to a result that is not taken.
    fn with_referred(&self, place: usize) -> Option<Vec<usize>> {
        let mut all = vec![place];
        let mut next = 0;
        while let Some(place) = all.get(next) {
            for referred in self.referred(&self.all[*place].value) {
                let part = &self.all[referred];
                if !part.is_passage() && self.all[all[0]].within.is_some() {
                    return None;
                }
                if !all.contains(&referred) {
                    all.push(referred);
                }
            }
            next += 1;
        }
        Some(all)
    }

    /// The parts that a value refers to and that are not taken yet.
    fn referred(&self, value: &Value) -> Vec<usize> {
        let mut references = Vec::new();
        Reference::all_in(value, &mut references);
        let known = references.iter().filter_map(|reference| self.known.get(reference)).copied();
        known.filter(|place| !self.all[*place].is_taken).collect()
    }

    fn bytes(&self, place: usize) -> usize {
        let part = &self.all[place];
        let name = part.path.last().filter(|_| part.index.is_none());
        size(&part.value) + 1 + name.map_or(0, |name| name.len() + 3)
    }

    /// Cuts a part's longest text so that it has at most `most` bytes; false where that leaves too
    /// little of it.
    fn shorten(&mut self, place: usize, most: usize) -> bool {
        let over = self.bytes(place).saturating_sub(most);
        let is_cut = cut::longest(&mut self.all[place].value, over);
        self.cut += usize::from(is_cut);
        is_cut
    }

    fn take_one(&mut self, place: usize) {
        self.all[place].is_taken = true;
        self.taken.push(place);
    }

    /// Leaves out what was taken last; false where nothing is left.
    pub(super) fn drop_last(&mut self) -> bool {
        let Some(last) = self.taken.pop() else { return false };
        self.all[last].is_taken = false;
        true
    }

    /// Cuts the longest text of what stays whatever the budget is; false where none is long.
    pub(super) fn shorten_base(&mut self, over: usize) -> bool {
        let longest = self.base.values_mut().filter_map(cut::longest_text);
        let Some(text) = longest.max_by_key(|text| text.len()) else { return false };
        let is_cut = cut::text(text, over.min(text.len().saturating_sub(cut::ROOM)));
        self.cut += usize::from(is_cut);
        is_cut
    }

    /// How many texts are cut.
    pub(super) fn cut(&self) -> usize {
        self.cut
    }

    /// How many parts are left out, by their paths; not those within others that are.
    pub(super) fn left_out(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for part in self.all.iter().filter(|part| !(part.is_taken || part.is_passage())) {
            if part.within.is_none_or(|within| self.all[within].is_taken) {
                *counts.entry(part.path.join(".")).or_default() += 1;
            }
        }
        counts
    }

    /// The reply with what was taken. References to what was not are left out, too.
    pub(super) fn shown(&self) -> Map<String, Value> {
        let mut values: Vec<Value> = self.all.iter().map(|part| part.value.clone()).collect();
        let mut base = Value::Object(self.base.clone());
        self.keep_known(&mut base);
        let Value::Object(mut reply) = base else { return Map::new() };
        // What is within a part comes behind it.
        for place in (0..self.all.len()).rev().filter(|place| self.all[*place].is_taken) {
            let part = &self.all[place];
            let mut value = std::mem::take(&mut values[place]);
            self.keep_known(&mut value);
            let Some(within) = part.within else {
                put(&mut reply, &part.path, value, part.index.is_some());
                continue;
            };
            let depth = self.all[within].path.len();
            if let Value::Object(fields) = &mut values[within] {
                put(fields, &part.path[depth..], value, true);
            }
        }
        reply
    }

    /// Keeps in lists of results and of passages those that are shown.
    fn keep_known(&self, value: &mut Value) {
        let Value::Object(fields) = value else { return };
        for (field, value) in fields {
            let meant = match field.as_str() {
                "results" => Reference::Result,
                field if places::SEVERAL.contains(&field) => Reference::Passage,
                _ => {
                    self.keep_known(value);
                    continue;
                }
            };
            if let Value::Array(numbers) = value {
                numbers.retain(|number| {
                    let place = number.as_u64().and_then(|n| self.known.get(&meant(n)));
                    place.is_none_or(|place| self.all[*place].is_taken)
                });
            }
        }
    }
}

impl Part {
    /// True for an entry of the list of passages, which is taken with what refers to it.
    fn is_passage(&self) -> bool {
        self.path == [places::LIST]
    }
}

/// Fields that go in whole or not at all.
const WHOLE: [&str; 6] =
    ["also_read_as", "matrix", "read_as", "records", "rewritten_question", "sources_line"];

/// What `left_out` takes at most, for a start: a part that was taken is dropped again where it
/// takes more.
const LEFT_OUT: usize = 300;
