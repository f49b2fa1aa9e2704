//! From the gate's own types to the contract's messages.
//!
//! Promises that every closed vocabulary is mapped value by value, and that texts for people are framed in one place.
//! Knows nothing of requests.

mod audit;
mod decision;
mod grants;
mod human;
mod prompt;
mod sessions;
mod vocabulary;

pub(super) use audit::{audit_record, server_info, verification};
pub(super) use decision::{decide_response, explained, record, subject, traced_rating};
pub(super) use grants::{denial, grant, managed, rendered};
pub(super) use human::{attack_halt, escalation, state_name};
pub(super) use prompt::rated_call as rating_rows;
pub(super) use sessions::{session, session_response, trust_view};
pub(super) use vocabulary::{action, notices, rfc3339, rung, stage, timestamp};
