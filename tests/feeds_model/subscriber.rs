//! One subscriber: a connection of its own, its cursor, and what it has seen.

use crate::model::{Change, Filter, Kind, Model, What};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use pb::stream_attack_halts_response::Event as HaltEvent;
use pb::stream_escalations_response::Event as EscalationEvent;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tonic::{Status, Streaming};

/// How long a message may take that must come.
const PATIENCE: Duration = Duration::from_secs(60);

enum Stream {
    Escalations(Streaming<pb::StreamEscalationsResponse>),
    Halts(Streaming<pb::StreamAttackHaltsResponse>),
}

enum Said {
    Changed(What, String),
    SnapshotEnd(u32),
    Heartbeat,
    Hint,
}

/// A subscriber, connected or not.
pub(crate) struct Subscriber {
    pub(crate) name: usize,
    pub(crate) filter: Filter,
    stream: Option<Stream>,
    cursor: String,
    snapshot: BTreeSet<String>,
    /// What its snapshot held and the model did not know yet: it was raised at the same time.
    early: BTreeSet<String>,
    seen: Vec<(String, What)>,
    /// What it must see behind its snapshot, as far as the model's log was looked at.
    expected: Vec<Change>,
    looked_at: usize,
    /// How much of what it saw was found right, and what is open then.
    checked: usize,
    open: BTreeSet<String>,
    pub(crate) resumed: u64,
    pub(crate) heartbeats: u64,
}

impl Subscriber {
    pub(crate) fn new(name: usize, filter: Filter) -> Self {
        Self {
            name,
            filter,
            stream: None,
            cursor: String::new(),
            snapshot: BTreeSet::new(),
            early: BTreeSet::new(),
            seen: Vec::new(),
            expected: Vec::new(),
            looked_at: 0,
            checked: 0,
            open: BTreeSet::new(),
            resumed: 0,
            heartbeats: 0,
        }
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.stream.is_some()
    }

    pub(crate) fn disconnect(&mut self) {
        self.stream = None;
    }

    /// Begins anew: forgets everything, and checks what is open against the model.
    pub(crate) async fn begin(&mut self, address: &str, model: &Model) {
        self.forget(model);
        self.begin_meanwhile(address).await;
        self.check_snapshot(&model.open(&self.filter));
    }

    /// Forgets everything; what happens from now on is new to it.
    pub(crate) fn forget(&mut self, model: &Model) {
        self.cursor.clear();
        self.seen.clear();
        self.expected.clear();
        self.looked_at = model.now();
        self.checked = 0;
    }

    /// What was open before must be in the snapshot; what else is in it was raised meanwhile.
    pub(crate) fn check_snapshot(&mut self, before: &BTreeSet<String>) {
        let (name, filter) = (self.name, &self.filter);
        assert!(
            before.is_subset(&self.snapshot),
            "subscriber {name}, {filter:?}: {before:?} in {:?}",
            self.snapshot
        );
        self.early = self.snapshot.difference(before).cloned().collect();
        self.open.clone_from(&self.snapshot);
    }

    /// Begins anew, while who knows what happens.
    pub(crate) async fn begin_meanwhile(&mut self, address: &str) {
        self.snapshot.clear();
        self.connect(address).await;
        loop {
            match self.next().await.unwrap() {
                (cursor, Said::Changed(What::Raised, id)) => {
                    assert_eq!(cursor, "", "nobody can resume within a snapshot");
                    assert!(self.snapshot.insert(id), "subscriber {}: a snapshot holds each once", self.name);
                }
                (cursor, Said::SnapshotEnd(open)) => {
                    assert_eq!(usize::try_from(open).unwrap(), self.snapshot.len());
                    self.cursor = cursor;
                    break;
                }
                (_, Said::Heartbeat) => {}
                (_, Said::Changed(..) | Said::Hint) => {
                    panic!("a snapshot holds what is open and nothing else")
                }
            }
        }
    }

    /// Goes on behind the last message that it saw.
    pub(crate) async fn resume(&mut self, address: &str) {
        self.resumed += 1;
        self.connect(address).await;
    }

    async fn connect(&mut self, address: &str) {
        // A connection of its own: one that is not read must not hold up the others.
        let mut client = ApprovalGateClient::connect(format!("http://{address}")).await.unwrap();
        let filter = &self.filter;
        let (project, after) = (filter.project.to_owned(), self.cursor.clone());
        let session_id = filter.session.unwrap_or_default().to_owned();
        let run_id = filter.run.unwrap_or_default().to_owned();
        self.stream = Some(match filter.kind {
            Kind::Escalation => {
                let request = pb::StreamEscalationsRequest { project, session_id, run_id, after };
                Stream::Escalations(client.stream_escalations(request).await.unwrap().into_inner())
            }
            Kind::Halt => {
                let request =
                    pb::StreamAttackHaltsRequest { project, session_id, run_id, after, observe_only: true };
                Stream::Halts(client.stream_attack_halts(request).await.unwrap().into_inner())
            }
        });
    }

