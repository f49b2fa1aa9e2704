//! Rules: the grammar of entries, compiled lists of them, and what they say of a call.
//!
//! Promises deny over escalate over allow whatever the order of writing, doubt that fails toward the human, and a cost that
//! does not grow with the lists. Knows the shell's analysis of a command; nothing of rungs, sessions, files and humans.

mod automaton;
mod bucket;
mod decide;
mod entry;
mod exact;
mod fold;
mod glob;
pub mod grammar;
mod indexed;
mod list;
mod literal_index;
mod matching;
mod pattern_set;
mod regexp;
mod render;
mod target;

#[cfg(test)]
mod tests;

pub use decide::{Layered, Ruled, Ruling, decide};
pub use entry::{Annotations, Entry, Hint, ListKind, ServerPattern, TextPattern, ToolPattern};
pub use grammar::{DeclaredEntry, Examples, Problem, Severity, parse_entry, parse_list};
pub use list::{CompileError, RuleList};
pub use matching::{Basis, Found, Notice, Reason};
pub use regexp::MAX_REGEXP_UNITS;
pub use render::{Identity, object_text, one_line};
pub use target::{Hosts, McpIdentity, Target};
