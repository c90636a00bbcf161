//! Groups the records that satisfy a query: their counts, their numbers, and the few records that
//! are shown.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use model::record::{Column, ColumnKind, Unit};
use wire::records::Select;

use super::plan::{GROUPS, Order, Plan};
use super::reading::Reading;
use super::shape::SHOWN;
use super::when::Part;

/// The place of a record: the place of its document, its block, and its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) document: u32,
    pub(super) block: u32,
    pub(super) row: u32,
}

/// The numbers of a record's values in the columns that group it, in the order of these columns.
pub(super) type Key = [u32; GROUPS];

/// A record that satisfies a query.
pub(super) struct Seen<'v> {
    pub(super) key: Key,
    /// The time in microseconds since 1970.
    pub(super) time: Option<i64>,
    pub(super) place: Place,
    pub(super) amount: Option<Amount<'v>>,
}

/// A number or a date of a record that the query asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amount<'v> {
    /// The number, or the moment in microseconds, as the nearest float.
    pub(super) place: f64,
    pub(super) text: &'v str,
    pub(super) kind: ColumnKind,
}

impl Amount<'_> {
    fn compare(&self, extreme: &Extreme) -> Ordering {
        let by_place = self.place.total_cmp(&extreme.place);
        // Two different numbers of twenty digits may be the same float.
        by_place
            .then_with(|| self.kind.compare(self.text, &extreme.text).unwrap_or(Ordering::Equal))
    }
}

/// The smallest or largest value of a group.
#[derive(Debug)]
pub(super) struct Extreme {
    pub(super) place: f64,
    /// The value as written in its file.
    pub(super) text: String,
}

/// The records with the same values.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) key: Key,
    pub(super) count: u64,
    pub(super) sum: f64,
    /// The number of records with a number.
    pub(super) numbers: u64,
    /// All numbers, if a percentile is wanted.
    pub(super) all: Vec<f64>,
    pub(super) extreme: Option<Extreme>,
    /// The records that are shown, each with its rank.
    pub(super) shown: Vec<(Rank, Place)>,
}

/// The rank of a record; those with the lowest rank are shown.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Rank {
    /// The number by which the records are ordered, if any.
    pub(super) number: f64,
    /// True if the record has no time; such records come last.
    pub(super) is_undated: bool,
    pub(super) time: i64,
    /// The order of records with the same time: that of their lines, reversed if the last records
    /// are wanted.
    pub(super) place: i64,
}

/// The records that were found, in groups.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) groups: Vec<Group>,
    /// The index of each key's group.
    places: HashMap<Key, u32>,
    pub(super) scanned: u64,
    pub(super) is_complete: bool,
    pub(super) unit: Option<Unit>,
    /// The places of the documents with records that satisfy the query.
    pub(super) documents: BTreeSet<u32>,
    select: Select,
    most: usize,
    is_descending: bool,
    by_number: bool,
    kept: Vec<Kept>,
    /// The numbers of values, by the place of their column among those that group, and by their
    /// canonical form.
    numbers: HashMap<(usize, Option<Arc<str>>), u32>,
    /// The numbers of parts of time, by the minutes in them.
    minutes: HashMap<(usize, i64), u32>,
}

/// The length of a minute in microseconds.
const MINUTE: i64 = 60_000_000;

/// A value by which records are grouped.
#[derive(Debug)]
struct Kept {
    /// The value as written in the first file that contains it.
    shown: Option<Arc<str>>,
    /// Its place among the values, if it is a number or a date.
    place: Option<f64>,
}

impl Found {
    pub(super) fn new(plan: &Plan) -> Found {
        let is_list = plan.select == Select::List;
        let by_number = matches!(plan.order.0, Order::Column(_)) && plan.by.is_empty();
        Found {
            groups: Vec::new(),
            places: HashMap::new(),
            scanned: 0,
            is_complete: true,
            unit: None,
            documents: BTreeSet::new(),
            select: plan.select,
            most: if is_list && plan.by.is_empty() { plan.limit.max(SHOWN) } else { SHOWN },
            is_descending: plan.order.1 && is_list,
            by_number,
            kept: Vec::new(),
            numbers: HashMap::new(),
            minutes: HashMap::new(),
        }
    }

    /// Returns the number under which a value and all equal ones are stored, for one of the
    /// grouping columns.
    pub(super) fn value(&mut self, by: usize, value: Option<&str>, reading: Reading) -> u32 {
        let canonical = value.map(|value| reading.canonical(value));
        let place = || value.and_then(|value| reading.place(value));
        self.keep(by, canonical.as_deref(), value, place)
    }

    /// Returns the number under which a part of time is stored.
    pub(super) fn part(&mut self, by: usize, micros: Option<i64>, part: Part) -> u32 {
        let Some(micros) = micros else { return self.keep(by, None, None, || None) };
        let minute = micros.div_euclid(MINUTE);
        if let Some(number) = self.minutes.get(&(by, minute)) {
            return *number;
        }
        let first = part.beginning(micros);
        let number = self.keep(by, Some(&first), Some(&first), || None);
        self.minutes.insert((by, minute), number);
        number
    }

