//! Variables and flags that are laid over the files.
//!
//! Promises every bad variable at once, by name. Knows nothing of the process: the environment is a function.

use super::admin::admin_override;
use super::log::{LogFormat, LogLevel};
use super::problem::{Problem, Problems};
use super::section::quoted_list;
use super::server::parse_address;
use super::store::parse_path;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The address for metrics and probes, or `none`.
pub const ADMIN: &str = "HALTGATE_ADMIN";
/// Names the configuration file.
pub const CONFIG: &str = "HALTGATE_CONFIG";
/// The address to listen on.
pub const LISTEN: &str = "HALTGATE_LISTEN";
/// `true` serves whoever comes, on any address.
pub const INSECURE: &str = "HALTGATE_INSECURE";
/// The SQLite file.
pub const STORE: &str = "HALTGATE_STORE";
/// `true` keeps everything in memory.
pub const EPHEMERAL: &str = "HALTGATE_EPHEMERAL";
/// The log level.
pub const LOG: &str = "HALTGATE_LOG";
/// The form of log lines.
pub const LOG_FORMAT: &str = "HALTGATE_LOG_FORMAT";

/// What a choice of a rater profile is called in reports.
pub(super) const PROFILE_FLAG: &str = "--profile";

/// What variables and flags state; `None` leaves a setting to the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The configuration file.
    pub config: Option<PathBuf>,
    /// The address to listen on.
    pub listen: Option<SocketAddr>,
    /// Serve whoever comes, on any address, though nobody has to say who they are.
    pub insecure: Option<bool>,
    /// The SQLite file; unless `ephemeral` says otherwise, naming one also means that it is used.
    pub store: Option<PathBuf>,
    /// Keep everything in memory.
    pub ephemeral: Option<bool>,
    /// How much is logged.
    pub log_level: Option<LogLevel>,
    /// In which form.
    pub log_format: Option<LogFormat>,
    /// The address for metrics and probes; `Some(None)` for none.
    pub admin: Option<Option<SocketAddr>>,
    /// The rater profile of sessions for which no project or command chooses one. A flag alone; there is no variable.
    pub rater: Option<String>,
}

impl Overrides {
    /// Reads the variables; `lookup` is usually `std::env::var_os`.
    ///
    /// # Errors
    /// Every variable that cannot be used. A variable that is set to nothing is an error too: a template that failed
    /// must not silently mean the defaults.
    pub fn from_environment(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self, Problems> {
        let mut variables = Variables { lookup, problems: Vec::new() };
        let levels = quoted_list(&LogLevel::ALL.map(LogLevel::as_str));
        let formats = quoted_list(&LogFormat::ALL.map(LogFormat::as_str));
        let overrides = Self {
            config: variables.path(CONFIG),
            listen: variables.read(LISTEN, listen_override),
            insecure: variables.read(INSECURE, truth),
            store: variables.path(STORE).and_then(|path| {
                variables.check(STORE, parse_path(&path.to_string_lossy()).map(|_| path.clone()))
            }),
            ephemeral: variables.read(EPHEMERAL, truth),
            log_level: variables
                .read(LOG, |text| LogLevel::parse(text).ok_or_else(|| format!("must be one of {levels}"))),
            log_format: variables.read(LOG_FORMAT, |text| {
                LogFormat::parse(text).ok_or_else(|| format!("must be one of {formats}"))
            }),
            admin: variables.read(ADMIN, admin_override),
            rater: None,
        };
        if overrides.store.is_some() && overrides.ephemeral == Some(true) {
            let message =
                format!("is set although {EPHEMERAL} keeps everything in memory; set one of the two");
            variables.problems.push(Problem::error(None, STORE, message));
        }
        if variables.problems.is_empty() { Ok(overrides) } else { Err(Problems::new(variables.problems)) }
    }

    /// These overrides (flags) over lower ones (variables).
    #[must_use]
    pub fn over(self, lower: Self) -> Self {
        // A flag for the store settles both of its settings.
        let settles_store = self.store.is_some() || self.ephemeral.is_some();
        let (store, ephemeral) = if settles_store {
            (self.store.or(lower.store), self.ephemeral)
        } else {
            (lower.store, lower.ephemeral)
        };
        Self {
            config: self.config.or(lower.config),
            listen: self.listen.or(lower.listen),
            insecure: self.insecure.or(lower.insecure),
            store,
            ephemeral,
            log_level: self.log_level.or(lower.log_level),
            log_format: self.log_format.or(lower.log_format),
            admin: self.admin.or(lower.admin),
            rater: self.rater.or(lower.rater),
        }
    }
}

/// Reads the address of a variable or flag.
///
/// # Errors
/// What to write instead.
pub fn listen_override(text: &str) -> Result<SocketAddr, String> {
    parse_address(text)
}

fn truth(text: &str) -> Result<bool, String> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("must be `true` or `false`".to_owned()),
    }
}

struct Variables<Lookup> {
    lookup: Lookup,
    problems: Vec<Problem>,
}

impl<Lookup: Fn(&str) -> Option<OsString>> Variables<Lookup> {
    fn path(&mut self, name: &str) -> Option<PathBuf> {
        let value = (self.lookup)(name)?;
        let filled = if value.is_empty() { Err(EMPTY) } else { Ok(PathBuf::from(value)) };
        self.check(name, filled)
    }

    fn read<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        let value = (self.lookup)(name)?;
        let parsed = match value.to_str() {
            Some("") => Err(EMPTY.to_owned()),
            Some(text) => parse(text).map_err(|message| format!("{message} (it is {text:?})")),
            None => Err("is not UTF-8".to_owned()),
        };
        self.check(name, parsed)
    }

    fn check<T>(&mut self, name: &str, parsed: Result<T, impl Into<String>>) -> Option<T> {
        parsed.map_err(|message| self.problems.push(Problem::error(None, name, message.into()))).ok()
    }
}

const EMPTY: &str = "is set to nothing; give it a value or unset it";
