//! The inbox: what waits, the selected item whole, and the answers on offer.

use super::canvas::Canvas;
use super::menu::{Menu, MenuRow};
use super::{Cursor, Pages, Status, covers, footer, input_end, leaving, paint_document, rule};
use crate::cli::time::local;
use crate::cli::watch::desk::{Cover, Desk, Room, Subject};
use crate::cli::watch::document::{Layout, severity};
use crate::cli::watch::words::{call_of, outcome_of, rating_word, session_of, settled_line};
use crate::display::{clip, width, wrapped};
use crate::proto::v1 as pb;
use ratatui::style::Style;

/// The keys, at the foot of the screen.
const KEYS: &str = " j/k move  PgUp/PgDn scroll  w whole call  ? keys  q leave";
const FEW_KEYS: &str = " j/k move  PgDn scroll  ? keys  q leave";

/// The keys, with what they do.
const HELP: [(&str, &str); 13] = [
    ("j, k, arrows", "next and previous item"),
    ("o", "approve once"),
    ("s", "approve, and store for the session"),
    ("a", "approve, and store for the project"),
    ("n", "reject once"),
    ("c", "reject once, with a comment for the agent"),
    ("d", "reject, and refuse for the session"),
    ("PgUp, PgDn", "scroll; Home and End too"),
    ("w, Tab", "the whole call, or its beginning"),
    ("r", "connect again now"),
    ("Ctrl+Z", "suspend; fg comes back"),
    ("Ctrl+L", "draw the screen again"),
    ("q, Ctrl+C", "leave; what waits goes on waiting"),
];

pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    desk: &Desk,
    status: &Status,
    pages: &mut Pages,
) -> (Room, Cursor) {
    let columns = canvas.columns();
    let height = canvas.height();
    status_bar(canvas, desk, status);
    let waiting = desk.waiting();
    let mut top = 1;
    let list = waiting.len().min(usize::from((height / 6).max(2)));
    list_of(canvas, desk, &waiting, top, list);
    top += u16::try_from(list).unwrap_or(0);

    let foot = footer(desk, columns, if columns < 60 { FEW_KEYS } else { KEYS });
    let foot_top = height.saturating_sub(u16::try_from(foot.len()).unwrap_or(1));
    for (y, (trouble, row)) in (foot_top..height).zip(&foot) {
        let style = match (trouble, desk.said.is_some()) {
            (true, _) => canvas.look.warning(),
            (false, true) => canvas.look.strong(),
            (false, false) => canvas.look.faint(),
        };
        canvas.row(y, row, style);
    }
    if desk.cover == Cover::Help {
        help(canvas, top, foot_top);
        return (Room::default(), None);
    }
    let Some(subject) = desk.selected() else {
        nothing(canvas, desk, top, foot_top);
        return (Room::default(), None);
    };

    let budget = usize::from(height / 2);
    let panel = panel(desk, &subject, columns, budget, pages);
    let panel_top = foot_top.saturating_sub(u16::try_from(panel.menu.rows.len()).unwrap_or(0)).max(top + 3);
    let cursor = paint(canvas, &panel, panel_top, foot_top);

    canvas.rule(top, "");
    let body_top = top + 1;
    let body_height = panel_top.saturating_sub(body_top).saturating_sub(1);
    let layout = Layout { columns, whole: desk.view.whole, with_entries: panel.menu.entries_elsewhere };
    let rows = pages.of(&subject, layout);
    let used = rows.len();
    let room = paint_document(canvas, desk, rows, body_top, body_height);
    rule(canvas, panel_top.saturating_sub(1), desk, room);
    lately(canvas, desk, body_top, body_height, used);
    (room, cursor)
}

