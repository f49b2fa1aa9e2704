//! Who calls, and what a caller may do.
//!
//! Promises closed words for roles, for what can be asked for and for how a caller was recognised, one table of rights that has
//! a place for each, and that a caller who was not recognised has none of them. Pure: knows nothing of connections, certificates, clocks or files.

mod caller;
mod operation;
mod rights;
mod role;
mod spiffe;

pub use caller::{Caller, LOCAL, Projects, Via};
pub use operation::Operation;
pub use role::Role;
pub use spiffe::{SpiffeId, SpiffePattern};
