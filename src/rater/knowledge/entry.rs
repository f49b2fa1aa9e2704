//! What is known of one program: its levels of subcommands, with the options and effects of each.
//!
//! Promises the structure alone. Knows nothing of how it is written down or of how a command is compared with it.

use super::vocabulary::{Action, Effect, Verb};
use std::collections::HashMap;

/// A program, or one of its subcommands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Level {
    /// What it does; empty where nothing is known without a subcommand.
    pub(crate) effects: Vec<Effect>,
    /// The options by their names with dashes. A name may have several forms, which differ in their values.
    pub(crate) options: HashMap<&'static str, Vec<OptionForm>>,
    /// Options that are not named are harmless and take no separate value. Holds for this level alone.
    pub(crate) others_harmless: bool,
    /// A dash and digits is a harmless option. Holds for this level alone.
    pub(crate) digits: bool,
    /// Options end at the first operand; for the levels below too.
    pub(crate) stops: bool,
    /// Long options have one dash; for the levels below too.
    pub(crate) single_dash: bool,
    /// Its options hold only in front of its subcommands, not behind them.
    pub(crate) front: bool,
    /// Options may start with a slash in place of the dash; for the levels below too.
    pub(crate) slash: bool,
    /// Some of its options start with a plus.
    pub(crate) plus: bool,
    /// The subcommands by each of their names.
    pub(crate) subcommands: HashMap<&'static str, usize>,
    /// What the subcommands are.
    pub(crate) levels: Vec<Level>,
}

impl Level {
    /// The subcommand of that name.
    pub(crate) fn subcommand(&self, name: &str) -> Option<&Self> {
        self.levels.get(*self.subcommands.get(name)?)
    }

    /// Whether it does more by itself than to look at something or to build.
    pub(crate) fn does_more_than_look(&self) -> bool {
        self.effects.iter().any(|effect| {
            !matches!(
                effect.action,
                Action::Verb(
                    Verb::Nothing | Verb::Prints | Verb::Lists | Verb::Reads | Verb::Inspects | Verb::Builds
                )
            )
        })
    }

    /// Whether it runs a command that is judged by itself.
    pub(crate) fn wraps(&self) -> bool {
        self.effects.iter().any(|effect| effect.action == Action::Verb(Verb::Wraps))
    }
}

/// A form of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OptionForm {
    /// The value it takes.
    pub(crate) value: Value,
    /// What it adds.
    pub(crate) effects: Vec<Effect>,
    /// Which other effects its own take the place of.
    pub(crate) replaces: Replaces,
}

/// Which effects those of an option take the place of. Code that another option has run, and what it lays open, stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Replaces {
    /// None: they are added.
    None,
    /// All that name no object.
    WithoutObjects,
    /// All.
    All,
}

/// The value that an option takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// None.
    None,
    /// Any, glued or as the next word.
    Any,
    /// Any, only glued; it may be absent.
    Glued,
    /// One of these, glued or as the next word.
    OneOf(Vec<&'static str>),
}
