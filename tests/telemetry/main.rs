//! What a gate tells of its own work: the real server in a process of its own, scraped, probed, traced and read.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "helpers of tests may fail the test"
)]

mod admin;
mod boards;
mod counters;
#[allow(dead_code, reason = "shared with the tests of the command line")]
#[path = "../command_line/gate.rs"]
mod gate;
mod logs;
mod probes;
#[allow(dead_code, reason = "shared with the tests of the models that rate")]
#[path = "../rater_models/server.rs"]
mod server;
mod support;
#[cfg(feature = "otlp")]
mod traces;
