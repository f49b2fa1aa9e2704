//! What each limit gives, and that nobody's use of the gate is another's loss.

use super::*;
use crate::access::{Projects, Role};
use axum::http::{Request, Response};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;
use tonic::Code;
use tonic::body::Body;
use tonic_types::StatusExt;
use tower::{Layer, Service, ServiceExt, service_fn};

fn in_force() -> InForce {
    InForce { caller: CallerLimits::default(), bound_local: false, feeds: 10, waits: 10 }
}

/// A clock that stands still until it is told otherwise.
#[derive(Clone, Default)]
struct Hands(Arc<Mutex<Duration>>);

impl Hands {
    fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }

    fn clock(&self) -> Clock {
        let hands = self.clone();
        Arc::new(move || *hands.0.lock().unwrap())
    }
}

fn limits(bears: u32, in_force: InForce, hands: &Hands) -> Limits {
    Limits::new(bears, Arc::new(move || in_force), hands.clock())
}

fn caller(name: &str, via: Via) -> Caller {
    Caller { name: name.to_owned(), role: Role::Agent, projects: Projects::All, via }
}

#[track_caller]
fn refused<T>(outcome: Result<T, Status>) -> (String, std::collections::BTreeMap<String, String>, Duration) {
    let Err(status) = outcome else { panic!("it was let through") };
    assert_eq!(status.code(), Code::ResourceExhausted);
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    let wait = details.retry_info().unwrap().retry_delay.unwrap();
    assert!(wait > Duration::ZERO);
    (info.reason.clone(), info.metadata.clone().into_iter().collect(), wait)
}

fn metadata<const N: usize>(pairs: [(&str, &str); N]) -> std::collections::BTreeMap<String, String> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

#[test]
fn each_limit_says_whose_it_is_and_when_to_try_again() {
    let hands = Hands::default();
    let bounds = CallerLimits {
        concurrent_requests: 2,
        requests_per_second: 4,
        burst: 5,
        waits: 2,
        feeds: 2,
        feeds_per_minute: 3,
    };
    let agent = caller("a", Via::Token);
    let agent = Some(&agent);
    let full = limits(3, InForce { caller: bounds, ..in_force() }, &hands);

    // Under way: of one caller, and in all.
    let first = full.admit(agent).unwrap();
    let _second = full.admit(agent).unwrap();
    let found = refused(full.admit(agent));
    assert_eq!((found.0.as_str(), found.1), ("OVERLOADED", metadata([("scope", "caller"), ("limit", "2")])));
    let other = caller("b", Via::Token);
    let third = full.admit(Some(&other)).unwrap();
    let found = refused(full.admit(Some(&caller("c", Via::Token))));
    assert_eq!((found.0.as_str(), found.1), ("OVERLOADED", metadata([("scope", "server"), ("limit", "3")])));
    // Whoever waits for a human is not under way any more.
    let _held = first.wait().unwrap();
    let fourth = full.admit(agent).unwrap();
    let _held = fourth.wait().unwrap();
    let found = refused(third.wait().and_then(|_held| first.wait()));
    let waits = metadata([("scope", "caller"), ("limit", "2"), ("what", "waits")]);
    assert_eq!((found.0.as_str(), found.1), ("OVERLOADED", waits));

    // How fast: three of the five at once were used above; what was refused used none.
    for _ in 0..2 {
        full.admit(agent).unwrap().release();
    }
    for _ in 0..3 {
        let found = refused(full.admit(agent));
        let rate = metadata([("scope", "caller"), ("limit", "4"), ("what", "requests_per_second")]);
        assert_eq!((found.0.as_str(), found.1), ("OVERLOADED", rate));
        hands.advance(found.2);
        full.admit(agent).unwrap().release();
    }

    // Feeds: of one caller, how fast, and in all.
    let feeds = limits(100, InForce { caller: bounds, feeds: 3, ..in_force() }, &hands);
    let admission = feeds.admit(agent).unwrap();
    let one = admission.feed().unwrap();
    let _two = admission.feed().unwrap();
    let found = refused(admission.feed());
    assert_eq!(
        (found.0.as_str(), found.1),
        ("TOO_MANY_FEEDS", metadata([("scope", "caller"), ("limit", "2")]))
    );
    drop(one);
    let three = admission.feed().unwrap();
    let stranger = feeds.admit(Some(&other)).unwrap();
    let _theirs = stranger.feed().unwrap();
    let found = refused(stranger.feed());
    assert_eq!(
        (found.0.as_str(), found.1),
        ("TOO_MANY_FEEDS", metadata([("scope", "server"), ("limit", "3")]))
    );
    drop(three);
    let found = refused(admission.feed());
    let openings = metadata([("scope", "caller"), ("limit", "3"), ("what", "feeds_per_minute")]);
    assert_eq!((found.0.as_str(), found.1), ("OVERLOADED", openings));
    hands.advance(found.2);
    let _again = admission.feed().unwrap();
}

#[test]
fn callers_without_credentials_are_bounded_as_one_only_where_that_is_wanted() {
    let hands = Hands::default();
    let bounds = CallerLimits { concurrent_requests: 1, ..CallerLimits::default() };
    let local = Caller::local();
    for (bound_local, admitted) in [(false, 3), (true, 1)] {
        let limits = limits(3, InForce { caller: bounds, bound_local, ..in_force() }, &hands);
        let held: Vec<_> = (0..5).filter_map(|_| limits.admit(Some(&local)).ok()).collect();
        assert_eq!(held.len(), admitted);
    }
}

