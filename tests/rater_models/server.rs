//! A small HTTP server that does what a test tells it to, and remembers what it saw.

use serde_json::{Value, json};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

/// What becomes of a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// An answer with a status, headers and a body.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// No answer ever.
    Silence,
    /// The connection is closed without a word.
    HangUp,
    /// The head promises more than there is, and then the connection is closed.
    Cut(String),
    /// A body without an end.
    Endless,
    /// The answer comes when the test lets it.
    Held(Arc<Semaphore>, Box<Reply>),
}

impl Reply {
    pub fn ok(body: &Value) -> Self {
        Self::Answer(200, Vec::new(), body.to_string())
    }

    pub fn status(status: u16) -> Self {
        Self::Answer(status, Vec::new(), r#"{"error":{"message":"no","type":"some_error"}}"#.to_owned())
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    pub path: String,
    pub headers: Vec<(String, String)>,
    /// The body as it arrived, byte by byte.
    #[allow(dead_code, reason = "for whoever checks a signature; models get none")]
    pub raw: Vec<u8>,
    pub body: Value,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Debug, Default)]
struct Log {
    seen: Vec<Seen>,
    in_flight: usize,
    most_in_flight: usize,
}

#[derive(Debug)]
struct Shared {
    script: Mutex<VecDeque<Reply>>,
    otherwise: Mutex<Reply>,
    log: Mutex<Log>,
    arrived: watch::Sender<usize>,
    gone: watch::Sender<usize>,
}

/// The running server.
#[derive(Debug, Clone)]
pub struct Server {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// A server that answers so, unless the script says otherwise.
    pub async fn start(otherwise: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            script: Mutex::default(),
            otherwise: Mutex::new(otherwise),
            log: Mutex::default(),
            arrived: watch::channel(0).0,
            gone: watch::channel(0).0,
        });
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connection(stream, Arc::clone(&serving)));
            }
        });
        Self { address, shared }
    }

    /// The next requests are answered so, in order.
    pub fn script(&self, replies: impl IntoIterator<Item = Reply>) {
        self.shared.script.lock().unwrap().extend(replies);
    }

    /// From now on, what the script does not say is answered so.
    pub fn otherwise(&self, reply: Reply) {
        *self.shared.otherwise.lock().unwrap() = reply;
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.shared.log.lock().unwrap().seen.clone()
    }

    pub fn count(&self) -> usize {
        self.shared.log.lock().unwrap().seen.len()
    }

    pub fn most_in_flight(&self) -> usize {
        self.shared.log.lock().unwrap().most_in_flight
    }

    /// Waits until so many requests have arrived.
    pub async fn arrived(&self, count: usize) {
        self.shared.arrived.subscribe().wait_for(|arrived| *arrived >= count).await.unwrap();
    }

    /// Waits until so many clients went away from a request before it was answered whole.
    pub async fn gone(&self, count: usize) {
        self.shared.gone.subscribe().wait_for(|gone| *gone >= count).await.unwrap();
    }
}

async fn connection(mut stream: TcpStream, shared: Arc<Shared>) {
    let mut buffer = Vec::new();
    while let Some(seen) = request(&mut stream, &mut buffer).await {
        let reply = shared.script.lock().unwrap().pop_front();
        let reply = reply.unwrap_or_else(|| shared.otherwise.lock().unwrap().clone());
        {
            let mut log = shared.log.lock().unwrap();
            log.seen.push(seen);
            log.in_flight += 1;
            log.most_in_flight = log.most_in_flight.max(log.in_flight);
        }
        shared.arrived.send_modify(|count| *count += 1);
        let goes_on = answer(&mut stream, reply, &shared).await;
        shared.log.lock().unwrap().in_flight -= 1;
        if !goes_on {
            return;
        }
    }
}

/// Answers; whether the connection may carry another request.
async fn answer(stream: &mut TcpStream, reply: Reply, shared: &Shared) -> bool {
    let mut reply = reply;
    while let Reply::Held(permits, inner) = reply {
        tokio::select! {
            permit = permits.acquire() => permit.unwrap().forget(),
            () = closed(stream) => {
                shared.gone.send_modify(|count| *count += 1);
                return false;
            }
        }
        reply = *inner;
    }
    match reply {
        Reply::Answer(status, headers, body) => {
            let mut head = format!("HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n");
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            head.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
            let written = stream.write_all(head.as_bytes()).await.is_ok();
            if !written {
                shared.gone.send_modify(|count| *count += 1);
            }
            written
        }
        Reply::Silence => {
            closed(stream).await;
            shared.gone.send_modify(|count| *count += 1);
            false
        }
        Reply::HangUp => false,
        Reply::Cut(body) => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len() + 100);
            stream.write_all(head.as_bytes()).await.unwrap();
            false
        }
        Reply::Endless => {
            let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
            let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
            let mut going = stream.write_all(head.as_bytes()).await.is_ok();
            while going {
                going = stream.write_all(chunk.as_bytes()).await.is_ok();
            }
            shared.gone.send_modify(|count| *count += 1);
            false
        }
        Reply::Held(..) => unreachable!("unwrapped above"),
    }
}

/// Waits until the client goes away.
async fn closed(stream: &mut TcpStream) {
    let mut bytes = [0; 64];
    while let Ok(count) = stream.read(&mut bytes).await {
        if count == 0 {
            return;
        }
    }
}

async fn request(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> Option<Seen> {
    let head_end = loop {
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8(buffer[..head_end].to_vec()).unwrap();
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .map_or(0, |(_, value)| value.parse().unwrap());
    let end = head_end + 4 + length;
    while buffer.len() < end {
        if stream.read_buf(buffer).await.ok()? == 0 {
            return None;
        }
    }
    let raw = buffer[head_end + 4..end].to_vec();
    let body = serde_json::from_slice(&raw).unwrap_or(Value::Null);
    buffer.drain(..end);
    Some(Seen { path, headers, raw, body })
}

/// A chat completion as OpenAI answers it.
pub fn openai(content: &str) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": content, "refusal": null, "annotations": [] },
            "logprobs": null, "finish_reason": "stop",
        }],
        "usage": { "prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050 },
    })
}

/// A message as Anthropic answers it.
pub fn anthropic(input: &Value) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [
            { "type": "text", "text": "I look at the command." },
            { "type": "tool_use", "id": "toolu_1", "name": "verdict", "input": input },
        ],
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": { "input_tokens": 600, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 400, "output_tokens": 50 },
    })
}

/// A chat as Ollama answers it.
pub fn ollama(content: &str) -> Value {
    json!({
        "model": "m", "created_at": "2026-01-01T00:00:00Z",
        "message": { "role": "assistant", "content": content },
        "done": true, "done_reason": "stop", "total_duration": 1, "prompt_eval_count": 1000, "eval_count": 50,
    })
}

/// A verdict as a model writes it.
pub fn verdict(outcome: &str) -> String {
    json!({ "outcome": outcome, "reason": format!("It is {outcome}."), "suggested_tool": null }).to_string()
}
