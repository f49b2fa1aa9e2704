//! Attack halts: the run stays halted, other runs do not, and nobody can answer where nobody watches.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Stage, Verdict};
use std::time::Duration;
use tonic::Code;

const ATTACK: &str = "cat ~/.ssh/id_ed25519";

async fn gate() -> Gate {
    let gate =
        Gate::with(r#"{ "allow": [{ "type": "shell", "matcher": "glob", "pattern": "make *" }] }"#).await;
    gate.rater.say(ATTACK, Outcome::Attack);
    gate.open(opening("s")).await;
    gate
}

#[tokio::test]
async fn with_nobody_watching_an_attack_halts_at_once_16_18() {
    let gate = gate().await;
    // It comes at all: waiting would take an hour.
    let given = gate.decide(pb::DecideRequest { wait: true, ..in_run("r", shell("s", ATTACK)) }).await;
    assert_eq!((given.action(), given.stage(), given.run_halted), (Action::Halt, Stage::Rater, true));
    assert_eq!((given.scope(), given.escalation_id.as_str()), (Scope::Unspecified, ""));
    assert!(given.message.contains(ATTACK) && given.message.contains("rated attack by the script"));
    assert_eq!(given.rating.unwrap().outcome(), pb::Outcome::Attack);
    let session = gate.get("s").await.session.unwrap();
    assert_eq!((session.halted_runs, session.open_escalations), (vec!["r".to_owned()], 0));
}

#[tokio::test]
async fn every_later_call_of_the_run_is_halted_without_a_rating_and_a_new_run_starts_clean() {
    let gate = gate().await;
    gate.decide(in_run("r", shell("s", ATTACK))).await;
    let asked = gate.rater.count();
    for call in [shell_call("ls"), tool_call("read_file", ""), shell_call(FORBIDDEN)] {
        let given = gate.decide(in_run("r", ask("s", call))).await;
        assert_eq!((given.action(), given.stage(), given.run_halted), (Action::Halt, Stage::Rater, true));
        assert!(!given.message.is_empty());
        assert_eq!(given.halt_id, "", "this call did not halt the run");
    }
    assert_eq!(gate.rater.count(), asked);
    for request in [in_run("r2", shell("s", "ls")), shell("s", "ls"), in_run("r", shell("other", "ls"))] {
        let given = gate.decide(request).await;
        assert_eq!((given.action(), given.run_halted), (Action::Approve, false));
    }
}

#[tokio::test]
async fn calls_that_name_no_run_are_a_run_of_their_own() {
    let gate = gate().await;
    gate.decide(shell("s", ATTACK)).await;
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Halt);
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Approve);
}

#[tokio::test]
async fn a_tripwire_halts_like_a_rating_17() {
    let gate = gate().await;
    gate.rater.say("make steal", Outcome::Attack);
    let given = gate.decide(in_run("r", shell("s", "make steal"))).await;
    assert_eq!((given.action(), given.stage(), given.run_halted), (Action::Halt, Stage::AllowTripwire, true));
    assert!(!given.halt_id.is_empty());
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.stage(), Stage::AllowTripwire);
}

#[tokio::test]
async fn a_call_that_was_being_rated_when_its_run_was_halted_does_not_slip_past() {
    let gate = gate().await;
    gate.rater.delay(Duration::from_millis(300));
    let mut client = gate.client.clone();
    let parallel = tokio::spawn(async move { client.decide(in_run("r", shell("s", "ls"))).await });
    while gate.rater.count() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    gate.rater.delay(Duration::ZERO);
    assert_eq!(gate.decide(in_run("r", shell("s", ATTACK))).await.action(), Action::Halt);
    let given = parallel.await.unwrap().unwrap().into_inner();
    assert_eq!((given.action(), given.run_halted), (Action::Halt, true));
}

#[tokio::test]
async fn a_retry_of_the_call_that_halted_gets_the_same_halt() {
    let gate = gate().await;
    let first = gate.decide(named("q", in_run("r", shell("s", ATTACK)))).await;
    let again = gate.decide(named("q", in_run("r", shell("s", ATTACK)))).await;
    assert!(again.replayed);
    assert_eq!(
        (again.action(), again.decision_id, again.halt_id),
        (Action::Halt, first.decision_id, first.halt_id)
    );
}

#[tokio::test]
async fn a_halt_that_nobody_watched_needs_no_answer() {
    let gate = gate().await;
    let halt_id = gate.decide(in_run("r", shell("s", ATTACK))).await.halt_id;
    let answer = |verdict: Verdict, scope: Scope| pb::AnswerRequest {
        target: Some(pb::answer_request::Target::HaltId(halt_id.clone())),
        verdict: verdict.into(),
        scope: scope.into(),
        ..pb::AnswerRequest::default()
    };
    for (verdict, scope) in [
        (Verdict::RunAnyway, Scope::Once),
        (Verdict::Stop, Scope::Unspecified),
        (Verdict::RunAnyway, Scope::Always),
    ] {
        let failure = gate.try_answer(answer(verdict, scope)).await.unwrap_err();
        failure.expect(Code::FailedPrecondition, "NO_LONGER_OPEN");
        assert_eq!(failure.metadata("state"), "ATTACK_HALT_STATE_UNATTENDED");
    }
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Halt);
}

#[tokio::test]
async fn halted_runs_are_named_the_latest_first_at_most_a_hundred() {
    let gate = gate().await;
    for run in ["b", "c", "a"] {
        gate.decide(in_run(run, shell("s", ATTACK))).await;
    }
    assert_eq!(gate.get("s").await.session.unwrap().halted_runs, ["a", "c", "b"]);
    for number in 0..100 {
        gate.decide(in_run(&format!("n{number:03}"), shell("s", ATTACK))).await;
    }
    let named = gate.get("s").await.session.unwrap().halted_runs;
    assert_eq!((named.len(), named[0].as_str(), named[99].as_str()), (100, "n099", "n000"));
    assert_eq!(
        gate.decide(in_run("b", shell("s", "ls"))).await.action(),
        Action::Halt,
        "unnamed and halted still"
    );
}

#[tokio::test]
async fn runs_stay_halted_when_the_session_is_opened_again() {
    let gate = gate().await;
    gate.decide(in_run("r", shell("s", ATTACK))).await;
    assert!(gate.open(opening("s")).await.reopened);
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Halt);
    gate.close("s").await;
    gate.open(opening("s")).await;
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Halt);
}
