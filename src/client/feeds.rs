//! Following the live feeds of what waits for humans, for as long as somebody wants to.
//!
//! Promises that a feed goes on behind the last cursor it saw after whatever cut it off, that a connection on which
//! nothing is heard any more is given up, and that a server in trouble is asked less and less often. Says what happens to
//! the connection. Knows nothing of what is done with the items.

use super::retry::asked_pause;
use super::{Client, Stub};
use crate::proto::v1 as pb;
use crate::proto::v1::ErrorReason;
use std::fmt;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;
use tokio::time::Instant;
use tonic::{Code, Response, Status, Streaming};
use tonic_types::StatusExt;

/// How long a feed may be silent unless told otherwise: three heartbeats of a server that keeps to the default.
pub const SILENCE: Duration = Duration::from_secs(45);

/// The pause before the first new attempt; it doubles with each one that fails.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest pause, unless the server asks for more: a halt does not wait long for its watchers to come back.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// One message of a feed: [`pb::StreamEscalationsResponse`] or [`pb::StreamAttackHaltsResponse`].
pub trait FeedMessage: private::Open {
    /// What the feed is about.
    type Item;

    /// Where to resume behind this message. Empty inside a snapshot.
    fn cursor(&self) -> &str;

    /// What it says; `None` for an event of a newer contract.
    fn happening(self) -> Option<Happening<Self::Item>>;
}

/// What one message of a feed says.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening<Item> {
    /// It happened; also each open item of a snapshot. The item's state says whether it waits.
    Raised(Item),
    /// A human answered.
    Answered(Item),
    /// It needs no answer any more.
    Withdrawn(Item),
    /// Waiting ended without an answer.
    Expired(Item),
    /// Everything that was open when the feed began has been sent: so many items.
    SnapshotEnd(u32),
    /// Nothing happened.
    Heartbeat,
    /// The server ends the feed after this.
    ResumeHint(pb::ResumeReason),
}

/// What a feed has to tell.
#[derive(Debug, Clone)]
pub enum FeedNews<Message> {
    /// The server accepted the feed.
    Connected {
        /// It begins with a snapshot of what is open: what was seen before and is not in it needs no answer any more.
        anew: bool,
    },
    /// A message.
    Message(Message),
    /// The connection is gone. It is made anew after the pause.
    Interrupted {
        /// Why.
        why: Interruption,
        /// How many attempts failed in a row, this one included.
        attempt: u32,
        /// How long the server is left alone now.
        pause: Duration,
    },
}

/// Why a feed was cut off.
#[derive(Debug, Clone)]
pub enum Interruption {
    /// The server asked to be called again.
    Asked(pb::ResumeReason),
    /// Nothing was heard, not even a heartbeat.
    Silence,
    /// The server ended the feed without a word.
    Ended,
    /// The cursor is of no use any more. The feed begins anew.
    CursorRefused(Status),
    /// Anything else that may pass.
    Failed(Status),
}

impl Interruption {
    /// Whether nothing is wrong: the server has its clients change connections now and then.
    #[must_use]
    pub fn is_planned(&self) -> bool {
        matches!(self, Self::Asked(pb::ResumeReason::ConnectionAge))
    }
}

impl fmt::Display for Interruption {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(pb::ResumeReason::Draining) => formatter.write_str("the server is shutting down"),
            Self::Asked(pb::ResumeReason::SlowReader) => formatter.write_str("this side read too slowly"),
            Self::Asked(pb::ResumeReason::ConnectionAge) => {
                formatter.write_str("the server replaces old connections")
            }
            Self::Asked(pb::ResumeReason::Unspecified) => {
                formatter.write_str("the server asked to be called again")
            }
            Self::Silence => formatter.write_str("nothing was heard for too long"),
            Self::Ended => formatter.write_str("the server ended the feed"),
            Self::CursorRefused(status) => write!(formatter, "the feed begins anew: {}", status.message()),
            Self::Failed(status) => formatter.write_str(status.message()),
        }
    }
}

/// A feed that is followed across lost connections.
#[derive(Debug)]
pub struct Feed<Message: FeedMessage> {
    client: Client,
    request: Message::Request,
    /// Where to resume. Empty: with a snapshot.
    cursor: String,
    silence: Duration,
    connection: Connection<Message>,
    /// Attempts that failed since something was heard.
    failures: u32,
}

/// How a feed stands.
#[derive(Debug)]
enum Connection<Message> {
    /// To be made, not before that.
    Due(Instant),
    /// Made, and heard from at that time.
    Made { stream: Box<Streaming<Message>>, heard_at: Instant },
    /// The server said that it ends here.
    Asked(pb::ResumeReason),
}

