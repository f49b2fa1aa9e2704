//! The gRPC server: the contract over the live gate.
//!
//! Promises that bad input is named field by field, that nothing is answered before it is durable, and that shutting down
//! is bounded in time. It knows the gate through `session` alone.

mod auth;
mod console;
mod contract;
pub mod convert;
mod health;
mod inbound;
mod listen;
mod outbound;
mod page_token;
#[allow(dead_code, reason = "connections over TLS, which show certificates, are accepted elsewhere")]
mod peer;
mod service;
mod stack;
mod status;
mod webhooks;

pub use auth::{
    NewToken, NoRandomBytes, SecretHash, TokenFile, TokenFileError, TokenId, TokenRecord, check_auth,
    is_caller_name,
};
pub use listen::{Running, StartError, start};
pub use webhooks::{Notifier, Receivers, missing_secrets};
