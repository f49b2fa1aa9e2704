//! The command line as people and scripts use it: the real binary, its exit codes and what it prints.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

mod command_line {
    mod auditing;
    mod builtin_rating;
    mod deciding;
    mod draining;
    mod gate;
    mod hooks;
    mod listening;
    mod rating;
    mod reading;
    mod retention;
    mod running;
    mod serving;
    mod taking_over;
    mod tokens;
}
