//! What a shell command would run: reading, canonical spelling, segments, and the spellings that rules compare.
//!
//! Promises one pure, bounded [`Analysis`] per text, and that what is not understood is said and never left out. Knows nothing of
//! rules, ratings, sessions or the world outside the text.

mod analysis;
mod blind;
pub(crate) mod braces;
mod canonical;
pub mod env_leak;
mod evaluating;
mod expressions;
mod flows;
pub(crate) mod folding;
mod foreign;
mod fork_bomb;
pub mod hardline;
pub(crate) mod interpreters;
pub(crate) mod layout;
pub mod network;
pub mod notes;
pub mod reader;
mod reordering;
pub(crate) mod segment;
mod segments;
mod shells;
mod spellings;
pub mod tree;
mod unwrap;
mod values;
pub(crate) mod word;
mod wrappers;

#[cfg(test)]
mod corpus_tests;

pub use analysis::{
    Analysis, Dialect, MAX_COMMAND_BYTES, MAX_DEPTH, MAX_SEGMENTS, Mechanism, Resolution, Unread,
    UnreadReason, analyze,
};
pub use canonical::canonicalize;
pub use segment::{Opaque, PipelinePlace, Reach, Segment};
pub use spellings::{MAX_SPELLING_BYTES, MAX_SPELLINGS};
