//! haltgate: the approval gate for AI agents.
pub mod display;
pub mod proto;
