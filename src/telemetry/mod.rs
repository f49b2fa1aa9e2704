//! What a gate tells of its own work: numbers for Prometheus, and the thread that ties a request to the requests it leads to.
//!
//! Promises that every label is one of a closed set or a name that the operator chose, so that no caller can add a time series,
//! and that nothing here waits for anybody. It must not know calls, commands, arguments or credentials.
//!
//! | module | subject |
//! |---|---|
//! | `labels` | the closed sets |
//! | `metrics` | what is counted as it happens |
//! | `observed` | what is looked up when somebody asks |

mod labels;
mod metrics;
mod observed;

pub use labels::{Answer, Kind, Method, Notified, Reload, Source};
pub use metrics::Metrics;
pub use observed::{FeedState, Observed};
