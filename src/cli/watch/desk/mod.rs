//! What stands before whoever watches, what of it is selected, and what a key means: the state of `haltgate watch`.
//!
//! Promises that only what is on offer is answered, that a halt in front has the keyboard, that only a phrase typed whole
//! lets a command run, and that no key answers what it was not meant for. Pure: knows no terminal, clock or connection;
//! the time comes with each event.

mod answering;
mod guard;
mod halted;
mod keys;
mod offer;
mod open;
mod phrase;
#[cfg(test)]
mod tests;

pub(super) use answering::{Answer, Outcome, Target};
pub(super) use halted::{Banner, Dropped};
pub(super) use keys::{Deed, Key};
pub(super) use offer::{Choice, choices};
pub(super) use open::{Change, Item, Open};

use crate::client::Happening;
use crate::proto::v1 as pb;
use guard::Guard;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How long an item that came on screen by itself must have been left alone before a key answers it.
const ITEM_REST: Duration = Duration::from_millis(500);

/// How many settled items are kept for a look back.
const LOOK_BACK: usize = 30;

/// Characters of a comment: what the contract takes.
const LONGEST_COMMENT: usize = 4_000;

/// Something that waits, or did. Cheap to clone: calls may be long.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Subject {
    /// A question.
    Escalation(Arc<pb::Escalation>),
    /// A halted run.
    Halt(Arc<pb::AttackHalt>),
}

impl Subject {
    /// Whether it is the very same, not only alike: quick, however long its call is.
    pub(super) fn is_the_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Escalation(one), Self::Escalation(two)) => Arc::ptr_eq(one, two),
            (Self::Halt(one), Self::Halt(two)) => Arc::ptr_eq(one, two),
            (Self::Escalation(_) | Self::Halt(_), _other_kind) => false,
        }
    }

    /// Its name.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Escalation(item) => item.id(),
            Self::Halt(item) => item.id(),
        }
    }
}

/// What lies over the inbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cover {
    /// Nothing.
    None,
    /// The keys.
    Help,
    /// A comment for a rejection, as far as it is typed.
    Comment(String),
    /// The question whether to leave although runs are halted.
    Leaving,
}

/// Something that was said at the foot of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// For information.
    Plain,
    /// Something did not go as wanted.
    Trouble,
}

/// How a document is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct View {
    /// Rows above the first that is shown.
    pub(super) scroll: usize,
    /// The call is shown whole, however long it is.
    pub(super) whole: bool,
}

/// How much room the screen had for the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Room {
    /// Rows that are shown at once.
    pub(super) page: usize,
    /// The furthest that it can be scrolled.
    pub(super) furthest: usize,
}

/// What is on the desk.
#[derive(Debug)]
pub(super) struct Desk {
    /// Whether answers may be given from here.
    pub(super) may_answer: bool,
    /// Questions ring, too.
    ring_for_questions: bool,
    /// Open questions.
    pub(super) escalations: Open<pb::Escalation>,
    /// Open halts.
    pub(super) halts: Open<pb::AttackHalt>,
    /// What was settled lately, the latest first.
    pub(super) lately: VecDeque<Subject>,
    /// The item that is looked at.
    selected: Option<String>,
    pub(super) view: View,
    room: Room,
    guard: Guard,
    pub(super) cover: Cover,
    /// The halt in front.
    pub(super) banner: Option<Banner>,
    /// The answer that is on its way.
    pub(super) sending: Option<Answer>,
    /// The last thing that is to be said.
    pub(super) said: Option<(Tone, String)>,
    /// Counts what made the screen another one: more than a typed letter.
    pub(super) changes: u64,
}

impl Desk {
    /// An empty desk.
    pub(super) fn new(may_answer: bool, ring_for_questions: bool) -> Self {
        Self {
            may_answer,
            ring_for_questions,
            escalations: Open::default(),
            halts: Open::default(),
            lately: VecDeque::new(),
            selected: None,
            view: View::default(),
            room: Room::default(),
            guard: Guard::default(),
            cover: Cover::None,
            banner: None,
            sending: None,
            said: None,
            changes: 0,
        }
    }

    /// What waits, halts first, otherwise what waits longest.
    pub(super) fn waiting(&self) -> Vec<Subject> {
        let halts = self.halts.iter().map(|item| Subject::Halt(Arc::clone(item)));
        let escalations = self.escalations.iter().map(|item| Subject::Escalation(Arc::clone(item)));
        halts.chain(escalations).collect()
    }

    /// The item that is looked at.
    pub(super) fn selected(&self) -> Option<Subject> {
        let id = self.selected.as_deref()?;
        let escalation = self.escalations.get(id).map(|item| Subject::Escalation(Arc::clone(item)));
        escalation.or_else(|| self.halts.get(id).map(|item| Subject::Halt(Arc::clone(item))))
    }

    /// What may be answered to the item that is looked at.
    pub(super) fn offered(&self) -> Vec<Choice> {
        match self.selected.as_deref().and_then(|id| self.escalations.get(id)) {
            Some(item) if self.may_answer => choices(item.offer.as_ref()),
            Some(_) | None => Vec::new(),
        }
    }

