//! Untrusted text in numbered rows.
//!
//! Promises that every row starts with the gutter and fits the frame's width under either East Asian policy, that the
//! text cannot make a row that looks like another, and that each cut-off names exactly how many lines or rows it hides.
//! Knows nothing of where the rows are painted.

use super::elide::{gap_before, shown_lines};
use super::neutral::{escape, neutralise};
use super::notices::notices;
use super::sites::{Survey, survey, tokens};
use super::width::width;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// Columns of a terminal that did not say how many it has.
pub const DEFAULT_COLUMNS: usize = 80;

/// The least width of a frame. A narrower terminal wraps its rows, and [`narrow_notice`] says so.
pub const MINIMUM_WIDTH: usize = 20;

/// Lines of a text that are shown at once: what a reader takes in without scrolling past the question.
const DEFAULT_MAX_LINES: usize = 20;

/// Columns that the text of a row gets however wide the gutter is.
pub(super) const LEAST_CONTENT: usize = 4;

/// The limits of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Columns of the terminal. One of them stays free, so that no terminal wraps by itself; a frame is never narrower
    /// than [`MINIMUM_WIDTH`].
    pub columns: usize,
    /// Logical lines that are shown; the rest is announced. At least one is.
    pub max_lines: usize,
    /// Rows that are returned, the announcement of the rest included; `None` for as many as the lines need. At least
    /// one is. Notices about a command do not count.
    pub max_rows: Option<usize>,
}

impl Default for Frame {
    fn default() -> Self {
        Self { columns: DEFAULT_COLUMNS, max_lines: DEFAULT_MAX_LINES, max_rows: None }
    }
}

impl Frame {
    /// The columns that no row exceeds.
    #[must_use]
    pub fn width(&self) -> usize {
        self.columns.saturating_sub(1).max(MINIMUM_WIDTH)
    }
}

/// What to say above everything else on a terminal too narrow for the frame.
#[must_use]
pub fn narrow_notice(columns: usize) -> Option<&'static str> {
    (columns.saturating_sub(1) < MINIMUM_WIDTH).then_some(
        "This terminal is too narrow for the frame: long rows will wrap, so text at the left edge may be the agent's.",
    )
}

/// A text in numbered rows.
#[must_use]
pub fn frame(text: &str, frame: &Frame) -> Vec<String> {
    let lines = logical_lines(text);
    let shown = shown_lines(lines.len(), frame.max_lines, &[]);
    body(&lines, &shown, frame).rows
}

/// A command in numbered rows, under notices that list where it may start another command or join several.
///
/// A long command is shown around those places.
#[must_use]
pub fn frame_command(command: &str, frame: &Frame) -> Vec<String> {
    let lines = logical_lines(command);
    let found = survey(&lines);
    let site_lines: Vec<usize> = found.lines.iter().map(|&(line, _)| line).collect();
    let shown = shown_lines(lines.len(), frame.max_lines, &site_lines);
    let body = body(&lines, &shown, frame);
    let hidden = found.total.saturating_sub(visible_sites(&lines, &found, &shown, body.end));
    let mut rows = notices(&found, hidden, frame.width());
    rows.extend(body.rows);
    rows
}

/// The lines of a text as its author wrote them. A line feed ends a line, together with a carriage return before it;
/// one break at the end of the text is dropped. There is always at least one line.
fn logical_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> =
        text.split_inclusive('\n').map(|line| line.strip_suffix('\n').map_or(line, drop_return)).collect();
    if lines.is_empty() {
        lines.push("");
    }
    lines
}

/// A line without the carriage return that belonged to its break.
fn drop_return(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// What stands in front of every row.
struct Gutter {
    /// Columns of the line numbers.
    digits: usize,
    /// Columns that are left for the text.
    content: usize,
    /// Columns of the whole row.
    width: usize,
}

impl Gutter {
    fn new(lines: usize, width_of_rows: usize) -> Self {
        let digits = lines.to_string().len();
        let mut gutter = Self { digits, content: 0, width: width_of_rows };
        let prefix = width(&gutter.first(lines)).max(width(&gutter.further()));
        gutter.content = width_of_rows.saturating_sub(prefix).max(LEAST_CONTENT);
        gutter
    }

    /// In front of the first row of a line, counted from 1.
    fn first(&self, number: usize) -> String {
        format!("  {number:>digits$} │ ", digits = self.digits)
    }

    /// In front of the other rows of a line.
    fn further(&self) -> String {
        format!("  {:digits$} ┊ ", "", digits = self.digits)
    }

    /// A row that says how many of something are hidden, in the longest wording that fits.
    fn announcement(&self, count: usize, adjective: &str, noun: &str) -> String {
        let plural = if count == 1 { "" } else { "s" };
        let aligned = format!("  {:digits$} ⋯ ", "", digits = self.digits);
        let short = "  ⋯ ".to_owned();
        let full = format!("{count} {adjective}{noun}{plural} hidden");
        let plain = format!("{count} {noun}{plural} hidden");
        let brief = format!("{count} hidden");
        [(&aligned, &full), (&short, &full), (&short, &plain), (&short, &brief)]
            .into_iter()
            .map(|(prefix, words)| format!("{prefix}{words}"))
            .find(|row| width(row) <= self.width)
            .unwrap_or_else(|| format!("{short}{count}"))
    }
}

/// What a row stands for.
enum Standing {
    /// A part of a line that ends at this byte of its neutralised text.
    Part { line: usize, end: usize },
    /// Lines that are not shown.
    Gap(Range<usize>),
}

/// Up to where a body shows its text.
#[derive(Clone, Copy)]
enum End {
    /// Everything that was chosen.
    Whole,
    /// Nothing from this byte of this line on.
    At { line: usize, end: usize },
}

/// The rows of a text, and where they end.
struct Body {
    rows: Vec<String>,
    end: End,
}

/// Rows up to a limit. What does not fit is counted in rows, lines that would not have been shown included.
struct Rows<'a> {
    lines: &'a [&'a str],
    gutter: &'a Gutter,
    limit: usize,
    kept: Vec<(String, Standing)>,
    hidden: usize,
}

