//! The roles that identities map to.

use std::fmt;

/// What a caller is there for. A role is a set of rights of its own: none contains another, but that an admin has all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Asks: `Decide`, `Rate` and its own sessions. Can never answer, grant, change a rung or loosen a policy.
    Agent,
    /// Answers, grants, changes rungs, watches.
    Operator,
    /// Reads what was decided, and changes nothing.
    Auditor,
    /// Everything.
    Admin,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Agent, Self::Operator, Self::Auditor, Self::Admin];

    /// The role's name in configurations, tokens, records and errors.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Operator => "operator",
            Self::Auditor => "auditor",
            Self::Admin => "admin",
        }
    }

    /// The role of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