    /// The screen shows what is here, with so much room for the document.
    pub(super) fn drawn(&mut self, now: Duration, room: Room) {
        self.room = room;
        self.view.scroll = self.view.scroll.min(room.furthest);
        match &mut self.banner {
            Some(banner) => banner.drawn(now),
            None => self.guard.drawn(now),
        }
    }

    /// The screen was away: what was typed before is not meant for what is shown now.
    pub(super) fn came_back(&mut self) {
        self.guard = Guard::Raised;
        if let Some(banner) = &mut self.banner {
            banner.came_back();
        }
        self.changes += 1;
    }

    /// A feed of questions was connected.
    pub(super) fn escalations_connected(&mut self, anew: bool) {
        self.escalations.connected(anew);
    }

    /// A feed of halts was connected.
    pub(super) fn halts_connected(&mut self, anew: bool) {
        self.halts.connected(anew);
    }

    /// A message about questions.
    pub(super) fn escalation(&mut self, happening: Happening<pb::Escalation>) -> Vec<Deed> {
        let mut rings = false;
        for change in self.escalations.take(happening) {
            self.changes += 1;
            match change {
                Change::Added(_) | Change::Told(_) => rings = self.ring_for_questions,
                Change::Settled(item) => self.settled(Subject::Escalation(item)),
                Change::Gone(item) => self.gone(&Subject::Escalation(item)),
            }
        }
        self.look_up();
        rings.then_some(Deed::Ring).into_iter().collect()
    }

    /// A message about halts.
    pub(super) fn halt(&mut self, happening: Happening<pb::AttackHalt>) -> Vec<Deed> {
        let mut rings = false;
        for change in self.halts.take(happening) {
            self.changes += 1;
            match change {
                Change::Added(_) => rings = true,
                Change::Told(item) => {
                    rings = true;
                    self.settled(Subject::Halt(item));
                }
                Change::Settled(item) => self.settled(Subject::Halt(item)),
                Change::Gone(item) => self.gone(&Subject::Halt(item)),
            }
        }
        self.look_up();
        rings.then_some(Deed::Ring).into_iter().collect()
    }

    /// Says something at the foot of the screen.
    pub(super) fn say(&mut self, tone: Tone, words: impl Into<String>) {
        self.said = Some((tone, words.into()));
        self.changes += 1;
    }

    /// What was said last was read.
    pub(super) fn hush(&mut self) {
        if self.said.take().is_some() {
            self.changes += 1;
        }
    }

    fn settled(&mut self, subject: Subject) {
        let words = super::words::settled_line(&subject);
        self.say(Tone::Plain, words);
        self.keep(subject);
    }

    fn keep(&mut self, subject: Subject) {
        self.lately.push_front(subject);
        self.lately.truncate(LOOK_BACK);
    }

    fn gone(&mut self, subject: &Subject) {
        let call = super::words::call_of(subject);
        self.say(
            Tone::Plain,
            format!("Settled while the connection was down; `haltgate decisions list` says how: {call}"),
        );
    }

    /// Puts in front what should be there now.
    fn look_up(&mut self) {
        self.raise_banner();
        let there = self.selected.as_deref().is_some_and(|id| self.is_open(id));
        if !there {
            let next = self.first();
            self.select(next, Guard::Raised);
            if matches!(self.cover, Cover::Comment(_)) {
                self.cover = Cover::None;
            }
        }
    }

    fn is_open(&self, id: &str) -> bool {
        self.escalations.get(id).is_some() || self.halts.get(id).is_some()
    }

    fn first(&self) -> Option<String> {
        let halt = self.halts.iter().next().map(|item| item.id().to_owned());
        let escalation = self.escalations.iter().next().map(|item| item.id().to_owned());
        // Whoever may answer sees halts in the banner, and the questions behind it.
        if self.may_answer { escalation } else { halt.or(escalation) }
    }

    fn select(&mut self, id: Option<String>, guard: Guard) {
        if self.selected != id {
            self.selected = id;
            self.view = View::default();
            self.changes += 1;
            self.guard = guard;
        }
    }

    /// A key was pressed.
    pub(super) fn key(&mut self, key: Key, now: Duration) -> Vec<Deed> {
        if key == Key::Leave {
            return self.leave();
        }
        if self.scrolled(key) {
            return Vec::new();
        }
        match &self.cover {
            Cover::Leaving => return self.leaving(key),
            Cover::Comment(_) if self.banner.is_none() => return self.comment(key),
            Cover::Help if self.banner.is_none() => {
                self.cover = Cover::None;
                self.changes += 1;
                return Vec::new();
            }
            Cover::None | Cover::Comment(_) | Cover::Help => {}
        }
        if self.banner.is_some() { self.banner_key(key, now) } else { self.inbox_key(key, now) }
    }

    /// Text was pasted.
    pub(super) fn pasted(&mut self, text: &str) {
        self.changes += 1;
        if let Some(banner) = &mut self.banner {
            banner.pasted();
            return;
        }
        match &mut self.cover {
            Cover::Comment(comment) => {
                let room = LONGEST_COMMENT.saturating_sub(comment.chars().count());
                comment.extend(
                    text.chars()
                        .map(|character| if character.is_control() { ' ' } else { character })
                        .take(room),
                );
            }
            Cover::None | Cover::Help | Cover::Leaving => {
                self.say(Tone::Trouble, "Pasted text answers nothing here; it was dropped.");
            }
        }
    }