    /// Reads up to `most` changes of those that there are.
    pub(crate) async fn read(&mut self, address: &str, model: &Model, most: usize) {
        self.look(model);
        let wanted = self.expected.len().min(self.seen.len().saturating_add(most));
        let mut deadline = Instant::now() + PATIENCE;
        while self.seen.len() < wanted {
            // A feed that only says that it is alive has lost something.
            assert!(Instant::now() < deadline, "subscriber {}: a change did not come", self.name);
            match self.next().await {
                Ok((cursor, Said::Changed(what, id))) => {
                    assert_ne!(cursor, "", "a change can be resumed behind");
                    self.cursor = cursor;
                    self.seen.push((id, what));
                    deadline = Instant::now() + PATIENCE;
                }
                Ok((cursor, Said::Heartbeat)) => {
                    self.heartbeats += 1;
                    self.cursor = cursor;
                }
                Ok((_, Said::SnapshotEnd(_))) => panic!("a feed that goes on has no snapshot"),
                // What every client does when its connection ends.
                Ok((_, Said::Hint)) | Err(_) => self.resume(address).await,
            }
        }
    }

    async fn next(&mut self) -> Result<(String, Said), Status> {
        let message = async {
            match self.stream.as_mut().unwrap() {
                Stream::Escalations(stream) => Ok(stream.message().await?.map(|message| {
                    let said = match message.event.unwrap() {
                        EscalationEvent::Raised(about) => Said::Changed(What::Raised, about.escalation_id),
                        EscalationEvent::Answered(about) => {
                            Said::Changed(What::Answered, about.escalation_id)
                        }
                        EscalationEvent::Withdrawn(about) => {
                            Said::Changed(What::Withdrawn, about.escalation_id)
                        }
                        EscalationEvent::Expired(about) => Said::Changed(What::Expired, about.escalation_id),
                        EscalationEvent::SnapshotEnd(end) => Said::SnapshotEnd(end.open),
                        EscalationEvent::Heartbeat(_) => Said::Heartbeat,
                        EscalationEvent::ResumeHint(_) => Said::Hint,
                    };
                    (message.cursor, said)
                })),
                Stream::Halts(stream) => Ok(stream.message().await?.map(|message| {
                    let said = match message.event.unwrap() {
                        HaltEvent::Raised(about) => Said::Changed(What::Raised, about.halt_id),
                        HaltEvent::Answered(about) => Said::Changed(What::Answered, about.halt_id),
                        HaltEvent::Withdrawn(about) => Said::Changed(What::Withdrawn, about.halt_id),
                        HaltEvent::Expired(about) => Said::Changed(What::Expired, about.halt_id),
                        HaltEvent::SnapshotEnd(end) => Said::SnapshotEnd(end.open),
                        HaltEvent::Heartbeat(_) => Said::Heartbeat,
                        HaltEvent::ResumeHint(_) => Said::Hint,
                    };
                    (message.cursor, said)
                })),
            }
        };
        let message = tokio::time::timeout(PATIENCE, message).await;
        let message = message.unwrap_or_else(|_| panic!("subscriber {}: a change did not come", self.name));
        message.and_then(|message| message.ok_or_else(|| Status::unavailable("the feed ended")))
    }

    /// Looks at what happened since it was looked at last.
    fn look(&mut self, model: &Model) {
        for change in model.since(self.looked_at, &self.filter) {
            if !(change.what == What::Raised && self.early.remove(&change.id)) {
                self.expected.push(change.clone());
            }
        }
        self.looked_at = model.now();
        assert!(self.early.is_empty(), "subscriber {}: {:?} was never open", self.name, self.early);
    }

    /// What it saw is what happened: all of it, once, in order; and its snapshot with that is what is open.
    pub(crate) fn check(&mut self, model: &Model) {
        self.look(model);
        let name = self.name;
        assert!(self.seen.len() <= self.expected.len(), "subscriber {name} saw more than happened");
        while self.checked < self.seen.len() {
            let moment = self.expected[self.checked].moment;
            let together = self.expected[self.checked..].iter().take_while(|change| change.moment == moment);
            let together: BTreeSet<&Change> = together.collect();
            let end = self.checked + together.len();
            let seen = &self.seen[self.checked..self.seen.len().min(end)];
            let mut found = BTreeSet::new();
            let mut open = self.open.clone();
            for (id, what) in seen {
                let change = Change { moment, id: id.clone(), what: *what };
                assert!(
                    together.contains(&change),
                    "subscriber {name}: {change:?} is not next in {together:?}"
                );
                assert!(found.insert(change), "subscriber {name}: {id} twice");
                let changed = match what {
                    What::Raised => open.insert(id.clone()),
                    What::Answered | What::Withdrawn | What::Expired => open.remove(id),
                };
                assert!(changed, "subscriber {name}: {what:?} {id} changes what is open");
            }
            if seen.len() < together.len() {
                // The rest of what came about together is still to be seen.
                return;
            }
            self.checked = end;
            self.open = open;
        }
        if self.seen.len() == self.expected.len() {
            assert_eq!(self.open, model.open(&self.filter), "subscriber {name}");
        }
    }

    /// What it saw, for comparing the order with others.
    pub(crate) fn order(&self) -> &[(String, What)] {
        &self.seen
    }
}
