//! The terminal: taken over for a full screen, and given back however the process ends.
//!
//! Promises that raw mode, the second screen and bracketed paste end with the value, before a panic's message is shown and
//! before the process is suspended. Knows nothing of what is drawn.

use super::desk::Key;
use crate::cli::failure::Failure;
use crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};
use std::io::{self, Stdout, Write};

/// A terminal that was taken over.
pub(super) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

/// What came from the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Input {
    /// A key.
    Key(Key),
    /// Text was pasted.
    Pasted(String),
    /// The screen is to be drawn again.
    Redraw,
    /// Ctrl+Z.
    Suspend,
}

impl Screen {
    /// Takes the terminal over.
    ///
    /// # Errors
    /// It is none, or is gone.
    pub(super) fn enter() -> Result<Self, Failure> {
        restore_before_panics();
        take_over().map_err(cannot)?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout())).map_err(|error| {
            give_back();
            cannot(error)
        })?;
        Ok(Self { terminal })
    }

    /// Draws. `anew` paints every cell, so that nothing stays of what stood there before.
    ///
    /// # Errors
    /// The terminal is gone.
    pub(super) fn draw(
        &mut self,
        anew: bool,
        mut paint: impl FnMut(&mut ratatui::Frame<'_>),
    ) -> Result<(), Failure> {
        if anew {
            // Everything is laid out before the screen is cleared, so that it is not empty for longer than it must be.
            paint(&mut self.terminal.get_frame());
        }
        let draw = || {
            execute!(io::stdout(), BeginSynchronizedUpdate)?;
            if anew {
                // Not `clear`: it asks the terminal where its cursor is, and the answer would be read as keys.
                let size = self.terminal.size()?;
                self.terminal.resize(size.into())?;
            }
            self.terminal.draw(paint)?;
            execute!(io::stdout(), EndSynchronizedUpdate)
        };
        draw().map_err(cannot)
    }

    /// Rings the bell.
    pub(super) fn ring(&mut self) {
        let mut out = io::stdout();
        // A terminal that is gone is noticed when it is drawn on.
        let _unheard = out.write_all(b"\x07").and_then(|()| out.flush());
    }

    /// Gives the terminal back, stops this process as the shell does, and takes the terminal over again afterwards.
    ///
    /// # Errors
    /// The terminal is gone.
    pub(super) fn suspend(&mut self, with_its_group: bool) -> Result<(), Failure> {
        give_back();
        // The rest of a pipeline is stopped too, as with any other command; this process handles that signal itself.
        let stopped = if with_its_group { kill_current_process_group(Signal::TSTP) } else { Ok(()) };
        stopped.and_then(|()| kill_process(getpid(), Signal::STOP)).map_err(|error| cannot(error.into()))?;
        take_over().map_err(cannot)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn cannot(error: io::Error) -> Failure {
    Failure::new(format!("cannot use the terminal: {error}")).advise("--plain needs none")
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste).inspect_err(|_gone| give_back())
}

/// Nobody can be told when this fails: the terminal is gone then.
fn give_back() {
    let _gone = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _gone = disable_raw_mode();
}

fn restore_before_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            give_back();
            before(panic);
        }));
    });
}

/// What an event of the terminal means; `None` for what means nothing.
pub(super) fn input(event: Event) -> Option<Input> {
    match event {
        Event::Key(key) => of_key(key),
        Event::Paste(text) => Some(Input::Pasted(text)),
        Event::Resize(..) => Some(Input::Redraw),
        Event::FocusGained | Event::FocusLost | Event::Mouse(_) => None,
    }
}

fn of_key(key: KeyEvent) -> Option<Input> {
    if key.kind != KeyEventKind::Press {
        return None;
    }
    let chord = key.modifiers.difference(KeyModifiers::SHIFT);
    if chord == KeyModifiers::CONTROL {
        return match key.code {
            KeyCode::Char('c') => Some(Input::Key(Key::Leave)),
            KeyCode::Char('z') => Some(Input::Suspend),
            KeyCode::Char('l') => Some(Input::Redraw),
            _other => None,
        };
    }
    if !chord.is_empty() {
        return None;
    }
    let key = match key.code {
        KeyCode::Char(character) => Key::Character(character),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Tab => Key::Tab,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        _other => return None,
    };
    Some(Input::Key(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chord_is_never_the_key_that_it_is_made_of() {
        let press = |code, modifiers| input(Event::Key(KeyEvent::new(code, modifiers)));
        let none = KeyModifiers::NONE;
        assert_eq!(press(KeyCode::Char('o'), none), Some(Input::Key(Key::Character('o'))));
        assert_eq!(press(KeyCode::Char('O'), KeyModifiers::SHIFT), Some(Input::Key(Key::Character('O'))));
        for modifiers in [KeyModifiers::CONTROL, KeyModifiers::ALT, KeyModifiers::SUPER, KeyModifiers::META] {
            for code in [KeyCode::Char('o'), KeyCode::Char('a'), KeyCode::Enter, KeyCode::Char('y')] {
                assert_eq!(press(code, modifiers), None, "{code:?} {modifiers:?}");
            }
        }
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Input::Key(Key::Leave)));
        assert_eq!(press(KeyCode::F(1), none), None);
        assert_eq!(input(Event::Paste("o".to_owned())), Some(Input::Pasted("o".to_owned())));
    }
}
