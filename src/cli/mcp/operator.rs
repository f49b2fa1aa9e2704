//! What the operator reads on standard error, beside what the server itself writes there.
//!
//! Promises that nothing which a client or a server wrote gets there unframed.

use crate::cli::output;
use crate::cli::style::{self, painted};
use crate::display::one_line;

/// Says something in one line.
pub(super) fn say(text: &str) {
    output::complain(&format!("{} {}\n", painted(style::LABEL, "haltgate mcp:"), one_line(text)));
}

/// Says what the gate said, in the rows that the gate framed.
pub(super) fn pass_on(rows: &[String]) {
    for row in rows {
        output::complain(&format!("{row}\n"));
    }
}
