//! What each caller may do, by real credentials over real connections.

mod agents;
mod attacks;
mod cast;
mod feeds;
mod matrix;
mod projects;
mod refusals;
mod store;
