//! The records of a reply, as they are in their files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use jiff::tz::Offset;
use model::record::{Block, Damaged};
use regex::Regex;
use wire::records::RecordShown;

use super::group::Place;
use super::plan::Plan;
use super::shape::Shape;
use super::when::instant;
use super::{Loaded, Recorded};

/// The column with the key of a setting.
pub(super) const KEY: &str = "key";

/// The mark for a cut in a record.
const CUT: &str = "…";

/// Returns the records at these places; each block is read once.
pub(super) fn records_at(
    plan: &Plan,
    loaded: &Loaded,
    places: &BTreeSet<Place>,
) -> Result<HashMap<Place, RecordShown>, Damaged> {
    let mut all = HashMap::new();
    let places: Vec<Place> = places.iter().copied().collect();
    let shape = plan.shape;
    let matched = Matched::of(plan).filter(|_| shape.is_centred);
    for in_block in places.chunk_by(|a, b| (a.document, a.block) == (b.document, b.block)) {
        let Some(recorded) = loaded.documents.get(in_block[0].document as usize) else { continue };
        let Some(block) = recorded.file.block(in_block[0].block as usize) else { continue };
        let records = of_block(recorded, block, in_block, shape, matched.as_ref())?;
        all.extend(in_block.iter().copied().zip(records));
    }
    Ok(all)
}

/// Returns the records at these places of a block.
pub(super) fn of_block(
    recorded: &Recorded,
    block: Block<'_>,
    places: &[Place],
    shape: Shape,
    matched: Option<&Matched<'_>>,
) -> Result<Vec<RecordShown>, Damaged> {
    let (moments, lines, texts) = (block.moments()?, block.lines()?, block.texts()?);
    let templates = block.templates()?;
    let columns = columns(recorded, block, places)?;
    let zone = |ahead: i32| Offset::from_seconds(ahead).map(|offset| offset.to_string()).ok();
    let record = |(place, columns): (&Place, BTreeMap<String, String>)| {
        let row = place.row as usize;
        let moment = moments.get(row).copied().flatten();
        let lines = lines.get(row).copied().unwrap_or_default();
        let text = texts.get(row).map(String::as_str).unwrap_or_default();
        let place = matched.and_then(|matched| matched.place(text, &columns));
        let record = RecordShown {
            passage_id: recorded
                .passage(lines.0, templates.get(row).copied().flatten())
                .to_string(),
            file: recorded.document.name.clone(),
            lines,
            line: place
                .as_ref()
                .filter(|_| lines.0 < lines.1)
                .map(|place| line(text, lines.0, place)),
            time: moment.map(|moment| instant(moment.micros)),
            path: columns.get(KEY).cloned(),
            quote: quote(text, place, shape),
            ..RecordShown::default()
        };
        if !shape.is_explained {
            return record;
        }
        RecordShown {
            document_id: Some(recorded.document.document_id.to_string()),
            version: Some(recorded.version.clone()),
            zone: moment.and_then(|moment| moment.ahead).and_then(zone),
            columns,
            ..record
        }
    };
    Ok(places.iter().zip(columns).map(record).collect())
}

/// Returns the columns of the records at these places.
fn columns(
    recorded: &Recorded,
    block: Block<'_>,
    places: &[Place],
) -> Result<Vec<BTreeMap<String, String>>, Damaged> {
    let mut all = vec![BTreeMap::new(); places.len()];
    for (number, head) in recorded.file.header.columns.iter().enumerate() {
        let Some(column) = block.column(number)? else { continue };
        for (columns, place) in all.iter_mut().zip(places) {
            let value =
                column.rows.get(place.row as usize).and_then(|at| (*at as usize).checked_sub(1));
            if let Some(value) = value.and_then(|at| column.values.get(at)) {
                columns.insert(head.name.clone(), value.clone());
            }
        }
    }
    Ok(all)
}

/// The matches of a query in a record.
pub(super) struct Matched<'p> {
    /// Any of the wanted texts.
    texts: Option<Regex>,
    /// The columns whose values are wanted.
    columns: Vec<&'p str>,
}

impl Matched<'_> {
    fn of(plan: &Plan) -> Option<Matched<'_>> {
        let patterns: Vec<String> =
            plan.texts.iter().flat_map(super::test::Test::patterns).map(any).collect();
        let columns = plan.columns.iter().map(|(name, _)| name).chain(&plan.of);
        let texts = if patterns.is_empty() {
            None
        } else {
            Regex::new(&format!("(?is){}", patterns.join("|"))).ok()
        };
        let columns: Vec<&str> = columns.map(String::as_str).collect();
        (texts.is_some() || !columns.is_empty()).then_some(Matched { texts, columns })
    }

    /// Returns the first place of a wanted text, else of a wanted value.
    fn place(&self, text: &str, columns: &BTreeMap<String, String>) -> Option<Range<usize>> {
        let found =
            self.texts.as_ref().and_then(|texts| texts.find(text)).map(|found| found.range());
        let value = |name: &&str| {
            let value = columns.get(*name).filter(|value| !value.is_empty())?;
            text.find(value.as_str()).map(|start| start..start + value.len())
        };
        found.or_else(|| self.columns.iter().filter_map(value).min_by_key(|range| range.start))
    }
}

/// Returns the expression for a text in which `*` stands for anything.
fn any(pattern: &str) -> String {
    let parts: Vec<String> = pattern.trim_matches('*').split('*').map(regex::escape).collect();
    parts.join(".*?")
}

/// Returns the line in its file for a place in a record.
fn line(text: &str, first: u32, place: &Range<usize>) -> u32 {
    let before = text[..place.start].matches('\n').count();
    first.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))
}

/// Returns a record's text. Of a long text it returns as many bytes as are shown, around a place in
/// it.
fn quote(text: &str, place: Option<Range<usize>>, shape: Shape) -> String {
    let longest = shape.longest;
    if text.len() <= longest {
        return text.to_owned();
    }
    if !shape.is_centred {
        return text[..text.floor_char_boundary(longest)].to_owned();
    }
    let room = longest.saturating_sub(2 * CUT.len());
    let place = place.unwrap_or(0..0);
    let around = room.saturating_sub(place.len()) / 2;
    let last = text.len() - room;
    let start = text.ceil_char_boundary(place.start.saturating_sub(around).min(last));
    let end = text.floor_char_boundary(start + room);
    let mark = |is_cut: bool| if is_cut { CUT } else { "" };
    [mark(start > 0), &text[start..end], mark(end < text.len())].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_record_is_cut_between_letters_around_what_was_matched() {
        let shape = Shape { longest: 40, is_centred: true, ..Shape::WHOLE };
        let text = format!("{}needle{}", "é".repeat(50), "ü".repeat(50));
        let place = text.find("needle").map(|start| start..start + 6);
        let centred = quote(&text, place, shape);
        assert!(centred.len() <= 40 && centred.contains("éneedleü"), "{centred}");
        assert!(centred.starts_with('…') && centred.ends_with('…'), "{centred}");
        let first = quote(&text, None, shape);
        assert!(first.starts_with('é') && first.ends_with('…') && first.len() <= 40, "{first}");
        let end = quote(&text, Some(text.len() - 2..text.len()), shape);
        assert!(end.starts_with('…') && end.ends_with('ü') && end.len() <= 40, "{end}");
        assert_eq!(quote("short", Some(0..5), shape), "short");
    }
}
