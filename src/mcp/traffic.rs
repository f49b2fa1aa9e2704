//! What is under way between a client and a server, and what happens to each line.
//!
//! Promises that a call reaches the server once, only if it was released, and only while the tools are as they were when it
//! was judged. Knows nothing of gates: who judges tells it how that ended.

use super::catalogue::{Catalogue, Page};
use super::message::{self, Id, Message, Refused, ReplyTo, ToolCall};
use super::reply::Code;
use super::strict::{self, string};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How many calls may be judged at a time.
const MAX_CALLS: usize = 256;

/// How many listings of the client are watched at a time.
const MAX_LISTS: usize = 64;

/// The one revision in which several messages may stand in one line.
const BATCHES: &str = "2025-03-26";

/// Which call is meant where a client uses an id again.
pub type Ticket = u64;

/// What happens to what a client sent.
#[derive(Debug, PartialEq, Eq)]
pub enum FromClient {
    /// It goes to the server.
    Forward(String),
    /// It is a call: it goes to the server once it is released.
    Judge {
        /// The call.
        call: Box<ToolCall>,
        /// Its ticket.
        ticket: Ticket,
        /// The message to forward then.
        message: String,
    },
    /// Nobody waits for this call any more.
    GiveUp(Ticket),
    /// It goes no further.
    Refuse {
        /// What the client is told, if anything.
        reply: Option<String>,
        /// Why, for the operator.
        why: String,
    },
}

/// What happens to what a server sent.
#[derive(Debug, PartialEq, Eq)]
pub enum FromServer {
    /// It goes to the client.
    Forward(String),
    /// It answers a request that the gate itself made.
    Own {
        /// Its id.
        id: String,
        /// The result; `None` for an error.
        result: Option<String>,
    },
    /// It goes no further.
    Drop(String),
}

/// Whether a call may go to the server now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// Now, and not again.
    Go,
    /// The client gave it up.
    GivenUp,
    /// The tools may have changed since it was judged.
    Stale,
}

/// What is under way.
#[derive(Debug)]
pub struct Traffic {
    own: String,
    calls: HashMap<Id, Ticket>,
    tickets: Ticket,
    lists: HashSet<Id>,
    initialize: Option<Id>,
    batches: bool,
    epoch: u64,
    known: Option<Arc<Catalogue>>,
}

impl Traffic {
    /// Nothing is under way. The ids of the gate's own requests begin with `own`.
    #[must_use]
    pub fn new(own: String) -> Self {
        Self {
            own,
            calls: HashMap::new(),
            tickets: 0,
            lists: HashSet::new(),
            initialize: None,
            batches: false,
            epoch: 0,
            known: None,
        }
    }

    /// Takes a line of the client.
    pub fn from_client(&mut self, line: &[u8]) -> Vec<FromClient> {
        let text = match strict::text(line) {
            Ok(text) if text.trim().is_empty() => return Vec::new(),
            Ok(text) => text,
            Err(fault) => {
                let message = format!("the message does not pass: {fault}");
                return vec![refused(&Refused { to: ReplyTo::Unknown, code: Code::ParseError, message })];
            }
        };
        match message::read(text) {
            Ok(Message::Batch(messages)) => self.batch(&messages),
            read => vec![self.single(text, read)],
        }
    }

    /// A batch is taken apart: no message of it waits for the human who is asked about another.
    fn batch(&mut self, messages: &[&str]) -> Vec<FromClient> {
        if !self.batches {
            return vec![invalid("several messages in one line are no part of the revision in use")];
        }
        if messages.is_empty() {
            return vec![invalid("the batch is empty")];
        }
        messages.iter().map(|text| self.single(text, message::read(text))).collect()
    }

    fn single(&mut self, text: &str, read: Result<Message<'_>, Refused>) -> FromClient {
        let forward = || FromClient::Forward(text.to_owned());
        match read {
            Err(refusal) => refused(&refusal),
            Ok(Message::Call(call)) => self.judge(call, text),
            Ok(Message::Cancelled(id)) => self.calls.remove(&id).map_or_else(forward, FromClient::GiveUp),
            Ok(Message::List(id)) => {
                if self.lists.len() < MAX_LISTS {
                    self.lists.insert(id);
                }
                forward()
            }
            Ok(Message::Initialize(id)) => {
                self.initialize = Some(id);
                forward()
            }
            Ok(Message::Batch(_)) => invalid("a batch holds no batches"),
            Ok(Message::Other) => forward(),
        }
    }

