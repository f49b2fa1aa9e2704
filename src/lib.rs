//! haltgate: the approval gate for AI agents.
pub mod cases;
pub mod config;
pub mod display;
pub mod gate;
pub mod proto;
pub mod rater;
pub mod rules;
pub mod server;
pub mod session;
pub mod shell;
pub mod store;
