//! The numbers by which records are grouped.

use model::document::file_name;
use model::record::{Damaged, Moment};

use super::super::by::By;
use super::super::group::Found;
use super::super::reading::Reading;
use super::super::when::Part;
use super::{Rows, instance};

impl Rows<'_> {
    /// Returns, for each grouping column, the number of each record's value.
    pub(super) fn keys(
        &self,
        found: &mut Found,
        moments: &[Option<Moment>],
    ) -> Result<Vec<Vec<u32>>, Damaged> {
        let count = self.block.records();
        let name = &self.recorded.document.name;
        let mut keys = Vec::with_capacity(self.plan.by.len());
        for (place, (_, by)) in self.plan.by.iter().enumerate() {
            let mut text = |value: Option<&str>| found.value(place, value, Reading::TEXT);
            keys.push(match by {
                By::File => vec![text(Some(file_name(name))); count],
                By::Instance => vec![text(instance(name).as_deref()); count],
                By::Template => self.templates_of(text)?,
                By::Time(part) => {
                    let micros = moments.iter().map(|moment| moment.map(|moment| moment.micros));
                    micros.map(|micros| found.part(place, micros, *part)).collect()
                }
                By::Column(name) => {
                    self.values_of(name, |value, reading| found.value(place, value, reading))?
                }
                By::Part(name, part) => self.values_of(name, |value, reading| {
                    part_of(found, place, *part, value, reading)
                })?,
            });
        }
        Ok(keys)
    }

    /// Returns the number of each record's template.
    fn templates_of(
        &self,
        mut number_of: impl FnMut(Option<&str>) -> u32,
    ) -> Result<Vec<u32>, Damaged> {
        let all = &self.recorded.file.header.templates;
        let numbers: Vec<u32> =
            all.iter().map(|template| number_of(Some(&template.text))).collect();
        let none = number_of(None);
        let number = |template: Option<u32>| {
            template.and_then(|place| numbers.get(place as usize).copied()).unwrap_or(none)
        };
        Ok(self.block.templates()?.into_iter().map(number).collect())
    }

    /// Returns the number of each record's value in a column.
    fn values_of(
        &self,
        name: &str,
        mut number_of: impl FnMut(Option<&str>, Reading) -> u32,
    ) -> Result<Vec<u32>, Damaged> {
        let Some((column, reading)) = self.column(name)? else {
            return Ok(vec![number_of(None, Reading::TEXT); self.block.records()]);
        };
        let none = number_of(None, reading);
        let values = column.values.iter().map(|value| number_of(Some(value), reading));
        let numbers: Vec<u32> = std::iter::once(none).chain(values).collect();
        Ok(column.rows.iter().map(|place| numbers[*place as usize]).collect())
    }
}

/// Returns the number of the part of time that contains a date; a value that is not a date counts
/// as missing.
fn part_of(
    found: &mut Found,
    place: usize,
    part: Part,
    value: Option<&str>,
    reading: Reading,
) -> u32 {
    found.part(place, value.and_then(|value| reading.kind.moment(value)), part)
}
