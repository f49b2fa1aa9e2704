//! The gRPC server: the contract over the live gate.
//!
//! Promises that bad input is named field by field, that nothing is answered before it is durable, and that shutting down
//! is bounded in time. It knows the gate through `session` alone.

mod console;
mod contract;
pub mod convert;
mod demand;
mod health;
mod inbound;
mod listen;
mod local_caller;
mod method_rights;
mod outbound;
mod page_token;
mod permission;
mod service;
mod stack;
mod status;
mod webhooks;

pub use listen::{Running, StartError, start};
pub use webhooks::{Notifier, Receivers, missing_secrets};