fn status_bar(canvas: &mut Canvas<'_>, desk: &Desk, status: &Status) {
    let halted = match desk.halts.len() {
        0 => String::new(),
        count => format!(", {count} halted"),
    };
    let count = match desk.escalations.len() {
        0 => "nothing waits".to_owned(),
        1 => "1 waits".to_owned(),
        count => format!("{count} wait"),
    };
    let observing = if desk.may_answer { "" } else { "  observing only" };
    let project =
        if canvas.columns() < 60 { String::new() } else { format!("  {}{}", status.project, status.only) };
    let left = format!(" haltgate{project}  {count}{halted}{observing} ");
    let style = canvas.look.strong().add_modifier(ratatui::style::Modifier::REVERSED);
    let link = format!(" {} ", status.link);
    let link_style = if status.stale { canvas.look.alarm() } else { style };
    if status.stale && width(&left) + width(&link) >= canvas.columns() {
        // That the connection is lost matters more than the rest.
        canvas.bar(0, &link, "", link_style, link_style);
    } else {
        canvas.bar(0, &left, &link, style, link_style);
    }
}

/// So many rows of the list, around the selected item.
fn list_of(canvas: &mut Canvas<'_>, desk: &Desk, waiting: &[Subject], top: u16, rows: usize) {
    let selected = desk.selected();
    let at = selected
        .as_ref()
        .and_then(|selected| waiting.iter().position(|subject| subject.id() == selected.id()))
        .unwrap_or(0);
    let first = at.saturating_sub(rows / 2).min(waiting.len().saturating_sub(rows));
    for (offset, subject) in waiting.iter().skip(first).take(rows).enumerate() {
        let y = top + u16::try_from(offset).unwrap_or(0);
        list_row(canvas, subject, y, first + offset == at && selected.is_some());
    }
}

fn list_row(canvas: &mut Canvas<'_>, subject: &Subject, y: u16, selected: bool) {
    let look = canvas.look;
    let columns = canvas.columns();
    let mut x = canvas.text(0, y, if selected { "> " } else { "  " }, look.strong());
    if columns >= 90 {
        let raised = match subject {
            Subject::Escalation(item) => item.raised_at,
            Subject::Halt(item) => item.raised_at,
        };
        let at = local(raised);
        let time = at.split_once(' ').map_or(at.as_str(), |(_, time)| time);
        x = canvas.text(x, y, &format!("{time}  "), look.faint());
    }
    let word = rating_word(subject);
    x = canvas.text(x, y, &format!("{word:<13} "), rating_style(canvas, subject));
    if columns >= 60 {
        let session = clip(&session_of(subject), 16);
        let gap = " ".repeat(18_usize.saturating_sub(width(&session)));
        x = canvas.text(x, y, &format!("{session}{gap}"), look.faint());
    }
    let style = if selected { look.selected() } else { look.plain() };
    // One column stays free: what is drawn wider than it should be does not reach the next row.
    let room = columns.saturating_sub(usize::from(x) + 1);
    canvas.text(x, y, &clip(&call_of(subject), room), style);
}

fn rating_style(canvas: &Canvas<'_>, subject: &Subject) -> Style {
    let look = canvas.look;
    match subject {
        Subject::Halt(_) => look.alarm(),
        Subject::Escalation(item) => match severity(outcome_of(item.rating.as_ref())) {
            Some(severity) => look.tone(severity.tone()),
            None => look.plain(),
        },
    }
}

/// What stands under the document.
struct Panel {
    menu: Menu,
    /// A comment that is being typed: its row and what of it is shown.
    input: Option<(usize, String)>,
}

