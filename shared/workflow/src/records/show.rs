//! The reply to a query.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::tz::Offset;
use model::record::{Block, Damaged, Unit};
use wire::records::{RecordShown, RecordsReply, RecordsRow, RecordsTotals, Select};

use super::group::{Found, Group, Place};
use super::plan::{Order, Plan};
use super::{Loaded, Recorded};

/// The most bytes of a record that are shown.
const LONGEST: usize = 2_000;

/// Formats a moment as in RFC 3339.
pub fn instant(micros: i64) -> String {
    Timestamp::from_microsecond(micros).map(|time| time.to_string()).unwrap_or_default()
}

/// Formats the beginning of a part of time, to the minute.
pub(super) fn minute(micros: i64) -> String {
    let time = Timestamp::from_microsecond(micros).unwrap_or_default();
    time.strftime("%Y-%m-%dT%H:%MZ").to_string()
}

/// Makes the reply; the caller adds the scope and the query.
pub(super) fn reply(plan: &Plan, loaded: &Loaded, found: &Found) -> Result<RecordsReply, Damaged> {
    let records = found.groups.iter().map(|group| group.count).sum();
    let groups = first(plan, found);
    let is_grouped = !plan.by.is_empty();
    let all = loaded.totals();
    let totals = RecordsTotals {
        records,
        // Records without a value are shown, but are not counted as a group.
        groups: is_grouped.then(|| {
            found.groups.iter().filter(|group| !lacks_values(plan, found, group)).count() as u64
        }),
        scanned: found.scanned,
        ..all
    };
    let may_show_rows = found.is_complete || plan.select != Select::Percentile;
    let mut rows = Vec::new();
    if plan.select == Select::List && !is_grouped {
        let places = groups.first().map(|group| group.shown.as_slice()).unwrap_or_default();
        let one = |ranked: &(_, Place)| {
            (RecordsRow { count: 1, ..RecordsRow::default() }, vec![ranked.1])
        };
        rows.extend(places.iter().take(plan.limit).map(one));
    } else if may_show_rows {
        rows.extend(groups.into_iter().take(plan.limit).map(|group| row(plan, found, group)));
        if rows.is_empty() && !is_grouped && plan.select == Select::Count {
            rows.push((RecordsRow { value: Some(0.0), ..RecordsRow::default() }, Vec::new()));
        }
    }
    let places = rows.iter().flat_map(|(_, places)| places).copied().collect();
    let records = records_at(loaded, &places)?;
    let filled = |(row, places): (RecordsRow, Vec<Place>)| {
        let records = places.iter().filter_map(|place| records.get(place).cloned()).collect();
        RecordsRow { records, ..row }
    };
    let mut rows: Vec<RecordsRow> = rows.into_iter().map(filled).collect();
    fit(&mut rows, is_grouped);
    let complete = found.is_complete;
    let result_type = "records".into();
    Ok(RecordsReply { result_type, rows, totals, complete, ..RecordsReply::default() })
}

/// The most bytes of records in a reply: Lambda takes six million.
const LARGEST: usize = 4_000_000;

/// Leaves out the records of groups, or the last of a list, that would make the reply too large. The counts stay.
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
    let most = match plan.select {
        Select::First | Select::Last => 1,
        _ => group.shown.len(),
    };
    let row = RecordsRow {
        group: names.zip(values).collect(),
        value,
        unit: unit.filter(|_| value.is_some()).map(str::to_owned),
        count: group.count,
        records: Vec::new(),
    };
    (row, group.shown.iter().take(most).map(|(_, place)| *place).collect())
}

#[expect(clippy::cast_precision_loss, reason = "counts of records are far below 2^53")]
fn value(plan: &Plan, group: &Group) -> Option<f64> {
    let has_numbers = group.numbers > 0;
    match plan.select {
        Select::Count => Some(group.count as f64),
        Select::List | Select::First | Select::Last => None,
        Select::Min | Select::Max => group.extreme,
        Select::Sum => has_numbers.then_some(group.sum),
        Select::Mean => has_numbers.then(|| group.sum / group.numbers as f64),
        Select::Percentile => percentile(&group.all, plan.percentile),
    }
}

/// Returns the percentile by nearest rank: the smallest number that at least this share of all is not above.
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

