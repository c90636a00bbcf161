//! Collects the counts and numbers of the records that satisfy a query, and the few records that are shown.

use std::collections::HashMap;
use std::sync::Arc;

use model::record::{Amount, Column, Unit};
use wire::records::Select;

use super::plan::{By, GROUPS, Order, Plan};

/// The most records that are shown of a group.
const SHOWN: usize = 5;

/// The place of a record: its document's place, its block and its row there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) document: u32,
    pub(super) block: u32,
    pub(super) row: u32,
}

/// The numbers of a record's values in the columns that are grouped by, in their order.
pub(super) type Key = [u32; GROUPS];

/// A record that satisfies a query.
pub(super) struct Seen {
    pub(super) key: Key,
    /// Microseconds since 1970.
    pub(super) time: Option<i64>,
    pub(super) place: Place,
    pub(super) number: Option<f64>,
}

/// Records of the same values.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) key: Key,
    pub(super) count: u64,
    pub(super) sum: f64,
    /// The count of those that have a number.
    pub(super) numbers: u64,
    /// All numbers, where a percentile is wanted.
    pub(super) all: Vec<f64>,
    pub(super) extreme: Option<f64>,
    /// The records that are shown, each with the rank that orders it.
    pub(super) shown: Vec<(Rank, Place)>,
}

/// Orders records: those that are shown come first.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Rank {
    /// A number, for those ordered by one.
    pub(super) number: f64,
    /// Records without a time come last.
    pub(super) is_undated: bool,
    pub(super) time: i64,
    /// Records of the same time are in the order of their lines; the latest come first where the last are wanted.
    pub(super) place: i64,
}

/// The records that were found, in groups.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) groups: Vec<Group>,
    /// The place of each key's group.
    places: HashMap<Key, u32>,
    pub(super) scanned: u64,
    pub(super) is_complete: bool,
    pub(super) unit: Option<Unit>,
    select: Select,
    most: usize,
    is_descending: bool,
    by_number: bool,
    values: Vec<Option<Arc<str>>>,
    numbers: HashMap<Option<Arc<str>>, u32>,
    buckets: HashMap<Option<i64>, u32>,
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
            select: plan.select,
            most: if is_list && plan.by.is_empty() { plan.limit.max(SHOWN) } else { SHOWN },
            is_descending: plan.order.1 && is_list,
            by_number,
            values: Vec::new(),
            numbers: HashMap::new(),
            buckets: HashMap::new(),
        }
    }

    /// Returns the number under which a value is stored.
    pub(super) fn value(&mut self, value: Option<&str>) -> u32 {
        let value: Option<Arc<str>> = value.map(Arc::from);
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.keep(value.clone());
        self.numbers.insert(value, number);
        number
    }

    /// Returns the number under which the beginning of a part of time is stored.
    pub(super) fn bucket(&mut self, micros: Option<i64>, length: i64) -> u32 {
        let start = micros.map(|micros| micros.div_euclid(length) * length);
        if let Some(number) = self.buckets.get(&start) {
            return *number;
        }
        let number = self.keep(start.map(|first| super::show::minute(first).into()));
        self.buckets.insert(start, number);
        number
    }

    fn keep(&mut self, value: Option<Arc<str>>) -> u32 {
        self.values.push(value);
        u32::try_from(self.values.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns the value that is stored under a number.
    pub(super) fn kept(&self, number: u32) -> Option<&str> {
        self.values.get(number as usize).and_then(Option::as_deref)
    }

    /// Returns the number of each record in a column.
    pub(super) fn amounts(&mut self, column: Option<Column>, count: usize) -> Vec<Option<f64>> {
        let Some(column) = column else { return vec![None; count] };
        let parsed: Vec<Option<Amount>> =
            column.values.iter().map(|value| Amount::parse(value)).collect();
        let unit =
            parsed.iter().flatten().map(|amount| amount.unit).find(|unit| *unit != Unit::Plain);
        self.unit = self.unit.or(unit);
        let number = |place: &u32| {
            let place = (*place as usize).checked_sub(1)?;
            parsed.get(place).copied().flatten().map(|amount| amount.value)
        };
        column.rows.iter().map(number).collect()
    }

    pub(super) fn add(&mut self, seen: &Seen) {
        let rank = self.rank(seen);
        let Found { groups, places, select, most, .. } = self;
        let place = *places.entry(seen.key).or_insert_with(|| {
            // Most groups of many have one record.
            let shown = Vec::with_capacity(1);
            groups.push(Group { key: seen.key, shown, ..Group::default() });
            u32::try_from(groups.len() - 1).unwrap_or(u32::MAX)
        });
        let Some(group) = groups.get_mut(place as usize) else { return };
        group.count += 1;
        let is_shown = match (seen.number, *select) {
            (Some(number), Select::Min | Select::Max) => {
                let is_better = group.extreme.is_none_or(|extreme| match select {
                    Select::Min => number < extreme,
                    _ => number > extreme,
                });
                if is_better {
                    group.shown.clear();
                    group.extreme = Some(number);
                }
                group.extreme == Some(number)
            }
            (None, Select::Min | Select::Max) => false,
            _ => true,
        };
        if let Some(number) = seen.number {
            group.sum += number;
            group.numbers += 1;
            if *select == Select::Percentile {
                group.all.push(number);
            }
        }
        if is_shown {
            keep_first(&mut group.shown, (rank, seen.place), *most);
        }
    }

    fn rank(&self, seen: &Seen) -> Rank {
        let sign = if self.is_descending { -1.0 } else { 1.0 };
        // A record without a number is neither among the largest nor among the smallest.
        let number = match (self.by_number, seen.number) {
            (true, Some(number)) => sign * number,
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

/// Keeps a record among the first `most`.
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

/// Returns true if the rows of groups are ordered by time.
pub(super) fn is_of_time(plan: &Plan) -> bool {
    !plan.by.is_empty() && plan.by.iter().all(|(_, by)| matches!(by, By::Bucket(..)))
}
