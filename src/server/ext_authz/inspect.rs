//! What a proxy says of a request: does it carry a message for an MCP server, whose is it, and where is it?
//!
//! Promises that what passes unread carries no message, and that what is read is the whole body, byte for byte as the server
//! will get it. Knows nothing of JSON.

use crate::config::ExtAuthzSettings;
use crate::display::one_line;
use crate::gate::Moment;
use crate::proto::ext_authz::CheckRequest;
use crate::proto::ext_authz::attribute_context::HttpRequest;
use crate::session::DEFAULT_PROJECT;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What the gate itself tells servers; from elsewhere it is taken out.
const OWN_HEADERS: &str = "x-haltgate-";

/// With these, some servers take a method for another one.
const METHOD_OVERRIDES: [&str; 3] = ["x-http-method", "x-http-method-override", "x-method-override"];

/// The longest identity that is recorded, in bytes.
const MAX_PRINCIPAL: usize = 512;

/// How much of a text that is to blame is quoted.
const QUOTED: usize = 60;

const MICROS_PER_DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// A request that does not pass, whatever it says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The HTTP status.
    pub(super) status: i32,
    /// Why, and what to do. It goes into the log, so there is no word of the request in it.
    pub(super) message: String,
    /// What of the request is to blame, for whoever sent it; empty where that is plain.
    pub(super) blamed: String,
}

/// Where the calls of a request belong.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The key of the server that it goes to.
    pub(super) server: String,
    pub(super) project: String,
    pub(super) session: String,
    pub(super) run: String,
    /// Who asks, as the records have it.
    pub(super) caller: String,
}

/// What there is to read in a request.
#[derive(Debug)]
pub(super) enum Inspected<'r> {
    /// It carries no message.
    Passes,
    /// A message for a server.
    Posted {
        place: Place,
        body: &'r [u8],
        /// The headers in which a client repeats its method and what it calls.
        repeated: [Option<String>; 2],
    },
}

/// Looks at a request. `proxy` is who the gate knows the proxy to be.
///
/// # Errors
/// It does not pass.
pub(super) fn inspect<'r>(
    check: &'r CheckRequest,
    settings: &ExtAuthzSettings,
    now: Moment,
    proxy: &str,
) -> Result<Inspected<'r>, Refusal> {
    let attributes = check.attributes.as_ref();
    let Some(http) = attributes.and_then(|all| all.request.as_ref()?.http.as_ref()) else {
        return refuse(403, "the proxy describes no HTTP request");
    };
    let headers = Headers::of(http);
    if headers.has("upgrade") {
        return refuse(403, "a connection that changes its protocol would carry calls unseen");
    }
    match http.method.as_str() {
        "POST" => {}
        // Streams are opened and sessions ended so; without a body there is nothing in them that a server could call.
        "GET" | "HEAD" | "OPTIONS" | "DELETE" => {
            let bare = http.body.is_empty()
                && http.raw_body.is_empty()
                && headers.only("content-length")?.is_none_or(|length| length == "0")
                && !headers.has("transfer-encoding");
            return if bare { Ok(Inspected::Passes) } else { refuse(400, "only a POST may have a body") };
        }
        other => return blame(405, "this method is not let through", cut(other)),
    }
    let path = http.path.split('?').next().unwrap_or_default();
    let Some((server, place)) = settings.server(&http.host, path) else {
        let place = format!("{}{}", cut(&http.host), cut(path));
        return blame(403, "no server of ext_authz.servers is meant by where this goes", place);
    };
    let body = whole_body(http, &headers)?;
    let principal = attributes.and_then(|all| all.source.as_ref()).map_or("", |source| &source.principal);
    // As strict as for every other name in records: nothing in it may look like another.
    if principal.len() > MAX_PRINCIPAL || one_line(principal) != *principal {
        return refuse(
            403,
            "the caller's identity is too long to be recorded, or holds what cannot be shown",
        );
    }
    let named = headers.only(&settings.session_header)?.filter(|value| !value.is_empty());
    // Proxies join what comes several times: the server might take another one of them, in which the run is halted.
    if named.is_some_and(|named| named.contains(',')) {
        return refuse(400, "the header that names the session names several");
    }
    let session = session(principal, server, named);
    // Where nothing tells one conversation from the next, a halt holds for the rest of the day.
    let run =
        named.map_or_else(|| format!("day-{}", now.0.div_euclid(MICROS_PER_DAY)), |_named| session.clone());
    let owned = |value: Option<&str>| value.map(str::to_owned);
    let caller = if principal.is_empty() { proxy.to_owned() } else { format!("{principal} through {proxy}") };
    Ok(Inspected::Posted {
        place: Place {
            server: server.to_owned(),
            project: place.project.clone().unwrap_or_else(|| DEFAULT_PROJECT.to_owned()),
            session,
            run,
            caller,
        },
        body,
        repeated: [owned(headers.only("mcp-method")?), owned(headers.only("mcp-name")?)],
    })
}