/// Returns the groups that are shown, in their order.
fn first<'f>(plan: &Plan, found: &'f Found) -> Vec<&'f Group> {
    let mut groups: Vec<&Group> = found.groups.iter().collect();
    let by_order = |a: &&Group, b: &&Group| compare(plan, found, (a, b));
    if plan.limit < groups.len() {
        groups.select_nth_unstable_by(plan.limit, by_order);
        groups.truncate(plan.limit);
    }
    groups.sort_unstable_by(by_order);
    groups
}

/// Returns true if the records of a group have none of the values that are grouped by.
fn lacks_values(plan: &Plan, found: &Found, group: &Group) -> bool {
    group.key.iter().take(plan.by.len()).all(|number| found.kept(*number).is_none())
}

fn compare(plan: &Plan, found: &Found, (a, b): (&Group, &Group)) -> Ordering {
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
            let number = |group: &Group| value(plan, group).unwrap_or(f64::NEG_INFINITY);
            number(a).total_cmp(&number(b)).then(a.count.cmp(&b.count))
        }
        Order::Time if super::group::is_of_time(plan) => names(a).cmp(names(b)),
        Order::Time => first_rank(a, b),
        Order::Column(name) => {
            let place = plan.by.iter().position(|(column, _)| column == name);
            let group_value = |group: &Group| place.and_then(|place| found.kept(group.key[place]));
            group_value(a).cmp(&group_value(b))
        }
    };
    let by_order = if *is_descending { by_order.reverse() } else { by_order };
    by_order.then_with(|| names(a).cmp(names(b)))
}

fn first_rank(a: &Group, b: &Group) -> Ordering {
    let rank = |group: &Group| group.shown.first().map(|(rank, _)| *rank);
    rank(a).partial_cmp(&rank(b)).unwrap_or(Ordering::Equal)
}

/// Returns the records at these places, as they stand in their files; each block is read once.
fn records_at(
    loaded: &Loaded,
    places: &BTreeSet<Place>,
) -> Result<HashMap<Place, RecordShown>, Damaged> {
    let mut all = HashMap::new();
    let places: Vec<Place> = places.iter().copied().collect();
    for in_block in places.chunk_by(|a, b| (a.document, a.block) == (b.document, b.block)) {
        let Some(recorded) = loaded.documents.get(in_block[0].document as usize) else { continue };
        let Some(block) = recorded.file.block(in_block[0].block as usize) else { continue };
        for (place, record) in in_block.iter().zip(of_block(recorded, block, in_block, LONGEST)?) {
            all.insert(*place, record);
        }
    }
    Ok(all)
}

/// Returns the records at these places of a block, of each at most the first `longest` bytes.
pub(super) fn of_block(
    recorded: &Recorded,
    block: Block<'_>,
    places: &[Place],
    longest: usize,
) -> Result<Vec<RecordShown>, Damaged> {
    let (moments, lines, texts) = (block.moments()?, block.lines()?, block.texts()?);
    let templates = block.templates()?;
    let zone = |ahead: i32| Offset::from_seconds(ahead).map(|offset| offset.to_string()).ok();
    let mut all: Vec<RecordShown> = places
        .iter()
        .map(|place| {
            let row = place.row as usize;
            let moment = moments.get(row).copied().flatten();
            let record_lines = lines.get(row).copied().unwrap_or_default();
            let template = templates.get(row).copied().flatten();
            let mut quote = texts.get(row).cloned().unwrap_or_default();
            quote.truncate(quote.floor_char_boundary(longest));
            RecordShown {
                document_id: recorded.document.document_id.to_string(),
                version: recorded.version.clone(),
                file: recorded.document.name.clone(),
                chunk_id: recorded.passage(record_lines.0, template).to_string(),
                lines: record_lines,
                time: moment.map(|moment| instant(moment.micros)),
                zone: moment.and_then(|moment| moment.ahead).and_then(zone),
                columns: BTreeMap::new(),
                quote,
            }
        })
        .collect();
    for (number, head) in recorded.file.header.columns.iter().enumerate() {
        let Some(column) = block.column(number)? else { continue };
        for (record, place) in all.iter_mut().zip(places) {
            let value =
                column.rows.get(place.row as usize).and_then(|at| (*at as usize).checked_sub(1));
            if let Some(value) = value.and_then(|at| column.values.get(at)) {
                record.columns.insert(head.name.clone(), value.clone());
            }
        }
    }
    Ok(all)
}
