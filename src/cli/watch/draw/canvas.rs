//! Rows on a buffer, and the few looks that they have.

use crate::cli::watch::document::Kind;
use crate::display::{Tone, clip, width};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

/// Whether colour may be used; weight and reversal always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli::watch) struct Look {
    pub(in crate::cli::watch) colour: bool,
}

impl Look {
    fn colour(self, style: Style, colour: Color) -> Style {
        if self.colour { style.fg(colour) } else { style }
    }

    pub(super) fn plain(self) -> Style {
        Style::new()
    }

    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(super) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(super) fn good(self) -> Style {
        self.colour(self.strong(), Color::Green)
    }

    pub(super) fn warning(self) -> Style {
        self.colour(self.strong(), Color::Yellow)
    }

    pub(super) fn danger(self) -> Style {
        self.colour(self.strong(), Color::Red)
    }

    pub(super) fn key(self) -> Style {
        self.colour(self.strong(), Color::Cyan)
    }

    pub(super) fn selected(self) -> Style {
        self.strong().add_modifier(Modifier::REVERSED)
    }

    /// The bar above a halted run.
    pub(super) fn alarm(self) -> Style {
        if self.colour {
            self.strong().fg(Color::White).bg(Color::Red)
        } else {
            self.strong().add_modifier(Modifier::REVERSED)
        }
    }

    pub(super) fn tone(self, tone: Tone) -> Style {
        match tone {
            Tone::Notice => self.good(),
            Tone::Warning => self.warning(),
            Tone::Danger => self.danger(),
        }
    }

    pub(super) fn document(self, kind: Kind) -> Style {
        match kind {
            Kind::Headline => self.strong(),
            Kind::Words | Kind::Framed => self.plain(),
            Kind::Faint => self.faint(),
            Kind::Rating(tone) => self.tone(tone),
        }
    }
}

/// A place to paint rows on.
pub(in crate::cli::watch) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    pub(super) look: Look,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, area: Rect, look: Look) -> Self {
        Self { buffer, area, look }
    }

    pub(super) fn columns(&self) -> usize {
        usize::from(self.area.width)
    }

    pub(super) fn height(&self) -> u16 {
        self.area.height
    }

    /// Paints a row. What does not fit is cut, and says so.
    pub(super) fn row(&mut self, y: u16, text: &str, style: Style) {
        self.text(0, y, text, style);
    }

    /// Paints text from a column on, and returns the column behind it.
    pub(super) fn text(&mut self, x: u16, y: u16, text: &str, style: Style) -> u16 {
        if y >= self.area.height || x >= self.area.width {
            return x;
        }
        let room = usize::from(self.area.width - x);
        let fitting = clip(text, room);
        self.buffer.set_stringn(self.area.x + x, self.area.y + y, &fitting, room, style);
        x.saturating_add(u16::try_from(width(&fitting)).unwrap_or(u16::MAX))
    }

    /// Paints a whole row in a style, with text at both ends. The right one gives way.
    pub(super) fn bar(&mut self, y: u16, left: &str, right: &str, style: Style, right_style: Style) {
        if y >= self.area.height {
            return;
        }
        let row = Rect { x: self.area.x, y: self.area.y + y, width: self.area.width, height: 1 };
        self.buffer.set_style(row, style);
        let end = self.text(0, y, left, style);
        let start = self.columns().saturating_sub(width(right));
        if let Ok(start) = u16::try_from(start)
            && start > end
        {
            self.text(start, y, right, right_style);
        }
    }

    /// A line across, with words in it.
    pub(super) fn rule(&mut self, y: u16, words: &str) {
        // Plain dashes: they are one column wide on every terminal.
        let words = clip(words, self.columns());
        let before = self.columns().saturating_sub(width(&words)).saturating_sub(2);
        let line = format!("{}{words}--", "-".repeat(before));
        self.row(y, &line, self.look.faint());
    }
}
