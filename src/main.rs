//! The `haltgate` command.

fn main() {}
