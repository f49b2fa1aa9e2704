//! The server's side of the contract, generated: as in `proto`, but that the feeds send questions which are encoded already.
//!
//! Promises that what a feed sends reads as the contract's own message, and that however many feeds tell of a question share
//! one encoding of it. Knows nothing of how it came about.

use crate::proto::v1 as pb;
use bytes::Bytes;

#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic, rustdoc::all)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/server/haltgate.v1.rs"));
}

pub(super) use generated::approval_gate_server::{ApprovalGate, ApprovalGateServer};

/// What both feeds send: [`pb::StreamEscalationsResponse`] and [`pb::StreamAttackHaltsResponse`], which agree in the numbers of
/// their fields. An embedded message looks on the wire as bytes do.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct FeedMessage {
    /// The cursor to resume behind this message.
    #[prost(string, tag = "1")]
    pub(super) cursor: String,
    /// What happened.
    #[prost(oneof = "FeedEvent", tags = "2, 3, 4, 5, 6, 7, 8")]
    pub(super) event: Option<FeedEvent>,
}

/// What a feed tells of; the question is an encoded [`pb::Escalation`] or [`pb::AttackHalt`].
#[derive(Clone, PartialEq, prost::Oneof)]
pub(super) enum FeedEvent {
    /// A human is asked, or a run was halted.
    #[prost(bytes = "bytes", tag = "2")]
    Raised(Bytes),
    /// A human answered.
    #[prost(bytes = "bytes", tag = "3")]
    Answered(Bytes),
    /// It needs no answer any more.
    #[prost(bytes = "bytes", tag = "4")]
    Withdrawn(Bytes),
    /// Waiting ended without an answer.
    #[prost(bytes = "bytes", tag = "5")]
    Expired(Bytes),
    /// Everything that was open has been sent.
    #[prost(message, tag = "6")]
    SnapshotEnd(pb::SnapshotEnd),
    /// Nothing happened.
    #[prost(message, tag = "7")]
    Heartbeat(pb::Heartbeat),
    /// The feed ends after this message.
    #[prost(message, tag = "8")]
    ResumeHint(pb::ResumeHint),
}

#[cfg(test)]
mod tests {
    use super::*;
    use pb::stream_attack_halts_response::Event as HaltEvent;
    use pb::stream_escalations_response::Event;
    use prost::Message;

    /// What a feed sends, beside the contract's own message for either feed.
    fn cases() -> Vec<(FeedEvent, Event, HaltEvent)> {
        let escalation = pb::Escalation { escalation_id: "e".to_owned(), ..Default::default() };
        let halt = pb::AttackHalt { halt_id: "e".to_owned(), ..Default::default() };
        assert_eq!(escalation.encode_to_vec(), halt.encode_to_vec(), "one encoding stands for both here");
        let encoded = Bytes::from(escalation.encode_to_vec());
        let end = pb::SnapshotEnd { open: 3 };
        let heartbeat = pb::Heartbeat { sent_at: Some(prost_types::Timestamp { seconds: 5, nanos: 6 }) };
        let hint = pb::ResumeHint { reason: pb::ResumeReason::SlowReader.into() };
        vec![
            (
                FeedEvent::Raised(encoded.clone()),
                Event::Raised(escalation.clone()),
                HaltEvent::Raised(halt.clone()),
            ),
            (
                FeedEvent::Answered(encoded.clone()),
                Event::Answered(escalation.clone()),
                HaltEvent::Answered(halt.clone()),
            ),
            (
                FeedEvent::Withdrawn(encoded.clone()),
                Event::Withdrawn(escalation.clone()),
                HaltEvent::Withdrawn(halt.clone()),
            ),
            (FeedEvent::Expired(encoded), Event::Expired(escalation), HaltEvent::Expired(halt)),
            (FeedEvent::SnapshotEnd(end), Event::SnapshotEnd(end), HaltEvent::SnapshotEnd(end)),
            (FeedEvent::Heartbeat(heartbeat), Event::Heartbeat(heartbeat), HaltEvent::Heartbeat(heartbeat)),
            (FeedEvent::ResumeHint(hint), Event::ResumeHint(hint), HaltEvent::ResumeHint(hint)),
        ]
    }

    #[test]
    fn what_a_feed_sends_is_byte_for_byte_the_message_of_the_contract() {
        for (sent, escalations, halts) in cases() {
            let cursor = "here".to_owned();
            let sent = FeedMessage { cursor: cursor.clone(), event: Some(sent) }.encode_to_vec();
            let expected = pb::StreamEscalationsResponse { cursor: cursor.clone(), event: Some(escalations) };
            assert_eq!(sent, expected.encode_to_vec(), "{expected:?}");
            let expected = pb::StreamAttackHaltsResponse { cursor, event: Some(halts) };
            assert_eq!(sent, expected.encode_to_vec(), "{expected:?}");
        }
    }
}
