//! haltgate: the approval gate for AI agents.
pub mod proto;
