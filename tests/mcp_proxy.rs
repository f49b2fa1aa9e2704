//! `haltgate mcp` between a client and a real server process, in front of a real gate: what reaches the server, what the
//! client hears, and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

mod mcp_proxy {
    mod ending;
    mod harness;
    mod hostile;
    mod judging;
    mod passing;
    mod tools;

    #[path = "../command_line/gate.rs"]
    #[allow(dead_code, reason = "the tests of the command line use all of it")]
    mod gate;
}
