//! What humans granted and refused, as compiled lists with their particulars.
//!
//! Promises that a grant is stored once by its identity, that an expired or used-up grant never matches, and that an
//! identity is only ever looked up, never matched. Knows nothing of where grants are kept.

use super::decision::Moment;
use crate::rules::{Annotations, Entry, Found, Identity, ListKind, RuleList, Target};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// How long a grant lasts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrantScope {
    /// Until the session is closed.
    Session,
    /// In every session of the project, until it is revoked.
    Always,
}

/// Something that a human allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// What is allowed.
    pub entry: Entry,
    /// What the tool was taken to be when it was granted; absent for shell commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// How long it lasts.
    pub scope: GrantScope,
    /// When it was given.
    pub granted_at: Moment,
    /// By whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_by: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// From this moment on it no longer matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Moment>,
    /// After so many uses it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_uses: Option<u32>,
    /// How often it let a call through.
    #[serde(default)]
    pub uses: u32,
    /// When it last did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Moment>,
}

impl Grant {
    /// A grant without particulars.
    #[must_use]
    pub fn new(
        entry: Entry,
        annotations: Option<Annotations>,
        scope: GrantScope,
        granted_at: Moment,
    ) -> Self {
        Self {
            entry,
            annotations,
            scope,
            granted_at,
            granted_by: None,
            note: None,
            expires_at: None,
            max_uses: None,
            uses: 0,
            last_used_at: None,
        }
    }

    /// Whether it lets nothing through, now or later: its time is over or its uses are spent.
    #[must_use]
    pub fn is_void(&self, now: Moment) -> bool {
        self.is_expired(now) || self.is_used_up()
    }

    fn is_expired(&self, now: Moment) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    fn is_used_up(&self) -> bool {
        self.max_uses.is_some_and(|most| self.uses >= most)
    }
}

/// Grants of one scope, ready to be matched.
#[derive(Debug, Clone)]
pub struct GrantBook {
    list: RuleList,
    grants: HashMap<Identity, Grant>,
    next_expiry: Option<Moment>,
}

impl Default for GrantBook {
    fn default() -> Self {
        Self { list: RuleList::new(ListKind::Allow), grants: HashMap::new(), next_expiry: None }
    }
}

impl GrantBook {
    /// Adds a grant; `false` and no change when its identity is already there, when it is void from the start, or when
    /// its pattern does not compile.
    pub fn add(&mut self, grant: Grant) -> bool {
        let identity = Identity::of(&grant.entry);
        if grant.is_used_up() || self.grants.contains_key(&identity) || !self.list.push(grant.entry.clone()) {
            return false;
        }
        if let Some(end) = grant.expires_at {
            self.next_expiry = Some(self.next_expiry.map_or(end, |next| next.min(end)));
        }
        self.grants.insert(identity, grant);
        true
    }

    /// The grant with that identity.
    #[must_use]
    pub fn get(&self, identity: &Identity) -> Option<&Grant> {
        self.grants.get(identity)
    }

    /// Takes the grant with that identity out.
    pub fn remove(&mut self, identity: &Identity) -> Option<Grant> {
        self.list.remove(identity);
        self.grants.remove(identity)
    }

    /// Takes out what has expired.
    pub fn expire(&mut self, now: Moment) -> Vec<Grant> {
        if self.next_expiry.is_none_or(|next| next > now) {
            return Vec::new();
        }
        let ended: Vec<Identity> = self
            .grants
            .iter()
            .filter(|(_, grant)| grant.is_expired(now))
            .map(|(identity, _)| identity.clone())
            .collect();
        let removed = ended.iter().filter_map(|identity| self.remove(identity)).collect();
        self.next_expiry = self.grants.values().filter_map(|grant| grant.expires_at).min();
        removed
    }

