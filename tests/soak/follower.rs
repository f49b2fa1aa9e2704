//! Those who only look: each follows one feed of a project from the first moment to the last, over every lost connection, and
//! keeps what it saw. At the end each must have seen every question raised once and ended once, in the order of all others.

use crate::callers::Role;
use crate::chance::Chance;
use crate::world::World;
use haltgate::client::{Feed, FeedMessage, FeedNews, Happening, Interruption};
use haltgate::proto::v1 as pb;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Silence after which a feed is made anew.
const SILENCE: Duration = Duration::from_secs(5);

/// Which of the two feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Escalations,
    Halts,
}

/// How a follower behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Habit {
    Reads,
    /// Drops its feed now and then, and goes on with its cursor.
    ComesAndGoes,
    /// Leaves what was sent lying for seconds.
    Slow,
}

/// What a follower saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// In order: the question, and whether it ended.
    pub(crate) events: Vec<(String, bool)>,
    /// Heartbeats since the last event: a feed that is silent has nothing more to say.
    pub(crate) quiet: u64,
    pub(crate) resumed: u64,
    pub(crate) slow_hints: u64,
    /// Its snapshot was seen whole: from here on it may miss nothing.
    begun: bool,
}

pub(crate) struct Follower {
    pub(crate) project: &'static str,
    pub(crate) kind: Kind,
    pub(crate) habit: Habit,
    seen: Mutex<Seen>,
}

impl fmt::Display for Follower {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a follower ({:?}) of {:?} in {}", self.habit, self.kind, self.project)
    }
}

trait Named {
    fn id(&self) -> &str;
}

impl Named for pb::Escalation {
    fn id(&self) -> &str {
        &self.escalation_id
    }
}

impl Named for pb::AttackHalt {
    fn id(&self) -> &str {
        &self.halt_id
    }
}

impl Follower {
    pub(crate) fn new(project: &'static str, kind: Kind, habit: Habit) -> Arc<Self> {
        Arc::new(Self { project, kind, habit, seen: Mutex::default() })
    }

    /// Follows until the run is over.
    pub(crate) async fn follow(self: Arc<Self>, world: Arc<World>, number: u64) {
        let mut chance = world.chance(400 + number);
        let client = world.connect(self.project, Role::Auditor).await;
        let mut cursor = String::new();
        while !world.is_over() {
            match self.kind {
                Kind::Escalations => {
                    let request = pb::StreamEscalationsRequest { after: cursor, ..Default::default() };
                    cursor = self.read(&world, &mut chance, client.watch_escalations(request)).await;
                }
                Kind::Halts => {
                    let request = pb::StreamAttackHaltsRequest {
                        after: cursor,
                        observe_only: true,
                        ..Default::default()
                    };
                    cursor = self.read(&world, &mut chance, client.watch_halts(request)).await;
                }
            }
        }
    }

    /// Reads until it goes away for a while, or for good. Returns where to go on.
    async fn read<Message: FeedMessage>(
        &self,
        world: &World,
        chance: &mut Chance,
        feed: Feed<Message>,
    ) -> String
    where
        Message::Item: Named,
    {
        let mut feed = feed.with_silence(SILENCE);
        while !world.is_over() {
            if self.habit == Habit::ComesAndGoes && chance.below(200) == 0 {
                return feed.cursor().to_owned();
            }
            if self.habit == Habit::Slow && chance.below(100) == 0 && world.goes_on() {
                tokio::time::sleep(Duration::from_secs(2)).await;
            }
            let news = tokio::select! {
                news = feed.next() => news,
                () = tokio::time::sleep(Duration::from_millis(500)) => continue,
            };
            match news {
                Ok(news) => self.hear(world, news),
                Err(status) => {
                    world.fail(format!("{self} was refused: {status:?}"));
                    return String::new();
                }
            }
        }
        feed.cursor().to_owned()
    }

