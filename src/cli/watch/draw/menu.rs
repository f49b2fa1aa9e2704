//! The answers on offer, each beside its key with exactly what it would store.

use super::canvas::Look;
use crate::cli::watch::desk::{Choice, choices};
use crate::cli::watch::document::stored;
use crate::display::{width, wrapped};
use crate::proto::v1 as pb;
use ratatui::style::Style;

/// Columns of key and label.
const LABEL: usize = 13;

/// Columns of a key without words, beside its label.
const KEY_ALONE: usize = 4;

/// One row of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MenuRow {
    /// A key, its label and what it does.
    Answer { key: char, label: &'static str, words: String },
    /// Words that go on, or an entry that would be stored.
    Further(String),
    /// The keys alone, where there is no room for more.
    Keys(Vec<Choice>),
}

/// The menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Menu {
    pub(super) rows: Vec<MenuRow>,
    /// There was no room for what would be stored: it is to be read in the document.
    pub(super) entries_elsewhere: bool,
}

/// What an answer does, in a sentence or in a few words.
fn words(choice: Choice, short: bool) -> &'static str {
    match (choice, short) {
        (Choice::Once, false) => "approve this one call; nothing is stored",
        (Choice::Once, true) => "this one call",
        (Choice::Session, false) => "approve, and store until the session is over, exactly:",
        (Choice::Session, true) => "store for the session:",
        (Choice::Always, false) => "approve, and store for the project, exactly:",
        (Choice::Always, true) => "store for the project:",
        (Choice::No, false) => "reject this one call; c rejects with a comment for the agent",
        (Choice::No, true) => "reject; c adds a comment",
        (Choice::Deny, false) => "reject, and refuse until the session is over, exactly:",
        (Choice::Deny, true) => "refuse for the session:",
    }
}

/// The menu of an offer in at most so many rows.
pub(super) fn menu(offer: Option<&pb::AnswerOffer>, columns: usize, budget: usize) -> Menu {
    for short in [false, true] {
        let rows = full(offer, columns, short);
        if rows.len() <= budget {
            return Menu { rows, entries_elsewhere: false };
        }
    }
    Menu { rows: keys(offer, columns), entries_elsewhere: true }
}

fn full(offer: Option<&pb::AnswerOffer>, columns: usize, short: bool) -> Vec<MenuRow> {
    let mut rows = Vec::new();
    let offered = choices(offer);
    for (position, &choice) in offered.iter().enumerate() {
        let said = wrapped(words(choice, short), columns.saturating_sub(LABEL + 1));
        let mut said = said.into_iter();
        let first = said.next().unwrap_or_default();
        rows.push(MenuRow::Answer { key: choice.key(), label: choice.label(), words: first });
        rows.extend(said.map(|row| MenuRow::Further(format!("{:LABEL$}{}", "", row.trim_start()))));
        // Session and always store the same: it stands once, under both.
        let same_below = choice == Choice::Session && offered.get(position + 1) == Some(&Choice::Always);
        if !same_below {
            rows.extend(entry(offer, choice, columns).into_iter().map(MenuRow::Further));
        }
    }
    rows
}

/// The entry that an answer would store, framed.
fn entry(offer: Option<&pb::AnswerOffer>, choice: Choice, columns: usize) -> Vec<String> {
    let entry = offer.and_then(|offer| match choice {
        Choice::Session | Choice::Always => offer.grant.as_ref(),
        Choice::Deny => offer.denial.as_ref(),
        Choice::Once | Choice::No => None,
    });
    entry.map(|entry| stored(entry, columns)).unwrap_or_default()
}

/// The keys alone, in as many rows as they need.
fn keys(offer: Option<&pb::AnswerOffer>, columns: usize) -> Vec<MenuRow> {
    let mut rows: Vec<Vec<Choice>> = Vec::new();
    let mut used = 0;
    for choice in choices(offer) {
        let columns_of = width(choice.label()) + KEY_ALONE;
        match rows.last_mut() {
            Some(row) if used + columns_of <= columns => row.push(choice),
            Some(_) | None => {
                rows.push(vec![choice]);
                used = 0;
            }
        }
        used += columns_of;
    }
    rows.into_iter().map(MenuRow::Keys).collect()
}

impl MenuRow {
    /// The row in pieces.
    pub(super) fn pieces(&self, look: Look) -> Vec<(String, Style)> {
        match self {
            Self::Answer { key, label, words } => vec![
                (format!(" {key}  "), look.key()),
                (format!("{label:<room$}", room = LABEL - 4), look.strong()),
                (words.clone(), look.plain()),
            ],
            Self::Further(text) => vec![(text.clone(), look.plain())],
            Self::Keys(choices) => choices
                .iter()
                .flat_map(|choice| {
                    [
                        (format!(" {}", choice.key()), look.key()),
                        (format!(" {} ", choice.label()), look.plain()),
                    ]
                })
                .collect(),
        }
    }
}
