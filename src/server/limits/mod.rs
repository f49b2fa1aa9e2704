//! Limits: how much may be under way, for each caller and in all, and how fast it may come.
//!
//! Promises that nothing ever queues: what is over a limit is refused at once, with the time after which it is worth another
//! try, and was not begun. No caller can take what others need, since each is bounded by less than there is. What was taken is
//! given back whatever becomes of a request. Knows nothing of what is asked.
//!
//! | module | subject |
//! |---|---|
//! | `bucket`, `places` | counting, pure |
//! | `callers` | one account per caller |
//! | `layer` | taking a place before a request reaches its service |

mod bucket;
mod callers;
mod layer;
mod places;
#[cfg(test)]
mod tests;

pub(super) use layer::Admitting;

use self::bucket::Rate;
use self::callers::{Account, Accounts};
use self::places::{Place, Places};
use super::status::{Overload, internal, overloaded, too_many_feeds};
use crate::access::{Caller, Via};
use crate::config::{CallerLimits, LimitSettings};
use crate::session::Engine;
use axum::http::Extensions;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tonic::Status;

/// When to try again where nobody can know when there is room.
pub(super) const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The limits that hold now.
#[derive(Debug, Clone, Copy)]
struct InForce {
    caller: CallerLimits,
    bound_local: bool,
    feeds: u32,
    waits: u32,
}

impl From<&LimitSettings> for InForce {
    fn from(settings: &LimitSettings) -> Self {
        Self {
            caller: settings.caller,
            bound_local: settings.bound_local,
            feeds: settings.feeds,
            waits: settings.waits,
        }
    }
}

/// Where the limits that hold now are found: a changed configuration holds from the next request on.
type Source = Arc<dyn Fn() -> InForce + Send + Sync>;

/// How long it is since some fixed moment.
type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The limits of one gate. Cheap to clone: every clone counts the same.
#[derive(Clone)]
pub(super) struct Limits {
    shared: Arc<Shared>,
}

struct Shared {
    source: Source,
    /// How many requests may be under way at once.
    bears: u32,
    under_way: Places,
    feeds: Places,
    waits: Places,
    accounts: Accounts,
    clock: Clock,
}

impl fmt::Debug for Limits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Limits").field("bears", &self.shared.bears).finish_non_exhaustive()
    }
}

impl Limits {
    /// The limits of a gate's configuration, which bears so many requests at once.
    pub(super) fn of(engine: &Engine, bears: u32) -> Self {
        let engine = engine.clone();
        let source = move || InForce::from(engine.policies().configuration().limits());
        let began = Instant::now();
        Self::new(bears, Arc::new(source), Arc::new(move || began.elapsed()))
    }

    fn new(bears: u32, source: Source, clock: Clock) -> Self {
        Self {
            shared: Arc::new(Shared {
                source,
                bears,
                under_way: Places::default(),
                feeds: Places::default(),
                waits: Places::default(),
                accounts: Accounts::default(),
                clock,
            }),
        }
    }

    /// Leave to begin a request of this caller. Those who are not recognised share one account, as those without credentials do:
    /// there is nothing to tell them apart by that they could not change. They are always bounded: anybody may be one of them.
    ///
    /// # Errors
    /// There is too much under way, or it comes too fast.
    fn admit(&self, caller: Option<&Caller>) -> Result<Admission, Status> {
        let limits = (self.shared.source)();
        let named = caller.is_none_or(|caller| caller.via != Via::Local);
        let account = (named || limits.bound_local).then(|| self.shared.accounts.of(caller, self.now()));
        let bears = self.shared.bears;
        let place = self.shared.under_way.take(bears);
        let place = place.ok_or_else(|| overloaded(Overload::Server, bears, RETRY_AFTER))?;
        let mut under_way = vec![place];
        if let Some(account) = &account {
            let limit = limits.caller.concurrent_requests;
            let place = account.under_way.take(limit);
            under_way.push(place.ok_or_else(|| overloaded(Overload::Caller, limit, RETRY_AFTER))?);
            // Last: whoever is refused for something else has not used its turn.
            let rate = Rate::per_second(limits.caller.requests_per_second, limits.caller.burst);
            account
                .requests
                .take(rate, self.now())
                .map_err(|wait| overloaded(Overload::Rate, limits.caller.requests_per_second, wait))?;
        }
        let limits = self.clone();
        Ok(Admission { limits, account, under_way: Arc::new(Mutex::new(under_way)) })
    }

    fn now(&self) -> u64 {
        u64::try_from((self.shared.clock)().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// A request's leave to be under way. Its service finds it among the extensions of the request.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    limits: Limits,
    account: Option<Arc<Account>>,
    under_way: Arc<Mutex<Vec<Place>>>,
}

/// Leave to wait for a human, or to have a feed open, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    _places: [Option<Place>; 2],
}

impl Admission {
    /// The leave that a request was given.
    ///
    /// # Errors
    /// It was given none.
    pub(super) fn find(extensions: &Extensions) -> Result<Self, Status> {
        extensions.get::<Self>().cloned().ok_or_else(|| internal("a request came past the limits"))
    }

    /// Gives the request's places back: it is not under way any more.
    pub(super) fn release(&self) {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Leave to wait for a human. Waiting costs next to nothing, so that it does not count as being under way.
    ///
    /// # Errors
    /// Too many wait.
    pub(super) fn wait(&self) -> Result<Held, Status> {
        self.release();
        let limits = (self.limits.shared.source)();
        let own = match &self.account {
            None => None,
            Some(account) => {
                let limit = limits.caller.waits;
                let place = account.waits.take(limit);
                Some(place.ok_or_else(|| overloaded(Overload::Waits { caller: true }, limit, RETRY_AFTER))?)
            }
        };
        let place = self.limits.shared.waits.take(limits.waits);
        let place =
            place.ok_or_else(|| overloaded(Overload::Waits { caller: false }, limits.waits, RETRY_AFTER))?;
        Ok(Held { _places: [own, Some(place)] })
    }

    /// Leave to have a feed open.
    ///
    /// # Errors
    /// Too many are open, or they are opened too fast.
    pub(super) fn feed(&self) -> Result<Held, Status> {
        let limits = (self.limits.shared.source)();
        let place = self.limits.shared.feeds.take(limits.feeds);
        let place = place.ok_or_else(|| too_many_feeds("server", limits.feeds, RETRY_AFTER))?;
        let own = match &self.account {
            None => None,
            Some(account) => {
                let limit = limits.caller.feeds;
                let own = account.feeds.take(limit);
                let own = own.ok_or_else(|| too_many_feeds("caller", limit, RETRY_AFTER))?;
                let rate = limits.caller.feeds_per_minute;
                let taken = account.openings.take(Rate::per_minute(rate), self.limits.now());
                taken.map_err(|wait| overloaded(Overload::Openings, rate, wait))?;
                Some(own)
            }
        };
        Ok(Held { _places: [own, Some(place)] })
    }
}
