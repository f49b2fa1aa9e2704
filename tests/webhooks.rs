//! Notifications as receivers get them: from the real server in a process of its own, over real HTTP.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

#[allow(dead_code, reason = "shared with the tests of the command line")]
#[path = "command_line/gate.rs"]
mod gate;
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the models that rate")]
#[path = "rater_models/server.rs"]
mod server;

mod webhooks {
    mod delivery;
    mod endings;
    mod payload;
    mod reload;
    pub(crate) mod support;
}
