//! Notifications: HTTP requests that tell of halts and escalations, for those who do not hold a feed open.
//!
//! Promises that each receiver is told what it wants at least once and in order, from the store, whatever becomes of this
//! process in between; and that a receiver which is slow or dead keeps nobody waiting but itself. Must not know how a decision
//! is made.
//!
//! | module | subject |
//! |---|---|
//! | `notification` | what is told |
//! | `signature` | what proves where it comes from |
//! | `receiver` | one attempt to tell it |
//! | `courier` | when to try, in which order, and how far it has come |

mod courier;
mod notification;
mod receiver;
mod signature;

use self::courier::Courier;
use self::receiver::Receiver;
use crate::config::{NotificationSettings, Problem, Problems};
use crate::session::Engine;
use crate::store::{Batch, Change, DeliveryRow, StoreError};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::task::JoinHandle;

/// The receivers of a configuration, each with its secrets.
#[derive(Debug)]
pub struct Receivers(BTreeMap<String, Arc<Receiver>>);

impl Receivers {
    /// Sets every receiver up.
    ///
    /// # Errors
    /// Everything that keeps one of them from being told anything, such as a secret that is not there.
    pub fn set_up(settings: &NotificationSettings) -> Result<Self, Problems> {
        let mut problems: Vec<Problem> = Vec::new();
        let mut receivers = BTreeMap::new();
        for (name, webhook) in &settings.webhooks {
            match Receiver::set_up(name, webhook, settings) {
                Ok(receiver) => {
                    receivers.insert(name.clone(), Arc::new(receiver));
                }
                Err(found) => problems.extend(found),
            }
        }
        if problems.is_empty() { Ok(Self(receivers)) } else { Err(Problems::new(problems)) }
    }
}

/// What is missing on this machine to tell the receivers of a configuration, as warnings: it may be meant for another one.
#[must_use]
pub fn missing_secrets(settings: &NotificationSettings) -> Vec<Problem> {
    let missing = Receivers::set_up(settings).err();
    let warning = |problem: &Problem| {
        let message = format!("a gate would not start here: {}", problem.message);
        Problem::warning(problem.origin.clone(), &problem.path, message)
    };
    missing.iter().flat_map(Problems::list).map(warning).collect()
}

/// A receiver that is being told.
struct Told {
    receiver: Arc<Receiver>,
    task: JoinHandle<()>,
}

/// Tells the receivers, until it is dropped. What was not told by then is told after the next start.
pub struct Notifier {
    engine: Engine,
    told: BTreeMap<String, Told>,
}

impl Notifier {
    /// Begins where each receiver was left, and with what happens from now on for those that are new. To be called before the
    /// gate takes requests, so that nothing is raised that they would not hear of.
    ///
    /// # Errors
    /// The store cannot say how far they have come, or keep it.
    pub async fn start(engine: Engine, receivers: Receivers) -> Result<Self, StoreError> {
        let mut notifier = Self { engine, told: BTreeMap::new() };
        notifier.replace(receivers).await?;
        Ok(notifier)
    }

    /// Goes on with other receivers: those that did not change are not disturbed, those that are gone are forgotten.
    ///
    /// # Errors
    /// The store cannot say how far they have come, or keep it; those that could not be begun with are told nothing.
    pub async fn replace(&mut self, Receivers(receivers): Receivers) -> Result<(), StoreError> {
        let kept =
            |told: &Told| receivers.get(&told.receiver.name).is_some_and(|anew| *anew == told.receiver);
        let ended: Vec<String> =
            self.told.iter().filter(|(_, told)| !kept(told)).map(|(name, _)| name.clone()).collect();
        for name in ended {
            if let Some(told) = self.told.remove(&name) {
                end(told.task).await;
            }
        }
        let store = Arc::clone(self.engine.store());
        let places: BTreeMap<String, DeliveryRow> =
            store.deliveries().await?.into_iter().map(|row| (row.receiver.clone(), row)).collect();
        let head = *store.feed_head().borrow();
        let mut changes = Vec::new();
        for receiver in places.keys().filter(|name| !receivers.contains_key(*name)) {
            changes.push(Change::RemoveDelivery { receiver: receiver.clone() });
        }
        let mut begun = Vec::new();
        for (name, receiver) in receivers {
            if self.told.contains_key(&name) {
                continue;
            }
            // A place that the feed has not come to is of no use: what is raised until then would not be told.
            let place =
                places.get(&name).filter(|place| place.position <= head).cloned().unwrap_or_else(|| {
                    let anew =
                        DeliveryRow { receiver: name.clone(), position: head, delivered: 0, given_up: 0 };
                    changes.push(Change::PutDelivery(anew.clone()));
                    anew
                });
            begun.push((name, receiver, place));
        }
        if !changes.is_empty() {
            store.submit(Batch { changes, ..Batch::default() }).await?;
        }
        for (name, receiver, place) in begun {
            let (delivered, given_up) = (place.delivered, place.given_up);
            tracing::info!(
                webhook = name,
                delivered,
                given_up,
                "halts and escalations are told to a receiver"
            );
            let courier = Courier::new(self.engine.clone(), Arc::clone(&receiver), place);
            self.told.insert(name, Told { receiver, task: tokio::spawn(courier.run()) });
        }
        Ok(())
    }
}

impl Drop for Notifier {
    fn drop(&mut self) {
        for told in self.told.values() {
            told.task.abort();
        }
    }
}

/// Ends a task, and waits until it holds nothing any more.
async fn end(task: JoinHandle<()>) {
    task.abort();
    // An error says that it was ended, which is what was asked for.
    let _ended = task.await;
}
