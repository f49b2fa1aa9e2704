//! The live feeds against a model: random sequences of everything that can happen to questions, subscribers and the server.
//!
//! A sequence raises, answers, closes, lets expire, disconnects, resumes, begins anew, reads slowly, and kills and restarts the
//! real server on its store. The model says what each subscriber must have seen: every change once, in order, and a snapshot
//! that together with them is what the model holds.
//!
//! The ordinary run is short and always the same. For a long one:
//!
//! ```text
//! HALTGATE_FEEDS_SEED=7 HALTGATE_FEEDS_STEPS=20000 cargo test --test feeds_model -- --nocapture
//! ```
//!
//! A failure names its seed and step, which find it again.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

#[allow(dead_code, reason = "shared with the tests of the command line")]
#[path = "../command_line/gate.rs"]
mod gate;

mod chance;
mod desk;
mod model;
mod subscriber;

use chance::Chance;
use desk::Desk;

/// Steps of the ordinary run.
const STEPS: u64 = 250;
const SEED: u64 = 1;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).map_or(otherwise, |text| text.parse().unwrap())
}

#[tokio::test]
async fn every_subscriber_sees_every_change_once_and_in_order_whatever_happens() {
    let (seed, steps) = (number("HALTGATE_FEEDS_SEED", SEED), number("HALTGATE_FEEDS_STEPS", STEPS));
    println!("HALTGATE_FEEDS_SEED={seed} HALTGATE_FEEDS_STEPS={steps}");
    let mut desk = Desk::start(Chance::new(seed)).await;
    for step in 0..steps {
        desk.step(step).await;
    }
    desk.finish().await;
    println!("{}", desk.summary());
}
