//! What is shared, what is used again, and what becomes of both when callers go away.

use super::*;
use crate::gate::{
    NegotiationContext, Outcome, RatingResult, RatingSource, RatingSubject, ReadCommand, Verdict,
};
use crate::shell::Dialect;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::{Notify, Semaphore};

/// Answers when it is told to, and says when it is asked and when it is given up on.
#[derive(Debug)]
struct Held {
    asked: AtomicUsize,
    given_up: AtomicUsize,
    arrived: Notify,
    left: Notify,
    may_answer: Semaphore,
    result: Mutex<RatingResult>,
}

struct UnderWay(Arc<Held>, bool);

impl Drop for UnderWay {
    fn drop(&mut self) {
        if !self.1 {
            self.0.given_up.fetch_add(1, Ordering::SeqCst);
            self.0.left.notify_one();
        }
    }
}

#[derive(Debug)]
struct HeldRater(Arc<Held>);

impl Rater for HeldRater {
    fn rate(&self, _request: RatingRequest) -> Rating {
        let held = Arc::clone(&self.0);
        Box::pin(async move {
            held.asked.fetch_add(1, Ordering::SeqCst);
            held.arrived.notify_one();
            let mut under_way = UnderWay(Arc::clone(&held), false);
            held.may_answer.acquire().await.unwrap().forget();
            under_way.1 = true;
            held.result.lock().unwrap().clone()
        })
    }
}

fn held() -> (Sharing, Arc<Held>) {
    let held = Arc::new(Held {
        asked: AtomicUsize::new(0),
        given_up: AtomicUsize::new(0),
        arrived: Notify::new(),
        left: Notify::new(),
        may_answer: Semaphore::new(0),
        result: Mutex::new(Ok(Verdict {
            outcome: Outcome::Safe,
            reason: "r".to_owned(),
            suggested_tool: None,
            source: RatingSource::Model("m".to_owned()),
            cause: None,
        })),
    });
    (Sharing::new(Arc::new(HeldRater(Arc::clone(&held)))), held)
}

fn request(command: &str) -> RatingRequest {
    RatingRequest {
        subject: RatingSubject::Command {
            command: ReadCommand::new(command, Dialect::Bash),
            cwd: None,
            home: None,
        },
        profile: None,
        timeout_ms: 1_000,
        context: None,
        negotiable: false,
        free_tools: Vec::new(),
    }
}

fn scope(project: &str, session: &str) -> RatingScope {
    RatingScope { project: project.to_owned(), session: session.to_owned(), share: true, reuse: true }
}

fn ask(sharing: &Sharing, request: RatingRequest, scope: RatingScope) -> tokio::task::JoinHandle<Assessed> {
    let sharing = sharing.clone();
    tokio::spawn(async move { sharing.assess(request, scope).await })
}