impl Client {
    /// Follows the escalations of a project. A request with a cursor goes on behind it.
    #[must_use]
    pub fn watch_escalations(
        &self,
        mut request: pb::StreamEscalationsRequest,
    ) -> Feed<pb::StreamEscalationsResponse> {
        self.in_project(&mut request.project);
        let cursor = request.after.clone();
        Feed::new(self.clone(), request, cursor)
    }

    /// Follows the attack halts of a project. Unless it is `observe_only`, halts wait for an answer as long as this feed
    /// is open. A request with a cursor goes on behind it.
    #[must_use]
    pub fn watch_halts(
        &self,
        mut request: pb::StreamAttackHaltsRequest,
    ) -> Feed<pb::StreamAttackHaltsResponse> {
        self.in_project(&mut request.project);
        let cursor = request.after.clone();
        Feed::new(self.clone(), request, cursor)
    }
}

impl<Message: FeedMessage> Feed<Message> {
    fn new(client: Client, request: Message::Request, cursor: String) -> Self {
        let connection = Connection::Due(Instant::now());
        Self { client, request, cursor, silence: SILENCE, connection, failures: 0 }
    }

    /// The same feed with another bound on its silence. It should be a multiple of the server's heartbeat.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Self {
        Self { silence, ..self }
    }

    /// The cursor to go on behind, in this process or another. Empty until a snapshot was seen whole.
    #[must_use]
    pub fn cursor(&self) -> &str {
        &self.cursor
    }

    /// Ends a pause: the next attempt is made at once.
    pub fn retry_now(&mut self) {
        if let Connection::Due(at) = &mut self.connection {
            *at = Instant::now();
        }
    }

    /// What happens next. Dropping the future loses nothing; an attempt to connect that was under way begins again.
    ///
    /// # Errors
    /// The server refuses this feed, and asking again would change nothing: wrong filters, no permission.
    pub async fn next(&mut self) -> Result<FeedNews<Message>, Status> {
        match &mut self.connection {
            Connection::Due(at) => {
                tokio::time::sleep_until(*at).await;
                self.connect().await
            }
            Connection::Made { stream, heard_at } => {
                let heard = tokio::time::timeout_at(*heard_at + self.silence, stream.message()).await;
                match heard {
                    Ok(Ok(Some(message))) => Ok(self.heard(message)),
                    Ok(Ok(None)) => Ok(self.interrupted(Interruption::Ended)),
                    Ok(Err(status)) => self.failed(status),
                    Err(_elapsed) => Ok(self.interrupted(Interruption::Silence)),
                }
            }
            Connection::Asked(reason) => {
                let why = Interruption::Asked(*reason);
                Ok(self.interrupted(why))
            }
        }
    }

    async fn connect(&mut self) -> Result<FeedNews<Message>, Status> {
        let deadline = self.client.options.deadline;
        let opening = Message::open(&mut self.client.stub, self.request.clone(), self.cursor.clone());
        match tokio::time::timeout(deadline, opening).await {
            Ok(Ok(response)) => {
                self.connection =
                    Connection::Made { stream: Box::new(response.into_inner()), heard_at: Instant::now() };
                Ok(FeedNews::Connected { anew: self.cursor.is_empty() })
            }
            Ok(Err(status)) => self.failed(status),
            Err(_elapsed) => self.failed(Status::deadline_exceeded("the server does not answer")),
        }
    }

    fn heard(&mut self, message: Message) -> FeedNews<Message> {
        self.failures = 0;
        if !message.cursor().is_empty() {
            message.cursor().clone_into(&mut self.cursor);
        }
        match (message.asks_to_resume(), &mut self.connection) {
            (Some(reason), connection) => *connection = Connection::Asked(reason),
            (None, Connection::Made { heard_at, .. }) => *heard_at = Instant::now(),
            (None, Connection::Due(_) | Connection::Asked(_)) => {}
        }
        FeedNews::Message(message)
    }

    fn failed(&mut self, status: Status) -> Result<FeedNews<Message>, Status> {
        if refuses_cursor(&status) && !self.cursor.is_empty() {
            self.cursor.clear();
            return Ok(self.interrupted(Interruption::CursorRefused(status)));
        }
        if may_pass(status.code()) { Ok(self.interrupted(Interruption::Failed(status))) } else { Err(status) }
    }

    fn interrupted(&mut self, why: Interruption) -> FeedNews<Message> {
        self.failures = self.failures.saturating_add(1);
        let asked = match &why {
            Interruption::Failed(status) => asked_pause(status).unwrap_or_default(),
            Interruption::Asked(_)
            | Interruption::Silence
            | Interruption::Ended
            | Interruption::CursorRefused(_) => Duration::ZERO,
        };
        let pause = match (&why, self.failures) {
            // Only the cursor was in the way.
            (Interruption::CursorRefused(_), 1) => Duration::ZERO,
            (_any, failures) => pause_before(failures, RandomState::new().hash_one(failures)).max(asked),
        };
        // A pause that no clock can hold is none that a server means.
        let due = Instant::now().checked_add(pause).unwrap_or_else(Instant::now);
        self.connection = Connection::Due(due);
        FeedNews::Interrupted { why, attempt: self.failures, pause }
    }
}

