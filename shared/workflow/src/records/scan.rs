//! Goes through the records and finds those that satisfy a query.

use std::collections::HashSet;
use std::rc::Rc;

use model::record::{Block, Damaged, Moment, RecordFile};

use super::group::{Found, Key, Place, Seen};
use super::plan::{By, Plan};
use super::when::time_of_day;
use super::{Loaded, Recorded};
use crate::document::file_name;

/// Finds the records that a query wants, as far as there is time.
pub(super) fn scan(
    plan: &Plan,
    loaded: &Loaded,
    may_go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Found, Damaged> {
    let mut found = Found::new(plan);
    let is_all = each_block(plan, loaded, may_go_on, |rows, place| {
        found.scanned += rows.block.records() as u64;
        rows.find(place, &mut found)
    })?;
    found.is_complete = is_all && loaded.is_whole;
    Ok(found)
}

/// Calls `look` for each block that may have records which satisfy the query, with the place of the document and the
/// place of the block. Returns true if there was time for all blocks.
pub(super) fn each_block<'s>(
    plan: &'s Plan,
    loaded: &'s Loaded,
    may_go_on: &(dyn Fn() -> bool + Sync),
    mut look: impl FnMut(&Rows<'s>, (u32, u32)) -> Result<(), Damaged>,
) -> Result<bool, Damaged> {
    for (document, recorded) in (0..).zip(&loaded.documents) {
        if !is_meant(plan, recorded) {
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
            look(&rows, (document, place))?;
        }
    }
    Ok(true)
}

/// Returns true if a document's file may have wanted records.
fn is_meant(plan: &Plan, recorded: &Recorded) -> bool {
    let name = &recorded.document.name;
    let is_file = |test: &super::test::Test| {
        test.holds(Some(name.as_str())) || test.holds(Some(file_name(name)))
    };
    let instance = instance(name);
    plan.files.as_ref().is_none_or(is_file)
        && plan.instances.as_ref().is_none_or(|test| test.holds(instance.as_deref()))
}

/// Returns the numbered beginning of a file's name, which identifies who wrote it: `kafka1` of `kafka1-server.log`.
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
    /// The places of the templates that are wanted.
    templates: Option<Rc<HashSet<u32>>>,
}

impl Rows<'_> {
    fn find(&self, (document, block): (u32, u32), found: &mut Found) -> Result<(), Damaged> {
        let Some(is_wanted) = self.wanted()? else { return Ok(()) };
        // The first records by time are shown, whatever is selected.
        let moments = self.block.moments()?;
        let keys = self.keys(found, &moments)?;
        let numbers = match &self.plan.of {
            Some(name) => found.amounts(self.column(name)?, is_wanted.len()),
            None => Vec::new(),
        };
        for row in (0..is_wanted.len()).filter(|row| is_wanted[*row]) {
            let mut key = Key::default();
            for (part, column) in key.iter_mut().zip(&keys) {
                *part = column[row];
            }
            let time = moments.get(row).copied().flatten().map(|moment: Moment| moment.micros);
            let place = Place { document, block, row: number(row) };
            found.add(&Seen { key, time, place, number: numbers.get(row).copied().flatten() });
        }
        Ok(())
    }

    /// Returns for each record of the block whether it satisfies the query; `None` where none does.
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
            keep(&mut is_wanted, |row| test.is_in(&texts[row]));
        }
        Ok(is_wanted.contains(&true).then_some(is_wanted))
    }

    fn by_columns(&self, is_wanted: &mut [bool]) -> Result<(), Damaged> {
        for (name, test) in &self.plan.columns {
            let is_empty_wanted = test.holds(None);
            let Some(column) = self.column(name)? else {
                if !is_empty_wanted {
                    is_wanted.fill(false);
                }
                continue;
            };
            let holds: Vec<bool> =
                column.values.iter().map(|value| test.holds(Some(value))).collect();
            keep(is_wanted, |row| match column.rows[row] {
                0 => is_empty_wanted,
                place => holds.get(place as usize - 1).copied().unwrap_or_default(),
            });
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

    /// Filters by lines; a record stands at each of its lines.
    fn by_lines(&self, is_wanted: &mut [bool]) -> Result<(), Damaged> {
        let Some(test) = &self.plan.lines else { return Ok(()) };
        let lines = self.block.lines()?;
        keep(is_wanted, |row| {
            let (first, last) = lines[row];
            (first..=last).any(|line| test.holds(Some(&line.to_string())))
        });
        Ok(())
    }

    fn column(&self, name: &str) -> Result<Option<model::record::Column>, Damaged> {
        match place_of(&self.recorded.file, name) {
            Some(place) => self.block.column(place),
            None => Ok(None),
        }
    }

    /// Returns, for each column that is grouped by, the number of each record's value.
    fn keys(
        &self,
        found: &mut Found,
        moments: &[Option<Moment>],
    ) -> Result<Vec<Vec<u32>>, Damaged> {
        let count = self.block.records();
        let mut keys = Vec::with_capacity(self.plan.by.len());
        for (_, by) in &self.plan.by {
            let name = &self.recorded.document.name;
            keys.push(match by {
                By::File => vec![found.value(Some(file_name(name))); count],
                By::Instance => vec![found.value(instance(name).as_deref()); count],
                By::Template => {
                    let all = &self.recorded.file.header.templates;
                    let numbers: Vec<u32> =
                        all.iter().map(|template| found.value(Some(&template.text))).collect();
                    let none = found.value(None);
                    let number_of = |template: Option<u32>| {
                        template.and_then(|place| numbers.get(place as usize).copied())
                    };
                    let templates = self.block.templates()?.into_iter();
                    templates.map(|template| number_of(template).unwrap_or(none)).collect()
                }
                By::Bucket(_, length) => moments
                    .iter()
                    .map(|moment| found.bucket(moment.map(|moment| moment.micros), *length))
                    .collect(),
                By::Column(name) => match self.column(name)? {
                    None => vec![found.value(None); count],
                    Some(column) => {
                        let numbers: Vec<u32> = std::iter::once(found.value(None))
                            .chain(column.values.iter().map(|value| found.value(Some(value))))
                            .collect();
                        column.rows.iter().map(|place| numbers[*place as usize]).collect()
                    }
                },
            });
        }
        Ok(keys)
    }
}

/// Returns the place of a column in a file.
pub(super) fn place_of(file: &RecordFile, name: &str) -> Option<usize> {
    file.header.columns.iter().position(|head| head.name == name)
}

fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}

fn keep(is_wanted: &mut [bool], holds: impl Fn(usize) -> bool) {
    for (row, flag) in is_wanted.iter_mut().enumerate() {
        *flag = *flag && holds(row);
    }
}
