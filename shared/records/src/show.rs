//! The reply to a query.

use std::cmp::Ordering;

use model::record::{Damaged, Unit};
use wire::records::{RecordShown, RecordsReply, RecordsRow, RecordsTotals, Select};

use super::Loaded;
use super::group::{Found, Group, Place};
use super::plan::{Order, Plan};
use super::shown::records_at;

/// Returns the reply; the caller adds the scope and the query.
pub(super) fn reply(plan: &Plan, loaded: &Loaded, found: &Found) -> Result<RecordsReply, Damaged> {
    let records = found.groups.iter().map(|group| group.count).sum();
    let groups = first(plan, found);
    let is_grouped = !plan.by.is_empty();
    let all = loaded.totals();
    let totals = RecordsTotals {
        records,
        // Records without a value are shown, but they are not counted as a group.
        groups: is_grouped.then(|| {
            found.groups.iter().filter(|group| !lacks_values(plan, found, group)).count() as u64
        }),
        scanned: found.scanned,
        ..all
    };
    let all_rows = if plan.select == Select::List && !is_grouped {
        records
    } else {
        found.groups.len() as u64
    };
    let rows = rows(plan, found, groups);
    let places = rows.iter().flat_map(|(_, places)| places).copied().collect();
    let records = records_at(plan, loaded, &places)?;
    let is_list = plan.select == Select::List && !is_grouped;
    let filled = |(row, places): (RecordsRow, Vec<Place>)| {
        let mut shown = places.iter().filter_map(|place| records.get(place).cloned());
        let records: Vec<RecordShown> = shown.by_ref().take(examples(plan)).collect();
        // A row without shown records names the place of its first one.
        let first = shown.next().filter(|_| records.is_empty() && !is_list);
        RecordsRow { records, first: first.map(|first| first.place()), ..row }
    };
    let mut rows: Vec<RecordsRow> = rows.into_iter().map(filled).collect();
    fit(&mut rows, is_grouped);
    let rows_left = all_rows.saturating_sub(rows.len() as u64);
    let gaps = loaded.gaps(Some(plan));
    Ok(RecordsReply {
        result_type: "records".into(),
        rows,
        rows_left,
        totals,
        all_records_read: found.is_complete && gaps.is_empty(),
        not_read_left: gaps.left(),
        not_read: gaps.told(),
        assumed: loaded.assumed(&found.documents),
        ..RecordsReply::default()
    })
}

/// Returns the rows in order, each with the places of its records that are shown.
fn rows(plan: &Plan, found: &Found, groups: Vec<&Group>) -> Vec<(RecordsRow, Vec<Place>)> {
    if plan.by.is_empty() && plan.select == Select::List {
        let places = groups.first().map(|group| group.shown.as_slice()).unwrap_or_default();
        let one = |ranked: &(_, Place)| {
            (RecordsRow { count: 1, ..RecordsRow::default() }, vec![ranked.1])
        };
        return places.iter().take(plan.limit).map(one).collect();
    }
    if !found.is_complete && plan.select == Select::Percentile {
        return Vec::new();
    }
    let rows = groups.into_iter().take(plan.limit).map(|group| row(plan, found, group));
    let mut rows: Vec<_> = rows.collect();
    if rows.is_empty() && plan.by.is_empty() && plan.select == Select::Count {
        rows.push((RecordsRow { value: Some(0.0), ..RecordsRow::default() }, Vec::new()));
    }
    rows
}

/// Upper bound for the bytes of records in a reply: Lambda's limit is six million.
const LARGEST: usize = 4_000_000;

/// Removes records of groups, or the last records of a list, until the reply is small enough. The
/// counts stay.
fn fit(rows: &mut Vec<RecordsRow>, is_grouped: bool) {
    let mut left = LARGEST;
    let mut fitting = 0;
    for row in rows.iter_mut() {
        let size = |record: &RecordShown| {
            let columns = record.columns.iter().map(|(name, value)| name.len() + value.len() + 8);
            record.quote.len() * 2 + columns.sum::<usize>() + 300
        };
        let size: usize = row.records.iter().map(size).sum();
        if size > left {
            row.records.clear();
            left = 0;
        } else {
            left -= size;
            fitting += 1;
        }
    }
    if !is_grouped {
        rows.truncate(fitting.max(1));
    }
}

