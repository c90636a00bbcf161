//! Examines the records and finds those that satisfy a query.

use std::collections::HashSet;
use std::rc::Rc;

use model::record::{Block, Column, Damaged, Moment};

use super::group::{Amount, Found, Key, Place, Seen};
use super::plan::Plan;
use super::reading::Reading;
use super::shown::KEY;
use super::test::Test;
use super::when::time_of_day;
use super::{Loaded, Recorded, pattern};
use model::document::file_name;

mod keys;

/// Finds the records that satisfy a query, as long as time is left.
pub(super) fn scan(
    plan: &Plan,
    loaded: &Loaded,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Found, Damaged> {
    let mut found = Found::new(plan);
    let is_all = each_block(plan, loaded, may_go_on, |rows, document, block| {
        found.scanned += rows.block.records() as u64;
        rows.find(document, block, &mut found)
    })?;
    found.is_complete = is_all && loaded.is_whole;
    Ok(found)
}

/// Calls `look` for each block that may contain records which satisfy the query, with the places of
/// the document and of the block. Returns true if the time sufficed for all blocks.
pub(super) fn each_block<'s>(
    plan: &'s Plan,
    loaded: &'s Loaded,
    may_go_on: &(dyn Fn() -> bool + Sync),
    mut look: impl FnMut(&Rows<'s>, u32, u32) -> Result<(), Damaged>,
) -> Result<bool, Damaged> {
    for (document, recorded) in (0..).zip(&loaded.documents) {
        if !is_meant(plan, &recorded.document.name) {
            continue;
        }
        let header = &recorded.file.header;
        let templates = plan.templates.as_ref().map(|wanted| {
            let numbered = (0..).zip(&header.templates);
            numbered
                .filter(|(_, template)| wanted.contains(&template.id))
                .map(|(place, _)| place)
                .collect()
        });
        let templates: Option<Rc<HashSet<u32>>> = templates.map(Rc::new);
        for (place, block) in (0..).zip(recorded.file.blocks()) {
            if !may_go_on() {
                return Ok(false);
            }
            let rows = Rows { plan, recorded, block, templates: templates.clone() };
            look(&rows, document, place)?;
        }
    }
    Ok(true)
}

/// Returns true if a file with this name may contain wanted records.
pub(super) fn is_meant(plan: &Plan, name: &str) -> bool {
    let is_file = |test: &Test| {
        let test = test.on(Reading::TEXT);
        test.holds(Some(name)) || test.holds(Some(file_name(name)))
    };
    let instance = instance(name);
    let is_instance = |test: &Test| test.on(Reading::TEXT).holds(instance.as_deref());
    plan.files.as_ref().is_none_or(is_file) && plan.instances.as_ref().is_none_or(is_instance)
}

/// Returns the beginning of a file's name up to its number, which identifies the author: `kafka1`
/// for `kafka1-server.log`.
pub(super) fn instance(name: &str) -> Option<String> {
    let file = file_name(name).to_lowercase();
    let letters = file.find(|c: char| !c.is_ascii_alphabetic()).filter(|at| *at > 0)?;
    let rest = file[letters..].trim_start_matches(['-', '_']);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let end = file.len() - rest.len() + digits;
    let is_apart = !file[end..].starts_with(|c: char| c.is_alphanumeric());
    (digits > 0 && digits < 5 && is_apart && end < file.len()).then(|| file[..end].to_owned())
}

/// The records of a block.
pub(super) struct Rows<'s> {
    plan: &'s Plan,
    pub(super) recorded: &'s Recorded,
    pub(super) block: Block<'s>,
    /// The places of the wanted templates.
    templates: Option<Rc<HashSet<u32>>>,
}

