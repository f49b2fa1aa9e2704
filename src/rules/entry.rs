//! One entry of a rule list, as a value that cannot hold nonsense: each type carries only the fields it may have.
//!
//! Promises the closed vocabulary of the entry grammar. Knows nothing of files, lists or of how entries are matched.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A rule-list entry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Names shell commands.
    Shell {
        /// What the command must be.
        pattern: TextPattern,
        /// An explicit `rate`; see [`Entry::rates`].
        rate: Option<bool>,
    },
    /// Names tools of the agent itself.
    Tool {
        /// Which tools.
        pattern: ToolPattern,
        /// The one host that the call must name, compared byte for byte.
        host: Option<String>,
        /// An explicit `rate`.
        rate: Option<bool>,
    },
    /// Names tools of MCP servers.
    McpTool {
        /// Which server.
        server: ServerPattern,
        /// Which of its tools.
        pattern: ToolPattern,
        /// The one host that the call must name, compared byte for byte.
        host: Option<String>,
        /// An explicit `rate`.
        rate: Option<bool>,
    },
}

/// How a command or a name is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TextPattern {
    /// Equal.
    Exact(String),
    /// `*` stands for any run of characters, empty and line breaks included; anchored at both ends; all else literal.
    Glob(String),
    /// A regular expression, unanchored, as written, ECMAScript-like; at most 200 UTF-16 units.
    Regexp(String),
}

/// How a tool is named: by its name, or by what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ToolPattern {
    /// By name.
    Name(TextPattern),
    /// By its effective annotations: every hint named must be equal. Never empty.
    Hints(BTreeMap<Hint, bool>),
}

/// Which MCP server an entry speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ServerPattern {
    /// `*`: every server, the unresolved one included.
    Any,
    /// The server with this key. Never empty, never `*`.
    Key(String),
}

/// The hints of the MCP tool annotations, in their canonical order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Hint {
    /// `readOnlyHint`
    #[serde(rename = "readOnlyHint")]
    ReadOnly,
    /// `destructiveHint`
    #[serde(rename = "destructiveHint")]
    Destructive,
    /// `idempotentHint`
    #[serde(rename = "idempotentHint")]
    Idempotent,
    /// `openWorldHint`
    #[serde(rename = "openWorldHint")]
    OpenWorld,
}

impl Hint {
    /// Every hint, in canonical order.
    pub const ALL: [Self; 4] = [Self::ReadOnly, Self::Destructive, Self::Idempotent, Self::OpenWorld];

    /// The name in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "readOnlyHint",
            Self::Destructive => "destructiveHint",
            Self::Idempotent => "idempotentHint",
            Self::OpenWorld => "openWorldHint",
        }
    }

    /// The hint of that exact name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hint| hint.as_str() == name)
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// What a tool is taken to be: the four hints after trust was applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Annotations {
    /// It changes nothing.
    #[serde(rename = "readOnlyHint")]
    pub read_only: bool,
    /// It may destroy.
    #[serde(rename = "destructiveHint")]
    pub destructive: bool,
    /// Repeating it changes nothing more.
    #[serde(rename = "idempotentHint")]
    pub idempotent: bool,
    /// It speaks to the world outside.
    #[serde(rename = "openWorldHint")]
    pub open_world: bool,
}

impl Annotations {
    /// What is assumed of a tool that nothing trustworthy is known about.
    pub const FAIL_CLOSED: Self =
        Self { read_only: false, destructive: true, idempotent: false, open_world: true };

    /// The value of one hint.
    #[must_use]
    pub fn get(&self, hint: Hint) -> bool {
        match hint {
            Hint::ReadOnly => self.read_only,
            Hint::Destructive => self.destructive,
            Hint::Idempotent => self.idempotent,
            Hint::OpenWorld => self.open_world,
        }
    }

    /// The same set with one hint changed.
    #[must_use]
    pub fn with(mut self, hint: Hint, value: bool) -> Self {
        match hint {
            Hint::ReadOnly => self.read_only = value,
            Hint::Destructive => self.destructive = value,
            Hint::Idempotent => self.idempotent = value,
            Hint::OpenWorld => self.open_world = value,
        }
        self
    }
}

/// The three rule lists, strictest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListKind {
    /// Refuses at every rung.
    Deny,
    /// Always asks a human, except at `bypass`.
    Escalate,
    /// Lets a call through.
    Allow,
}

impl ListKind {
    /// The name in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Escalate => "escalate",
            Self::Allow => "allow",
        }
    }
}

impl Entry {
    /// Whether an allow match of this entry is still rated: as written, else only an exact shell entry is not.
    #[must_use]
    pub fn rates(&self) -> bool {
        match self {
            Self::Shell { pattern, rate } => rate.unwrap_or_else(|| match pattern {
                TextPattern::Exact(_) => false,
                TextPattern::Glob(_) | TextPattern::Regexp(_) => true,
            }),
            Self::Tool { rate, .. } | Self::McpTool { rate, .. } => rate.unwrap_or(true),
        }
    }
}
