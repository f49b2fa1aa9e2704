//! Both feeds, followed by tasks of their own, and how their connections stand.
//!
//! Knows nothing of what is done with the news.

use crate::client::{Client, Feed, FeedMessage, FeedNews};
use crate::proto::v1 as pb;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};
use tonic::Status;

/// News that wait to be taken over; a feed whose news are not taken is not read.
const WAITING: usize = 64;

/// What a feed says.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "few exist at a time, and each is taken over at once")]
pub(super) enum News {
    /// The feed of questions.
    Escalations(FeedNews<pb::StreamEscalationsResponse>),
    /// The feed of halts.
    Halts(FeedNews<pb::StreamAttackHaltsResponse>),
    /// One of them is refused for good.
    Refused(Status),
}

/// Which questions and halts are watched.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    pub(super) project: String,
    pub(super) session: String,
    pub(super) run: String,
    pub(super) observe_only: bool,
}

/// The two feeds.
#[derive(Debug)]
pub(super) struct Following {
    news: mpsc::Receiver<News>,
    retry: Arc<Notify>,
}

impl Following {
    /// Begins to follow.
    pub(super) fn start(client: &Client, watched: &Watched) -> Self {
        let (sender, news) = mpsc::channel(WAITING);
        let retry = Arc::new(Notify::new());
        // Halts first: they are answered first.
        let halts = client.watch_halts(pb::StreamAttackHaltsRequest {
            project: watched.project.clone(),
            session_id: watched.session.clone(),
            run_id: watched.run.clone(),
            after: String::new(),
            observe_only: watched.observe_only,
        });
        let escalations = client.watch_escalations(pb::StreamEscalationsRequest {
            project: watched.project.clone(),
            session_id: watched.session.clone(),
            run_id: watched.run.clone(),
            after: String::new(),
        });
        tokio::spawn(follow(halts, sender.clone(), Arc::clone(&retry), News::Halts));
        tokio::spawn(follow(escalations, sender, Arc::clone(&retry), News::Escalations));
        Self { news, retry }
    }

    /// The next news; `None` when both feeds have ended.
    pub(super) async fn next(&mut self) -> Option<News> {
        self.news.recv().await
    }

    /// Ends the pauses of feeds that wait to connect again.
    pub(super) fn retry(&self) {
        self.retry.notify_waiters();
    }
}

async fn follow<M: FeedMessage>(
    mut feed: Feed<M>,
    sender: mpsc::Sender<News>,
    retry: Arc<Notify>,
    news: impl Fn(FeedNews<M>) -> News,
) {
    loop {
        let next = tokio::select! {
            next = feed.next() => next,
            () = retry.notified() => {
                feed.retry_now();
                continue;
            }
        };
        let (message, over) = match next {
            Ok(next) => (news(next), false),
            Err(status) => (News::Refused(status), true),
        };
        if sender.send(message).await.is_err() || over {
            return;
        }
    }
}

/// How one connection stands.
#[derive(Debug, Clone, Default)]
enum Link {
    #[default]
    Connecting,
    Live,
    Waiting {
        attempt: u32,
        until: Instant,
        why: String,
    },
}

/// How both connections stand.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    escalations: Link,
    halts: Link,
}

impl Links {
    /// Takes over what a feed says of its connection. True when the connection was lost just now.
    pub(super) fn take(&mut self, news: &News) -> bool {
        let (link, next) = match news {
            News::Escalations(news) => (&mut self.escalations, link_of(news)),
            News::Halts(news) => (&mut self.halts, link_of(news)),
            News::Refused(_) => return false,
        };
        let Some(next) = next else { return false };
        let lost = matches!((&*link, &next), (Link::Live, Link::Waiting { .. }));
        *link = next;
        lost
    }

    /// The worse of the two in words.
    pub(super) fn words(&self) -> String {
        match self.worse() {
            Link::Live => "live".to_owned(),
            Link::Connecting => "connecting".to_owned(),
            Link::Waiting { attempt, until, .. } => {
                let left = until.saturating_duration_since(Instant::now()).as_secs_f64().ceil();
                format!("NOT CONNECTED, attempt {} in {left} s", attempt.saturating_add(1))
            }
        }
    }

    /// Why there is no connection.
    pub(super) fn why(&self) -> Option<&str> {
        match self.worse() {
            Link::Waiting { why, .. } => Some(why),
            Link::Live | Link::Connecting => None,
        }
    }

    /// Both feeds are read.
    pub(super) fn are_live(&self) -> bool {
        matches!(self.worse(), Link::Live)
    }

    fn worse(&self) -> &Link {
        match (&self.halts, &self.escalations) {
            (Link::Waiting { .. }, _) => &self.halts,
            (_, Link::Waiting { .. }) => &self.escalations,
            (Link::Connecting, _) => &self.halts,
            (Link::Live, _) => &self.escalations,
        }
    }
}

fn link_of<M>(news: &FeedNews<M>) -> Option<Link> {
    match news {
        FeedNews::Connected { .. } => Some(Link::Live),
        FeedNews::Message(_) => None,
        // The next connection is there in a moment, or what follows says why not.
        FeedNews::Interrupted { why, .. } if why.is_planned() => None,
        FeedNews::Interrupted { why, attempt, pause } => Some(Link::Waiting {
            attempt: *attempt,
            until: Instant::now()
                .checked_add(*pause)
                .unwrap_or_else(|| Instant::now() + Duration::from_secs(1)),
            why: crate::display::one_line(&why.to_string()),
        }),
    }
}
