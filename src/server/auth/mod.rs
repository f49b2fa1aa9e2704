//! Who calls: from the credentials of a request to a caller with a role.
//!
//! Promises that whoever is not recognised reaches no method of the contract, that neither a caller nor the log ever learns more
//! than it should, and that a revoked or expired credential ends what is under way, too. Knows nothing of what a caller may do.
//!
//! | module | subject |
//! |---|---|
//! | `layer` | what every request goes through |
//! | `credentials` | what a request brings, and which of it counts |
//! | `token`, `token_file`, `tokens` | the gate's own tokens: their form, their file, those in force |
//! | `jwt`, `claims`, `key_set`, `remote_keys`, `signatures` | tokens that others issued |
//! | `spiffe`, `forwarded` | identities in certificates, shown here or to a trusted proxy |
//! | `known` | everybody whom the gate knows, and following the files that say so |
//! | `standing`, `ending` | ending what is under way when a credential does |
//! | `rejection` | why a caller was not recognised, for the log |

mod claims;
mod credentials;
mod ending;
mod forwarded;
mod jwt;
mod key_set;
mod known;
mod layer;
mod rejection;
mod remote_keys;
mod signatures;
mod spiffe;
mod standing;
mod token;
mod token_file;
mod tokens;

pub(super) use layer::Recognising;
pub use token::{NewToken, NoRandomBytes, SecretHash, TokenId};
pub use token_file::{TokenFile, TokenFileError, TokenRecord, is_caller_name};

use crate::access::Caller;
use crate::config::{Configuration, Problem, Problems};
use crate::gate::Moment;
use crate::session::Engine;
use arc_swap::ArcSwap;
use credentials::Credentials;
use jiff::Timestamp;
use known::Known;
use rejection::{Rejection, RejectionLog};
use std::sync::Arc;
use tokio::sync::watch;

/// A caller that was recognised.
#[derive(Debug, Clone)]
struct Recognised {
    caller: Arc<Caller>,
    /// When its credentials end; `None` where they do not say.
    expires_at: Option<Moment>,
}

/// Recognises callers.
#[derive(Debug, Clone)]
pub(super) struct Recogniser {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    engine: Engine,
    /// `None` where no credentials are needed.
    known: Option<ArcSwap<Known>>,
    /// Counts the changes of who is known.
    changes: watch::Sender<u64>,
    log: RejectionLog,
    local: Arc<Caller>,
}

/// What keeps the callers that a configuration names from being known: files that cannot be used.
///
/// # Errors
/// All of it.
pub fn check_auth(configuration: &Configuration) -> Result<(), Problems> {
    let Some(settings) = configuration.auth() else { return Ok(()) };
    let problem = |(path, message): (String, String)| Problem::error(None, &path, message);
    let problems: Vec<Problem> = known::problems(settings).into_iter().map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(Problems::new(problems)) }
}

impl Recogniser {
    /// Begins with the callers that the engine's configuration names, and follows what it says about them.
    pub(super) async fn start(engine: Engine, draining: watch::Receiver<bool>) -> Self {
        let settings = engine.policies().configuration().auth().cloned();
        let known = match settings {
            Some(settings) => Some(ArcSwap::from_pointee(Known::load(settings).await)),
            None => None,
        };
        let follows = known.is_some();
        let (changes, _) = watch::channel(0);
        let local = Arc::new(Caller::local());
        let inner = Arc::new(Inner { engine, known, changes, log: RejectionLog::default(), local });
        if follows {
            tokio::spawn(known::follow(Arc::downgrade(&inner), draining));
        }
        Self { inner }
    }

    /// Whether there is nobody who is answered without credentials.
    pub(super) fn asks_everybody(&self) -> bool {
        self.inner.known.as_ref().is_some_and(|known| known.load().settings().local_role.is_none())
    }

    /// Whose credentials these are. A `patient` caller waits while the keys of an issuer are fetched anew.
    async fn whose(&self, credentials: &Credentials, patient: bool) -> Result<Recognised, Rejection> {
        let Some(known) = &self.inner.known else {
            return Ok(Recognised { caller: Arc::clone(&self.inner.local), expires_at: None });
        };
        let known = known.load_full();
        match credentials {
            Credentials::None => Err(Rejection::Missing),
            Credentials::NoneFromHere => known.local().ok_or(Rejection::Missing),
            Credentials::Certificate(_, end) if self.inner.engine.now() >= *end => {
                Err(Rejection::CertificateExpired)
            }
            Credentials::Certificate(id, end) => {
                let recognised = spiffe::recognise(&known.settings().spiffe, id)?;
                Ok(Recognised { expires_at: Some(*end), ..recognised })
            }
            Credentials::Forwarded(id) => spiffe::recognise(&known.settings().spiffe, id),
            Credentials::Bearer(text) if text.starts_with(token::PREFIX) => {
                known.tokens().recognise(text, self.inner.engine.now())
            }
            Credentials::Bearer(text) => jwt::recognise(known.issuers(), text, patient).await,
        }
    }
}

/// A moment of the calendar as the gate counts it.
fn moment(at: Timestamp) -> Moment {
    Moment(at.as_microsecond())
}