    fn scrolled(&mut self, key: Key) -> bool {
        let Room { page, furthest } = self.room;
        let step = page.saturating_sub(1).max(1);
        let scroll = self.view.scroll;
        self.view.scroll = match key {
            Key::PageUp => scroll.saturating_sub(step),
            Key::PageDown => scroll.saturating_add(step).min(furthest),
            Key::Home => 0,
            Key::End => furthest,
            Key::Tab => {
                self.view.whole = !self.view.whole;
                0
            }
            Key::Character(_)
            | Key::Enter
            | Key::Escape
            | Key::Backspace
            | Key::Up
            | Key::Down
            | Key::Leave => return false,
        };
        self.changes += 1;
        true
    }

    fn inbox_key(&mut self, key: Key, now: Duration) -> Vec<Deed> {
        let character = match key {
            Key::Up => 'k',
            Key::Down => 'j',
            Key::Character(character) => character.to_ascii_lowercase(),
            Key::Enter
            | Key::Escape
            | Key::Backspace
            | Key::Tab
            | Key::PageUp
            | Key::PageDown
            | Key::Home
            | Key::End
            | Key::Leave => return Vec::new(),
        };
        match character {
            'j' => self.go(1),
            'k' => self.go(-1),
            'w' => {
                self.scrolled(Key::Tab);
            }
            '?' => {
                self.cover = Cover::Help;
                self.changes += 1;
            }
            'q' => return self.leave(),
            'r' => return vec![Deed::Retry],
            'c' if self.offered().contains(&Choice::No) => {
                self.cover = Cover::Comment(String::new());
                self.changes += 1;
            }
            other => return self.answer_key(other, now),
        }
        Vec::new()
    }

    fn answer_key(&mut self, character: char, now: Duration) -> Vec<Deed> {
        let offered = self.offered();
        let Some(choice) = offered.into_iter().find(|choice| choice.key() == character) else {
            if !self.may_answer && Choice::ALL.iter().any(|choice| choice.key() == character) {
                self.say(Tone::Trouble, "This watcher only observes: it answers nothing.");
            }
            return Vec::new();
        };
        if !self.guard.lets_through(now, ITEM_REST) {
            self.say(
                Tone::Trouble,
                "That key came before you could have read this item; it was dropped. Wait a moment, then answer.",
            );
            return Vec::new();
        }
        self.send_choice(choice, "")
    }

    fn send_choice(&mut self, choice: Choice, comment: &str) -> Vec<Deed> {
        let Some(id) = self.selected.clone() else { return Vec::new() };
        self.send(Answer {
            target: Target::Escalation(id),
            verdict: choice.verdict(),
            scope: choice.scope(),
            comment: comment.trim().to_owned(),
        })
    }

    fn go(&mut self, by: isize) {
        let waiting: Vec<String> = self.waiting().iter().map(|subject| subject.id().to_owned()).collect();
        let at = self.selected.as_ref().and_then(|id| waiting.iter().position(|known| known == id));
        let next = at.map_or(0, |at| at.saturating_add_signed(by)).min(waiting.len().saturating_sub(1));
        if let Some(id) = waiting.get(next) {
            self.select(Some(id.clone()), Guard::Meant);
            // The item that was in front already may have come there by itself; now it was chosen.
            self.guard = Guard::Meant;
        }
    }

    fn comment(&mut self, key: Key) -> Vec<Deed> {
        let Cover::Comment(comment) = &mut self.cover else { return Vec::new() };
        self.changes += 1;
        match key {
            Key::Character(character) if comment.chars().count() < LONGEST_COMMENT => comment.push(character),
            Key::Backspace => {
                comment.pop();
            }
            Key::Enter => {
                let comment = std::mem::take(comment);
                self.cover = Cover::None;
                return self.send_choice(Choice::No, &comment);
            }
            Key::Escape => self.cover = Cover::None,
            Key::Character(_)
            | Key::Tab
            | Key::Up
            | Key::Down
            | Key::PageUp
            | Key::PageDown
            | Key::Home
            | Key::End
            | Key::Leave => {}
        }
        Vec::new()
    }

    /// Whoever leaves while runs are halted is told what that causes, once.
    fn leave(&mut self) -> Vec<Deed> {
        if self.cover == Cover::Leaving || !self.may_answer || self.halts.len() == 0 {
            return vec![Deed::Leave];
        }
        self.cover = Cover::Leaving;
        self.changes += 1;
        Vec::new()
    }

    fn leaving(&mut self, key: Key) -> Vec<Deed> {
        if matches!(key, Key::Character('y' | 'Y')) {
            return vec![Deed::Leave];
        }
        self.cover = Cover::None;
        // What is typed on was meant for the question.
        if let Some(banner) = &mut self.banner {
            banner.came_back();
        }
        self.changes += 1;
        Vec::new()
    }
}
