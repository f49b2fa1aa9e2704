//! The Model Context Protocol between a client and a server, as far as a gate between them must read it.
//!
//! Promises that no line reaches the server which the server could read as another call than the one that was judged:
//! what is ambiguous is refused. Knows nothing of pipes, processes, gates or clocks.
//!
//! Reads all revisions alike: those that begin with `initialize`, and the stateless one, whose requests carry their
//! revision along.

mod catalogue;
mod lines;
mod message;
mod posted;
#[cfg(test)]
mod properties;
mod reply;
mod strict;
mod traffic;

pub use catalogue::{Catalogue, Declaration, MAX_TOOLS, Page};
pub use lines::{Line, Lines};
pub use message::{Id, Refused, ReplyTo, ToolCall};
pub use posted::{Posted, Repeated};
pub use reply::{Code, list_request, progress};
pub use strict::Fault;
pub use traffic::{FromClient, FromServer, Release, Ticket, Traffic};
