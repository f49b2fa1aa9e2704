//! A client's message: which kind is it, and may it pass?
//!
//! Promises that a message is a tool call for the gate whenever it could be one for a server. Knows nothing of what went
//! before.

use super::catalogue::is_name;
use super::reply::{self, Code};
use super::strict::{self, Fault, Member, members, string};
use serde_json::Value;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// The request that the gate is there for.
pub(super) const CALL: &str = "tools/call";

/// The longest arguments that a gate judges, in bytes.
const MAX_ARGUMENTS: usize = 1 << 20;

/// The prefix of what a request of a stateless revision carries along.
const STATELESS: &str = "io.modelcontextprotocol/";

/// What a message may consist of, so that no reader who is lenient about case finds another one in it.
const ENVELOPE: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// What a call may consist of: what the gate would not show, no server may see.
const PARAMS: [&str; 6] = ["name", "arguments", "_meta", "task", "inputResponses", "requestState"];

/// The id of a request, or a progress token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Id {
    /// A string.
    Text(String),
    /// An integer.
    Number(i64),
}

impl Id {
    /// Reads an id.
    pub(super) fn read(value: &str) -> Option<Self> {
        string(value).map(Self::Text).or_else(|| strict::integer(value).map(Self::Number))
    }

    /// The id as JSON.
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_str()),
            Self::Number(number) => Value::from(*number),
        }
    }
}

/// A call to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The request's id.
    pub id: Id,
    /// The tool's name at its server.
    pub name: String,
    /// The arguments, exactly as the client wrote them; empty where there are none.
    pub arguments: String,
    /// Where the client wants to hear of progress.
    pub progress: Option<Id>,
    /// The call is to become a task.
    pub task: bool,
    /// What a request of a stateless revision must carry: a JSON object. Absent in the revisions with `initialize`.
    pub stateless: Option<String>,
}

/// Who is told of a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyTo {
    /// The request.
    Request(Id),
    /// Whoever sent it: it has no id that could be read.
    Unknown,
    /// A notification gets no reply.
    Nobody,
}

/// A message that does not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Who is told.
    pub to: ReplyTo,
    /// With which code.
    pub code: Code,
    /// Why.
    pub message: String,
}

impl Refused {
    /// What whoever sent it is told; nothing where nobody waits for an answer.
    #[must_use]
    pub fn reply(&self) -> Option<String> {
        reply::error(&self.to, self.code, &self.message)
    }
}

/// A client's message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message<'a> {
    /// A tool is to be called.
    Call(ToolCall),
    /// The tools are to be listed.
    List(Id),
    /// A connection begins.
    Initialize(Id),
    /// A request is given up.
    Cancelled(Id),
    /// Several messages in one line.
    Batch(Vec<&'a str>),
    /// Anything else, which passes.
    Other,
}

fn refuse<T>(to: ReplyTo, code: Code, message: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { to, code, message: message.into() })
}

/// Reads one message.
pub(super) fn read(text: &str) -> Result<Message<'_>, Refused> {
    let unreadable = |fault: Fault| Refused {
        to: ReplyTo::Unknown,
        code: Code::ParseError,
        message: format!("the message does not pass: {fault}"),
    };
    if text.trim_start().starts_with('[') {
        return strict::elements(text).map(Message::Batch).map_err(unreadable);
    }
    let envelope = Members::read(text).map_err(unreadable)?;
    let id = envelope.get("id").map(Id::read);
    let to = match &id {
        Some(Some(id)) => ReplyTo::Request(id.clone()),
        Some(None) => ReplyTo::Unknown,
        None => ReplyTo::Nobody,
    };
    if let Some(name) = envelope.unknown(&ENVELOPE) {
        return refuse(to, Code::InvalidRequest, format!("a message has no member {name}"));
    }
    if envelope.get("jsonrpc").and_then(string).as_deref() != Some("2.0") {
        return refuse(to, Code::InvalidRequest, "the message is not JSON-RPC 2.0");
    }
    let answers = envelope.has("result") || envelope.has("error");
    let Some(method) = envelope.get("method") else {
        return if answers {
            Ok(Message::Other)
        } else {
            refuse(to, Code::InvalidRequest, "the message has neither a method nor a result")
        };
    };
    let method = string(method).filter(|_| !answers);
    match (method.as_deref(), id) {
        (None, _) | (Some(_), Some(None)) => refuse(
            to,
            Code::InvalidRequest,
            "the message is neither a request, a notification nor a response",
        ),
        (Some(CALL), Some(Some(id))) => call(id, envelope.get("params")).map(Message::Call),
        (Some(CALL), None) => refuse(to, Code::InvalidRequest, "a tool is called with an id, or not at all"),
        (Some(other), _) if means_call(other) => {
            refuse(to, Code::InvalidRequest, format!("the method is spelled {CALL}"))
        }
        (Some("tools/list"), Some(Some(id))) => Ok(Message::List(id)),
        (Some("initialize"), Some(Some(id))) => Ok(Message::Initialize(id)),
        (Some("notifications/cancelled"), None) => Ok(cancelled(envelope.get("params"))),
        (Some(_other), _) => Ok(Message::Other),
    }
}

