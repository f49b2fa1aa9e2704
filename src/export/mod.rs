//! The forms that audit records leave in: JSON lines, which anybody can verify, and OCSF events, which security tools read.
//!
//! Promises that a line holds everything its hash is made of, byte for byte, that an event carries its line, and that reading
//! back is as strict as that needs. Pure: it is handed records and texts, and knows nothing of where they are kept or sent.

mod check;
mod line;
mod ocsf;

pub use self::check::{Checked, ExportCheck, ExportError};
pub use self::line::{LineError, render, row_of};
pub use self::ocsf::event;
