//! The halt in front: it takes the whole screen.

use super::canvas::Canvas;
use super::{Cursor, Pages, Status, footer, leaving, paint_document, rule};
use crate::cli::watch::desk::{Banner, Cover, Desk, Dropped, Room, Subject};
use crate::cli::watch::document::Layout;
use crate::cli::watch::words::session_of;
use crate::display::{CONTROLS, RUN_ANYWAY_PROMPT, clip, width, wrapped};
use crate::proto::v1 as pb;
use ratatui::style::Style;

const TITLE: &str = " RUN HALTED: this command was rated an attack";
const SHORT_TITLE: &str = " RUN HALTED: rated an attack";
const KEYS: &str = " Esc stop the run  PgUp/PgDn scroll  Tab whole command  Ctrl+C leave";
const FEW_KEYS: &str = " Esc stop  PgDn scroll  Ctrl+C leave";

pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    desk: &Desk,
    status: &Status,
    pages: &mut Pages,
) -> (Room, Cursor) {
    let (Some(banner), Some(halt)) =
        (&desk.banner, desk.banner.as_ref().and_then(|banner| desk.halts.get(&banner.id)))
    else {
        return (Room::default(), None);
    };
    let (columns, height, look) = (canvas.columns(), canvas.height(), canvas.look);
    let subject = Subject::Halt(std::sync::Arc::clone(halt));
    let title = if columns < 60 { SHORT_TITLE } else { TITLE };
    let right = if status.stale {
        format!(" {} ", status.link)
    } else {
        match desk.halts.len() {
            1 => String::new(),
            count => format!(" 1 of {count} halted runs "),
        }
    };
    canvas.bar(0, title, &right, look.alarm(), look.alarm());
    let about = format!(" session {}", session_of(&subject));
    let waiting = match desk.escalations.len() {
        0 => String::new(),
        count if columns < 60 => format!("  (+{count} waiting)"),
        1 => "  (1 question waits behind this)".to_owned(),
        count => format!("  ({count} questions wait behind this)"),
    };
    let room = columns.saturating_sub(width(&waiting) + 1);
    canvas.row(1, &format!("{}{waiting}", clip(&about, room)), look.faint());

    let foot = footer(desk, columns, if columns < 70 { FEW_KEYS } else { KEYS });
    let foot_top = height.saturating_sub(u16::try_from(foot.len()).unwrap_or(1));
    for (y, (trouble, row)) in (foot_top..height).zip(&foot) {
        let style = if *trouble { look.warning() } else { look.faint() };
        canvas.row(y, row, style);
    }

    let prompt = prompt(banner, desk, columns);
    let rows = u16::try_from(prompt.rows.len()).unwrap_or(0);
    let prompt_top = foot_top.saturating_sub(rows).max(4);
    let styles = [look.plain(), look.strong(), look.danger(), look.warning()];
    for (y, (weight, row)) in (prompt_top..foot_top).zip(&prompt.rows) {
        canvas.row(y, row, weight.style(styles));
    }
    let body_height = prompt_top.saturating_sub(3);
    let rows = pages.of(&subject, Layout { columns, whole: desk.view.whole, with_entries: false });
    let room = paint_document(canvas, desk, rows, 2, body_height);
    rule(canvas, prompt_top.saturating_sub(1), desk, room);
    let cursor = prompt.cursor.map(|(column, row)| (column, prompt_top + row));
    (room, cursor)
}

#[derive(Debug, Clone, Copy)]
enum Weight {
    Plain,
    Strong,
    Danger,
    Warning,
}

impl Weight {
    fn style(self, [plain, strong, danger, warning]: [Style; 4]) -> Style {
        match self {
            Self::Plain => plain,
            Self::Strong => strong,
            Self::Danger => danger,
            Self::Warning => warning,
        }
    }
}

/// What stands under the halted command.
struct Prompt {
    rows: Vec<(Weight, String)>,
    cursor: Cursor,
}

impl Prompt {
    fn words(&mut self, weight: Weight, text: &str, columns: usize) {
        self.rows.extend(wrapped(text, columns.saturating_sub(1)).into_iter().map(|row| (weight, row)));
    }
}

fn prompt(banner: &Banner, desk: &Desk, columns: usize) -> Prompt {
    let mut prompt = Prompt { rows: Vec::new(), cursor: None };
    if desk.cover == Cover::Leaving {
        for row in leaving(desk) {
            prompt.words(Weight::Warning, &row, columns);
        }
        return prompt;
    }
    let [warning, controls @ ..] = CONTROLS;
    prompt.words(Weight::Danger, warning, columns);
    for row in controls {
        prompt.words(Weight::Plain, row, columns);
    }
    if let Some(verdict) = banner.given {
        let given = match verdict {
            pb::Verdict::RunAnyway => "Running this one command",
            pb::Verdict::Stop | pb::Verdict::Unspecified | pb::Verdict::Approve | pb::Verdict::Reject => {
                "Stopping the run"
            }
        };
        let state = if desk.sending.is_some() { "being sent…" } else { "not sent. Enter sends it again." };
        prompt.words(Weight::Strong, &format!("{given}: {state}"), columns);
        return prompt;
    }
    prompt.words(Weight::Strong, RUN_ANYWAY_PROMPT, columns);
    let typed = banner.phrase.text();
    let row = u16::try_from(prompt.rows.len()).unwrap_or(0);
    prompt.rows.push((Weight::Strong, format!("> {typed}")));
    prompt.cursor = u16::try_from(2 + width(typed)).ok().map(|column| (column, row));
    let (weight, hint) = match banner.dropped {
        Some(Dropped::Pasted) => {
            (Weight::Warning, "That was pasted, so it was dropped. Type the phrase letter by letter.")
        }
        Some(Dropped::Early) => (
            Weight::Warning,
            "Keys were dropped: they began before this banner could be read. Pause for a moment, then type.",
        ),
        None if banner.phrase.is_whole() => {
            (Weight::Danger, "Enter now runs this one command. Nothing is remembered.")
        }
        None => (Weight::Plain, "Enter now stops the run."),
    };
    prompt.words(weight, hint, columns);
    prompt
}
