//! A table that fits the terminal.

use console::{measure_text_width, pad_str, style};

/// Blanks before the first column and between two.
const GAP: usize = 2;

/// No column is narrowed below this.
const NARROWEST: usize = 8;

/// Aligned columns; where they are wider than `width`, the widest are narrowed and their cells take several lines.
pub(super) fn table(head: &[String], rows: &[Vec<String>], width: usize) -> Vec<String> {
    let mut widths: Vec<usize> = head.iter().map(|cell| measure_text_width(cell)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = measure_text_width(cell).max(*width);
        }
    }
    while widths.iter().map(|width| width + GAP).sum::<usize>() > width {
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROWEST => *widest -= 1,
            _ => break,
        }
    }
    let head = row_lines(head, &widths).into_iter().map(|line| style(line).bold().to_string());
    head.chain(rows.iter().flat_map(|row| row_lines(row, &widths))).collect()
}

fn row_lines(row: &[String], widths: &[usize]) -> Vec<String> {
    let cells: Vec<Vec<_>> =
        row.iter().zip(widths).map(|(cell, width)| textwrap::wrap(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    (0..height)
        .map(|number| {
            let mut line = String::new();
            for (cell, width) in cells.iter().zip(widths) {
                let text = cell.get(number).map_or("", |text| text);
                line.push_str(&" ".repeat(GAP));
                line.push_str(&pad_str(text, *width, console::Alignment::Left, None));
            }
            line.trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(width: usize) -> String {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [row(["Sentry", "$89/mo", "0.82"]), row(["Bugsnag", "up to 199 dollars", "?"])];
        console::set_colors_enabled(false);
        table(&row(["", "cost 50 %", "total"]), &rows, width).join("\n")
    }

    #[test]
    fn columns_are_aligned() {
        insta::assert_snapshot!(render(60), @r"
                   cost 50 %          total
          Sentry   $89/mo             0.82
          Bugsnag  up to 199 dollars  ?
        ");
    }

    #[test]
    fn the_widest_column_is_narrowed_where_the_terminal_is() {
        insta::assert_snapshot!(render(30), @r"
                 cost 50 %     total
        Sentry   $89/mo        0.82
        Bugsnag  up to 199     ?
                 dollars
        ");
    }
}
