//! What the gate itself says, to the client in the server's place and to the server in the client's.
//!
//! Promises messages of the revision that the call was made in. Knows nothing of why.

use super::message::{Id, ReplyTo, ToolCall};
use serde_json::{Value, json};

/// Why a request gets an error. The gate's own codes lie outside of the range that JSON-RPC and MCP keep for themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// Not JSON.
    ParseError,
    /// No message that may pass.
    InvalidRequest,
    /// A call that may not pass as it is.
    InvalidParams,
    /// The run is halted.
    Halted,
    /// Approval was needed and nobody could be asked.
    Unattended,
    /// The gate cannot be reached.
    Unavailable,
    /// The gate does not decide, or too much waits already.
    NotDecided,
    /// A call that is to become a task was rejected.
    Rejected,
}

impl Code {
    /// The code's number.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Self::ParseError => -32_700,
            Self::InvalidRequest => -32_600,
            Self::InvalidParams => -32_602,
            Self::Halted => -31_001,
            Self::Unattended => -31_002,
            Self::Unavailable => -31_003,
            Self::NotDecided => -31_004,
            Self::Rejected => -31_005,
        }
    }
}

/// An error in place of a result.
pub(super) fn error(to: &ReplyTo, code: Code, message: &str) -> Option<String> {
    let id = match to {
        ReplyTo::Request(id) => id.value(),
        ReplyTo::Unknown => Value::Null,
        ReplyTo::Nobody => return None,
    };
    let error = json!({ "code": code.number(), "message": format!("haltgate: {message}") });
    Some(json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string())
}

impl ToolCall {
    /// The result of a call that was rejected: what the model reads.
    #[must_use]
    pub fn rejected(&self, message: &str) -> String {
        if self.task {
            // The client expects a task and no result; what it makes of an error, it knows.
            return self.failed(Code::Rejected, message);
        }
        let content = json!([{ "type": "text", "text": message }]);
        let result = if self.stateless.is_some() {
            json!({ "resultType": "complete", "content": content, "isError": true })
        } else {
            json!({ "content": content, "isError": true })
        };
        json!({ "jsonrpc": "2.0", "id": self.id.value(), "result": result }).to_string()
    }

    /// The error of a call that was not made.
    #[must_use]
    pub fn failed(&self, code: Code, message: &str) -> String {
        error(&ReplyTo::Request(self.id.clone()), code, message).unwrap_or_default()
    }
}

/// Says for the `count`th time, from 1, that a human is asked. Progress must grow with every notification: these stay below
/// zero, where the server's own, which follow, begin.
#[must_use]
pub fn progress(token: &Id, count: u32, message: &str) -> String {
    let params = json!({
        "progressToken": token.value(),
        "progress": -1.0 / f64::from(count.max(1)),
        "message": message,
    });
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }).to_string()
}

/// A request for a page of the server's tools; `meta` is what a request of a stateless revision must carry.
#[must_use]
pub fn list_request(id: &str, cursor: Option<&str>, meta: Option<&str>) -> String {
    let mut params = serde_json::Map::new();
    if let Some(cursor) = cursor {
        params.insert("cursor".to_owned(), Value::from(cursor));
    }
    if let Some(meta) = meta.and_then(|meta| serde_json::from_str(meta).ok()) {
        params.insert("_meta".to_owned(), meta);
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": params }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> ToolCall {
        ToolCall {
            id: Id::Number(7),
            name: "t".to_owned(),
            arguments: String::new(),
            progress: None,
            task: false,
            stateless: None,
        }
    }

    #[test]
    fn a_rejection_is_a_result_of_the_revision_that_was_asked_in() {
        let text = "not \"that\"\n";
        let result = |call: &ToolCall| -> Value { serde_json::from_str(&call.rejected(text)).unwrap() };
        let expected = json!({ "content": [{ "type": "text", "text": text }], "isError": true });
        assert_eq!(result(&call()), json!({ "jsonrpc": "2.0", "id": 7, "result": expected }));
        let stateless = ToolCall { stateless: Some("{}".to_owned()), ..call() };
        assert_eq!(result(&stateless)["result"]["resultType"], "complete");
        let task = ToolCall { task: true, ..call() };
        assert_eq!(result(&task)["error"]["code"], -31_005);
        assert!(!call().rejected("a\nb").contains('\n'), "one line");
    }

    #[test]
    fn progress_grows_and_stays_below_what_a_server_begins_with() {
        let value = |count| -> f64 {
            let text = progress(&Id::Text("p".to_owned()), count, "waiting");
            serde_json::from_str::<Value>(&text).unwrap()["params"]["progress"].as_f64().unwrap()
        };
        let values: Vec<f64> = (1..100).map(value).collect();
        assert!(values.is_sorted_by(|a, b| a < b) && values.iter().all(|&value| value < 0.0), "{values:?}");
    }

    #[test]
    fn a_listing_is_asked_for_page_by_page_and_with_what_a_stateless_server_needs() {
        assert_eq!(
            list_request("h-1", None, None),
            r#"{"jsonrpc":"2.0","id":"h-1","method":"tools/list","params":{}}"#
        );
        assert_eq!(
            list_request("h-2", Some("c\""), Some(r#"{"v":1}"#)),
            r#"{"jsonrpc":"2.0","id":"h-2","method":"tools/list","params":{"cursor":"c\"","_meta":{"v":1}}}"#
        );
    }
}
