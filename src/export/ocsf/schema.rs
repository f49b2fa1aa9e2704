//! The classes and vocabularies of OCSF that events use. Knows nothing of records.

use serde_json::{Map, Value};

/// A class of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// What fits no class.
    Base,
    /// Something hostile was found.
    DetectionFinding,
    /// A session was given leave, or refused it.
    AuthorizeSession,
    /// Something that is managed changed.
    EntityManagement,
    /// What somebody may do changed.
    UserAccess,
    /// Somebody asked.
    ApiActivity,
}

impl Class {
    pub(super) fn uid(self) -> u32 {
        match self {
            Self::Base => 0,
            Self::DetectionFinding => 2004,
            Self::AuthorizeSession => 3003,
            Self::EntityManagement => 3004,
            Self::UserAccess => 3005,
            Self::ApiActivity => 6003,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Base => "Base Event",
            Self::DetectionFinding => "Detection Finding",
            Self::AuthorizeSession => "Authorize Session",
            Self::EntityManagement => "Entity Management",
            Self::UserAccess => "User Access Management",
            Self::ApiActivity => "API Activity",
        }
    }

    pub(super) fn category(self) -> u32 {
        self.uid() / 1_000
    }

    pub(super) fn category_name(self) -> &'static str {
        match self {
            Self::Base => "Uncategorized",
            Self::DetectionFinding => "Findings",
            Self::AuthorizeSession | Self::EntityManagement | Self::UserAccess => {
                "Identity & Access Management"
            }
            Self::ApiActivity => "Application Activity",
        }
    }
}

/// What was done, in the numbers of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Activity {
    pub(super) id: u32,
    pub(super) name: &'static str,
}

impl Activity {
    pub(super) const fn new(id: u32, name: &'static str) -> Self {
        Self { id, name }
    }

    /// One that the class has no number for.
    pub(super) const fn other(name: &'static str) -> Self {
        Self { id: 99, name }
    }
}

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Severity {
    Informational,
    Low,
    Medium,
    Critical,
}

impl Severity {
    pub(super) fn id(self) -> u32 {
        match self {
            Self::Informational => 1,
            Self::Low => 2,
            Self::Medium => 3,
            Self::Critical => 5,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Informational => "Informational",
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::Critical => "Critical",
        }
    }
}

/// How it went, or how a finding stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    None,
    Success,
    Failure,
    /// It waits for a human.
    Waiting,
    /// Of a finding.
    New,
    /// Of a finding.
    Resolved,
}

impl Status {
    pub(super) fn parts(self) -> Option<(u32, &'static str)> {
        match self {
            Self::None => None,
            Self::Success => Some((1, "Success")),
            Self::Failure => Some((2, "Failure")),
            Self::Waiting => Some((99, "Waiting for a human")),
            Self::New => Some((1, "New")),
            Self::Resolved => Some((4, "Resolved")),
        }
    }
}

/// An event without what all have.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) class: Class,
    pub(super) activity: Activity,
    pub(super) severity: Severity,
    pub(super) status: Status,
    pub(super) fields: Map<String, Value>,
}
