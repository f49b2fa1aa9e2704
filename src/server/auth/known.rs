//! Everybody whom the gate knows, and following the files that say so.
//!
//! Promises that a change of a file counts within a second or two, that a file which is bad or gone changes nothing but the log,
//! and that no bad file holds up the change of another: a revocation counts, whatever else is wrong.

use super::jwt::{Issuer, Keys};
use super::key_set::{self, KeySet};
use super::remote_keys::RemoteKeys;
use super::token_file::{self, TokenFile};
use super::tokens::Tokens;
use super::{Inner, Recognised};
use crate::access::{Caller, Projects, Via};
use crate::config::{AuthSettings, JwtIssuer, KeySetSource};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

/// How often the files are looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// What a file says, as far as it could be used.
#[derive(Debug)]
pub(super) struct Part<T> {
    path: PathBuf,
    /// The hash of what was there when it was looked at last.
    seen: Option<[u8; 32]>,
    /// What it said when it could be used last.
    pub(super) content: Arc<T>,
    /// Why it cannot be used.
    problem: Option<String>,
}

impl<T> Clone for Part<T> {
    /// The content is shared.
    fn clone(&self) -> Self {
        Self {
            path: self.path.clone(),
            seen: self.seen,
            content: Arc::clone(&self.content),
            problem: self.problem.clone(),
        }
    }
}

impl<T: Default> Part<T> {
    /// Looks at a file again. Returns whether what counts is another than `before`.
    fn look(
        before: Option<&Self>,
        path: &Path,
        read: impl FnOnce(&Path) -> Result<Vec<u8>, String>,
        parse: impl FnOnce(&[u8]) -> Result<T, String>,
    ) -> (Self, bool) {
        let before = before.filter(|before| before.path == path);
        let kept = || before.map_or_else(Arc::default, |before| Arc::clone(&before.content));
        let part = |seen, content, problem| Self { path: path.to_owned(), seen, content, problem };
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(problem) => return (part(None, kept(), Some(problem)).complain(before), before.is_none()),
        };
        let seen: [u8; 32] = Sha256::digest(&bytes).into();
        if let Some(before) = before.filter(|before| before.seen == Some(seen)) {
            return (before.clone(), false);
        }
        match parse(&bytes) {
            Ok(content) => {
                if before.is_some() {
                    tracing::info!(file = %path.display(), "who may call has changed");
                }
                (part(Some(seen), Arc::new(content), None), true)
            }
            Err(problem) => (part(Some(seen), kept(), Some(problem)).complain(before), before.is_none()),
        }
    }

    /// Writes to the log what is wrong, once.
    fn complain(self, before: Option<&Self>) -> Self {
        let told = before.and_then(|before| before.problem.as_ref());
        if let Some(problem) = self.problem.as_ref().filter(|problem| Some(*problem) != told) {
            tracing::error!(%problem, "who may call stays as it was");
        }
        self
    }
}

/// Everybody whom the gate knows.
#[derive(Debug)]
pub(super) struct Known {
    settings: AuthSettings,
    local: Option<Arc<Caller>>,
    tokens: Option<Part<Tokens>>,
    nothing: Tokens,
    issuers: Vec<Issuer>,
}

fn read_tokens(path: &Path) -> Result<Vec<u8>, String> {
    TokenFile::at(path).bytes().map_err(|error| error.to_string())
}

fn parse_tokens(path: &Path, bytes: &[u8]) -> Result<Tokens, String> {
    let malformed =
        |problem| token_file::TokenFileError::Malformed { path: path.display().to_string(), problem };
    token_file::parse(bytes).map(Tokens::of).map_err(|problem| malformed(problem).to_string())
}

fn read_keys(path: &Path) -> Result<Vec<u8>, String> {
    key_set::read(path).map_err(|problem| format!("the key set {} {problem}", path.display()))
}

fn parse_keys(path: &Path, bytes: &[u8]) -> Result<KeySet, String> {
    KeySet::parse(bytes).map_err(|problem| format!("the key set {} {problem}", path.display()))
}

/// What is wrong with the files that a configuration names: the setting, and the problem.
pub(super) fn problems(settings: &AuthSettings) -> Vec<(String, String)> {
    let tokens = settings.tokens_file.as_ref().and_then(|path| {
        let problem = read_tokens(path).and_then(|bytes| parse_tokens(path, &bytes)).err()?;
        Some(("auth.tokens_file".to_owned(), problem))
    });
    let keys = settings.jwt.iter().enumerate().filter_map(|(index, issuer)| match &issuer.keys {
        KeySetSource::File(path) => {
            let problem = read_keys(path).and_then(|bytes| parse_keys(path, &bytes)).err()?;
            Some((format!("auth.jwt[{index}].jwks_file"), problem))
        }
        KeySetSource::Url(_) => None,
    });
    tokens.into_iter().chain(keys).collect()
}