    /// Which grant lets the target through?
    #[must_use]
    pub fn find(&self, target: &Target<'_>) -> Found<'_> {
        self.list.find(target)
    }

    /// The compiled list.
    #[must_use]
    pub fn list(&self) -> &RuleList {
        &self.list
    }

    /// Counts a use; a grant whose uses are spent is taken out. Returns it as it then stands.
    pub fn spend(&mut self, identity: &Identity, now: Moment) -> Option<Grant> {
        let grant = self.grants.get_mut(identity)?;
        grant.uses = grant.uses.saturating_add(1);
        grant.last_used_at = Some(now);
        let spent = grant.clone();
        if spent.is_used_up() {
            self.remove(identity);
        }
        Some(spent)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.grants.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.grants.is_empty()
    }

    /// The grants, in the order in which they were given.
    #[must_use]
    pub fn in_order(&self) -> Vec<&Grant> {
        self.list.entries().filter_map(|entry| self.grants.get(&Identity::of(entry))).collect()
    }
}

/// Something that a human refused for the rest of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    /// What is refused.
    pub entry: Entry,
    /// When it was refused.
    pub denied_at: Moment,
    /// By whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_by: Option<String>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The refusals of one session, ready to be matched.
#[derive(Debug, Clone)]
pub struct DenialBook {
    list: RuleList,
    denials: HashMap<Identity, Denial>,
}

impl Default for DenialBook {
    fn default() -> Self {
        Self { list: RuleList::new(ListKind::Deny), denials: HashMap::new() }
    }
}

impl DenialBook {
    /// Adds a refusal; `false` and no change when it is already there or does not compile.
    pub fn add(&mut self, denial: Denial) -> bool {
        let identity = Identity::of(&denial.entry);
        if self.denials.contains_key(&identity) || !self.list.push(denial.entry.clone()) {
            return false;
        }
        self.denials.insert(identity, denial);
        true
    }

    /// Lifts a refusal.
    pub fn remove(&mut self, identity: &Identity) -> Option<Denial> {
        self.list.remove(identity);
        self.denials.remove(identity)
    }

    /// The compiled list.
    #[must_use]
    pub fn list(&self) -> &RuleList {
        &self.list
    }

    /// The refusals, in the order in which they were given.
    #[must_use]
    pub fn in_order(&self) -> Vec<&Denial> {
        self.list.entries().filter_map(|entry| self.denials.get(&Identity::of(entry))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::TextPattern;
    use crate::shell::{Dialect, analyze};

    fn grant(command: &str) -> Grant {
        let entry = Entry::Shell { pattern: TextPattern::Exact(command.to_owned()), rate: None };
        Grant::new(entry, None, GrantScope::Session, Moment(0))
    }

    fn allows(book: &GrantBook, command: &str) -> bool {
        matches!(book.find(&Target::Shell(&analyze(command, Dialect::Bash))), Found::Match { .. })
    }

    #[test]
    fn a_grant_is_stored_once_and_gone_when_removed() {
        let mut book = GrantBook::default();
        assert!(book.add(grant("npm test")));
        assert!(!book.add(Grant { note: Some("again".to_owned()), ..grant("npm test") }));
        assert!(allows(&book, "npm  test"));
        let identity = Identity::of(&grant("npm test").entry);
        assert_eq!(book.remove(&identity).map(|grant| grant.note), Some(None));
        assert!(!allows(&book, "npm test"));
        assert!(book.add(grant("npm test")), "a removed grant can be given again");
    }

    #[test]
    fn an_expired_grant_is_taken_out_at_the_moment_it_ends() {
        let mut book = GrantBook::default();
        book.add(Grant { expires_at: Some(Moment(100)), ..grant("npm test") });
        book.add(Grant { expires_at: Some(Moment(300)), ..grant("npm run lint") });
        assert!(book.expire(Moment(99)).is_empty());
        assert_eq!(book.expire(Moment(100)).len(), 1);
        assert!(!allows(&book, "npm test") && allows(&book, "npm run lint"));
        assert_eq!(book.expire(Moment(300)).len(), 1);
        assert!(book.is_empty());
    }

    #[test]
    fn a_grant_with_two_uses_is_gone_after_the_second() {
        let mut book = GrantBook::default();
        book.add(Grant { max_uses: Some(2), ..grant("npm test") });
        let identity = Identity::of(&grant("npm test").entry);
        assert_eq!(book.spend(&identity, Moment(1)).map(|grant| grant.uses), Some(1));
        assert!(allows(&book, "npm test"));
        assert_eq!(book.spend(&identity, Moment(2)).and_then(|grant| grant.last_used_at), Some(Moment(2)));
        assert!(!allows(&book, "npm test"));
        assert!(book.spend(&identity, Moment(3)).is_none());
        assert!(!book.add(Grant { max_uses: Some(0), ..grant("npm run x") }), "no uses, no grant");
    }
}
