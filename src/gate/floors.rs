//! Where the deterministic floors hook into the decision.
//!
//! Promises that a floor only ever makes an answer stricter: the types leave it nothing else to say. What the floors
//! look for is the business of the shell analysis.

use super::call::ShellCall;
use super::rating::FloorKind;
use crate::shell::Analysis;
use serde::{Deserialize, Serialize};

/// A command that no rule, grant, rating or rung may let through.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hardline {
    /// What it would do, in words for the agent and the human.
    pub description: String,
    /// Which check found it, for records only.
    pub check: String,
}

/// Something that keeps a command from being rated safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preflight {
    /// Which floor.
    pub kind: FloorKind,
    /// One sentence that says why.
    pub reason: String,
}

/// The floors in force. Each is a pure function of the command.
#[derive(Debug, Clone, Copy)]
pub struct Floors {
    /// Commands that are refused outright, at every rung.
    pub hardline: fn(&ShellCall, &Analysis) -> Option<Hardline>,
    /// Commands that are at least `destructive`, unless an allow entry matched.
    pub preflight: fn(&ShellCall, &Analysis) -> Option<Preflight>,
}

impl Floors {
    /// No floor at all.
    pub const NONE: Self = Self { hardline: |_, _| None, preflight: |_, _| None };
}

impl Floors {
    /// The floors that the product stands on.
    pub const STANDARD: Self = Self { preflight: super::preflight::standard, ..Self::NONE };
}

impl Default for Floors {
    fn default() -> Self {
        Self::STANDARD
    }
}