    fn keep(
        &mut self,
        by: usize,
        canonical: Option<&str>,
        shown: Option<&str>,
        place: impl FnOnce() -> Option<f64>,
    ) -> u32 {
        let canonical: (usize, Option<Arc<str>>) = (by, canonical.map(Arc::from));
        if let Some(number) = self.numbers.get(&canonical) {
            return *number;
        }
        self.kept.push(Kept { shown: shown.map(Arc::from), place: place() });
        let number = u32::try_from(self.kept.len() - 1).unwrap_or(u32::MAX);
        self.numbers.insert(canonical, number);
        number
    }

    /// Returns the value that is stored under a number.
    pub(super) fn kept(&self, number: u32) -> Option<&str> {
        self.kept.get(number as usize).and_then(|kept| kept.shown.as_deref())
    }

    /// Compares two stored values. Numbers and dates are compared as such and come before texts.
    pub(super) fn compare(&self, a: u32, b: u32) -> Ordering {
        let place = |number: u32| self.kept.get(number as usize).and_then(|kept| kept.place);
        let by_place = match (place(a), place(b)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => b.is_some().cmp(&a.is_some()),
        };
        by_place.then_with(|| self.kept(a).cmp(&self.kept(b)))
    }

    /// Returns the number of each value of a column, or its moment if `of_dates`.
    pub(super) fn amounts<'v>(
        &mut self,
        column: &'v Column,
        reading: Reading,
        of_dates: bool,
    ) -> Vec<Option<Amount<'v>>> {
        if reading.is_of_dates() != of_dates {
            return vec![None; column.values.len()];
        }
        let kind = reading.kind;
        let unit = &mut self.unit;
        let mut amount = |text: &'v String| {
            if of_dates {
                return Some(Amount { place: reading.place(text)?, text, kind });
            }
            let number = kind.number(text)?;
            *unit = unit.or(Some(number.unit).filter(|unit| *unit != Unit::Plain));
            Some(Amount { place: number.value, text, kind })
        };
        column.values.iter().map(&mut amount).collect()
    }

    pub(super) fn add(&mut self, seen: &Seen<'_>) {
        let rank = self.rank(seen);
        let Found { groups, places, select, most, .. } = self;
        let place = *places.entry(seen.key).or_insert_with(|| {
            // Most groups of a large result have one record.
            let shown = Vec::with_capacity(1);
            groups.push(Group { key: seen.key, shown, ..Group::default() });
            u32::try_from(groups.len() - 1).unwrap_or(u32::MAX)
        });
        let Some(group) = groups.get_mut(place as usize) else { return };
        group.count += 1;
        let is_extreme = matches!(select, Select::Min | Select::Max);
        if let Some(amount) = seen.amount {
            group.sum += amount.place;
            group.numbers += 1;
            if *select == Select::Percentile {
                group.all.push(amount.place);
            }
        }
        let is_shown = !is_extreme
            || seen.amount.is_some_and(|amount| group.takes(amount, *select == Select::Min));
        if is_shown {
            keep_first(&mut group.shown, (rank, seen.place), *most);
        }
    }

    fn rank(&self, seen: &Seen<'_>) -> Rank {
        let sign = if self.is_descending { -1.0 } else { 1.0 };
        // A record without a number is neither the largest nor the smallest.
        let number = match (self.by_number, seen.amount) {
            (true, Some(amount)) => sign * amount.place,
            (true, None) => f64::INFINITY,
            (false, _) => 0.0,
        };
        let is_latest = self.select == Select::Last || self.is_descending && !self.by_number;
        let time = seen.time.unwrap_or_default();
        let time = if is_latest { -time } else { time };
        let Place { document, block, row } = seen.place;
        let place = (i64::from(document) << 44) | (i64::from(block) << 22) | i64::from(row);
        let place = if is_latest { -place } else { place };
        Rank { number, is_undated: seen.time.is_none(), time, place }
    }
}

impl Group {
    /// Adds a value to the extreme of the group; returns true if it is the new extreme or equal to
    /// it. A new extreme removes the records shown before.
    fn takes(&mut self, amount: Amount<'_>, is_smallest: bool) -> bool {
        let order = self.extreme.as_ref().map(|extreme| amount.compare(extreme));
        let order = if is_smallest { order.map(Ordering::reverse) } else { order };
        match order {
            Some(Ordering::Less) => false,
            Some(Ordering::Equal) => true,
            None | Some(Ordering::Greater) => {
                self.shown.clear();
                self.extreme = Some(Extreme { place: amount.place, text: amount.text.to_owned() });
                true
            }
        }
    }
}

/// Adds a record if it is among the first `most`.
fn keep_first(shown: &mut Vec<(Rank, Place)>, ranked: (Rank, Place), most: usize) {
    let is_behind =
        |other: &(Rank, Place)| other.partial_cmp(&ranked).is_some_and(std::cmp::Ordering::is_gt);
    if shown.len() == most && !shown.last().is_some_and(is_behind) {
        return;
    }
    let at = shown.partition_point(|other| !is_behind(other));
    shown.insert(at, ranked);
    shown.truncate(most);
}

/// Returns true if the rows are ordered by time.
pub(super) fn is_of_time(plan: &Plan) -> bool {
    !plan.by.is_empty() && plan.by.iter().all(|(_, by)| by.is_of_time())
}
