//! haltgate: the approval gate for AI agents.
//!
//! An agent backend asks the gate over gRPC before every tool call: may this run? The gate answers from the operator's
//! rules, from what a human granted earlier, from a rating of the command, or by asking a human now.
//!
//! Dependencies point one way. The decision is pure; everything else is plumbing around it.
//!
//! | module | subject | knows nothing of |
//! |---|---|---|
//! | [`shell`] | what a command would run: reader, canonical spelling, segments, wrappers | rules, ratings, clocks, I/O |
//! | [`rules`] | entries, compiled lists, matching | rungs, sessions, clocks, I/O |
//! | [`gate`] | the decision: rungs, pipeline, offers, negotiation, trust | tokio, gRPC, SQL, clocks, I/O |
//! | [`display`] | framing of text that an agent or a model wrote | where it is painted |
//! | [`config`] | the policy file: layers, validation, lints, reload | how a decision is made |
//! | [`access`] | who calls, and what a caller may do | connections, certificates, clocks, files |
//! | [`rater`] | who judges commands | rules, grants, rungs |
//! | [`outgoing`] | HTTP requests of the gate's own, and keys for them | what is sent or why |
//! | [`store`] | durable rows and the audit chain | the gate, the contract, the clock |
//! | [`telemetry`] | metrics, and what ties a request to those it leads to | calls, commands, arguments, credentials |
//! | [`trace`] | request ids, trace contexts, spans for a collector | what a request is about |
//! | [`session`] | live sessions over a store: one decision per request id, durable before answered | gRPC, the command line |
//! | [`export`] | the forms that audit records leave in, and how those are verified | where records are kept or sent |
//! | [`cases`] | policy cases: files, playing, reports | servers, stores, clocks |
//! | [`server`] | the contract over the live gate | how a decision is made |
//! | [`client`] | connecting, deadlines, retries under one request id | how a decision is made |
//! | [`mcp`] | a client's and a server's messages under the Model Context Protocol: what may pass | pipes, gates, clocks |
//! | [`cli`] | one file per subcommand, output for people and programs | how a decision is made |
//! | [`proto`] | the contract as generated types | everything |

pub mod access;
pub mod cases;
pub mod cli;
pub mod client;
pub mod config;
mod cryptography;
pub mod display;
pub mod export;
pub mod gate;
pub mod mcp;
pub mod outgoing;
pub mod proto;
pub mod rater;
pub mod rules;
pub mod server;
pub mod session;
pub mod shell;
pub mod store;
pub mod telemetry;
pub mod trace;
