//! The one way by which text that an agent or a model wrote reaches a human.
//!
//! Promises that whatever characters go in, only visible ones come out, every row of such text stands behind a
//! numbered gutter and fits its width, and every cut-off says how much it hides. Time and memory grow linearly with
//! the text. Knows nothing of terminals, sessions or decisions; surfaces paint its rows verbatim and left to right.

mod banner;
mod elide;
mod frame;
mod headline;
mod neutral;
mod notices;
#[cfg(test)]
mod properties;
mod rows;
mod severity;
mod sites;
#[cfg(test)]
mod tests;
mod width;

pub use banner::{
    AFTER_RUN_ANYWAY, CONTROLS, RUN_ANYWAY, RUN_ANYWAY_PROMPT, attack_banner, attacking_command,
    is_run_anyway,
};
pub use frame::{DEFAULT_COLUMNS, Frame, MINIMUM_WIDTH, frame, frame_command, narrow_notice};
pub use headline::Headline;
pub use neutral::{escape, is_visible, neutralise, one_line};
pub use notices::wrapped;
pub use rows::{Block, blocks};
pub use severity::{Severity, Tone};
pub use width::{clip, width};
