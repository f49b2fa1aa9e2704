//! Ratings by language models over real HTTP, against a server that speaks each provider's form and misbehaves on demand.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail the test"
)]

mod budget;
mod faults;
mod limits;
mod profiles;
mod providers;
mod server;
mod support;
