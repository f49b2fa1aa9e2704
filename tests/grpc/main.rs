//! The contract over real gRPC: a real server over a real store, asked by a real client.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::result_large_err,
    reason = "helpers of tests may fail the test"
)]

mod access;
mod answers;
mod auth;
mod bad_input;
mod bounds;
mod concurrency;
mod connection_age;
mod console;
mod deadlines;
mod decide;
mod draining;
mod dry_run;
mod entry_points;
mod error_metadata;
mod export;
mod fan_out;
mod feeds;
mod following;
mod grants;
mod halts;
mod health;
mod idempotency;
mod introspection;
mod isolation;
mod limits_open;
mod limits_requests;
mod listening;
mod negotiation;
mod nobody;
mod previews;
mod rate;
mod rating_attempts;
mod records;
mod redaction;
mod restart;
mod sessions;
mod slow_clients;
mod stores;
mod support;
mod tls;
mod tls_changes;
mod tls_clients;
mod trust;
mod waiting;
mod weakening;
