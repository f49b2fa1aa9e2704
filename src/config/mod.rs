//! The configuration: one file of JSON with comments, the files it extends, variables and flags.
//!
//! Promises a fully typed [`Configuration`] in which every setting has a value, or every problem at once with its file,
//! line and column and what to write instead. It must not know how a decision is made, what a session is, or how the
//! settings are put to work.
//!
//! | module | subject |
//! |---|---|
//! | `document` | JSON with comments, and where everything stands in it |
//! | `problem` | reports |
//! | `section`, `quantity` | reading one object, one length of time, one size |
//! | `approvals`, `trust`, `retired` | one `approvals` block as it is written |
//! | `agents` | what agents may ask for |
//! | `layers`, `policy` | how blocks merge: files, projects, commands |
//! | `rater`, `server`, `auth`, `limits`, `store`, `notifications`, `log`, `admin`, `telemetry` | the other settings |
//! | `socket`, `tls` | the Unix socket, and what encrypts connections |
//! | `ext_authz` | proxies that ask the gate |
//! | `outgoing` | addresses that something is sent to, and where the key for them is |
//! | `configuration`, `effective` | everything together, and its revision |
//! | `overrides` | variables and flags |
//! | `chain`, `load` | finding and reading files |
//! | `compile` | the policy that the gate decides by |
//! | `lint` | what is allowed but can hardly be meant |
//! | `watch` | changes |

mod admin;
mod agents;
mod approvals;
mod auth;
mod chain;
mod compile;
mod configuration;
mod document;
mod effective;
mod ext_authz;
mod layers;
mod limits;
mod lint;
mod load;
mod log;
mod notifications;
mod outgoing;
mod overrides;
mod policy;
mod problem;
mod quantity;
mod rater;
mod retired;
mod section;
mod server;
mod socket;
mod store;
mod telemetry;
mod tls;
mod trust;
mod watch;

#[cfg(test)]
mod tests;

pub use admin::{AdminSettings, admin_override};
pub use agents::{AgentBounds, AgentCommands, AgentsBlock};
pub use approvals::{Approvals, PlacedEntry, RaterChoice};
pub(crate) use auth::ALL_PROJECTS;
pub use auth::{
    AuthSettings, ClaimedCaller, JwtAlgorithm, JwtIssuer, KeySetSource, Rights, SpiffeCaller, TrustedProxies,
};
pub use chain::DEFAULT_FILES;
pub use configuration::Configuration;
pub use document::{Document, MAX_DEPTH, MAX_FILE_BYTES, item_path, key_path};
pub use ext_authz::{ExtAuthzSettings, ServerPlace};
pub use layers::Posture;
pub use limits::{CallerLimits, LimitSettings, RatingBudget, RatingBudgets};
pub use lint::lint;
pub use load::{Loaded, Source, load, parse};
pub use log::{LogFormat, LogLevel, LogSettings};
pub use notifications::{EventKind, Header, HeaderValue, NotificationSettings, WebhookSettings};
pub use outgoing::KeySource;
pub use overrides::{
    ADMIN, CONFIG, EPHEMERAL, INSECURE, LISTEN, LOG, LOG_FORMAT, Overrides, STORE, listen_override,
};
pub(crate) use policy::read_mcp_server_keys;
pub use policy::{Policy, Scope, read_block};
pub(crate) use problem::Report;
pub use problem::{Origin, Position, Problem, Problems};
pub use rater::{DEFAULT_PROFILE, ModelProfile, ModelProvider, RaterProfile, RaterSettings, TokenPrices};
pub(crate) use section::{Section, kind, quoted, quoted_list};
pub use server::{DEFAULT_ADDRESS, Plaintext, ServerSettings};
pub use socket::{SocketGroup, SocketSettings};
pub use store::{DEFAULT_PATH, Retention, StoreSettings};
pub use telemetry::{TelemetrySettings, endpoint as otlp_endpoint};
pub use tls::{ClientAuth, TlsSettings, TlsVersion};
pub use trust::TrustBlock;
pub use watch::{DEFAULT_INTERVAL, watch};
