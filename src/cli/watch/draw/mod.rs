//! The desk on a screen.
//!
//! Promises that rows are painted as they were framed and never wrapped again, that text of others is the last thing in its
//! row, that nothing is said by colour alone, and that what may be answered stands beside its key. Knows nothing of keys'
//! meaning, of connections or of the terminal.

mod banner;
mod canvas;
mod inbox;
mod menu;
#[cfg(test)]
mod tests;

pub(super) use canvas::{Canvas, Look};

use super::desk::{Cover, Desk, Room, Subject};
use super::document::{self, Layout, Row};
use crate::display::{clip, width, wrapped};
use crate::proto::v1::AnswerOffer;
use ratatui::Frame;

/// Less than this is no screen to decide on.
const LEAST_ROWS: u16 = 8;

/// What is said about the watcher itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Status {
    /// Whose questions these are.
    pub(super) project: String,
    /// Narrowed to a session or run, in words; empty for all.
    pub(super) only: String,
    /// How the connections stand, in words.
    pub(super) link: String,
    /// What is shown may be out of date.
    pub(super) stale: bool,
}

/// The document and the menu that were laid out last: a call may be long, and the screen is drawn often.
#[derive(Debug, Default)]
pub(super) struct Pages {
    laid_out: Option<(Subject, Layout)>,
    rows: Vec<Row>,
    menu: Option<(Subject, usize, usize, menu::Menu)>,
}

impl Pages {
    /// The menu of a question, which was laid out before unless the question or the room is another.
    fn menu_of(
        &mut self,
        subject: &Subject,
        offer: Option<&AnswerOffer>,
        columns: usize,
        budget: usize,
    ) -> menu::Menu {
        match &self.menu {
            Some((of, at, within, known))
                if of.is_the_same_as(subject) && *at == columns && *within == budget =>
            {
                known.clone()
            }
            Some(_) | None => {
                let fresh = menu::menu(offer, columns, budget);
                self.menu = Some((subject.clone(), columns, budget, fresh.clone()));
                fresh
            }
        }
    }

    fn of(&mut self, subject: &Subject, layout: Layout) -> &[Row] {
        let known =
            self.laid_out.as_ref().is_some_and(|(of, at)| of.is_the_same_as(subject) && *at == layout);
        if !known {
            self.rows = document::document(subject, layout);
            self.laid_out = Some((subject.clone(), layout));
        }
        &self.rows
    }
}

/// Draws everything, and says how much room the document had.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    desk: &Desk,
    status: &Status,
    look: Look,
    pages: &mut Pages,
) -> Room {
    let area = frame.area();
    let mut canvas = Canvas::new(frame.buffer_mut(), area, look);
    if area.height < LEAST_ROWS {
        canvas.row(0, "This window is too low: make it taller to read and answer.", look.warning());
        return Room::default();
    }
    let (room, cursor) = if desk.banner.is_some() {
        banner::draw(&mut canvas, desk, status, pages)
    } else {
        inbox::draw(&mut canvas, desk, status, pages)
    };
    if let Some((column, row)) = cursor {
        frame.set_cursor_position((area.x + column, area.y + row));
    }
    room
}

/// Where the cursor stands.
type Cursor = Option<(u16, u16)>;

/// The rows of a document in their place, and how far it can be scrolled.
fn paint_document(canvas: &mut Canvas<'_>, desk: &Desk, rows: &[Row], top: u16, height: u16) -> Room {
    let page = usize::from(height);
    let furthest = rows.len().saturating_sub(page);
    let scroll = desk.view.scroll.min(furthest);
    for (y, row) in (top..top.saturating_add(height)).zip(rows.iter().skip(scroll)) {
        let style = canvas.look.document(row.kind);
        canvas.row(y, &row.text, style);
    }
    Room { page, furthest }
}

/// A rule that says how much of the document lies above and below.
fn rule(canvas: &mut Canvas<'_>, y: u16, desk: &Desk, room: Room) {
    let above = desk.view.scroll.min(room.furthest);
    let below = room.furthest - above;
    let words = match (above, below) {
        (0, 0) => String::new(),
        (0, below) => format!(" {below} more rows: PgDn "),
        (above, 0) => format!(" {above} rows above: PgUp "),
        (above, below) => format!(" {above} rows above: PgUp, {below} more: PgDn "),
    };
    canvas.rule(y, &words);
}

/// The question whether to leave although runs are halted.
fn leaving(desk: &Desk) -> Vec<String> {
    let halted = crate::cli::words::counted(desk.halts.len() as u64, "halted run");
    vec![
        format!("Leave? {halted} would lose this watcher."),
        "A halt waits only while somebody who may answer is connected. If you are the last one, it ends in 5 s: \
         the run stays halted, and nobody can let its command run any more."
            .to_owned(),
        "y leaves. Any other key stays.".to_owned(),
    ]
}

/// What was said last, or the keys.
fn footer(desk: &Desk, columns: usize, keys: &str) -> Vec<(bool, String)> {
    use super::desk::Tone;
    let Some((tone, words)) = &desk.said else { return vec![(false, clip(keys, columns))] };
    let rows = wrapped(&format!(" {words}"), columns);
    rows.into_iter().take(if columns < 60 { 3 } else { 2 }).map(|row| (*tone == Tone::Trouble, row)).collect()
}

/// A text in an input, cut on the left so that its end is seen.
fn input_end(text: &str, columns: usize) -> String {
    let mut shown = String::new();
    let mut kept = Vec::new();
    for character in text.chars().rev() {
        let spelled = crate::display::neutralise(&character.to_string()).into_owned();
        if width(&shown) + width(&spelled) > columns {
            break;
        }
        shown.push_str(&spelled);
        kept.push(spelled);
    }
    kept.into_iter().rev().collect()
}

/// Whether the inbox is covered by something that takes its place.
fn covers(cover: &Cover) -> bool {
    match cover {
        Cover::Help | Cover::Leaving | Cover::Comment(_) => true,
        Cover::None => false,
    }
}
