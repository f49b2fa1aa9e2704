//! What each caller has taken.
//!
//! Promises one account per caller, by the name and the kind of its credentials, and none for longer than it says something:
//! however many callers come by, there are never many more accounts than callers who are busy. Knows nothing of limits.

use super::bucket::Bucket;
use super::places::Places;
use crate::access::Caller;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How many accounts there are before the first look for those that say nothing.
const FEW: usize = 1_024;

/// What one caller has taken.
#[derive(Debug, Default)]
pub(super) struct Account {
    pub(super) requests: Bucket,
    pub(super) openings: Bucket,
    pub(super) under_way: Places,
    pub(super) waits: Places,
    pub(super) feeds: Places,
}

impl Account {
    /// Whether a new account would say the same.
    fn is_blank(&self, now: u64) -> bool {
        self.requests.is_full(now)
            && self.openings.is_full(now)
            && self.under_way.are_free()
            && self.waits.are_free()
            && self.feeds.are_free()
    }
}

/// The accounts of all callers.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    accounts: HashMap<(&'static str, String), Arc<Account>>,
    /// With so many, those that say nothing are dropped.
    sweep_at: usize,
}

impl Default for State {
    fn default() -> Self {
        Self { accounts: HashMap::new(), sweep_at: FEW }
    }
}

impl Accounts {
    /// The account of a caller; all who are not recognised have one.
    pub(super) fn of(&self, caller: Option<&Caller>, now: u64) -> Arc<Account> {
        let key = caller.map(|caller| (caller.via.as_str(), caller.name.clone())).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let account = state.accounts.entry(key).or_default();
        let account = Arc::clone(account);
        if state.accounts.len() >= state.sweep_at {
            // Whoever is about to use one holds it, too.
            state.accounts.retain(|_, account| Arc::strong_count(account) > 1 || !account.is_blank(now));
            // Twice as many as are in use: looking through them costs each newcomer the same.
            state.sweep_at = state.accounts.len().saturating_mul(2).max(FEW);
        }
        account
    }
}

#[cfg(test)]
mod tests {
    use super::super::bucket::Rate;
    use super::*;
    use crate::access::{Projects, Role, Via};

    fn caller(name: &str, via: Via) -> Caller {
        Caller { name: name.to_owned(), role: Role::Agent, projects: Projects::All, via }
    }

    #[test]
    fn an_account_belongs_to_a_name_and_a_kind_of_credentials() {
        let accounts = Accounts::default();
        let token = accounts.of(Some(&caller("a", Via::Token)), 0);
        assert!(Arc::ptr_eq(&token, &accounts.of(Some(&caller("a", Via::Token)), 9)));
        assert!(!Arc::ptr_eq(&token, &accounts.of(Some(&caller("b", Via::Token)), 0)));
        assert!(!Arc::ptr_eq(&token, &accounts.of(Some(&caller("a", Via::Mtls)), 0)));
    }

    #[test]
    fn callers_who_come_by_once_do_not_stay_and_whoever_holds_something_does() {
        let accounts = Accounts::default();
        let rate = Rate::per_second(1, 1);
        let holds = accounts.of(Some(&caller("holds", Via::Jwt)), 0).feeds.take(1).unwrap();
        accounts
            .of(Some(&caller("rests", Via::Jwt)), 0)
            .requests
            .take(Rate::per_second(1, 1_000_000), 0)
            .unwrap();
        for number in 0..100_000_u64 {
            let account = accounts.of(Some(&caller(&number.to_string(), Via::Jwt)), number * 1_000_000_000);
            account.requests.take(rate, number * 1_000_000_000).unwrap();
        }
        assert!(accounts.state.lock().unwrap().accounts.len() <= FEW);
        let now = 100_000 * 1_000_000_000;
        assert!(
            accounts.of(Some(&caller("holds", Via::Jwt)), now).feeds.take(1).is_none(),
            "it still has its feed"
        );
        drop(holds);
        assert!(accounts.of(Some(&caller("holds", Via::Jwt)), now).feeds.take(1).is_some());
    }

    #[test]
    fn nobody_gets_rid_of_what_it_took_by_having_many_others_come_by() {
        let accounts = Accounts::default();
        let rate = Rate::per_second(1, 1);
        accounts.of(Some(&caller("a", Via::Jwt)), 0).requests.take(rate, 0).unwrap();
        for number in 0..10_000 {
            accounts.of(Some(&caller(&number.to_string(), Via::Jwt)), 0).requests.take(rate, 0).unwrap();
        }
        assert!(accounts.of(Some(&caller("a", Via::Jwt)), 0).requests.take(rate, 0).is_err());
    }
}
