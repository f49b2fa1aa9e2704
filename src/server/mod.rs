//! The gRPC server: the contract over the live gate.
//!
//! Promises that bad input is named field by field, that nothing is answered before it is durable, and that shutting down
//! is bounded in time. It knows the gate through `session` alone.

mod accept;
mod admin;
mod auth;
mod certificates;
mod connection;
mod console;
mod contract;
pub mod convert;
mod deadline;
mod demand;
mod drain;
mod ext_authz;
mod health;
mod hello;
mod inbound;
mod limits;
mod listen;
mod measuring;
mod method_rights;
mod methods;
mod newcomers;
mod outbound;
mod page_token;
mod panics;
mod peer;
mod permission;
mod refusal;
mod service;
mod socket;
mod stack;
mod status;
mod tls;
mod webhooks;

pub use admin::{Admin, Desk, LogSwitch};
pub use auth::{
    NewToken, NoRandomBytes, SecretHash, TokenFile, TokenFileError, TokenId, TokenRecord, check_auth,
    is_caller_name,
};
pub use certificates::TlsError;
pub use drain::{Running, ServeError};
pub use listen::{StartError, start};
pub use socket::SocketError;
pub use webhooks::{Notifier, Receivers, missing_secrets};