/// Whether a lenient server could take this method for a call.
pub(super) fn means_call(method: &str) -> bool {
    let folded = method
        .nfkc()
        .flat_map(char::to_lowercase)
        .filter(|letter| !letter.is_whitespace() && !letter.is_control());
    // One more than a call has is as good as the rest of it.
    folded.take(CALL.len() + 1).collect::<String>() == CALL
}

fn cancelled<'a>(params: Option<&str>) -> Message<'a> {
    let params = params.and_then(|params| Members::read(params).ok());
    let id = params.and_then(|params| params.get("requestId").and_then(Id::read));
    id.map_or(Message::Other, Message::Cancelled)
}

fn call(id: Id, params: Option<&str>) -> Result<ToolCall, Refused> {
    let to = ReplyTo::Request(id.clone());
    let wrong = |message: String| Refused { to: to.clone(), code: Code::InvalidParams, message };
    let ambiguous = |fault: Fault| wrong(format!("the call does not pass: {fault}"));
    let text = params.unwrap_or("null");
    strict::exact(text).map_err(ambiguous)?;
    let params = Members::read(text).map_err(ambiguous)?;
    if let Some(name) = params.unknown(&PARAMS) {
        return Err(wrong(format!("a call has no member {name}, which would reach the server unjudged")));
    }
    let name = params.get("name").and_then(string).filter(|name| is_name(name));
    let name = name.ok_or_else(|| wrong("a tool's name has 1 to 256 bytes, none of them NUL".to_owned()))?;
    let arguments = match params.get("arguments") {
        None | Some("null") => "",
        Some(arguments) if arguments.starts_with('{') => arguments,
        Some(_other) => return Err(wrong("the arguments must be an object".to_owned())),
    };
    if arguments.len() > MAX_ARGUMENTS {
        let message =
            format!("the arguments have {} bytes, and a gate judges {MAX_ARGUMENTS}", arguments.len());
        return Err(wrong(message));
    }
    let meta = match params.get("_meta") {
        None => None,
        Some(meta) => Some(Members::read(meta).map_err(ambiguous)?),
    };
    let progress = meta.as_ref().and_then(|meta| meta.get("progressToken").and_then(Id::read));
    Ok(ToolCall {
        id,
        name,
        arguments: arguments.to_owned(),
        progress,
        task: params.has("task"),
        stateless: meta.as_ref().and_then(Members::stateless),
    })
}

/// The members of an object, by name.
struct Members<'a>(HashMap<String, &'a str>);