/// Returns a group as a row, and the places of its records that are shown.
fn row(plan: &Plan, found: &Found, group: &Group) -> (RecordsRow, Vec<Place>) {
    let names = plan.by.iter().map(|(name, _)| name.clone());
    let values = group.key.iter().map(|number| found.kept(*number).map(str::to_owned));
    let value = value(plan, group);
    let unit = found.unit.filter(|_| plan.select.is_of_numbers()).and_then(Unit::name);
    let row = RecordsRow {
        group: names.zip(values).collect(),
        value,
        text: group.extreme.as_ref().map(|extreme| extreme.text.clone()),
        unit: unit.filter(|_| value.is_some()).map(str::to_owned),
        count: group.count,
        first: None,
        records: Vec::new(),
    };
    (row, group.shown.iter().take(examples(plan).max(1)).map(|(_, place)| *place).collect())
}

/// Returns the number of records that are shown of a row.
fn examples(plan: &Plan) -> usize {
    match plan.select {
        Select::First | Select::Last => 1,
        Select::List if plan.by.is_empty() => 1,
        _ => plan.shape.examples,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of records are far below 2^53")]
fn value(plan: &Plan, group: &Group) -> Option<f64> {
    let has_numbers = group.numbers > 0;
    match plan.select {
        Select::Count => Some(group.count as f64),
        Select::List | Select::First | Select::Last => None,
        Select::Min | Select::Max => {
            group.extreme.as_ref().map(|e| e.place).filter(|_| !plan.of_dates)
        }
        Select::Sum => has_numbers.then_some(group.sum),
        Select::Mean => has_numbers.then(|| group.sum / group.numbers as f64),
        Select::Percentile => percentile(&group.all, plan.percentile),
    }
}

/// Returns the percentile by nearest rank: the smallest number that is not below this share of all
/// numbers.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank is between 1 and the count"
)]
fn percentile(numbers: &[f64], percentile: f64) -> Option<f64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable_by(f64::total_cmp);
    let rank = (percentile / 100.0 * numbers.len() as f64).ceil().max(1.0) as usize;
    numbers.get(rank - 1).copied()
}

/// Returns the groups that are shown, in order.
fn first<'f>(plan: &Plan, found: &'f Found) -> Vec<&'f Group> {
    let mut groups: Vec<&Group> = found.groups.iter().collect();
    let by_order = |a: &&Group, b: &&Group| compare(plan, found, a, b);
    if plan.limit < groups.len() {
        groups.select_nth_unstable_by(plan.limit, by_order);
        groups.truncate(plan.limit);
    }
    groups.sort_unstable_by(by_order);
    groups
}

/// Returns true if the records of a group have none of the values that group.
fn lacks_values(plan: &Plan, found: &Found, group: &Group) -> bool {
    group.key.iter().take(plan.by.len()).all(|number| found.kept(*number).is_none())
}

fn compare(plan: &Plan, found: &Found, a: &Group, b: &Group) -> Ordering {
    let by_presence = lacks_values(plan, found, a).cmp(&lacks_values(plan, found, b));
    if by_presence.is_ne() && !plan.by.is_empty() {
        return by_presence;
    }
    let names = |group: &Group| {
        let count = plan.by.len();
        let key = group.key;
        (0..count).map(move |place| found.kept(key[place]))
    };
    let (order, is_descending) = &plan.order;
    let by_order = match order {
        Order::Value => {
            let number = |group: &Group| {
                let extreme = || group.extreme.as_ref().map(|extreme| extreme.place);
                value(plan, group).or_else(extreme).unwrap_or(f64::NEG_INFINITY)
            };
            number(a).total_cmp(&number(b)).then(a.count.cmp(&b.count))
        }
        Order::Time if super::group::is_of_time(plan) => names(a).cmp(names(b)),
        Order::Time => first_rank(a, b),
        Order::Column(name) => {
            let place = plan.by.iter().position(|(column, _)| column == name);
            let key = |group: &Group| place.map(|place| group.key[place]);
            key(a).zip(key(b)).map_or(Ordering::Equal, |(a, b)| found.compare(a, b))
        }
    };
    let by_order = if *is_descending { by_order.reverse() } else { by_order };
    by_order.then_with(|| names(a).cmp(names(b)))
}

fn first_rank(a: &Group, b: &Group) -> Ordering {
    let rank = |group: &Group| group.shown.first().map(|(rank, _)| *rank);
    rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal)
}
