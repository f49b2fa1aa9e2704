//! The headings that say what a rating means.
//!
//! Promises that the four read differently without colour and that each is attributed to the rater. Knows nothing of
//! how a rating comes about; callers map the gate's outcome onto it.

/// What a rating means for whoever reads the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Nothing harmful was found.
    Safe,
    /// Work may be lost, and can be won back from this session.
    Destructive,
    /// Undoing it needs something outside the session.
    Catastrophic,
    /// The command's own structure looks hostile. Shown in the attack banner only.
    Attack,
}

/// How strongly a heading is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tone {
    /// For information.
    Notice,
    /// Read before answering.
    Warning,
    /// Read twice.
    Danger,
}

impl Severity {
    /// Every severity.
    pub const ALL: [Self; 4] = [Self::Safe, Self::Destructive, Self::Catastrophic, Self::Attack];

    /// The sign in front of the heading.
    #[must_use]
    pub fn glyph(self) -> &'static str {
        match self {
            Self::Safe => "✓",
            Self::Destructive => "⚠",
            Self::Catastrophic | Self::Attack => "⛔",
        }
    }

    /// How strongly it is painted. Catastrophic and attack are alike on purpose: neither is the lesser one.
    #[must_use]
    pub fn tone(self) -> Tone {
        match self {
            Self::Safe => Tone::Notice,
            Self::Destructive => Tone::Warning,
            Self::Catastrophic | Self::Attack => Tone::Danger,
        }
    }

    /// The heading, attributed to the rater, saying what follows if the command runs.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Self::Safe => "Auto-rater (safe): nothing harmful was found; you are asked for another reason.",
            Self::Destructive => {
                "Auto-rater (destructive): this can destroy work, though it can be made good from within this session."
            }
            Self::Catastrophic => {
                "Auto-rater (catastrophic): undoing this would take something that the session does not have, \
                 such as a backup or another person."
            }
            Self::Attack => "Auto-rater (attack): the way this command is built looks hostile.",
        }
    }
}
