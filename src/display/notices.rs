//! What is said above a framed command that may be more than one.
//!
//! Promises the number of places, the first of them one by one, and how many of them the frame hides. Each row is
//! indented and fits the width.

use super::sites::Survey;
use super::width::{clip, width};

/// Columns that the excerpt of a site gets however long its description is.
const LEAST_EXCERPT: usize = 8;

/// The notices about a command, of whose sites `hidden` cannot be seen; none about one without sites.
pub(super) fn notices(found: &Survey, hidden: usize, width_of_rows: usize) -> Vec<String> {
    let mut rows = Vec::new();
    if found.total == 0 {
        return rows;
    }
    let heading = if found.total == 1 {
        "1 place here may start another command or join several (text inside quotes counts too):".to_owned()
    } else {
        format!(
            "{} places here may start another command or join several (text inside quotes counts too):",
            found.total
        )
    };
    prose(&mut rows, "  ! ", &heading, width_of_rows);
    for site in &found.listed {
        let place = format!("    line {}, column {}, {} {}: ", site.line, site.column, site.kind, site.token);
        let room = width_of_rows.saturating_sub(width(&place)).max(LEAST_EXCERPT);
        rows.push(clip(&format!("{place}{}", clip(&site.excerpt, room)), width_of_rows));
    }
    let further = found.total.saturating_sub(found.listed.len());
    if let (Some(&(last, _)), 1..) = (found.lines.last(), further) {
        prose(&mut rows, "    ", &format!("and {further} further, up to line {}", last + 1), width_of_rows);
    }
    if hidden > 0 {
        let warning = format!("{hidden} of them cannot be seen below: part of the command is hidden.");
        prose(&mut rows, "  ! ", &warning, width_of_rows);
    }
    rows
}

/// Words of our own as rows of at most that many columns; rows behind the first are indented.
#[must_use]
pub fn wrapped(words: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    prose(&mut rows, "", words, columns);
    rows
}

/// Words of our own, wrapped between words behind an indent of four columns.
fn prose(rows: &mut Vec<String>, prefix: &str, words: &str, width_of_rows: usize) {
    let mut row = prefix.to_owned();
    let mut empty = true;
    for word in words.split(' ') {
        if !empty && width(&row) + 1 + width(word) > width_of_rows {
            rows.push(std::mem::replace(&mut row, "    ".to_owned()));
            empty = true;
        }
        if !empty {
            row.push(' ');
        }
        row.push_str(word);
        empty = false;
    }
    rows.push(row);
}