    fn judge(&mut self, call: ToolCall, text: &str) -> FromClient {
        let refuse = |code, message: &str| {
            refused(&Refused { to: ReplyTo::Request(call.id.clone()), code, message: message.to_owned() })
        };
        if self.calls.contains_key(&call.id) {
            return refuse(Code::InvalidRequest, "the id belongs to a call that is being judged");
        }
        if self.calls.len() >= MAX_CALLS {
            return refuse(Code::NotDecided, "too many calls wait already; try again when some are settled");
        }
        self.tickets += 1;
        self.calls.insert(call.id.clone(), self.tickets);
        FromClient::Judge { call: Box::new(call), ticket: self.tickets, message: text.to_owned() }
    }

    /// Takes a line of the server.
    pub fn from_server(&mut self, line: &[u8]) -> Vec<FromServer> {
        // A server may write what it likes: only what a client could read otherwise than the gate does is dropped.
        let Ok(text) = str::from_utf8(line) else {
            return vec![FromServer::Drop("a line of the server is not UTF-8".to_owned())];
        };
        let text = text.strip_suffix('\r').unwrap_or(text);
        if text.trim().is_empty() {
            return Vec::new();
        }
        if !text.trim_start().starts_with('[') {
            return vec![self.message_of_server(text)];
        }
        match strict::elements(text) {
            Ok(messages) => messages.into_iter().map(|message| self.message_of_server(message)).collect(),
            Err(fault) => vec![FromServer::Drop(format!("a line of the server does not pass: {fault}"))],
        }
    }

    fn message_of_server(&mut self, text: &str) -> FromServer {
        let members = match strict::members(text) {
            Ok(members) => members,
            Err(fault) => return FromServer::Drop(format!("a line of the server does not pass: {fault}")),
        };
        let value = |name: &str| members.iter().find(|member| member.name == name).map(|member| member.value);
        if let Some(method) = value("method") {
            if string(method).as_deref() == Some("notifications/tools/list_changed") {
                self.epoch += 1;
            }
            return FromServer::Forward(text.to_owned());
        }
        let result = value("result");
        if let Some(id) = value("id").and_then(Id::read) {
            match &id {
                Id::Text(id) if id.starts_with(&self.own) => {
                    return FromServer::Own { id: id.clone(), result: result.map(str::to_owned) };
                }
                Id::Text(_) | Id::Number(_) => self.note(&id, result),
            }
        }
        FromServer::Forward(text.to_owned())
    }

    /// What an answer to the client says of the tools and of the revision.
    fn note(&mut self, id: &Id, result: Option<&str>) {
        if self.lists.remove(id) {
            let page = result.and_then(|result| Page::read(result).ok());
            // A listing without a word of a change is how some servers change their tools.
            let differs = page.zip(self.known.as_ref()).is_some_and(|(page, known)| known.differs(&page));
            self.epoch += u64::from(differs);
        }
        if self.initialize.as_ref() == Some(id) {
            self.initialize = None;
            let members = result.and_then(|result| strict::members(result).ok()).unwrap_or_default();
            let revision = members.iter().find(|member| member.name == "protocolVersion");
            self.batches = revision.and_then(|member| string(member.value)).as_deref() == Some(BATCHES);
        }
    }

    /// Which state of the tools is the current one: a change has the next number.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// These are the tools as the gate knows them.
    pub fn know(&mut self, catalogue: Arc<Catalogue>) {
        self.known = Some(catalogue);
    }

    /// Whether a call that was approved, with the tools as they were then, goes to the server now.
    pub fn release(&mut self, id: &Id, ticket: Ticket, epoch: u64) -> Release {
        if self.calls.get(id) != Some(&ticket) {
            Release::GivenUp
        } else if self.epoch != epoch {
            Release::Stale
        } else {
            self.calls.remove(id);
            Release::Go
        }
    }

    /// Ends a call that does not go to the server. False when the client gave it up before, and gets no reply.
    pub fn end(&mut self, id: &Id, ticket: Ticket) -> bool {
        let current = self.calls.get(id) == Some(&ticket);
        if current {
            self.calls.remove(id);
        }
        current
    }
}

