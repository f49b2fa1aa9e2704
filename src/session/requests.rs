//! Which requests a session has seen: the same id and the same call get the same answer.
//!
//! Promises that of any number of simultaneous requests with one id exactly one decides, and that memory stays bounded:
//! what is forgotten here is found in the store.

use super::ruling::Ruling;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::watch;

/// How many answered requests a live session keeps in memory.
const KEPT: usize = 512;

/// What a request id stands for.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// Of the call and the run.
    pub(super) fingerprint: String,
    /// The answer once there is one. Dropped without one when whoever decides it went away.
    pub(super) answer: watch::Receiver<Option<Arc<Ruling>>>,
}

impl Slot {
    /// Whoever was to decide went away without an answer.
    fn is_abandoned(&self) -> bool {
        self.answer.borrow().is_none() && self.answer.has_changed().is_err()
    }
}

/// The requests that a session remembers.
#[derive(Debug)]
pub(super) struct Requests {
    slots: HashMap<String, Slot>,
    order: VecDeque<String>,
    /// Nothing was ever forgotten, so that an unknown id is new.
    complete: bool,
}

/// What became of claiming a request id.
pub(super) enum Claim {
    /// It is new; whoever holds the sender decides.
    Mine(watch::Sender<Option<Arc<Ruling>>>),
    /// It was seen before.
    Seen(Slot),
}

impl Requests {
    /// Of a session that was opened in this process.
    pub(super) fn complete() -> Self {
        Self { slots: HashMap::new(), order: VecDeque::new(), complete: true }
    }

    /// Of a session that was read from the store.
    pub(super) fn partial() -> Self {
        Self { complete: false, ..Self::complete() }
    }

    /// Whether an id that is not known here may still be in the store.
    pub(super) fn must_ask_store(&self, id: &str) -> bool {
        !self.complete && !self.slots.contains_key(id)
    }

    /// Claims an id, or returns what it stands for. An abandoned claim is taken over.
    pub(super) fn claim(&mut self, id: &str, fingerprint: &str) -> Claim {
        if let Some(slot) = self.slots.get(id).filter(|slot| !slot.is_abandoned()) {
            return Claim::Seen(slot.clone());
        }
        let (sender, answer) = watch::channel(None);
        self.insert(id, Slot { fingerprint: fingerprint.to_owned(), answer });
        Claim::Mine(sender)
    }

    /// Remembers an answer that the store gave, or the next state of one that is known.
    pub(super) fn remember(&mut self, id: &str, fingerprint: &str, ruling: Arc<Ruling>) {
        let (_, answer) = watch::channel(Some(ruling));
        self.insert(id, Slot { fingerprint: fingerprint.to_owned(), answer });
    }

    /// Forgets a claim that came to nothing.
    pub(super) fn forget(&mut self, id: &str) {
        self.slots.remove(id);
        self.order.retain(|known| known != id);
    }

    fn insert(&mut self, id: &str, slot: Slot) {
        if self.slots.insert(id.to_owned(), slot).is_none() {
            self.order.push_back(id.to_owned());
        }
        let mut looked_at = 0;
        while self.order.len() > KEPT && looked_at < KEPT {
            looked_at += 1;
            let Some(oldest) = self.order.pop_front() else { break };
            let in_flight = self
                .slots
                .get(&oldest)
                .is_some_and(|slot| slot.answer.borrow().is_none() && !slot.is_abandoned());
            if in_flight {
                // Two deciders for one id must never be.
                self.order.push_back(oldest);
            } else {
                self.slots.remove(&oldest);
                self.complete = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_claimed_once_until_its_claim_is_abandoned() {
        let mut requests = Requests::complete();
        let Claim::Mine(sender) = requests.claim("r1", "call") else { panic!("new id") };
        assert!(matches!(requests.claim("r1", "call"), Claim::Seen(_)));
        drop(sender);
        assert!(matches!(requests.claim("r1", "call"), Claim::Mine(_)));
    }

    #[test]
    fn a_request_in_flight_is_never_forgotten_and_forgetting_is_noticed() {
        let mut requests = Requests::complete();
        let Claim::Mine(_flying) = requests.claim("first", "call") else { panic!("new id") };
        let mut held = Vec::new();
        for number in 0..KEPT * 2 {
            let Claim::Mine(sender) = requests.claim(&format!("r{number}"), "call") else { panic!("new id") };
            held.push(sender);
        }
        drop(held.pop());
        assert!(matches!(requests.claim("first", "call"), Claim::Seen(_)));
        assert!(!requests.must_ask_store("unknown"), "nothing was forgotten while all are in flight");
    }

    #[test]
    fn abandoned_claims_do_not_pile_up() {
        let mut requests = Requests::complete();
        for number in 0..KEPT * 3 {
            drop(requests.claim(&format!("r{number}"), "call"));
        }
        assert!(requests.slots.len() <= KEPT + 1, "{} slots", requests.slots.len());
    }
}