    fn hear<Message: FeedMessage>(&self, world: &World, news: FeedNews<Message>)
    where
        Message::Item: Named,
    {
        let mut seen = self.seen.lock().unwrap();
        match news {
            FeedNews::Connected { anew: true } => {
                // It was cut off within its first snapshot, which has no cursor to go on behind.
                if seen.begun {
                    drop(seen);
                    return world.fail(format!("{self} began anew"));
                }
                seen.events.clear();
            }
            FeedNews::Connected { anew: false } => seen.resumed += 1,
            FeedNews::Interrupted { why: Interruption::CursorRefused(status), .. } => {
                drop(seen);
                world.fail(format!("the cursor of {self} was refused: {status:?}"));
            }
            FeedNews::Interrupted { why: Interruption::Asked(pb::ResumeReason::SlowReader), .. } => {
                seen.slow_hints += 1;
            }
            FeedNews::Interrupted { .. } => {}
            FeedNews::Message(message) => {
                let (id, ended) = match message.happening() {
                    Some(Happening::Raised(item)) => (item.id().to_owned(), false),
                    Some(
                        Happening::Answered(item) | Happening::Withdrawn(item) | Happening::Expired(item),
                    ) => (item.id().to_owned(), true),
                    Some(Happening::Heartbeat) => {
                        seen.quiet += 1;
                        return;
                    }
                    Some(Happening::SnapshotEnd(_)) => {
                        seen.begun = true;
                        return;
                    }
                    Some(Happening::ResumeHint(_)) | None => return,
                };
                seen.quiet = 0;
                seen.events.push((id, ended));
            }
        }
    }

    /// So many of what was raised were seen, and so many of what ended.
    pub(crate) fn progress(&self) -> (usize, usize, u64) {
        let seen = self.seen.lock().unwrap();
        let ended = seen.events.iter().filter(|(_, ended)| *ended).count();
        (seen.events.len() - ended, ended, seen.quiet)
    }

    /// Whether it may miss nothing any more.
    pub(crate) fn has_begun(&self) -> bool {
        self.seen.lock().unwrap().begun
    }

    pub(crate) fn resumed(&self) -> (u64, u64) {
        let seen = self.seen.lock().unwrap();
        (seen.resumed, seen.slow_hints)
    }

    pub(crate) fn order(&self) -> Vec<(String, bool)> {
        self.seen.lock().unwrap().events.clone()
    }

    /// What it saw that did not happen so, or did not see.
    pub(crate) fn check(&self, raised: &BTreeSet<String>, ended: &BTreeSet<String>) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        let (mut open, mut over) = (BTreeSet::new(), BTreeSet::new());
        let mut wrong = Vec::new();
        for (id, ends) in &seen.events {
            if !ends && !(open.insert(id.clone())) {
                wrong.push(format!("{self} saw {id} raised twice"));
            }
            if *ends && !open.contains(id) {
                wrong.push(format!("{self} saw the end of {id} before its beginning"));
            }
            if *ends && !over.insert(id.clone()) {
                wrong.push(format!("{self} saw {id} end twice"));
            }
        }
        for (what, seen, happened) in [("raised", &open, raised), ("end", &over, ended)] {
            for id in happened.difference(seen).take(3) {
                wrong.push(format!("{self} did not see {id} {what}"));
            }
            for id in seen.difference(happened).take(3) {
                wrong.push(format!("{self} saw {id} {what}, of which there is no record"));
            }
        }
        wrong
    }
}

/// Who follows what.
pub(crate) fn everybody(projects: [&'static str; 2]) -> Vec<Arc<Follower>> {
    let mut followers = Vec::new();
    for project in projects {
        for kind in [Kind::Escalations, Kind::Halts] {
            for habit in [Habit::Reads, Habit::ComesAndGoes, Habit::Slow] {
                followers.push(Follower::new(project, kind, habit));
            }
        }
    }
    followers
}