/// The headers that no server is to see.
pub(super) fn stripped(http: &HttpRequest) -> Vec<String> {
    let own = |name: &String| {
        let name = folded(name);
        name.starts_with(OWN_HEADERS) || METHOD_OVERRIDES.contains(&name.as_str())
    };
    // By the names that they have: the proxy takes out no others.
    let named = http
        .headers
        .keys()
        .chain(http.header_map.iter().flat_map(|map| map.headers.iter().map(|header| &header.key)));
    let names: BTreeSet<String> = named.map(|name| name.to_ascii_lowercase()).filter(own).collect();
    names.into_iter().collect()
}

/// A header's name, as servers tell them apart: some take an underscore for a hyphen.
fn folded(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

fn refuse<T>(status: i32, message: &str) -> Result<T, Refusal> {
    blame(status, message, String::new())
}

fn blame<T>(status: i32, message: &str, blamed: String) -> Result<T, Refusal> {
    Err(Refusal { status, message: message.to_owned(), blamed })
}

fn cut(text: &str) -> String {
    text.chars().take(QUOTED).collect()
}

/// The body, if that is what the server will read.
fn whole_body<'r>(http: &'r HttpRequest, headers: &Headers) -> Result<&'r [u8], Refusal> {
    if !headers.only("content-type")?.is_some_and(is_json) {
        return refuse(415, "a message is posted as application/json in UTF-8");
    }
    for coded in ["content-encoding", "content-transfer-encoding"] {
        if headers.only(coded)?.is_some_and(|coding| !coding.eq_ignore_ascii_case("identity")) {
            return refuse(415, "a compressed message cannot be judged: send it as it is");
        }
    }
    if headers.only("transfer-encoding")?.is_some_and(|coding| !coding.eq_ignore_ascii_case("chunked")) {
        return refuse(
            400,
            "only whole bodies can be judged: the transfer encoding must be chunked or absent",
        );
    }
    if headers.only("x-envoy-auth-partial-body")?.is_some_and(|partial| partial != "false") {
        return refuse(
            413,
            "the proxy hands over a part of the message only: raise max_request_bytes in its ext_authz filter",
        );
    }
    if !http.body.is_empty() {
        return refuse(
            403,
            "the proxy hands over the message as text, which it may have altered: set pack_as_bytes in its ext_authz filter",
        );
    }
    let body = http.raw_body.as_slice();
    if body.is_empty() {
        return refuse(
            403,
            "the message is empty, or the proxy keeps it back: set with_request_body in its ext_authz filter",
        );
    }
    match headers.only("content-length")? {
        Some(length) if length.parse() != Ok(body.len()) => {
            refuse(413, "the proxy hands over another number of bytes than the message has")
        }
        Some(_) | None => Ok(body),
    }
}

/// Whether a content type is JSON in UTF-8, and nothing beside that.
fn is_json(value: &str) -> bool {
    let mut parts = value.split(';').map(str::trim);
    let json = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    let plain = |parameter: &str| {
        let parameter = parameter.to_ascii_lowercase();
        matches!(parameter.as_str(), "" | "charset=utf-8" | "charset=\"utf-8\"")
    };
    json && parts.all(plain)
}

