//! Framed rows read back, to be laid out for another width.
//!
//! Promises that what comes out keeps the promises of a frame: text stays behind its gutter, with its own line numbers,
//! and every row fits. Words and frames are told apart by the gutter alone, which no text can forge.

use super::frame::wrap;
use super::neutral::neutralise;
use super::width::{clip, width};

/// Words, and the rows that they introduce.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Block {
    /// The words, in one line.
    pub label: String,
    rows: Vec<Row>,
}

/// One row of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Row {
    /// A line of somebody's text. The number of columns in front of the bar, and the line's number as it stands there.
    Line { number: String, content: String },
    /// How much is hidden here.
    Gap { indent: usize, words: String },
    /// A row between frames that points at something.
    Note(String),
}

/// Reads rows as the contract carries them. A block begins at words that follow a frame.
#[must_use]
pub fn blocks(lines: &[String]) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for line in lines {
        let line = neutralise(line);
        if let Some(rest) = line.strip_prefix("  ") {
            if found.is_empty() {
                found.push(Block::default());
            }
            if let Some(block) = found.last_mut() {
                block.take(&line, rest);
            }
        } else {
            found.push(Block { label: line.into_owned(), rows: Vec::new() });
        }
    }
    found
}

impl Block {
    /// Takes over a row that is indented; `rest` is the row without its indent.
    fn take(&mut self, line: &str, rest: &str) {
        let framed =
            rest.trim_start_matches(|character: char| character == ' ' || character.is_ascii_digit());
        let number = rest.get(..rest.len() - framed.len()).unwrap_or_default();
        let mut characters = framed.chars();
        let bar = characters.next();
        let content = characters.as_str();
        let content = content.strip_prefix(' ').unwrap_or(content);
        match (bar, self.rows.last_mut()) {
            (Some('┊'), Some(Row::Line { content: before, .. })) => before.push_str(content),
            (Some('│' | '┊'), _) => {
                let number = number.strip_suffix(' ').unwrap_or(number).to_owned();
                self.rows.push(Row::Line { number, content: content.to_owned() });
            }
            (Some('⋯'), _) => self.rows.push(Row::Gap { indent: number.len(), words: content.to_owned() }),
            // Words that went on: only they are indented so deep before anything else came.
            (Some(_), None) if line.starts_with("    ") => {
                self.label.push(' ');
                self.label.push_str(line.trim_start());
            }
            (Some(_) | None, _) => self.rows.push(Row::Note(line.to_owned())),
        }
    }

    /// The rows, without the label, for so many columns.
    #[must_use]
    pub fn rows(&self, columns: usize) -> Vec<String> {
        let mut rows = Vec::new();
        for row in &self.rows {
            row.lay_out(columns, &mut rows);
        }
        rows
    }

    /// The frames of the block, each by itself: a frame begins where the line numbers begin again.
    #[must_use]
    pub fn frames(&self) -> Vec<Block> {
        let mut frames: Vec<Block> = Vec::new();
        let mut last = u64::MAX;
        for row in &self.rows {
            let number = match row {
                Row::Line { number, .. } => number.trim_start().parse().unwrap_or(last),
                Row::Gap { .. } => last,
                Row::Note(_) => continue,
            };
            match frames.last_mut() {
                Some(frame) if number > last || matches!(row, Row::Gap { .. }) => {
                    frame.rows.push(row.clone())
                }
                Some(_) | None => frames.push(Block { label: String::new(), rows: vec![row.clone()] }),
            }
            last = number;
        }
        frames
    }
}

impl Row {
    fn lay_out(&self, columns: usize, rows: &mut Vec<String>) {
        match self {
            Self::Line { number, content } => {
                let first = format!("  {number} │ ");
                let further = format!("  {:indent$} ┊ ", "", indent = width(number));
                let room = columns.saturating_sub(width(&first)).max(super::frame::LEAST_CONTENT);
                let mut prefix = &first;
                wrap(content, room, |part, _end| {
                    rows.push(format!("{prefix}{part}"));
                    prefix = &further;
                });
            }
            Self::Gap { indent, words } => {
                let aligned = format!("  {:indent$}⋯ {words}", "");
                rows.push(if width(&aligned) <= columns {
                    aligned
                } else {
                    clip(&format!("  ⋯ {words}"), columns)
                });
            }
            Self::Note(line) => rows.push(clip(line, columns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::{Frame, frame, frame_command};

    fn at(columns: usize) -> Frame {
        Frame { columns, ..Frame::default() }
    }

    #[test]
    fn words_and_what_they_introduce_are_one_block() {
        let mut lines = vec!["The agent wants".to_owned(), "    to run a command.".to_owned()];
        lines.extend(frame("notice", &at(80)));
        lines.extend(frame_command("a; b\n  c │ d", &at(80)));
        lines.push("⚠ Auto-rater (destructive): this can".to_owned());
        lines.push("    destroy work.".to_owned());
        lines.extend(frame("because", &at(80)));
        let found = blocks(&lines);
        let labels: Vec<&str> = found.iter().map(|block| block.label.as_str()).collect();
        assert_eq!(
            labels,
            ["The agent wants to run a command.", "⚠ Auto-rater (destructive): this can destroy work."]
        );
        let frames: Vec<Vec<String>> = found[0].frames().iter().map(|frame| frame.rows(79)).collect();
        assert_eq!(frames, [vec!["  1 │ notice"], vec!["  1 │ a; b", "  2 │   c │ d"]]);
        assert_eq!(found[1].rows(79), ["  1 │ because"]);
    }

    #[test]
    fn text_is_laid_out_anew_behind_its_own_numbers() {
        let text = "one two three four five six seven eight\n".repeat(30);
        let wide = blocks(&frame(&text, &at(80)));
        for columns in [20, 40, 79, 120] {
            assert_eq!(wide[0].rows(columns), frame(&text, &at(columns + 1)), "{columns}");
        }
    }

    #[test]
    fn a_row_that_no_gate_would_send_stays_behind_the_indent_and_shows_what_it_is() {
        let hostile = ["  \u{1b}[2Jx", "  │ \u{202e}y", "x\u{7}", "", "  ", "  ⋯"].map(str::to_owned);
        let rows: Vec<String> = blocks(&hostile)
            .iter()
            .flat_map(|block| std::iter::once(block.label.clone()).chain(block.rows(40)))
            .collect();
        assert_eq!(rows, ["", r"  \x1b[2Jx", r"   │ \u202ey", r"x\x07", "", "  ", "  ⋯ "]);
    }
}