/// Lets every task that can run do so.
async fn settle() {
    for _ in 0..32 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn identical_questions_at_the_same_time_reach_the_rater_once() {
    let (sharing, held) = held();
    let callers: Vec<_> =
        (0..10).map(|number| ask(&sharing, request("x"), scope("p", &format!("s{}", number % 3)))).collect();
    held.arrived.notified().await;
    settle().await;
    held.may_answer.add_permits(1);
    let mut reused = 0;
    for caller in callers {
        let assessed = caller.await.unwrap();
        assert!(assessed.result.is_ok());
        reused += usize::from(assessed.reused);
    }
    assert_eq!((held.asked.load(Ordering::SeqCst), reused), (1, 9));
}

#[tokio::test]
async fn questions_that_differ_in_anything_are_asked_apart() {
    let (sharing, held) = held();
    let negotiated =
        NegotiationContext { justification: None, rounds: Vec::new(), user_messages: Vec::new() };
    let variants = [
        (request("x"), scope("p", "s")),
        (request("y"), scope("p", "s")),
        (request("x"), scope("other", "s")),
        (RatingRequest { timeout_ms: 2, ..request("x") }, scope("p", "s")),
        (RatingRequest { negotiable: true, ..request("x") }, scope("p", "s")),
        (RatingRequest { context: Some(negotiated), ..request("x") }, scope("p", "s")),
        (RatingRequest { profile: Some("m".to_owned()), ..request("x") }, scope("p", "s")),
        (RatingRequest { free_tools: vec![("ls".to_owned(), "list")], ..request("x") }, scope("p", "s")),
        (request("x"), RatingScope { share: false, reuse: false, ..scope("p", "s") }),
    ];
    let count = variants.len();
    let callers: Vec<_> =
        variants.into_iter().map(|(request, scope)| ask(&sharing, request, scope)).collect();
    settle().await;
    held.may_answer.add_permits(count);
    for caller in callers {
        assert!(!caller.await.unwrap().reused);
    }
    assert_eq!(held.asked.load(Ordering::SeqCst), count);
}

#[tokio::test]
async fn whoever_asked_first_may_go_away_and_the_last_one_ends_the_question() {
    let (sharing, held) = held();
    let first = ask(&sharing, request("x"), scope("p", "s"));
    held.arrived.notified().await;
    let second = ask(&sharing, request("x"), scope("p", "s"));
    settle().await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    settle().await;
    assert_eq!(held.given_up.load(Ordering::SeqCst), 0, "somebody still waits");
    held.may_answer.add_permits(1);
    assert!(second.await.unwrap().result.is_ok());
    assert_eq!(held.asked.load(Ordering::SeqCst), 1);

    let alone = ask(&sharing, request("y"), scope("p", "s"));
    held.arrived.notified().await;
    alone.abort();
    held.left.notified().await;
    assert_eq!(held.given_up.load(Ordering::SeqCst), 1);
    settle().await;
    assert!(sharing.desk.lock().under_way.is_empty(), "nothing is left behind");
    let anew = ask(&sharing, request("y"), scope("p", "s"));
    held.arrived.notified().await;
    held.may_answer.add_permits(1);
    assert!(anew.await.unwrap().result.is_ok());
}

#[tokio::test]
async fn a_verdict_is_used_again_in_its_session_and_nowhere_else() {
    let (sharing, held) = held();
    held.may_answer.add_permits(100);
    let asked = || held.asked.load(Ordering::SeqCst);
    let first = sharing.assess(request("x"), scope("p", "s")).await;
    let again = sharing.assess(request("x"), scope("p", "s")).await;
    assert_eq!((first.reused, again.reused, asked()), (false, true, 1));
    assert_eq!(first.result, again.result);
    for (other, count) in
        [(scope("p", "t"), 2), (scope("q", "s"), 3), (scope("p", ""), 4), (scope("p", ""), 5)]
    {
        assert!(!sharing.assess(request("x"), other).await.reused);
        assert_eq!(asked(), count);
    }
    let fresh = RatingScope { reuse: false, share: false, ..scope("p", "s") };
    assert!(!sharing.assess(request("x"), fresh).await.reused);
    let negotiated =
        NegotiationContext { justification: None, rounds: Vec::new(), user_messages: Vec::new() };
    for _ in 0..2 {
        let request = RatingRequest { context: Some(negotiated.clone()), ..request("x") };
        assert!(!sharing.assess(request, scope("p", "s")).await.reused, "a negotiated rating is its own");
    }
}

#[tokio::test]
async fn a_failure_is_never_used_again() {
    let (sharing, held) = held();
    held.may_answer.add_permits(100);
    *held.result.lock().unwrap() = Err(FailureCause::Timeout);
    for count in 1..=3 {
        let assessed = sharing.assess(request("x"), scope("p", "s")).await;
        assert_eq!((assessed.result, assessed.reused), (Err(FailureCause::Timeout), false));
        assert_eq!(held.asked.load(Ordering::SeqCst), count);
    }
    assert_eq!(sharing.kept(), 0);
}

#[tokio::test]
async fn what_is_kept_is_bounded() {
    let (sharing, held) = held();
    held.may_answer.add_permits(kept::MAX_KEPT + 10);
    for number in 0..kept::MAX_KEPT + 5 {
        sharing.assess(request(&number.to_string()), scope("p", "s")).await;
    }
    assert_eq!(sharing.kept(), kept::MAX_KEPT);
    assert!(sharing.assess(request(&(kept::MAX_KEPT + 4).to_string()), scope("p", "s")).await.reused);
    assert!(!sharing.assess(request("0"), scope("p", "s")).await.reused, "the oldest made room");
}

#[tokio::test]
async fn nothing_is_kept_for_a_session_that_is_over() {
    let (sharing, held) = held();
    held.may_answer.add_permits(100);
    for session in ["s", "t"] {
        sharing.assess(request("x"), scope("p", session)).await;
        sharing.assess(request("y"), scope("p", session)).await;
    }
    sharing.forget("p", "s");
    assert_eq!(sharing.kept(), 2);
    assert!(!sharing.assess(request("x"), scope("p", "s")).await.reused);
    assert!(sharing.assess(request("x"), scope("p", "t")).await.reused, "another session's ratings stay");
    sharing.forget("q", "t");
    assert_eq!(sharing.kept(), 3);
}
