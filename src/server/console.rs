//! The console: a page for people, served with the contract over gRPC-Web on the same address.
//!
//! Promises that only this gate's own page may use it from a browser: neither another site, nor one whose name was made to
//! point here. The page runs no inline script and asks nobody else for anything. Knows nothing of what the page shows.

use super::auth::Recogniser;
use super::peer::Peer;
use crate::access::{Caller, Via};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::uri::Authority;
use axum::http::{Extensions, Response, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::routing::get;
use std::sync::Arc;
use tonic::service::Routes;
use tonic_web::GrpcWebLayer;

/// What the browser may load and do: what comes from here, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of the page: path, type and content.
const FILES: [(&str, &str, &str); 4] = [
    ("/", "text/html; charset=utf-8", include_str!("../../clients/console/dist/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_str!("../../clients/console/dist/app.js")),
    ("/app.css", "text/css; charset=utf-8", include_str!("../../clients/console/dist/app.css")),
    ("/icon.svg", "image/svg+xml", include_str!("../../clients/console/dist/icon.svg")),
];

/// Headers of every file.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Whether a path is a file of the page, which holds nothing that anybody may not see.
pub(super) fn is_file(path: &str) -> bool {
    FILES.iter().any(|(file, _, _)| *file == path)
}

/// The gRPC services as browsers can reach them, too, and the page.
pub(super) fn with_console(services: Routes, recogniser: Recogniser) -> Routes {
    let mut router = services.prepare().into_axum_router().layer(GrpcWebLayer::new());
    for (path, kind, content) in FILES {
        router = router.route(path, get(move || async move { file(kind, content) }));
    }
    Router::layer(router, from_fn_with_state(recogniser, own_page_only)).into()
}

fn file(kind: &'static str, content: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(content));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses what a browser sends for another page than this gate's own.
async fn own_page_only(State(recogniser): State<Recogniser>, request: Request, next: Next) -> Response<Body> {
    let guarded = is_guarded(request.extensions(), recogniser.asks_everybody());
    if is_own(request.uri(), request.headers(), guarded) {
        return next.run(request).await;
    }
    let text =
        "This gate answers its own page alone. Open it by its address, such as http://127.0.0.1:7878.\n";
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// Whether a request comes from this gate's own page, or from no browser at all.
///
/// A browser names the page that a request is for in `Origin`. The name that it used for this gate must be an address or
/// `localhost`: any other name may belong to somebody who had it point here, to have a page of theirs count as this gate's.
/// Where a request is `guarded` by its credentials that would gain them nothing.
fn is_own(uri: &Uri, headers: &HeaderMap, guarded: bool) -> bool {
    // Of two names nobody can tell which one others went by.
    if [header::HOST, header::ORIGIN].iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
        return false;
    }
    let is_safe = |host: &str| guarded || is_unambiguous(host);
    let addressed = uri.authority().cloned().or_else(|| authority(headers.get(header::HOST)?));
    let page = is_file(uri.path());
    match headers.get(header::ORIGIN) {
        None if !page => true,
        None => addressed.is_none_or(|addressed| is_safe(addressed.host())),
        Some(origin) => {
            let origin = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok());
            let origin = origin.as_ref().and_then(Uri::authority);
            matches!((origin, &addressed), (Some(origin), Some(addressed))
                if origin.as_str().eq_ignore_ascii_case(addressed.as_str()) && is_safe(addressed.host()))
        }
    }
}

/// Whether what a request shows is nothing that a browser shows for a page of somebody else's. A token only its own page has.
/// A certificate a browser shows by itself, but only to whom the name belongs that it asked for. What a proxy says of whom it
/// speaks for says nothing of pages: in a service mesh every request of a machine gets that on its way, whoever caused it.
fn is_guarded(extensions: &Extensions, asks_everybody: bool) -> bool {
    match extensions.get::<Arc<Caller>>().map(|caller| caller.via) {
        None => asks_everybody,
        Some(Via::Token | Via::Jwt) => true,
        Some(Via::Local) => false,
        Some(Via::Mtls) => extensions.get::<Peer>().is_some_and(|peer| peer.certificates.is_some()),
    }
}

fn authority(host: &HeaderValue) -> Option<Authority> {
    host.to_str().ok()?.parse().ok()
}

/// Whether nobody else can have this name point here.
fn is_unambiguous(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<std::net::IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, host: &str, origin: Option<&str>) -> bool {
        asked_of(path, host, origin, false)
    }

    fn asked_of(path: &str, host: &str, origin: Option<&str>, guarded: bool) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        is_own(&path.parse().unwrap(), &headers, guarded)
    }

    #[test]
    fn a_browser_may_use_the_gate_from_its_own_page_alone() {
        const RPC: &str = "/haltgate.v1.ApprovalGate/Answer";
        let own = [
            ("/", "127.0.0.1:7878", None),
            ("/app.js", "localhost:7878", None),
            ("/", "[::1]:7878", None),
            (RPC, "127.0.0.1:7878", Some("http://127.0.0.1:7878")),
            (RPC, "LOCALHOST:7878", Some("http://localhost:7878")),
            (RPC, "[::1]:7878", Some("http://[::1]:7878")),
            // No browser: a service mesh calls the gate by any name.
            (RPC, "haltgate.internal:7878", None),
        ];
        for (path, host, origin) in own {
            assert!(asked(path, host, origin), "{path} {host} {origin:?}");
        }
        let foreign = [
            // Another site, another port, a file, a frame without an origin of its own.
            (RPC, "127.0.0.1:7878", Some("https://evil.example")),
            (RPC, "127.0.0.1:7878", Some("http://127.0.0.1:9999")),
            (RPC, "127.0.0.1:7878", Some("null")),
            (RPC, "127.0.0.1:7878", Some("")),
            (RPC, "127.0.0.1:7878", Some("http://localhost:7878")),
            // A name that was made to point here.
            (RPC, "evil.example:7878", Some("http://evil.example:7878")),
            (RPC, "127.0.0.1.evil.example:7878", Some("http://127.0.0.1.evil.example:7878")),
            ("/", "evil.example:7878", None),
            ("/app.js", "localhost.evil.example", None),
        ];
        for (path, host, origin) in foreign {
            assert!(!asked(path, host, origin), "{path} {host} {origin:?}");
        }
    }

    #[test]
    fn where_everybody_shows_credentials_the_page_may_have_any_name_and_is_still_alone() {
        const RPC: &str = "/haltgate.v1.ApprovalGate/Answer";
        assert!(asked_of("/", "gate.example", None, true));
        assert!(asked_of(RPC, "gate.example", Some("https://gate.example"), true));
        assert!(!asked_of(RPC, "gate.example", Some("https://evil.example"), true));
        assert!(!asked_of(RPC, "gate.example", Some("null"), true));
    }

    #[test]
    fn a_request_with_two_names_for_the_gate_or_for_its_page_is_nobodys() {
        const RPC: &str = "/haltgate.v1.ApprovalGate/Answer";
        for (twice, second) in [
            (header::HOST, "evil.example"),
            (header::HOST, "127.0.0.1:7878"),
            (header::ORIGIN, "https://evil.example"),
            (header::ORIGIN, "http://127.0.0.1:7878"),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:7878"));
            headers.insert(header::ORIGIN, HeaderValue::from_static("http://127.0.0.1:7878"));
            assert!(is_own(&RPC.parse().unwrap(), &headers, true));
            headers.append(&twice, HeaderValue::from_static(second));
            assert!(!is_own(&RPC.parse().unwrap(), &headers, true), "{twice} {second}");
        }
    }

    #[test]
    fn credentials_that_come_by_themselves_do_not_make_another_page_this_gates_own() {
        let guarded = |via: Option<Via>, peer: Peer| {
            let mut extensions = Extensions::new();
            extensions.insert(peer);
            if let Some(via) = via {
                extensions.insert(Arc::new(Caller { via, ..Caller::local() }));
            }
            is_guarded(&extensions, true)
        };
        let far = || Peer::over_tcp("10.1.2.3:4".parse().unwrap());
        let showing = || far().showing(Some(&[vec![0x30].into()]));
        for (via, peer, expected) in [
            (Some(Via::Token), far(), true),
            (Some(Via::Jwt), far(), true),
            (Some(Via::Mtls), showing(), true),
            // A proxy's word for a certificate.
            (Some(Via::Mtls), far(), false),
            (Some(Via::Mtls), Peer::over_unix(), false),
            (Some(Via::Local), far(), false),
            (Some(Via::Local), Peer::over_unix(), false),
            // A file of the page.
            (None, far(), true),
        ] {
            assert_eq!(guarded(via, peer.clone()), expected, "{via:?} {peer:?}");
        }
    }

    #[test]
    fn the_page_loads_nothing_from_elsewhere_and_runs_nothing_inline() {
        let (_, _, index) = FILES[0];
        for forbidden in ["http://", "https://", "style=", "onload=", "onerror=", "onclick=", "<style"] {
            assert!(!index.contains(forbidden), "{forbidden}");
        }
        for script in index.split("<script").skip(1) {
            assert!(script.contains("src=\"/app.js\""), "{script}");
        }
    }
}
