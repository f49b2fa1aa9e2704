//! Putting a gate together from a configuration, for `serve`, `demo` and `--local`.
//!
//! Promises the raters that the configuration names and the floors of this version. Knows nothing of connections.

use super::failure::Failure;
use crate::config::{Configuration, Problems, StoreSettings};
use crate::gate::Floors;
use crate::rater::Profiles;
use crate::session::{Engine, Policies};
use crate::store::{SqliteStore, Store};
use std::sync::Arc;

/// A gate over a store.
///
/// # Errors
/// Entries that do not compile, and rater profiles that cannot be set up.
pub(super) fn engine(configuration: Configuration, store: Arc<dyn Store>) -> Result<Engine, Failure> {
    let rater = raters(&configuration, None).map_err(|problems| refused(&problems))?;
    engine_with(configuration, store, rater)
}

/// As [`engine`], with the raters of its configuration.
///
/// # Errors
/// Entries that do not compile.
pub(super) fn engine_with(
    configuration: Configuration,
    store: Arc<dyn Store>,
    raters: Arc<Profiles>,
) -> Result<Engine, Failure> {
    let policies = Policies::compile(configuration).map_err(|problems| refused(&problems))?;
    Ok(Engine::new(store, policies, raters, Floors::default()))
}

/// The raters of a configuration; what did not change is taken over from the ones `before`, with the
/// budgets in force: whoever takes the configuration over changes those.
///
/// # Errors
/// Profiles that cannot be set up, such as those whose key is not there.
pub(super) fn raters(
    configuration: &Configuration,
    before: Option<&Profiles>,
) -> Result<Arc<Profiles>, Problems> {
    let profiles = Profiles::set_up(configuration.rater(), before)?;
    if before.is_none() {
        profiles.budgets().allow(configuration.limits().ratings.clone());
    }
    Ok(Arc::new(profiles))
}

/// The store that a configuration names.
///
/// # Errors
/// It cannot be opened.
pub(super) fn store(settings: &StoreSettings) -> Result<Arc<dyn Store>, Failure> {
    if settings.ephemeral {
        return ephemeral();
    }
    match SqliteStore::open(&settings.path) {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(Failure::new(error.to_string())
            .advise("name another file with --store FILE, or keep nothing with --ephemeral")),
    }
}

/// A store in memory.
///
/// # Errors
/// The system refuses.
pub(super) fn ephemeral() -> Result<Arc<dyn Store>, Failure> {
    match SqliteStore::ephemeral() {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

/// A configuration that was refused, problem by problem as a compiler shows them.
pub(super) fn refused(problems: &Problems) -> Failure {
    Failure::new("the configuration was refused")
        .with_details(problems.list().iter().map(ToString::to_string))
        .advise("`haltgate check` shows the same without starting anything")
}
