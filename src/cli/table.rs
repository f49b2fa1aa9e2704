//! Tables: aligned columns, the last of which is cut to the terminal.
//!
//! Promises one row per line of the table, whatever is in the cells. Expects neutral cells.

use super::output::terminal_columns;
use super::style::{self, painted};
use crate::display::{clip, width};
use anstyle::Style;

/// Columns of the last cell where no terminal says how much room there is.
const UNBOUNDED: usize = 1_000;

/// The least columns of the last cell.
const LEAST: usize = 20;

/// Spaces between two columns.
const GAP: usize = 2;

/// One cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Cell {
    text: String,
    style: Style,
}

impl Cell {
    /// A cell in a style.
    pub(super) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), style: Style::new() }
    }
}

/// Lays rows out under headings.
pub(super) fn table<const COLUMNS: usize>(headings: [&str; COLUMNS], rows: Vec<[Cell; COLUMNS]>) -> String {
    let mut widths = headings.map(width);
    for row in &rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(&cell.text).max(*widest);
        }
    }
    let before_last: usize = widths.iter().rev().skip(1).map(|columns| columns + GAP).sum();
    let room = terminal_columns().map_or(UNBOUNDED, |columns| columns.saturating_sub(before_last).max(LEAST));
    let headings = headings.map(|heading| Cell::styled(heading.to_uppercase(), style::FAINT));
    let mut text = String::new();
    for row in std::iter::once(headings).chain(rows) {
        for (index, (cell, columns)) in row.iter().zip(widths).enumerate() {
            if index + 1 == COLUMNS {
                text.push_str(&painted(cell.style, &clip(&cell.text, room)));
            } else {
                let gap = (columns + GAP).saturating_sub(width(&cell.text));
                text.push_str(&format!("{}{}", painted(cell.style, &cell.text), " ".repeat(gap)));
            }
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_what_they_take_on_a_terminal() {
        let rows = vec![
            [Cell::from("a"), Cell::styled("日本", style::GOOD), Cell::from("x")],
            [Cell::from("abc"), Cell::from("b"), Cell::from("y")],
        ];
        let text = table(["one", "two", "three"], rows);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "ONE  TWO   THREE\na    日本  x\nabc  b     y\n");
    }

    #[test]
    fn the_last_cell_is_bounded() {
        let text = table(["a", "b"], vec![[Cell::from("1"), Cell::from("x".repeat(5_000))]]);
        assert!(text.len() < 1_200, "{}", text.len());
    }
}
