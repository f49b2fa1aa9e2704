//! What a client posts to a server over HTTP: one message, or several in one array.
//!
//! Promises that every call in a body is found or the body refused, and an answer to every request of a body that goes no
//! further. Knows nothing of HTTP but the two headers in which a client repeats what its body says.

use super::message::{self, CALL, Id, Message, Refused, ReplyTo, ToolCall, means_call};
use super::reply::{self, Code};
use super::strict::{self, Fault, members};

/// How many calls one body may hold.
const MAX_CALLS: usize = 32;

/// How many messages one body may hold.
const MAX_MESSAGES: usize = 256;

/// What a client repeats in headers, for readers of headers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repeated<'a> {
    /// The method, where it does.
    pub method: Option<&'a str>,
    /// What is called, where it does.
    pub name: Option<&'a str>,
}

/// A body that can be read in one way only.
#[derive(Debug, PartialEq, Eq)]
pub struct Posted {
    batch: bool,
    requests: Vec<Request>,
}

/// What expects an answer.
#[derive(Debug, PartialEq, Eq)]
enum Request {
    Call(ToolCall),
    Other(Id),
}

impl Posted {
    /// Reads a body.
    ///
    /// # Errors
    /// A server could read it in another way, or it holds what may not pass.
    pub fn read(body: &[u8], repeated: Repeated<'_>) -> Result<Self, Refused> {
        let text = one_line(body)?;
        let read = message::read(text)?;
        let batch = matches!(read, Message::Batch(_));
        let messages = match read {
            Message::Batch(messages) if messages.is_empty() => return Err(invalid("the batch is empty")),
            Message::Batch(messages) if messages.len() > MAX_MESSAGES => {
                return Err(invalid(&format!("a batch holds at most {MAX_MESSAGES} messages")));
            }
            Message::Batch(messages) => {
                let read = messages.into_iter().map(|text| Ok((text, message::read(text)?)));
                read.collect::<Result<Vec<_>, Refused>>()?
            }
            single => vec![(text, single)],
        };
        let requests = messages.into_iter().map(|(text, read)| Request::of(text, read));
        let requests = requests.collect::<Result<Vec<_>, Refused>>()?.into_iter().flatten().collect();
        let posted = Self { batch, requests };
        if posted.calls().count() > MAX_CALLS {
            return Err(invalid(&format!("a batch holds at most {MAX_CALLS} calls")));
        }
        posted.agrees(repeated)?;
        Ok(posted)
    }

    /// The calls, in their order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.requests.iter().filter_map(|request| match request {
            Request::Call(call) => Some(call),
            Request::Other(_) => None,
        })
    }

    /// What the client gets in the server's place: of every call what `answer` says, of everything else that it did not reach
    /// the server.
    pub fn answered(&self, mut answer: impl FnMut(&ToolCall) -> String) -> String {
        let answers = self.requests.iter().map(|request| match request {
            Request::Call(call) => answer(call),
            Request::Other(id) => {
                let message = "this did not reach the server, because a call beside it was refused";
                reply::error(&ReplyTo::Request(id.clone()), Code::NotDecided, message).unwrap_or_default()
            }
        });
        let answers: Vec<String> = answers.collect();
        if self.batch { format!("[{}]", answers.join(",")) } else { answers.concat() }
    }

    /// A server may go by the headers: they must not name a call that the body does not hold.
    fn agrees(&self, repeated: Repeated<'_>) -> Result<(), Refused> {
        let mut calls = self.calls();
        let only = if self.batch { None } else { calls.next() };
        let method = match (repeated.method, only) {
            (None, _) => true,
            (Some(method), Some(_)) => method == CALL,
            (Some(method), None) => !means_call(method),
        };
        let name = match (repeated.name, only) {
            (Some(name), Some(call)) => name == call.name,
            (Some(_), None) | (None, _) => true,
        };
        if method && name { Ok(()) } else { Err(invalid("the headers name another call than the body")) }
    }
}

impl Request {
    fn of(text: &str, read: Message<'_>) -> Result<Option<Self>, Refused> {
        Ok(match read {
            Message::Call(call) => Some(Self::Call(call)),
            Message::List(id) | Message::Initialize(id) => Some(Self::Other(id)),
            Message::Batch(_) => return Err(invalid("a batch holds no batches")),
            Message::Cancelled(_) => None,
            Message::Other => other(text).map(Self::Other),
        })
    }
}

/// The id of a request; responses and notifications expect no answer.
fn other(text: &str) -> Option<Id> {
    let members = members(text).ok()?;
    let value = |name: &str| members.iter().find(|member| member.name == name).map(|member| member.value);
    value("method")?;
    value("id").and_then(Id::read)
}

