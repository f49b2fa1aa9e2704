//! HTTP requests that the gate itself makes: to models that rate, and to receivers of notifications.
//!
//! Promises that no redirect is followed, that nothing is sent twice behind the caller's back, and that neither a key nor an
//! address is part of what is said about a failure. It must not know what is sent or why.

mod client;
mod pacing;
mod secret;

pub(crate) use client::{client, why};
pub(crate) use pacing::{Pacing, retry_after};
pub use secret::{KeyError, Secret};
