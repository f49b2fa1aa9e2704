//! The gate behind a real nginx that runs the configuration of `deploy/nginx`. Started by the suite `nginx` of `tests/run`, since it
//! needs nginx.

#![allow(
    missing_docs,
    clippy::result_large_err,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

mod callers;
mod feeds;
mod proxy;
#[allow(dead_code, unreachable_pub, unused_imports, reason = "shared with the tests of the contract")]
#[path = "../grpc/support/mod.rs"]
mod support;
