//! The keys that mean anything.
//!
//! Promises that a chord with Ctrl, Alt or a logo key means nothing but what it says here. Knows nothing of terminals.

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli::watch) enum Key {
    /// A character.
    Character(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Backspace.
    Backspace,
    /// Tab.
    Tab,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// The beginning.
    Home,
    /// The end.
    End,
    /// Ctrl+C.
    Leave,
}

/// What to do about a key or a message, beside what is remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli::watch) enum Deed {
    /// Send this answer.
    Send(super::Answer),
    /// Ring the bell.
    Ring,
    /// Try to connect again now.
    Retry,
    /// Leave.
    Leave,
}
