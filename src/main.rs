//! The `haltgate` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    haltgate::cli::run()
}
