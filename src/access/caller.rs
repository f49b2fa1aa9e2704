//! A caller that was recognised.

use super::role::Role;
use std::collections::BTreeSet;

/// The name of whoever calls where no credentials are needed, and of nobody else.
pub const LOCAL: &str = "local";

/// The projects that a caller may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projects {
    /// Every project, those to come too.
    All,
    /// These and no other.
    These(BTreeSet<String>),
}

impl Projects {
    /// Whether a project is among them.
    #[must_use]
    pub fn contain(&self, project: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(projects) => projects.contains(project),
        }
    }
}

/// How a caller was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// By calling from this machine, where no credentials are needed.
    Local,
    /// By a bearer token of the gate's own.
    Token,
    /// By a JSON Web Token that an issuer signed.
    Jwt,
    /// By the SPIFFE identity in the certificate of its connection.
    Mtls,
}

impl Via {
    /// Its name in records and errors.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Token => "bearer",
            Self::Jwt => "jwt",
            Self::Mtls => "mtls",
        }
    }
}

/// A caller that was recognised: what it is called in records is what its credentials say, never what it says itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Its name in records.
    pub name: String,
    /// What it is there for.
    pub role: Role,
    /// Where.
    pub projects: Projects,
    /// How it was recognised.
    pub via: Via,
}

impl Caller {
    /// Whoever calls where no credentials are needed: from this machine, with all rights, as whoever can start the gate has
    /// them.
    #[must_use]
    pub fn local() -> Self {
        Self { name: LOCAL.to_owned(), role: Role::Admin, projects: Projects::All, via: Via::Local }
    }
}
