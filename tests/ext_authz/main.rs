//! Proxies that ask before they pass an MCP request on: the real gate over real gRPC, asked as Envoy asks.

#![allow(
    missing_docs,
    clippy::result_large_err,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

mod batches;
mod calls;
#[allow(dead_code, unreachable_pub, reason = "shared with the tests of the contract")]
#[path = "../grpc/access/cast.rs"]
mod cast;
mod credentials;
mod failing;
mod passing;
mod proxy;
#[allow(dead_code, unreachable_pub, unused_imports, reason = "shared with the tests of the contract")]
#[path = "../grpc/support/mod.rs"]
mod support;
