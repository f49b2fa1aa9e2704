//! The keys of an issuer that come from an address.
//!
//! Promises that the last good set stays while the issuer is out of reach, that rotated keys are found as soon as a token needs
//! them, and that no caller can make the gate ask the issuer more often than once in a while. Nothing here blocks.

use super::key_set::{KeySet, MAX_BYTES};
use crate::outgoing::{Pacing, client, why};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;
use url::{Host, Url};

/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(10);

/// How long a token with an unknown key waits for the issuer's current ones.
const PATIENCE: Duration = Duration::from_secs(3);

/// After unknown keys made the gate ask the issuer, they do not for so long.
const PAUSE: Duration = Duration::from_secs(30);

/// How the waits after failures grow.
const PACING: Pacing = Pacing { first: Duration::from_secs(2), longest: Duration::from_secs(60) };

/// The keys at an address, kept current for as long as this lives.
#[derive(Debug)]
pub(super) struct RemoteKeys {
    keys: watch::Receiver<Option<Arc<KeySet>>>,
    wanted: Arc<Notify>,
    asked: Mutex<Option<Instant>>,
    fetching: AbortHandle,
}

impl Drop for RemoteKeys {
    fn drop(&mut self) {
        self.fetching.abort();
    }
}

/// What an unknown key does.
#[derive(Debug, PartialEq, Eq)]
enum Unknown {
    /// The issuer is asked.
    Ask,
    /// The issuer was asked just now; the answer may be under way.
    Wait,
    /// The issuer was asked a while ago, and is left alone.
    Refuse,
}

/// The rule for unknown keys, after the issuer was asked for their sake so long ago.
fn unknown(since: Option<Duration>) -> Unknown {
    match since {
        Some(since) if since < PATIENCE => Unknown::Wait,
        Some(since) if since < PAUSE => Unknown::Refuse,
        Some(_) | None => Unknown::Ask,
    }
}

impl RemoteKeys {
    /// Begins to fetch.
    pub(super) fn start(url: Url, refresh: Duration, runtime: &tokio::runtime::Handle) -> Self {
        let (sender, keys) = watch::channel(None);
        let wanted = Arc::new(Notify::new());
        let task = runtime.spawn(fetch_always(url, refresh, sender, Arc::clone(&wanted)));
        Self { keys, wanted, asked: Mutex::new(None), fetching: task.abort_handle() }
    }

    /// The keys as they are known.
    pub(super) fn known(&self) -> Option<Arc<KeySet>> {
        self.keys.borrow().clone()
    }

    /// The keys as they are known, and, where they do not `know` the one that is looked for, as they are now.
    pub(super) async fn current(
        &self,
        knows: impl Fn(&KeySet) -> bool,
        patient: bool,
    ) -> Option<Arc<KeySet>> {
        let mut keys = self.keys.clone();
        let known = keys.borrow_and_update().clone();
        if !patient || known.as_ref().is_some_and(|known| knows(known)) {
            return known;
        }
        // As long as there are none at all, they are asked for without anybody's doing.
        let rule = if known.is_none() { Unknown::Wait } else { self.ask() };
        match rule {
            Unknown::Refuse => return known,
            Unknown::Wait => {}
            Unknown::Ask => self.wanted.notify_one(),
        }
        // Whatever comes of it, what is known by then counts.
        let _answered = tokio::time::timeout(PATIENCE, keys.changed()).await;
        keys.borrow().clone()
    }

    fn ask(&self) -> Unknown {
        let now = Instant::now();
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let rule = unknown(asked.map(|at| now.duration_since(at)));
        if rule == Unknown::Ask {
            *asked = Some(now);
        }
        rule
    }
}

async fn fetch_always(
    url: Url,
    refresh: Duration,
    sender: watch::Sender<Option<Arc<KeySet>>>,
    wanted: Arc<Notify>,
) {
    let mut failures: u32 = 0;
    loop {
        let wait = match fetch(&url).await {
            Ok(keys) => {
                failures = 0;
                sender.send_replace(Some(Arc::new(keys)));
                refresh
            }
            Err(problem) => {
                failures = failures.saturating_add(1);
                // The path and the query may hold a key of the operator's.
                let host = url.host_str().unwrap_or_default();
                tracing::warn!(%host, %problem, failures, "the keys of an issuer could not be fetched; the last ones stay");
                PACING.wait(failures, None).min(refresh)
            }
        };
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = wanted.notified() => {}
        }
    }
}

async fn fetch(url: &Url) -> Result<KeySet, String> {
    let here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    };
    let request = client(here).map_err(why)?.get(url.clone()).timeout(ATTEMPT);
    let mut response = request.send().await.map_err(why)?;
    if !response.status().is_success() {
        return Err(format!("it answers {}", response.status().as_u16()));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(why)? {
        if bytes.len().saturating_add(chunk.len()) > MAX_BYTES {
            return Err(format!("its answer is longer than {MAX_BYTES} bytes"));
        }
        bytes.extend_from_slice(&chunk);
    }
    KeySet::parse(&bytes).map_err(|problem| format!("its answer {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_make_the_gate_ask_the_issuer_once_in_a_while() {
        let cases = [
            (None, Unknown::Ask),
            (Some(Duration::ZERO), Unknown::Wait),
            (Some(PATIENCE), Unknown::Refuse),
            (Some(PAUSE.saturating_sub(Duration::from_millis(1))), Unknown::Refuse),
            (Some(PAUSE), Unknown::Ask),
        ];
        for (since, expected) in cases {
            assert_eq!(unknown(since), expected, "{since:?}");
        }
    }
}