fn panel(desk: &Desk, subject: &Subject, columns: usize, budget: usize, pages: &mut Pages) -> Panel {
    let words = |rows: Vec<String>| Panel {
        menu: Menu {
            rows: rows
                .iter()
                .flat_map(|row| wrapped(&format!(" {row}"), columns.saturating_sub(1)))
                .map(MenuRow::Further)
                .collect(),
            entries_elsewhere: false,
        },
        input: None,
    };
    if covers(&desk.cover)
        && let Cover::Comment(comment) = &desk.cover
    {
        let mut panel = words(vec![
            "Reject this one call. The agent is told:".to_owned(),
            String::new(),
            "Enter rejects with it, Escape goes back.".to_owned(),
        ]);
        let at = panel.menu.rows.iter().position(|row| *row == MenuRow::Further(" ".to_owned())).unwrap_or(0);
        let shown = input_end(comment, columns.saturating_sub(5));
        if let Some(row) = panel.menu.rows.get_mut(at) {
            *row = MenuRow::Further(format!(" > {shown}"));
        }
        panel.input = Some((at, shown));
        return panel;
    }
    if desk.cover == Cover::Leaving {
        return words(leaving(desk));
    }
    if !desk.may_answer {
        return words(vec!["Observing only: nothing is answered from here.".to_owned()]);
    }
    if let Some(sending) = &desk.sending {
        let verb = match sending.verdict {
            pb::Verdict::Approve | pb::Verdict::RunAnyway => "approval",
            pb::Verdict::Reject | pb::Verdict::Stop | pb::Verdict::Unspecified => "refusal",
        };
        return words(vec![format!("Sending the {verb}…")]);
    }
    match subject {
        Subject::Escalation(item) => {
            Panel { menu: pages.menu_of(subject, item.offer.as_ref(), columns, budget), input: None }
        }
        Subject::Halt(_) => words(Vec::new()),
    }
}

fn paint(canvas: &mut Canvas<'_>, panel: &Panel, top: u16, end: u16) -> Cursor {
    for (y, row) in (top..end).zip(&panel.menu.rows) {
        let mut x = 0;
        for (text, style) in row.pieces(canvas.look) {
            x = canvas.text(x, y, &text, style);
        }
    }
    let (at, shown) = panel.input.as_ref()?;
    Some((u16::try_from(3 + width(shown)).ok()?, top + u16::try_from(*at).ok()?))
}

fn help(canvas: &mut Canvas<'_>, top: u16, end: u16) {
    let look = canvas.look;
    canvas.rule(top, "");
    let rows = HELP.iter().map(|(key, what)| Some((*key, *what))).chain([None]);
    for (y, row) in (top + 1..end).zip(rows) {
        match row {
            Some((key, what)) => {
                canvas.text(1, y, key, look.key());
                canvas.text(15, y, what, look.plain());
            }
            None => {
                let words = "A key works only where its answer is on offer. A halted run takes the keyboard.";
                for (y, row) in (y..end).zip(wrapped(words, canvas.columns().saturating_sub(2))) {
                    canvas.text(1, y, &row, look.faint());
                }
            }
        }
    }
}

fn nothing(canvas: &mut Canvas<'_>, desk: &Desk, top: u16, end: u16) {
    let look = canvas.look;
    canvas.text(1, top + 1, "Nothing waits for you.", look.strong());
    let words = "When an agent needs an answer, its question appears here by itself.";
    let rows = wrapped(words, canvas.columns().saturating_sub(2));
    let mut y = top + 2;
    for row in rows {
        canvas.text(1, y, &row, look.plain());
        y += 1;
    }
    lately(canvas, desk, y, end.saturating_sub(y), 0);
}

/// What was settled lately, where the document leaves room.
fn lately(canvas: &mut Canvas<'_>, desk: &Desk, top: u16, height: u16, used: usize) {
    let spare = usize::from(height).saturating_sub(used + 1);
    if spare < 2 || desk.lately.is_empty() {
        return;
    }
    let look = canvas.look;
    let shown = desk.lately.len().min(spare - 1).min(5);
    let mut y = top + height.saturating_sub(u16::try_from(shown + 1).unwrap_or(height));
    canvas.text(1, y, "Settled lately", look.faint());
    for subject in desk.lately.iter().take(shown) {
        y += 1;
        let room = canvas.columns().saturating_sub(4);
        canvas.text(3, y, &clip(&settled_line(subject), room), look.faint());
    }
}