fn refused(refusal: &Refused) -> FromClient {
    FromClient::Refuse { reply: refusal.reply(), why: refusal.message.clone() }
}

/// The refusal of what is no request that could be named.
fn invalid(message: &str) -> FromClient {
    let message = message.to_owned();
    refused(&Refused { to: ReplyTo::Unknown, code: Code::InvalidRequest, message })
}

impl FromClient {
    /// The refusal of a line of more bytes than may be.
    #[must_use]
    pub fn too_long(bound: usize) -> Self {
        invalid(&format!("a message is longer than {bound} bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traffic() -> Traffic {
        Traffic::new("own-".to_owned())
    }

    fn call(id: u32) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t"}}}}"#)
    }

    /// The ticket of a call that is to be judged.
    fn ticket(traffic: &mut Traffic, id: u32) -> Ticket {
        match traffic.from_client(call(id).as_bytes()).remove(0) {
            FromClient::Judge { ticket, message, .. } => {
                assert_eq!(message, call(id));
                ticket
            }
            other => panic!("{other:?}"),
        }
    }

    fn server(traffic: &mut Traffic, line: &str) -> FromServer {
        traffic.from_server(line.as_bytes()).remove(0)
    }

    const CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

    #[test]
    fn a_call_goes_once() {
        let mut traffic = traffic();
        let ticket = ticket(&mut traffic, 1);
        let id = Id::Number(1);
        assert_eq!(traffic.release(&id, ticket + 1, 0), Release::GivenUp);
        assert_eq!(traffic.release(&id, ticket, 0), Release::Go);
        assert_eq!(traffic.release(&id, ticket, 0), Release::GivenUp);
        assert!(!traffic.end(&id, ticket));
    }

    #[test]
    fn a_call_that_was_given_up_never_goes_even_if_its_id_is_used_again() {
        let mut traffic = traffic();
        let first = ticket(&mut traffic, 1);
        let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
        assert_eq!(traffic.from_client(cancel.as_bytes()), [FromClient::GiveUp(first)]);
        assert_eq!(traffic.release(&Id::Number(1), first, 0), Release::GivenUp);
        let second = ticket(&mut traffic, 1);
        assert_eq!(traffic.release(&Id::Number(1), first, 0), Release::GivenUp);
        assert_eq!(traffic.release(&Id::Number(1), second, 0), Release::Go);
        // Now the server has it, and hears of it.
        assert_eq!(traffic.from_client(cancel.as_bytes()), [FromClient::Forward(cancel.to_owned())]);
    }

    #[test]
    fn an_id_in_use_and_one_call_too_many_are_refused() {
        let mut traffic = traffic();
        for id in 0..256 {
            ticket(&mut traffic, id);
        }
        for (id, code) in [(7, "-32600"), (256, "-31004")] {
            match traffic.from_client(call(id).as_bytes()).remove(0) {
                FromClient::Refuse { reply: Some(reply), .. } => {
                    assert!(reply.contains(&format!("\"id\":{id},")) && reply.contains(code), "{reply}");
                }
                other => panic!("{other:?}"),
            }
        }
        assert!(traffic.end(&Id::Number(3), 4));
        ticket(&mut traffic, 256);
    }

    #[test]
    fn a_change_of_the_tools_holds_up_what_was_judged_before_it() {
        let mut traffic = traffic();
        let ticket = ticket(&mut traffic, 1);
        assert_eq!(server(&mut traffic, CHANGED), FromServer::Forward(CHANGED.to_owned()));
        assert_eq!(traffic.release(&Id::Number(1), ticket, 0), Release::Stale);
        assert_eq!(traffic.release(&Id::Number(1), ticket, traffic.epoch()), Release::Go);
    }

    #[test]
    fn a_listing_that_says_something_else_than_is_known_is_a_change() {
        let mut traffic = traffic();
        let list = |traffic: &mut Traffic, tools: &str| {
            traffic.from_client(br#"{"jsonrpc":"2.0","id":"l","method":"tools/list"}"#);
            let line = format!(r#"{{"jsonrpc":"2.0","id":"l","result":{{"tools":{tools}}}}}"#);
            assert_eq!(server(traffic, &line), FromServer::Forward(line.clone()));
            traffic.epoch()
        };
        assert_eq!(list(&mut traffic, r#"[{"name":"a"}]"#), 0, "nothing is known yet");
        let mut catalogue = Catalogue::default();
        catalogue.add(Page::read(r#"{"tools":[{"name":"a"}]}"#).unwrap());
        traffic.know(Arc::new(catalogue));
        assert_eq!(list(&mut traffic, r#"[{"name":"a"}]"#), 0);
        assert_eq!(list(&mut traffic, r#"[{"name":"a","annotations":{"readOnlyHint":true}}]"#), 1);
        assert_eq!(list(&mut traffic, r#"[{"name":"b"}]"#), 2);
        // What nobody asked for says nothing.
        server(&mut traffic, r#"{"jsonrpc":"2.0","id":"l","result":{"tools":[{"name":"c"}]}}"#);
        assert_eq!(traffic.epoch(), 2);
    }

    #[test]
    fn answers_to_the_gates_own_requests_do_not_reach_the_client() {
        let mut traffic = traffic();
        let own = |result: Option<&str>| FromServer::Own {
            id: "own-1".to_owned(),
            result: result.map(str::to_owned),
        };
        let good = r#"{"jsonrpc":"2.0","id":"own-1","result":{"tools":[]}}"#;
        assert_eq!(server(&mut traffic, good), own(Some(r#"{"tools":[]}"#)));
        let bad = r#"{"jsonrpc":"2.0","id":"own-1","error":{"code":-32601,"message":"no"}}"#;
        assert_eq!(server(&mut traffic, bad), own(None));
        for other in [
            r#"{"jsonrpc":"2.0","id":"own","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"own-1","method":"sampling/createMessage"}"#,
        ] {
            assert_eq!(server(&mut traffic, other), FromServer::Forward(other.to_owned()));
        }
    }

    #[test]
    fn what_a_server_writes_beside_messages_goes_nowhere() {
        let mut traffic = traffic();
        for line in [
            "listening on port 3000",
            "7",
            "{",
            r#"{"id":1,"method":"a","method":"notifications/tools/list_changed"}"#,
        ] {
            assert!(matches!(server(&mut traffic, line), FromServer::Drop(_)), "{line}");
        }
        assert!(matches!(traffic.from_server(b"\xff\xfe").remove(0), FromServer::Drop(_)));
        assert!(traffic.from_server(b"  \r").is_empty() && traffic.from_client(b"\r").is_empty());
    }

    #[test]
    fn batches_are_taken_apart_where_the_revision_knows_them_and_refused_elsewhere() {
        let batch = format!(
            r#"[{},{},{{"jsonrpc":"2.0","id":9,"method":"ping"}},{{"jsonrpc":"2.0","id":10,"method":"tools/call"}},[1],5]"#,
            call(1),
            call(2)
        );
        for (revision, known) in [("2025-03-26", true), ("2024-11-05", false), ("2025-06-18", false)] {
            let mut traffic = traffic();
            assert!(matches!(traffic.from_client(batch.as_bytes()).as_slice(), [FromClient::Refuse { .. }]));
            traffic.from_client(br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#);
            server(
                &mut traffic,
                &format!(r#"{{"jsonrpc":"2.0","id":0,"result":{{"protocolVersion":"{revision}"}}}}"#),
            );
            let parts = traffic.from_client(batch.as_bytes());
            if known {
                assert!(
                    matches!(
                        parts.as_slice(),
                        [
                            FromClient::Judge { ticket: 1, .. },
                            FromClient::Judge { ticket: 2, .. },
                            FromClient::Forward(_),
                            FromClient::Refuse { .. },
                            FromClient::Refuse { .. },
                            FromClient::Refuse { .. }
                        ]
                    ),
                    "{parts:?}"
                );
            } else {
                assert!(matches!(parts.as_slice(), [FromClient::Refuse { .. }]), "{parts:?}");
            }
            assert!(matches!(traffic.from_client(b"[]").as_slice(), [FromClient::Refuse { .. }]));
        }
    }

    #[test]
    fn a_batch_of_the_server_is_passed_on_message_by_message() {
        let mut traffic = traffic();
        let batch = format!(r#"[{CHANGED},{{"jsonrpc":"2.0","id":"own-1","result":{{"tools":[]}}}}]"#);
        let parts = traffic.from_server(batch.as_bytes());
        assert!(matches!(parts.as_slice(), [FromServer::Forward(_), FromServer::Own { .. }]), "{parts:?}");
        assert_eq!(traffic.epoch(), 1);
    }
}
