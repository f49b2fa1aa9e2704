//! A feed as the one who reads it needs it: what happened, and that everything begins anew.
//!
//! Promises every event once and in order, across lost connections. Knows nothing of connections.

use super::Error;
use super::feeds::{Feed, FeedMessage, FeedNews, Happening};

/// What happened in a feed.
#[derive(Debug, Clone, PartialEq)]
pub enum Event<Item> {
    /// A human is asked, or a run was halted; also what was open when the feed began.
    Raised(Item),
    /// A human answered.
    Answered(Item),
    /// It needs no answer any more.
    Withdrawn(Item),
    /// Waiting ended without an answer.
    Expired(Item),
    /// Everything that was open when the feed began has been told: so many items.
    SnapshotEnd(u32),
    /// The feed begins anew, since it could not go on where it was cut off: what was open before may not be any more, and
    /// what is open is told again.
    Restarted,
}

/// The events of a feed.
#[derive(Debug)]
pub struct Events<Message: FeedMessage> {
    feed: Feed<Message>,
    /// Something may have been told of which a new beginning makes the reader forget.
    begun: bool,
}

impl<Message: FeedMessage> Feed<Message> {
    /// The same feed as events, for who need not know about its connection.
    #[must_use]
    pub fn events(self) -> Events<Message> {
        // Whoever brings a cursor knows what happened up to it.
        let begun = !self.cursor().is_empty();
        Events { feed: self, begun }
    }
}

impl<Message: FeedMessage> Events<Message> {
    /// The cursor to go on behind, in this process or another. Empty until everything open was told.
    #[must_use]
    pub fn cursor(&self) -> &str {
        self.feed.cursor()
    }

    /// The next event. Dropping the future loses nothing.
    ///
    /// # Errors
    /// The gate refuses this feed, and asking again would change nothing.
    pub async fn next(&mut self) -> Result<Event<Message::Item>, Error> {
        loop {
            let event = match self.feed.next().await? {
                FeedNews::Connected { anew: true } if self.begun => Event::Restarted,
                FeedNews::Connected { .. } => {
                    self.begun = true;
                    continue;
                }
                FeedNews::Interrupted { .. } => continue,
                FeedNews::Message(message) => match message.happening() {
                    Some(Happening::Raised(item)) => Event::Raised(item),
                    Some(Happening::Answered(item)) => Event::Answered(item),
                    Some(Happening::Withdrawn(item)) => Event::Withdrawn(item),
                    Some(Happening::Expired(item)) => Event::Expired(item),
                    Some(Happening::SnapshotEnd(open)) => Event::SnapshotEnd(open),
                    Some(Happening::Heartbeat | Happening::ResumeHint(_)) | None => continue,
                },
            };
            return Ok(event);
        }
    }
}
