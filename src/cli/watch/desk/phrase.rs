//! The typed phrase that lets one halted command run.
//!
//! Promises that only a phrase typed letter by letter can run anything: what is pasted is dropped whole, also by a terminal
//! that does not say that it pastes, and a control character never gets in.

use crate::display::{is_run_anyway, is_visible};
use std::time::Duration;

/// Longer than the phrase by far; a longer text can only stop.
const LONGEST: usize = 64;

/// The least time in which a person types the phrase.
const FASTEST: Duration = Duration::from_millis(150);

/// What was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::cli::watch) struct Phrase {
    text: String,
    /// When its first character came.
    began: Duration,
    /// When its last character came.
    ended: Duration,
}

/// What sending a phrase would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli::watch) enum Meaning {
    /// Run the one command.
    RunAnyway,
    /// Leave the run halted.
    Stop,
    /// Nothing: it came too fast to have been typed.
    TooFast,
}

impl Phrase {
    /// What stands there.
    pub(in crate::cli::watch) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is the whole phrase as it stands.
    pub(in crate::cli::watch) fn is_whole(&self) -> bool {
        is_run_anyway(&self.text)
    }

    /// Takes a character over. False when it was dropped.
    pub(in crate::cli::watch) fn typed(&mut self, character: char, now: Duration) -> bool {
        if !is_visible(character) || self.text.chars().count() >= LONGEST {
            return false;
        }
        if self.text.is_empty() {
            self.began = now;
        }
        self.ended = now;
        self.text.push(character);
        true
    }

    /// Takes the last character back.
    pub(in crate::cli::watch) fn erased(&mut self) {
        self.text.pop();
    }

    /// Forgets what was typed.
    pub(in crate::cli::watch) fn clear(&mut self) {
        *self = Self::default();
    }

    /// What sending it now means.
    pub(in crate::cli::watch) fn meaning(&self) -> Meaning {
        if !self.is_whole() {
            Meaning::Stop
        } else if self.ended.saturating_sub(self.began) < FASTEST {
            Meaning::TooFast
        } else {
            Meaning::RunAnyway
        }
    }
}