impl Rows<'_> {
    fn push(&mut self, standing: Standing, row: impl FnOnce() -> String) {
        if self.hidden == 0 && self.kept.len() < self.limit {
            self.kept.push((row(), standing));
        } else {
            self.hidden = self.hidden.saturating_add(self.count(&standing));
        }
    }

    /// The rows that the text behind a row takes.
    fn count(&self, standing: &Standing) -> usize {
        match standing {
            Standing::Part { .. } => 1,
            Standing::Gap(range) => {
                let mut rows: usize = 0;
                for raw in self.lines.get(range.clone()).unwrap_or_default() {
                    wrap(&neutralise(raw), self.gutter.content, |_, _| rows = rows.saturating_add(1));
                }
                rows
            }
        }
    }

    /// The rows, with the last one given up for the announcement if some did not fit.
    fn finish(mut self) -> Body {
        if self.hidden == 0 {
            return Body { rows: self.kept.into_iter().map(|(row, _)| row).collect(), end: End::Whole };
        }
        if let Some((_, standing)) = self.kept.pop() {
            self.hidden = self.hidden.saturating_add(self.count(&standing));
        }
        let end = match self.kept.last() {
            None => End::At { line: 0, end: 0 },
            Some((_, Standing::Part { line, end })) => End::At { line: *line, end: *end },
            Some((_, Standing::Gap(range))) => End::At { line: range.end, end: 0 },
        };
        let announcement = self.gutter.announcement(self.hidden, "more ", "row");
        let rows = self.kept.into_iter().map(|(row, _)| row).chain([announcement]).collect();
        Body { rows, end }
    }
}

/// The chosen lines in rows, every gap between them announced.
fn body(lines: &[&str], shown: &[Range<usize>], frame: &Frame) -> Body {
    let gutter = Gutter::new(lines.len(), frame.width());
    let limit = frame.max_rows.map_or(usize::MAX, |rows| rows.max(1));
    let mut rows = Rows { lines, gutter: &gutter, limit, kept: Vec::new(), hidden: 0 };
    for position in 0..=shown.len() {
        let gap = gap_before(shown, position, lines.len());
        if !gap.is_empty() {
            let count = gap.len();
            rows.push(Standing::Gap(gap), || gutter.announcement(count, "", "line"));
        }
        let Some(range) = shown.get(position) else {
            continue;
        };
        for (line, raw) in lines.iter().enumerate().take(range.end).skip(range.start) {
            let mut first = true;
            wrap(&neutralise(raw), gutter.content, |part, end| {
                let prefix = if first { gutter.first(line + 1) } else { gutter.further() };
                first = false;
                rows.push(Standing::Part { line, end }, || format!("{prefix}{part}"));
            });
        }
    }
    rows.finish()
}

/// Cuts a neutralised line into parts of at most `room` columns, between characters that a reader sees as one. Each
/// part comes with the byte of the line at which it ends. A character wider than the room is shown by its number.
pub(super) fn wrap(line: &str, room: usize, mut part: impl FnMut(&str, usize)) {
    let mut row = String::new();
    let mut used: usize = 0;
    let mut position = 0;
    for cluster in line.graphemes(true) {
        let columns = width(cluster);
        if columns <= room {
            if used.saturating_add(columns) > room {
                part(&row, position);
                row.clear();
                used = 0;
            }
            row.push_str(cluster);
            used = used.saturating_add(columns);
        } else {
            for piece in by_number(cluster) {
                if used >= room && used > 0 {
                    part(&row, position);
                    row.clear();
                    used = 0;
                }
                row.push(piece);
                used += 1;
            }
        }
        position += cluster.len();
    }
    part(&row, position);
}

/// The characters of a cluster as escapes, in one-column pieces. What is plain already stays.
fn by_number(cluster: &str) -> impl Iterator<Item = char> {
    cluster.chars().flat_map(|character| {
        let spelled = if character.is_ascii() { character.to_string() } else { escape(character) };
        spelled.chars().collect::<Vec<char>>()
    })
}

/// How many sites the rows show whole.
fn visible_sites(lines: &[&str], found: &Survey, shown: &[Range<usize>], end: End) -> usize {
    let mut ranges = shown.iter().peekable();
    let mut visible = 0;
    for &(line, count) in &found.lines {
        while ranges.next_if(|range| range.end <= line).is_some() {}
        if !ranges.peek().is_some_and(|range| range.contains(&line)) {
            continue;
        }
        visible += match end {
            End::Whole => count,
            End::At { line: last, .. } if line < last => count,
            End::At { line: last, end } if line == last => {
                let text = lines.get(line).map(|raw| neutralise(raw)).unwrap_or_default();
                tokens(&text).take_while(|token| token.end <= end).count()
            }
            End::At { .. } => 0,
        };
    }
    visible
}
