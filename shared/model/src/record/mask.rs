//! Columns with their secrets masked.

use super::Column;
use text::secret;

/// The mask of every secret. It is the same for all, so that neither a group nor a filter
/// distinguishes two secrets.
const MASKED: &str = "[secret]";

/// Returns a column with its secrets masked. `name` is the column's name. `keys` is the column of
/// setting keys if `column` has the values of settings.
pub(super) fn column(name: &str, column: Column, keys: Option<&Column>) -> Column {
    let Column { mut values, mut rows } = column;
    let mut is_secret: Vec<bool> =
        values.iter().map(|value| secret::is_value(name, value)).collect();
    if let Some(keys) = keys {
        for (row, key) in rows.iter().zip(&keys.rows) {
            let at = |place: u32| (place as usize).checked_sub(1);
            let cell = at(*row).and_then(|at| Some((at, values.get(at)?)));
            let key = at(*key).and_then(|at| keys.values.get(at));
            if let Some(((at, value), key)) = cell.zip(key)
                && secret::is_value(key, value)
            {
                is_secret[at] = true;
            }
        }
    }
    for (value, is_secret) in values.iter_mut().zip(&is_secret) {
        *value = if *is_secret { MASKED.into() } else { secret::mask(value).into_owned() };
    }
    // All secrets share the place of the first one.
    let first = is_secret.iter().position(|is_secret| *is_secret);
    let first = first.and_then(|first| u32::try_from(first + 1).ok()).unwrap_or_default();
    for row in &mut rows {
        let at = (*row as usize).checked_sub(1);
        if at.and_then(|at| is_secret.get(at)) == Some(&true) {
            *row = first;
        }
    }
    Column { values, rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{About, Record, RecordFile, write};

    #[test]
    fn secrets_of_settings_are_one_value_and_stand_in_no_text_and_no_header() {
        let setting = |key: &'static str, value: &'static str, text: &'static str| Record {
            cells: vec![("key".into(), key.into()), ("value".into(), value.into())],
            text,
            ..Record::default()
        };
        let records = [
            setting("db.host", "pg-1", "host: pg-1"),
            setting("db.password", "vK9tRm2q", "password: vK9tRm2q"),
            setting("mq.password", "zz7Lq0-x", "password: zz7Lq0-x"),
        ];
        let file = RecordFile::open(write(&records, About::default())).unwrap();
        let block = file.block(0).unwrap();
        assert_eq!(block.texts().unwrap()[..2], ["host: pg-1", "password: ********"]);
        let place = file.header.columns.iter().position(|column| column.name == "value").unwrap();
        let column = block.column(place).unwrap().unwrap();
        let values: Vec<&str> =
            column.rows.iter().map(|row| column.values[*row as usize - 1].as_str()).collect();
        assert_eq!(values, ["pg-1", MASKED, MASKED]);
        assert_eq!(column.rows[1], column.rows[2], "one group");
        let listed: Vec<&str> =
            file.header.columns[place].values.iter().map(|(value, _)| value.as_str()).collect();
        assert_eq!(listed, ["pg-1"]);
    }
}
