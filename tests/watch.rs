//! `haltgate watch` as a person sits before it: the real binary on a real terminal, which tmux plays, against a real server.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point, and not every test needs every helper"
)]

#[path = "command_line/gate.rs"]
mod gate;

mod watch {
    mod answering;
    mod halting;
    mod leaving;
    mod lines;
    mod terminal;
}
