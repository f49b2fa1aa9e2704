//! The commands that other approval gates are known to judge wrongly, each with the right answer.
//!
//! Every row of that catalogue is a test of its own, found by its label: `a1` to `l2`. The letters are the layers: `a` reading
//! the text, `b` one plain command, `c` and `d` the hardline floor, `e` and `f` credentials that leave, `g` and `h` hosts,
//! `i` secrets given to code, `j` deny entries, `k` hosts of tools and MCP servers, `l` hostile texts.

#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod answers;
mod credentials;
mod destruction;
mod hosts;
mod lists;
mod reading;
mod secrets;
mod tools;
