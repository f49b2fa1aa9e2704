//! The approvals ladder: which rung a session stands on and what each rung does.
//!
//! Promises that every property of a rung is an explicit membership test, so that a new rung must be classified on
//! purpose. Knows nothing of calls, lists or sessions.

use super::builtin_tools::ToolClass;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A rung of the approvals ladder, in the order in which they are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
    /// Everything but built-in reads asks a human.
    Manual,
    /// As `manual`, with the built-in file tools free.
    Write,
    /// Shell commands are rated; what is not safe asks a human.
    #[default]
    Assisted,
    /// Shell commands are rated; what is destructive goes back to the agent first.
    Auto,
    /// Nothing is rated or asked.
    Bypass,
}

impl Rung {
    /// Every rung, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Manual, Self::Write, Self::Assisted, Self::Auto, Self::Bypass];

    /// The name in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Write => "write",
            Self::Assisted => "assisted",
            Self::Auto => "auto",
            Self::Bypass => "bypass",
        }
    }

    /// The rung of that exact name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rung| rung.as_str() == name)
    }

    /// Whether commands are rated on this rung.
    #[must_use]
    pub fn is_rated(self) -> bool {
        match self {
            Self::Assisted | Self::Auto => true,
            Self::Manual | Self::Write | Self::Bypass => false,
        }
    }

    /// Whether rules and humans alone decide here, for every kind of call. `bypass` is neither rated nor deterministic.
    #[must_use]
    pub fn is_deterministic(self) -> bool {
        match self {
            Self::Manual | Self::Write => true,
            Self::Assisted | Self::Auto | Self::Bypass => false,
        }
    }

    /// Whether a destructive rating goes back to the agent before a human is asked.
    #[must_use]
    pub fn negotiates(self) -> bool {
        match self {
            Self::Auto => true,
            Self::Manual | Self::Write | Self::Assisted | Self::Bypass => false,
        }
    }

    /// Whether tools of this class need nobody's leave on this rung.
    #[must_use]
    pub fn grants(self, class: ToolClass) -> bool {
        match (class, self) {
            (ToolClass::Read, _) => true,
            (ToolClass::Write, Self::Manual) => false,
            (ToolClass::Write, Self::Write | Self::Assisted | Self::Auto | Self::Bypass) => true,
        }
    }
}

impl fmt::Display for Rung {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Which calls the lists, floors and prompts apply to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateScope {
    /// A call that the live rung does not gate is approved before any list is read.
    #[default]
    Rung,
    /// Every call is judged, at every rung.
    EveryCall,
}

impl GateScope {
    /// Every scope.
    pub const ALL: [Self; 2] = [Self::Rung, Self::EveryCall];

    /// The name in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rung => "rung",
            Self::EveryCall => "every_call",
        }
    }

    /// The scope of that exact name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == name)
    }
}