/// A body as one line: a server that passes bodies on line by line must not find two messages in one.
fn one_line(body: &[u8]) -> Result<&str, Refused> {
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    let text = strict::text(body).map_err(|fault| unreadable(&fault))?;
    if text.contains('\n') {
        return Err(invalid("the message spans several lines; send it in one"));
    }
    Ok(text)
}

fn unreadable(fault: &Fault) -> Refused {
    let message = format!("the message does not pass: {fault}");
    Refused { to: ReplyTo::Unknown, code: Code::ParseError, message }
}

fn invalid(message: &str) -> Refused {
    Refused { to: ReplyTo::Unknown, code: Code::InvalidRequest, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> Result<Posted, Refused> {
        Posted::read(body.as_bytes(), Repeated::default())
    }

    fn names(body: &str) -> Vec<String> {
        read(body).unwrap().calls().map(|call| call.name.clone()).collect()
    }

    const WIPE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wipe"}}"#;
    const PING: &str = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
    const NOTE: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    const RESPONSE: &str = r#"{"jsonrpc":"2.0","id":9,"result":{}}"#;

    #[test]
    fn every_call_of_a_body_is_found() {
        assert_eq!(names(WIPE), ["wipe"]);
        assert_eq!(names(&format!("{WIPE}\r\n")), ["wipe"]);
        assert_eq!(
            names(&format!(" [ {PING} , {WIPE},{NOTE},{} ]", WIPE.replace("wipe", "x"))),
            ["wipe", "x"]
        );
        for none in [PING, NOTE, RESPONSE, &format!("[{PING},{RESPONSE}]")] {
            assert!(names(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn what_a_server_could_read_as_something_else_is_refused() {
        let nested = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":"#;
        let utf16: Vec<u8> = WIPE.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let utf16_marked = [[0xff, 0xfe].as_slice(), &utf16].concat();
        let bodies: Vec<Vec<u8>> = vec![
            format!("{nested}\n{WIPE}\n}}").into_bytes(),
            format!("{nested}\r{WIPE}\r}}").into_bytes(),
            format!("{PING}\n{WIPE}").into_bytes(),
            format!("{PING}{WIPE}").into_bytes(),
            format!("{PING}\0").into_bytes(),
            format!("\u{feff}{WIPE}").into_bytes(),
            format!("\u{a0}{WIPE}").into_bytes(),
            format!("[{PING},[{WIPE}]]").into_bytes(),
            format!("[{PING},{}]", WIPE.replace("tools", "Tools")).into_bytes(),
            format!("[{PING},{},]", WIPE).into_bytes(),
            b"[]".to_vec(),
            Vec::new(),
            b"\n".to_vec(),
            utf16,
            utf16_marked,
            [PING.as_bytes(), &[0xff]].concat(),
            format!("[{}]", vec![WIPE; MAX_CALLS + 1].join(",")).into_bytes(),
            format!("[{}]", vec![NOTE; MAX_MESSAGES + 1].join(",")).into_bytes(),
        ];
        for body in bodies {
            let read = Posted::read(&body, Repeated::default());
            assert!(read.is_err(), "{:?}", String::from_utf8_lossy(&body));
        }
    }

    #[test]
    fn headers_that_repeat_the_body_must_agree_with_it() {
        let cases = [
            (WIPE, Some("tools/call"), Some("wipe"), true),
            (WIPE, Some("ping"), None, false),
            (WIPE, Some("Tools/Call"), None, false),
            (WIPE, None, Some("read"), false),
            (PING, Some("ping"), Some("anything"), true),
            (PING, Some("tools/call"), None, false),
            (PING, Some("TOOLS/CALL"), Some("wipe"), false),
        ];
        for (body, method, name, agrees) in cases {
            let read = Posted::read(body.as_bytes(), Repeated { method, name });
            assert_eq!(read.is_ok(), agrees, "{body} {method:?} {name:?}");
        }
    }

    #[test]
    fn every_request_of_a_refused_body_is_answered_and_nothing_else() {
        let answer = |call: &ToolCall| format!("<{}>", call.name);
        assert_eq!(read(WIPE).unwrap().answered(answer), "<wipe>");
        let batch = read(&format!("[{PING},{WIPE},{NOTE},{RESPONSE}]")).unwrap().answered(answer);
        let expected = "[{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"error\":{\"code\":-31004,";
        assert!(batch.starts_with(expected) && batch.ends_with(",<wipe>]"), "{batch}");
        assert_eq!(read(&format!("[{WIPE}]")).unwrap().answered(answer), "[<wipe>]");
    }
}