/// The session of a caller at a server. The value of the header is no secret of the gate's to keep, so it is not recorded as it is;
/// and nobody gets into another caller's session by naming it.
fn session(principal: &str, server: &str, named: Option<&str>) -> String {
    let mut hash = Sha256::new();
    for part in [principal, server, named.unwrap_or_default()] {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    let mut name = "mcp-".to_owned();
    for byte in hash.finalize().iter().take(16) {
        // Writing into a string does not fail.
        let _written = write!(name, "{byte:02x}");
    }
    name
}

/// The headers of a request by their names as servers tell them apart, each with its values in their order.
struct Headers(BTreeMap<String, Vec<String>>);

impl Headers {
    fn of(http: &HttpRequest) -> Self {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in &http.headers {
            all.entry(folded(name)).or_default().push(value.clone());
        }
        for header in http.header_map.iter().flat_map(|map| &map.headers) {
            let value = if header.raw_value.is_empty() {
                header.value.clone()
            } else {
                String::from_utf8_lossy(&header.raw_value).into_owned()
            };
            all.entry(folded(&header.key)).or_default().push(value);
        }
        Self(all)
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The value of a header that may come once.
    fn only(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.0.get(&folded(name)).map(Vec::as_slice) {
            None => Ok(None),
            Some([value]) => Ok(Some(value)),
            Some(_several) => refuse(400, &format!("the header {name} comes several times")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Configuration;
    use crate::config::Document;
    use crate::proto::ext_authz::attribute_context::{Peer, Request};
    use crate::proto::ext_authz::{AttributeContext, HeaderMap, HeaderValue};

    const BODY: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

    fn settings() -> ExtAuthzSettings {
        let text = r#"{ "ext_authz": { "servers": { "files": { "authorities": ["files.example"], "paths": ["/mcp"] } } } }"#;
        Configuration::of(&Document::parse("test", text).unwrap()).unwrap().ext_authz().clone()
    }

    /// A post that is read, with some headers more; an empty value takes one away.
    fn post(headers: &[(&str, &str)]) -> HttpRequest {
        let length = BODY.len().to_string();
        let mut all = std::collections::HashMap::from([
            ("content-type".to_owned(), "application/json".to_owned()),
            ("content-length".to_owned(), length),
            ("x-envoy-auth-partial-body".to_owned(), "false".to_owned()),
        ]);
        for (name, value) in headers {
            if value.is_empty() {
                all.remove(*name);
            } else {
                all.insert((*name).to_owned(), (*value).to_owned());
            }
        }
        HttpRequest {
            method: "POST".to_owned(),
            path: "/mcp?x=1".to_owned(),
            host: "files.example:443".to_owned(),
            raw_body: BODY.as_bytes().to_vec(),
            headers: all,
            ..HttpRequest::default()
        }
    }

    fn from(principal: &str, http: HttpRequest) -> CheckRequest {
        CheckRequest {
            attributes: Some(AttributeContext {
                source: Some(Peer { principal: principal.to_owned() }),
                request: Some(Request { http: Some(http) }),
            }),
        }
    }

    /// The place and the body, `None` where it passes unread.
    fn look(check: &CheckRequest) -> Result<Option<(Place, Vec<u8>)>, Refusal> {
        match inspect(check, &settings(), Moment(86_400_000_000 * 3 + 5), "proxy")? {
            Inspected::Passes => Ok(None),
            Inspected::Posted { place, body, .. } => Ok(Some((place, body.to_vec()))),
        }
    }

    fn place(principal: &str, headers: &[(&str, &str)]) -> Place {
        look(&from(principal, post(headers))).unwrap().unwrap().0
    }

    #[test]
    fn a_whole_body_of_json_is_read_as_it_is() {
        let more = [
            vec![],
            vec![("content-type", "Application/JSON; charset=UTF-8")],
            vec![("content-length", ""), ("transfer-encoding", "chunked")],
            vec![("content-encoding", "identity")],
            vec![("x-envoy-auth-partial-body", "")],
        ];
        for headers in more {
            let (_, body) = look(&from("", post(&headers))).unwrap().unwrap();
            assert_eq!(body, BODY.as_bytes(), "{headers:?}");
        }
    }

    #[test]
    fn a_body_that_is_not_what_the_server_will_read_is_refused() {
        let cases = [
            (vec![("x-envoy-auth-partial-body", "true")], 413),
            (vec![("x-envoy-auth-partial-body", "false,true")], 413),
            (vec![("content-length", "41")], 413),
            (vec![("content-length", "40,40")], 413),
            (vec![("content-length", "-1")], 413),
            (vec![("content-type", "")], 415),
            (vec![("content-type", "text/plain")], 415),
            (vec![("content-type", "application/json; charset=utf-16")], 415),
            (vec![("content-type", "application/json, text/plain")], 415),
            (vec![("content-type", "application/json-rpc")], 415),
            (vec![("content-encoding", "gzip")], 415),
            (vec![("content-encoding", "identity, br")], 415),
            (vec![("transfer-encoding", "gzip, chunked")], 400),
            (vec![("upgrade", "websocket")], 403),
        ];
        for (headers, status) in cases {
            assert_eq!(look(&from("", post(&headers))).unwrap_err().status, status, "{headers:?}");
        }
        let as_text = HttpRequest { body: BODY.to_owned(), raw_body: Vec::new(), ..post(&[]) };
        let both = HttpRequest { body: BODY.to_owned(), ..post(&[]) };
        let kept_back = HttpRequest { raw_body: Vec::new(), ..post(&[("content-length", "")]) };
        for http in [as_text, both, kept_back] {
            assert_eq!(look(&from("", http.clone())).unwrap_err().status, 403, "{http:?}");
        }
        assert!(look(&CheckRequest::default()).is_err());
    }

    #[test]
    fn a_header_that_comes_twice_is_no_way_around() {
        let header = |key: &str, raw: &str| HeaderValue {
            key: key.to_owned(),
            raw_value: raw.as_bytes().to_vec(),
            ..HeaderValue::default()
        };
        let with = |headers: Vec<HeaderValue>| {
            let map = Some(HeaderMap { headers });
            from("", HttpRequest { headers: std::collections::HashMap::new(), header_map: map, ..post(&[]) })
        };
        let json = || header("Content-Type", "application/json");
        assert!(look(&with(vec![json()])).unwrap().is_some());
        for second in [
            json(),
            header("content-type", "text/plain"),
            header("x-envoy-auth-partial-body", "true"),
            header("content-encoding", "\u{0}"),
            header("content_type", "text/plain"),
            header("transfer_encoding", "gzip"),
        ] {
            assert!(look(&with(vec![json(), second.clone()])).is_err(), "{second:?}");
        }
    }

    #[test]
    fn only_what_carries_no_message_passes_unread() {
        let bare = |method: &str| HttpRequest {
            method: method.to_owned(),
            raw_body: Vec::new(),
            ..post(&[("content-length", "")])
        };
        for method in ["GET", "HEAD", "OPTIONS", "DELETE"] {
            assert_eq!(look(&from("", bare(method))), Ok(None), "{method}");
            let carries = HttpRequest { method: method.to_owned(), ..post(&[]) };
            assert!(look(&from("", carries)).is_err(), "{method} with a body");
            let announces = HttpRequest {
                headers: [("transfer-encoding".to_owned(), "chunked".to_owned())].into(),
                ..bare(method)
            };
            assert!(look(&from("", announces)).is_err(), "{method} that announces a body");
        }
        for method in ["post", "PUT", "PATCH", "QUERY", "CONNECT", "get", ""] {
            assert!(look(&from("", bare(method))).is_err(), "{method}");
        }
    }

    #[test]
    fn a_post_to_no_known_server_is_refused() {
        for (host, path) in
            [("other.example", "/mcp"), ("files.example", "/mcp/"), ("files.example", "//mcp")]
        {
            let http = HttpRequest { host: host.to_owned(), path: path.to_owned(), ..post(&[]) };
            assert_eq!(look(&from("", http)).unwrap_err().status, 403, "{host}{path}");
        }
    }

    #[test]
    fn nobody_gets_into_the_session_of_another_by_naming_it() {
        let agent = "spiffe://mesh/agent";
        let one = place(agent, &[("mcp-session-id", "s1")]);
        assert_eq!(one, place(agent, &[("mcp-session-id", "s1")]));
        assert_eq!(one.caller, "spiffe://mesh/agent through proxy");
        assert_eq!(one.run, one.session);
        assert!(!one.session.contains("s1") && one.session.len() == 36, "{}", one.session);
        let others = [
            place("spiffe://mesh/other", &[("mcp-session-id", "s1")]),
            place("", &[("mcp-session-id", "s1")]),
            place(agent, &[("mcp-session-id", "s2")]),
            place(agent, &[]),
        ];
        for other in &others {
            assert_ne!(one.session, other.session);
        }
        assert_eq!(others[3].run, "day-3");
        let long = "x".repeat(MAX_PRINCIPAL + 1);
        for unfit in [
            long.as_str(),
            "spiffe://mesh/a\nb",
            "spiffe://mesh/a\u{202e}nimda",
            "spiffe://mesh/a\u{200b}",
            " a",
        ] {
            assert!(look(&from(unfit, post(&[]))).is_err(), "{unfit:?}");
        }
    }

    #[test]
    fn a_request_that_names_two_sessions_is_in_neither() {
        // Of several, the server may take another one than the gate: one in which the run goes on.
        let joined = post(&[("mcp-session-id", "halted,fresh")]);
        let twice = post(&[("mcp-session-id", "halted"), ("mcp_session_id", "fresh")]);
        let header = |raw: &str| HeaderValue {
            key: "Mcp-Session-Id".to_owned(),
            raw_value: raw.as_bytes().to_vec(),
            ..HeaderValue::default()
        };
        let map = Some(HeaderMap { headers: vec![header("fresh")] });
        let both = HttpRequest { header_map: map, ..post(&[("mcp-session-id", "halted")]) };
        for http in [joined, twice, both] {
            assert_eq!(look(&from("", http.clone())).unwrap_err().status, 400, "{http:?}");
        }
    }

    #[test]
    fn what_the_gate_itself_says_to_servers_is_taken_out_of_requests() {
        let http = post(&[
            ("x-haltgate-decision-id", "forged"),
            ("x_haltgate_anything", "forged"),
            ("x-http-method-override", "PUT"),
            ("x-other", "kept"),
        ]);
        assert_eq!(
            stripped(&http),
            ["x-haltgate-decision-id", "x-http-method-override", "x_haltgate_anything"]
        );
    }
}