impl<'a> Members<'a> {
    fn read(text: &'a str) -> Result<Self, Fault> {
        let named = |Member { name, value }: Member<'a>| (name, value);
        Ok(Self(members(text)?.into_iter().map(named).collect()))
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A member that is not among those known, cut for a message.
    fn unknown(&self, known: &[&str]) -> Option<String> {
        let name = self.0.keys().find(|name| !known.contains(&name.as_str()))?;
        Some(name.chars().take(60).collect())
    }

    /// What of `_meta` a stateless server needs in every request.
    fn stateless(&self) -> Option<String> {
        if !self.has("io.modelcontextprotocol/protocolVersion") {
            return None;
        }
        let kept: serde_json::Map<String, Value> = self
            .0
            .iter()
            .filter(|(name, _)| name.starts_with(STATELESS))
            .filter_map(|(name, value)| Some((name.clone(), serde_json::from_str(value).ok()?)))
            .collect();
        Some(Value::Object(kept).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str) -> ToolCall {
        match read(text) {
            Ok(Message::Call(call)) => call,
            other => panic!("{text}: {other:?}"),
        }
    }

    fn with_params(params: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#)
    }

    #[test]
    fn a_call_is_read_as_it_was_written() {
        let call = judged(
            r#" { "params" : {"_meta":{"progressToken":"p"}, "arguments" : { "a" : [ 1.50 ] } ,"name":"t"}, "method":"tools\/call", "id":"x", "jsonrpc":"2.0" } "#,
        );
        assert_eq!(call.arguments, r#"{ "a" : [ 1.50 ] }"#);
        assert_eq!((call.id, call.name.as_str()), (Id::Text("x".to_owned()), "t"));
        assert_eq!(call.progress, Some(Id::Text("p".to_owned())));
        assert!(!call.task && call.stateless.is_none());
        for none in [r#"{"name":"t"}"#, r#"{"name":"t","arguments":null}"#] {
            assert_eq!(judged(&with_params(none)).arguments, "");
        }
        assert!(judged(&with_params(r#"{"name":"t","task":{"ttl":1}}"#)).task);
    }

    #[test]
    fn a_call_of_the_stateless_revision_lends_what_listing_needs() {
        let call = judged(&with_params(
            r#"{"name":"t","requestState":"s","inputResponses":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":4,"com.example/x":1}}"#,
        ));
        assert_eq!(
            call.stateless.as_deref(),
            Some(r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#)
        );
        assert_eq!(call.progress, Some(Id::Number(4)));
    }

    #[test]
    fn what_a_server_could_read_as_another_call_is_refused() {
        let calls = [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"},"paramſ":{"name":"u"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"TOOLS/CALL","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":" tools/call\u0000","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ｔools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":[1],"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":["tools/call"],"params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","result":{},"params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}} {}"#,
            "null",
            "",
        ];
        let params = [
            r#"["t"]"#,
            r#"{"name":"t","name":"u"}"#,
            r#"{"name":"t","Name":"u"}"#,
            r#"{"name":"t","arguments":{},"Arguments":{"path":"/"}}"#,
            r#"{"name":"t","arguments":{},"args":{"path":"/"}}"#,
            r#"{"name":"t","arguments":{"path":"a","path":"b"}}"#,
            r#"{"name":"t","arguments":{"x":{"path":"a","p\u0061th":"b"}}}"#,
            r#"{"name":"t","arguments":[]}"#,
            r#"{"name":"t","arguments":"{}"}"#,
            r#"{"name":"t","arguments":{"n":9007199254740993}}"#,
            r#"{"name":"t","arguments":{"n":1e400}}"#,
            r#"{"name":"t","arguments":{"s":"\ud800"}}"#,
            r#"{"name":"t\u0000"}"#,
            r#"{"name":""}"#,
            r#"{"name":7}"#,
            r#"{"arguments":{}}"#,
            r#"{"name":"t","_meta":{"a":1,"a":2}}"#,
            r#"{"name":"t","_meta":7}"#,
        ];
        let params = params.map(with_params);
        let deep = with_params(&format!(
            r#"{{"name":"t","arguments":{{"a":{}1{}}}}}"#,
            "[".repeat(70),
            "]".repeat(70)
        ));
        let big =
            with_params(&format!(r#"{{"name":"t","arguments":{{"a":"{}"}}}}"#, "x".repeat(MAX_ARGUMENTS)));
        for text in calls.into_iter().chain(params.iter().map(String::as_str)).chain([&*deep, &*big]) {
            assert!(read(text).is_err(), "{}", text.get(..200).unwrap_or(text));
        }
    }

    #[test]
    fn a_refusal_goes_to_the_request_that_it_is_about() {
        let to = |text: &str| read(text).unwrap_err().to;
        assert_eq!(
            to(r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{}}"#),
            ReplyTo::Request(Id::Text("a".to_owned()))
        );
        assert_eq!(to(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}"#), ReplyTo::Nobody);
        assert_eq!(to(r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#), ReplyTo::Unknown);
        assert_eq!(to("{"), ReplyTo::Unknown);
    }

    #[test]
    fn everything_else_passes() {
        let other = [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/callx","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a","uri":"b"}}"#,
            r#"{"jsonrpc":"2.0","id":"s-1","result":{"text":"\ud800","n":1e30}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.5}}"#,
        ];
        for text in other {
            assert_eq!(read(text), Ok(Message::Other), "{text}");
        }
        assert_eq!(
            read(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"r"}}"#
            ),
            Ok(Message::Cancelled(Id::Number(5)))
        );
        assert_eq!(
            read(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#),
            Ok(Message::List(Id::Number(2)))
        );
        assert_eq!(read(r#" [ {"a":1} , 2 ] "#), Ok(Message::Batch(vec![r#"{"a":1}"#, "2"])));
    }
}