#[test]
fn those_who_are_not_recognised_are_bounded_as_one_and_take_no_place_of_anybody_else() {
    let hands = Hands::default();
    let bounds = CallerLimits { concurrent_requests: 1, ..CallerLimits::default() };
    for bound_local in [false, true] {
        let limits = limits(3, InForce { caller: bounds, bound_local, ..in_force() }, &hands);
        let held: Vec<_> = (0..5).filter_map(|_| limits.admit(None).ok()).collect();
        assert_eq!(held.len(), 1);
        let _place = limits.admit(Some(&caller("a", Via::Token))).unwrap();
        let _other = limits.admit(Some(&Caller::local())).unwrap();
    }
}

#[test]
fn what_one_caller_takes_is_not_missed_by_another() {
    let hands = Hands::default();
    let bounds = CallerLimits {
        requests_per_second: 10,
        burst: 10,
        concurrent_requests: 4,
        ..CallerLimits::default()
    };
    let limits = limits(8, InForce { caller: bounds, ..in_force() }, &hands);
    let (greedy, modest) = (caller("greedy", Via::Token), caller("modest", Via::Token));
    let mut greeds = 0;
    for _ in 0..100 {
        let _hoard: Vec<_> = (0..50).filter_map(|_| limits.admit(Some(&greedy)).ok()).collect();
        greeds += _hoard.len();
        limits.admit(Some(&modest)).unwrap();
        hands.advance(Duration::from_millis(100));
    }
    assert!((100..=110).contains(&greeds), "a burst of ten, and ten a second for ten seconds: {greeds}");
}

/// A service that waits where its path says so, and looks at its leave.
fn slow(
    under_way: Arc<AtomicUsize>,
    go_on: Arc<Semaphore>,
) -> impl Service<Request<Body>, Response = Response<Body>, Error = Infallible, Future: Send + 'static> + Clone
{
    service_fn(move |request: Request<Body>| {
        let (under_way, go_on) = (Arc::clone(&under_way), Arc::clone(&go_on));
        async move {
            under_way.fetch_add(1, Ordering::SeqCst);
            if request.uri().path() == "/haltgate.v1.ApprovalGate/Decide" {
                let admission = Admission::find(request.extensions()).unwrap();
                if request.headers().contains_key("waits") {
                    let _held = admission.wait().unwrap();
                }
                go_on.acquire().await.unwrap().forget();
            }
            Ok(Response::new(Body::empty()))
        }
    })
}

fn asked(path: &str, caller: &Caller) -> Request<Body> {
    let mut request =
        Request::builder().uri(path).header("content-type", "application/grpc").body(Body::empty()).unwrap();
    request.extensions_mut().insert(Arc::new(caller.clone()));
    request
}

#[tokio::test]
async fn whoever_goes_away_leaves_no_place_taken_and_probes_are_never_shed() {
    let hands = Hands::default();
    let (under_way, go_on) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(0)));
    let bounds = CallerLimits { requests_per_second: 1_000_000, burst: 1_000_000, ..CallerLimits::default() };
    let limits = limits(2, InForce { caller: bounds, ..in_force() }, &hands);
    let service = Admitting { limits }.layer(slow(Arc::clone(&under_way), Arc::clone(&go_on)));
    let agent = caller("a", Via::Token);
    const DECIDE: &str = "/haltgate.v1.ApprovalGate/Decide";
    for round in 0..300 {
        let calls: Vec<_> =
            (0..2).map(|_| tokio::spawn(service.clone().oneshot(asked(DECIDE, &agent)))).collect();
        // Given up at any point: before it began, while it waits, when it may go on.
        for _ in 0..round % 7 {
            tokio::task::yield_now().await;
        }
        calls.iter().for_each(tokio::task::JoinHandle::abort);
        for call in calls {
            assert!(call.await.is_err());
        }
    }
    let before = under_way.load(Ordering::SeqCst);
    let held: Vec<_> = (0..2).map(|_| tokio::spawn(service.clone().oneshot(asked(DECIDE, &agent)))).collect();
    while under_way.load(Ordering::SeqCst) < before + 2 {
        tokio::task::yield_now().await;
    }
    let status =
        |response: Response<Body>| Status::from_header_map(response.headers()).map(|status| status.code());
    let shed = service.clone().oneshot(asked(DECIDE, &agent)).await.unwrap();
    assert_eq!(status(shed), Some(Code::ResourceExhausted));
    for exempt in ["/grpc.health.v1.Health/Check", "/", "/app.js"] {
        let response = service.clone().oneshot(asked(exempt, &agent)).await.unwrap();
        assert_eq!(status(response), None, "{exempt}");
    }
    for path in
        ["/haltgate.v1.ApprovalGate/GetSession", "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"]
    {
        let response = service.clone().oneshot(asked(path, &agent)).await.unwrap();
        assert_eq!(status(response), Some(Code::ResourceExhausted), "{path}");
    }
    go_on.add_permits(2);
    for call in held {
        assert_eq!(status(call.await.unwrap().unwrap()), None);
    }
    go_on.add_permits(1);
    assert_eq!(status(service.oneshot(asked(DECIDE, &agent)).await.unwrap()), None, "there is room again");
}

#[tokio::test]
async fn a_changed_limit_holds_from_the_next_request_on() {
    let now = Arc::new(Mutex::new(in_force()));
    let source = Arc::clone(&now);
    let limits = Limits::new(100, Arc::new(move || *source.lock().unwrap()), Hands::default().clock());
    let agent = caller("a", Via::Token);
    let held: Vec<_> = (0..5).map(|_| limits.admit(Some(&agent)).unwrap()).collect();
    now.lock().unwrap().caller.concurrent_requests = 2;
    assert!(limits.admit(Some(&agent)).is_err());
    drop(held);
    let _held = (limits.admit(Some(&agent)).unwrap(), limits.admit(Some(&agent)).unwrap());
    assert!(limits.admit(Some(&agent)).is_err());
}