/// How long to leave the server alone after so many failures: doubling, and between half and all of that by chance, so
/// that clients which lost one server do not come back all at once.
fn pause_before(failures: u32, chance: u64) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(10)));
    let whole = doubled.min(LONGEST_PAUSE);
    let half = whole / 2;
    let thousandths = u32::try_from(chance % 1_001).unwrap_or_default();
    half + half * thousandths / 1_000
}

fn refuses_cursor(status: &Status) -> bool {
    let reason = status
        .get_details_error_info()
        .and_then(|info| ErrorReason::from_str_name(&format!("ERROR_REASON_{}", info.reason)));
    status.code() == Code::OutOfRange
        || matches!(reason, Some(ErrorReason::CursorInvalid | ErrorReason::CursorTooOld))
}

/// Whether the same request may succeed later.
fn may_pass(code: Code) -> bool {
    match code {
        Code::InvalidArgument
        | Code::NotFound
        | Code::PermissionDenied
        | Code::Unauthenticated
        | Code::Unimplemented => false,
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::DeadlineExceeded
        | Code::AlreadyExists
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Internal
        | Code::Unavailable
        | Code::DataLoss => true,
    }
}

mod private {
    use super::*;

    /// What a feed needs of its messages, and nobody else.
    pub trait Open: Sized + Send + 'static {
        /// What opens the feed.
        type Request: Clone + fmt::Debug + Send;

        fn open(
            stub: &mut Stub,
            request: Self::Request,
            after: String,
        ) -> impl Future<Output = Result<Response<Streaming<Self>>, Status>> + Send;

        fn asks_to_resume(&self) -> Option<pb::ResumeReason>;
    }
}

macro_rules! feed_message {
    ($message:ident, $module:ident, $request:ident, $item:ident, $method:ident) => {
        impl private::Open for pb::$message {
            type Request = pb::$request;

            fn open(
                stub: &mut Stub,
                request: Self::Request,
                after: String,
            ) -> impl Future<Output = Result<Response<Streaming<Self>>, Status>> + Send {
                stub.$method(pb::$request { after, ..request })
            }

            fn asks_to_resume(&self) -> Option<pb::ResumeReason> {
                match &self.event {
                    Some(pb::$module::Event::ResumeHint(hint)) => Some(hint.reason()),
                    Some(
                        pb::$module::Event::Raised(_)
                        | pb::$module::Event::Answered(_)
                        | pb::$module::Event::Withdrawn(_)
                        | pb::$module::Event::Expired(_)
                        | pb::$module::Event::SnapshotEnd(_)
                        | pb::$module::Event::Heartbeat(_),
                    )
                    | None => None,
                }
            }
        }

        impl FeedMessage for pb::$message {
            type Item = pb::$item;

            fn cursor(&self) -> &str {
                &self.cursor
            }

            fn happening(self) -> Option<Happening<pb::$item>> {
                Some(match self.event? {
                    pb::$module::Event::Raised(item) => Happening::Raised(item),
                    pb::$module::Event::Answered(item) => Happening::Answered(item),
                    pb::$module::Event::Withdrawn(item) => Happening::Withdrawn(item),
                    pb::$module::Event::Expired(item) => Happening::Expired(item),
                    pb::$module::Event::SnapshotEnd(end) => Happening::SnapshotEnd(end.open),
                    pb::$module::Event::Heartbeat(_) => Happening::Heartbeat,
                    pb::$module::Event::ResumeHint(hint) => Happening::ResumeHint(hint.reason()),
                })
            }
        }
    };
}

feed_message!(
    StreamEscalationsResponse,
    stream_escalations_response,
    StreamEscalationsRequest,
    Escalation,
    stream_escalations
);
feed_message!(
    StreamAttackHaltsResponse,
    stream_attack_halts_response,
    StreamAttackHaltsRequest,
    AttackHalt,
    stream_attack_halts
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_bound_and_are_never_less_than_half_of_it() {
        let milliseconds = |failures, chance| pause_before(failures, chance).as_millis();
        for (failures, whole) in
            [(1, 250), (2, 500), (3, 1_000), (5, 4_000), (6, 5_000), (40, 5_000), (u32::MAX, 5_000)]
        {
            assert_eq!((milliseconds(failures, 0), milliseconds(failures, 1_000)), (whole / 2, whole));
        }
    }
}
