//! The halt in front: it has the keyboard, and one typed phrase lets its command run.

use super::answering::{Answer, Target};
use super::guard::Guard;
use super::phrase::{Meaning, Phrase};
use super::{Cover, Deed, Desk, Item, Key, Tone, View};
use crate::proto::v1 as pb;
use std::time::Duration;

/// How long a banner must have been left alone before a key counts for it.
const BANNER_REST: Duration = Duration::from_millis(600);

/// Why something that was typed at a banner was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli::watch) enum Dropped {
    /// It was on its way before the banner could be read.
    Early,
    /// It was pasted.
    Pasted,
}

/// The halt in front.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli::watch) struct Banner {
    /// The halt.
    pub(in crate::cli::watch) id: String,
    /// What was typed for it.
    pub(in crate::cli::watch) phrase: Phrase,
    /// Why the last key was dropped, if it was.
    pub(in crate::cli::watch) dropped: Option<Dropped>,
    /// The one answer that was given. Only the same can be sent again.
    pub(in crate::cli::watch) given: Option<pb::Verdict>,
    guard: Guard,
}

impl Banner {
    fn new(id: String) -> Self {
        Self { id, phrase: Phrase::default(), dropped: None, given: None, guard: Guard::Raised }
    }

    pub(super) fn drawn(&mut self, now: Duration) {
        self.guard.drawn(now);
    }

    pub(super) fn came_back(&mut self) {
        self.guard = Guard::Raised;
        self.phrase.clear();
    }

    pub(super) fn pasted(&mut self) {
        self.dropped = Some(Dropped::Pasted);
    }
}

impl Desk {
    /// Shows the halt that waits longest. One that is on show already stays, with what was typed for it.
    pub(super) fn raise_banner(&mut self) {
        let shown = self.banner.as_ref().map(|banner| banner.id.clone());
        if !self.may_answer || shown.as_deref().is_some_and(|id| self.halts.get(id).is_some()) {
            return;
        }
        let next = self.halts.iter().next().map(|halt| halt.id().to_owned());
        if next.is_none() && shown.is_none() {
            return;
        }
        self.banner = next.map(Banner::new);
        self.view = View::default();
        // Below it lies what was there before; that came back by itself.
        self.guard = Guard::Raised;
        if matches!(self.cover, Cover::Help | Cover::Leaving) {
            self.cover = Cover::None;
        }
        self.changes += 1;
    }

    pub(super) fn banner_key(&mut self, key: Key, now: Duration) -> Vec<Deed> {
        let Some(banner) = &mut self.banner else { return Vec::new() };
        if !banner.guard.lets_through(now, BANNER_REST) {
            banner.dropped = Some(Dropped::Early);
            return Vec::new();
        }
        banner.dropped = None;
        match (banner.given, key) {
            (Some(verdict), Key::Enter) => self.send_verdict(verdict),
            (Some(_), _) => Vec::new(),
            (None, Key::Enter) => match banner.phrase.meaning() {
                Meaning::RunAnyway => self.send_verdict(pb::Verdict::RunAnyway),
                Meaning::Stop => self.send_verdict(pb::Verdict::Stop),
                Meaning::TooFast => {
                    banner.phrase.clear();
                    banner.dropped = Some(Dropped::Pasted);
                    Vec::new()
                }
            },
            (None, Key::Escape) => self.send_verdict(pb::Verdict::Stop),
            (None, Key::Character('q' | 'Q')) if banner.phrase.text().is_empty() => self.leave(),
            (None, Key::Character(character)) => {
                banner.phrase.typed(character, now);
                Vec::new()
            }
            (None, Key::Backspace) => {
                banner.phrase.erased();
                Vec::new()
            }
            (
                None,
                Key::Tab
                | Key::Up
                | Key::Down
                | Key::PageUp
                | Key::PageDown
                | Key::Home
                | Key::End
                | Key::Leave,
            ) => Vec::new(),
        }
    }

    fn send_verdict(&mut self, verdict: pb::Verdict) -> Vec<Deed> {
        let Some(banner) = &mut self.banner else { return Vec::new() };
        banner.given = Some(verdict);
        let answer = Answer {
            target: Target::Halt(banner.id.clone()),
            verdict,
            scope: pb::Scope::Once,
            comment: String::new(),
        };
        if self.sending.as_ref().is_some_and(|sending| sending.target != answer.target) {
            // The answer before it is still on its way; this one may be sent again in a moment.
            self.say(Tone::Trouble, "The answer before is still being sent. Enter sends this one again.");
            return Vec::new();
        }
        self.send(answer)
    }
}
