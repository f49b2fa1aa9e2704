//! What becomes of what was acknowledged when something breaks: `kill -9` under load, a full disk, files that go missing, a
//! copy that has to serve.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail the test"
)]

mod backup;
mod disk;
mod killed;
mod server;
mod upgrade;