impl Known {
    /// Whom the settings name. A file that cannot be used names nobody.
    pub(super) async fn load(settings: AuthSettings) -> Self {
        let runtime = tokio::runtime::Handle::current();
        let loaded = spawn_blocking(move || Self::look(None, settings, &runtime).0).await;
        loaded.unwrap_or_else(|error| {
            tracing::error!(%error, "who may call cannot be read; nobody may");
            Self::nobody()
        })
    }

    fn nobody() -> Self {
        Self {
            settings: AuthSettings::default(),
            local: None,
            tokens: None,
            nothing: Tokens::default(),
            issuers: Vec::new(),
        }
    }

    /// Looks at everything again. Returns whether anything is another than `before`.
    fn look(before: Option<&Self>, settings: AuthSettings, runtime: &tokio::runtime::Handle) -> (Self, bool) {
        let mut changed = before.is_none_or(|before| before.settings != settings);
        let local = settings.local_role.map(|role| {
            Arc::new(Caller { role, projects: Projects::All, via: Via::Local, ..Caller::local() })
        });
        let tokens = settings.tokens_file.as_ref().map(|path| {
            let before = before.and_then(|before| before.tokens.as_ref());
            let (part, other) = Part::look(before, path, read_tokens, |bytes| parse_tokens(path, bytes));
            changed |= other;
            part
        });
        let known = |issuer: &JwtIssuer| {
            before?.issuers.iter().find(|known| known.settings().issuer == issuer.issuer)
        };
        let mut issuers = Vec::with_capacity(settings.jwt.len());
        for issuer in &settings.jwt {
            let before = known(issuer);
            let keys = match &issuer.keys {
                KeySetSource::File(path) => {
                    let before = before.and_then(Issuer::file);
                    let (part, other) = Part::look(before, path, read_keys, |bytes| parse_keys(path, bytes));
                    changed |= other;
                    Keys::File(part)
                }
                KeySetSource::Url(url) => {
                    let same = before.filter(|before| before.settings() == issuer).and_then(Issuer::remote);
                    let remote = same
                        .unwrap_or_else(|| Arc::new(RemoteKeys::start(url.clone(), issuer.refresh, runtime)));
                    // What is under way with a key that the issuer took back ends.
                    let fetched = remote.known();
                    let kept = before.and_then(Issuer::fetched);
                    changed |= kept.map(Arc::as_ptr) != fetched.as_ref().map(Arc::as_ptr);
                    Keys::Remote(remote, fetched)
                }
            };
            issuers.push(Issuer::new(issuer.clone(), keys));
        }
        (Self { settings, local, tokens, nothing: Tokens::default(), issuers }, changed)
    }

    pub(super) fn settings(&self) -> &AuthSettings {
        &self.settings
    }

    /// Who calls from this machine without credentials, where that is allowed.
    pub(super) fn local(&self) -> Option<Recognised> {
        self.local.as_ref().map(|caller| Recognised { caller: Arc::clone(caller), expires_at: None })
    }

    pub(super) fn tokens(&self) -> &Tokens {
        self.tokens.as_ref().map_or(&self.nothing, |part| &part.content)
    }

    pub(super) fn issuers(&self) -> &[Issuer] {
        &self.issuers
    }
}

/// Follows the files and the settings for as long as callers are recognised.
pub(super) async fn follow(inner: Weak<Inner>, mut draining: watch::Receiver<bool>) {
    let runtime = tokio::runtime::Handle::current();
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            // What is under way ends soon, and nobody new comes.
            _ = draining.wait_for(|draining| *draining) => return,
        }
        let Some(inner) = inner.upgrade() else { return };
        let Some(current) = &inner.known else { return };
        let before = current.load_full();
        // A block that is gone waits for a restart: until then its callers stay known.
        let settings = inner.engine.policies().configuration().auth().cloned();
        let settings = settings.unwrap_or_else(|| before.settings.clone());
        let runtime = runtime.clone();
        let looked = spawn_blocking(move || Known::look(Some(&before), settings, &runtime)).await;
        // A look that could not be finished is made again at the next tick.
        if let Ok((known, changed)) = looked {
            current.store(Arc::new(known));
            if changed {
                inner.changes.send_modify(|count| *count = count.wrapping_add(1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Configuration;
    use std::process::Command;

    #[test]
    fn a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let text = format!(
            r#"{{"auth": {{"tokens_file": {pipe:?}, "jwt": [{{"issuer": "i", "audience": "a", "jwks_file": {pipe:?},
                "callers": [{{"claims": {{}}, "role": "agent", "projects": "*"}}]}}]}}}}"#
        );
        let configuration: Configuration = crate::config::parse("test", &text).unwrap();
        let problems = problems(configuration.auth().unwrap());
        let named: Vec<&str> = problems.iter().map(|(setting, _)| setting.as_str()).collect();
        assert_eq!(named, ["auth.tokens_file", "auth.jwt[0].jwks_file"], "{problems:?}");
        for (_, problem) in problems {
            assert!(problem.contains("not a file"), "{problem}");
        }
    }
}
