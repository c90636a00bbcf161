//! A table that fits the terminal.

use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

/// A line below the head, and no other.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// Blanks before each column.
const GAP: u16 = 2;

/// Aligns columns; where they are wider than `width`, their cells take several lines.
pub(super) fn table(head: &[String], rows: &[Vec<String>], width: usize) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(STYLE).set_header(head).add_rows(rows);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    for column in table.column_iter_mut() {
        column.set_padding((GAP, 0));
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(width: usize) -> String {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["Sentry", "$89/mo", "0.82"]), row(["Bugsnag", "up to 199 dollars", "?"])];
        table(&row(["", "cost 50 %", "total"]), &rows, width).join("\n")
    }

    #[test]
    fn columns_are_aligned() {
        insta::assert_snapshot!(render(60), @r"
                   cost 50 %          total
        ───────────────────────────────────
          Sentry   $89/mo             0.82
          Bugsnag  up to 199 dollars  ?
        ");
    }

    #[test]
    fn cells_take_several_lines_where_the_terminal_is_narrow() {
        insta::assert_snapshot!(render(30), @r"
                   cost 50 %  total
        ───────────────────────────
          Sentry   $89/mo     0.82
          Bugsnag  up to 199  ?
                   dollars
        ");
    }
}