impl Rows<'_> {
    fn find(&self, document: u32, block: u32, found: &mut Found) -> Result<(), Damaged> {
        let Some(is_wanted) = self.wanted()? else { return Ok(()) };
        found.documents.insert(document);
        // The shown records are the first by time, whatever is selected.
        let moments = self.block.moments()?;
        let keys = self.keys(found, &moments)?;
        let column = self.plan.of.as_ref().map(|name| self.column(name)).transpose()?.flatten();
        let amounts = match &column {
            Some((column, reading)) => found.amounts(column, *reading, self.plan.of_dates),
            None => Vec::new(),
        };
        let amount = |row: usize| -> Option<Amount<'_>> {
            let place = (*column.as_ref()?.0.rows.get(row)? as usize).checked_sub(1)?;
            amounts.get(place).copied().flatten()
        };
        for row in (0..is_wanted.len()).filter(|row| is_wanted[*row]) {
            let mut key = Key::default();
            for (part, column) in key.iter_mut().zip(&keys) {
                *part = column[row];
            }
            let time = moments.get(row).copied().flatten().map(|moment: Moment| moment.micros);
            let place = Place { document, block, row: number(row) };
            found.add(&Seen { key, time, place, amount: amount(row) });
        }
        Ok(())
    }

    /// Returns true for each record of the block that satisfies the query, else false; `None` if no
    /// record does.
    pub(super) fn wanted(&self) -> Result<Option<Vec<bool>>, Damaged> {
        let plan = self.plan;
        let is_in_time = match (&plan.times, self.block.span()) {
            (Some(when), Some(span)) => when.may_have(span),
            (Some(_), None) => false,
            (None, _) => true,
        };
        if !is_in_time {
            return Ok(None);
        }
        let mut is_wanted = vec![true; self.block.records()];
        self.by_columns(&mut is_wanted)?;
        self.by_pairs(&mut is_wanted)?;
        if plan.times.is_some() || plan.clocks.is_some() {
            self.by_moments(&mut is_wanted, &self.block.moments()?);
        }
        self.by_lines(&mut is_wanted)?;
        if let Some(wanted) = &self.templates {
            let templates = self.block.templates()?;
            keep(&mut is_wanted, |row| {
                templates[row].is_some_and(|template| wanted.contains(&template))
            });
        }
        if let Some(test) = plan.texts.as_ref().filter(|_| is_wanted.contains(&true)) {
            let texts = self.block.texts()?;
            let keys = self.column(KEY)?.map(|(column, _)| column);
            keep(&mut is_wanted, |row| {
                let key = keys.as_ref().and_then(|keys| value(keys, row));
                match key {
                    Some(key) => test.is_in(&[&texts[row], key]),
                    None => test.is_in(&[&texts[row]]),
                }
            });
        }
        Ok(is_wanted.contains(&true).then_some(is_wanted))
    }

    fn by_columns(&self, is_wanted: &mut [bool]) -> Result<(), Damaged> {
        for (name, test) in &self.plan.columns {
            let Some((column, reading)) = self.column(name)? else {
                if !test.on(Reading::TEXT).holds(None) {
                    is_wanted.fill(false);
                }
                continue;
            };
            let test = test.on(reading);
            let is_empty_wanted = test.holds(None);
            let holds: Vec<bool> =
                column.values.iter().map(|value| test.holds(Some(value))).collect();
            keep(is_wanted, |row| match column.rows[row] {
                0 => is_empty_wanted,
                place => holds.get(place as usize - 1).copied().unwrap_or_default(),
            });
        }
        Ok(())
    }

    fn by_pairs(&self, is_wanted: &mut [bool]) -> Result<(), Damaged> {
        for pair in &self.plan.pairs {
            let (one, other) = (self.column(&pair.column)?, self.column(&pair.other)?);
            keep(is_wanted, |row| pair.holds(read(one.as_ref(), row), read(other.as_ref(), row)));
        }
        Ok(())
    }

    fn by_moments(&self, is_wanted: &mut [bool], moments: &[Option<Moment>]) {
        if let Some(when) = &self.plan.times {
            keep(is_wanted, |row| moments[row].is_some_and(|moment| when.has(moment.micros)));
        }
        if let Some(when) = &self.plan.clocks {
            keep(is_wanted, |row| moments[row].is_some_and(|moment| when.has(time_of_day(moment))));
        }
    }

    /// Filters by lines. A record is at each of its lines.
    fn by_lines(&self, is_wanted: &mut [bool]) -> Result<(), Damaged> {
        let Some(test) = &self.plan.lines else { return Ok(()) };
        let test = test.on(Reading::NUMBER);
        let lines = self.block.lines()?;
        keep(is_wanted, |row| {
            let (first, last) = lines[row];
            (first..=last).any(|line| test.holds(Some(&line.to_string())))
        });
        Ok(())
    }

    /// Returns a column of the block, and the reading of its values.
    fn column(&self, name: &str) -> Result<Option<(Column, Reading)>, Damaged> {
        if pattern::is_one(name) {
            let column = pattern::column(name, &self.block.texts()?);
            return Ok(column.map(|column| (column, Reading::TEXT)));
        }
        let heads = &self.recorded.file.header.columns;
        let Some(place) = heads.iter().position(|head| head.name == name) else { return Ok(None) };
        let column = self.block.column(place)?;
        Ok(column.map(|column| (column, Reading::of(&heads[place]))))
    }
}

/// Returns a record's value in a column, if there is one, with its reading.
fn read(column: Option<&(Column, Reading)>, row: usize) -> Option<(&str, Reading)> {
    let (column, reading) = column?;
    Some((value(column, row)?, *reading))
}

/// Returns a record's value in a column.
fn value(column: &Column, row: usize) -> Option<&str> {
    let place = (*column.rows.get(row)? as usize).checked_sub(1)?;
    column.values.get(place).map(String::as_str)
}

fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

fn keep(is_wanted: &mut [bool], holds: impl Fn(usize) -> bool) {
    for (row, flag) in is_wanted.iter_mut().enumerate() {
        *flag = *flag && holds(row);
    }
}
