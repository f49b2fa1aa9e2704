//! Watching the files of a configuration.
//!
//! Promises to report every change that has settled, good or bad, and never to mistake a file that vanished for a wish
//! for the defaults. It looks at content, not at times, so that swapped links and quick edits are seen. Knows nothing
//! of what is done with a change.

use super::chain::{Looked, digest};
use super::load::{Loaded, Seen, Source, attempt};
use super::problem::{Problem, Problems};
use std::path::PathBuf;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

/// How often the files are looked at unless told otherwise. A change is reported after it was seen twice.
pub const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);

/// Reports each change of the files behind `loaded` until the future is dropped.
///
/// `notify` gets the new configuration, or what is wrong with it, once per change; it runs between two looks and should
/// be short. A change of layout alone is reported too: compare the revisions. A period of zero is taken as 1 ms.
pub async fn watch(
    source: Source,
    loaded: &Loaded,
    period: Duration,
    mut notify: impl FnMut(Result<Loaded, Problems>) + Send,
) {
    let mut ticks = interval(period.max(Duration::from_millis(1)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seen = loaded.seen.clone();
    let mut in_force = seen.root.clone();
    let mut unsettled: Option<Looked> = None;
    loop {
        ticks.tick().await;
        let paths: Vec<PathBuf> = seen.looked.keys().cloned().collect();
        let look = move || paths.into_iter().map(|path| (path.clone(), digest(&path))).collect::<Looked>();
        // A look that could not be finished is made again at the next tick.
        let Ok(now) = spawn_blocking(look).await else { continue };
        if now == seen.looked {
            unsettled = None;
        } else if unsettled.as_ref() == Some(&now) {
            unsettled = None;
            let (source, before, root) = (source.clone(), seen.clone(), in_force.clone());
            let reload = move || {
                let (outcome, after) = attempt(&source);
                let outcome = outcome.and_then(|loaded| keep_root(root.as_ref(), loaded));
                let seen = watched_next(before, after, outcome.is_ok());
                (outcome, seen)
            };
            let Ok((outcome, watched)) = spawn_blocking(reload).await else { continue };
            seen = watched;
            if let Ok(loaded) = &outcome {
                in_force.clone_from(&loaded.seen.root);
            }
            notify(outcome);
        } else {
            unsettled = Some(now);
        }
    }
}

/// Refuses a configuration that is only what it is because the file in force is gone.
fn keep_root(in_force: Option<&PathBuf>, loaded: Loaded) -> Result<Loaded, Problems> {
    match in_force {
        Some(root) if !loaded.files.contains(root) && digest(root).is_none() => {
            let message =
                "is gone; what it said stays in force until it is back or the gate is restarted".to_owned();
            Err(Problems::new(vec![Problem::error(None, &root.display().to_string(), message)]))
        }
        Some(_) | None => Ok(loaded),
    }
}

/// After a failure the files of before stay watched too: the repair may be in any of them.
fn watched_next(before: Seen, after: Seen, good: bool) -> Seen {
    if good {
        return after;
    }
    let mut looked: Looked = before.looked.into_keys().map(|path| (path.clone(), digest(&path))).collect();
    looked.extend(after.looked);
    Seen { root: after.root, looked }
}
