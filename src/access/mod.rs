//! Who calls, and what a caller may do.
//!
//! Promises closed words for roles and for how a caller was recognised, and that a caller who was not recognised has none of
//! them. Pure: knows nothing of connections, certificates, clocks or files.

mod caller;
mod role;
mod spiffe;

pub use caller::{Caller, Projects, Via};
pub use role::Role;
pub use spiffe::{SpiffeId, SpiffePattern};
