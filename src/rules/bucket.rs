//! The entries that share one pattern, told apart by the host they ask for.
//!
//! Promises the earliest entry whose host condition a call meets, without walking the entries. Knows nothing of patterns.

use super::entry::ListKind;
use super::matching::{Best, Reason};
use super::target::Hosts;
use std::collections::{BTreeMap, BTreeSet};

/// Entries with one pattern, by their place in the list.
#[derive(Debug, Clone, Default)]
pub(super) struct Bucket {
    hostless: BTreeSet<usize>,
    by_host: BTreeMap<String, BTreeSet<usize>>,
    /// Every entry that asks for a host.
    bound: BTreeSet<usize>,
}

/// A host without its trailing dot: `example.com.` is `example.com`.
fn comparable(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

impl Bucket {
    /// Adds an entry.
    pub(super) fn insert(&mut self, index: usize, host: Option<&str>) {
        match host {
            None => {
                self.hostless.insert(index);
            }
            Some(host) => {
                self.by_host.entry(comparable(host).to_owned()).or_default().insert(index);
                self.bound.insert(index);
            }
        }
    }

    /// Takes an entry out.
    pub(super) fn remove(&mut self, index: usize, host: Option<&str>) {
        match host {
            None => {
                self.hostless.remove(&index);
            }
            Some(host) => {
                self.bound.remove(&index);
                if let Some(indexes) = self.by_host.get_mut(comparable(host)) {
                    indexes.remove(&index);
                    if indexes.is_empty() {
                        self.by_host.remove(comparable(host));
                    }
                }
            }
        }
    }

    /// Whether no entry is left.
    pub(super) fn is_empty(&self) -> bool {
        self.hostless.is_empty() && self.bound.is_empty()
    }

    /// The earliest entry, whatever its host.
    pub(super) fn first(&self) -> Option<usize> {
        self.hostless.first().into_iter().chain(self.bound.first()).min().copied()
    }

    /// Offers the earliest entry whose host condition the call meets, given how sure it is that the pattern matches.
    pub(super) fn offer(
        &self,
        kind: ListKind,
        hosts: Option<&Hosts>,
        doubt: Option<Reason>,
        best: &mut Best,
    ) {
        let restrictive = match kind {
            ListKind::Deny | ListKind::Escalate => true,
            ListKind::Allow => false,
        };
        let mut certain = self.hostless.first().copied();
        if let Some(hosts) = hosts.filter(|_| !self.bound.is_empty()) {
            let named = hosts.named.iter().filter(|_| restrictive || hosts.single().is_some());
            let bound = named.filter_map(|host| self.by_host.get(comparable(host))?.first().copied()).min();
            certain = certain.into_iter().chain(bound).min();
            if restrictive
                && hosts.uncertain
                && let Some(index) = self.bound.first()
            {
                best.offer(*index, Some(doubt.clone().unwrap_or(Reason::HostsUncertain)));
            }
        }
        if let Some(index) = certain {
            best.offer(index, doubt);
        }
    }
}
