//! The conversation at `auto`, from the agent's first try to the human.

use crate::support::{Gate, answering, ask, changing, opening, shell};
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::{Action, Scope, Stage, Verdict};

fn justified(command: &str, justification: &str) -> pb::DecideRequest {
    let shell = pb::ShellCall {
        command: command.to_owned(),
        justification: justification.to_owned(),
        ..pb::ShellCall::default()
    };
    ask("s", pb::Call { kind: Some(pb::call::Kind::Shell(shell)) })
}

/// A gate at `auto` whose rater finds `rm` destructive and `ls` safe.
async fn gate() -> Gate {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.rater.say("ls", Outcome::Safe);
    gate.rater.say("rm build/a.o", Outcome::Safe);
    gate
}

#[tokio::test]
async fn a_rejection_says_why_and_the_narrowed_command_is_approved_with_what_was_said_before() {
    let gate = gate().await;
    let task = "clean the object files".to_owned();
    gate.open(pb::OpenSessionRequest { user_messages: vec![task.clone()], ..opening("s") }).await;
    let first = gate.decide(justified("rm -rf build", "the build is stale")).await;
    assert_eq!((first.action(), first.stage()), (Action::Reject, Stage::Rater));
    assert!(first.message.contains("rated destructive by the script"), "{}", first.message);
    assert!(first.message.contains("justification"), "it says how to go on: {}", first.message);
    let budget = first.budget.unwrap();
    assert_eq!((budget.consecutive_rejections, budget.max_consecutive_rejections), (1, 3));
    let second = gate.decide(justified("rm build/a.o", "one file only")).await;
    assert_eq!((second.action(), second.scope()), (Action::Approve, Scope::Once));
    let asked = gate.rater.asked();
    assert!(asked[0].context.is_none(), "round one sees the command alone");
    let context = asked[1].context.clone().unwrap();
    assert_eq!(context.justification.as_deref(), Some("one file only"));
    assert_eq!(context.user_messages, vec![task]);
    assert_eq!(context.rounds.len(), 1);
    assert_eq!(context.rounds[0].command, "rm -rf build");
    let seen = gate.get("s").await;
    assert_eq!((seen.negotiation, seen.budget.unwrap().rejections_since_human), (None, 1));
}

#[tokio::test]
async fn the_third_rejection_in_a_row_asks_a_human_who_sees_the_whole_exchange() {
    let gate = gate().await;
    for command in ["rm a", "rm b"] {
        assert_eq!(gate.decide(justified(command, "please")).await.action(), Action::Reject);
    }
    let third = gate.decide(justified("rm c", "really")).await;
    assert_eq!((third.action(), third.stage()), (Action::Escalate, Stage::Rater));
    let settled = gate.answer(answering(&third.escalation_id, Verdict::Approve, Scope::Once)).await;
    let exchange = settled.negotiation.unwrap();
    let commands: Vec<&str> = exchange.rounds.iter().map(|round| round.command.as_str()).collect();
    assert_eq!(commands, ["rm a", "rm b", "rm c"]);
    assert_eq!((exchange.attempts, exchange.includes_pending_call), (3, true));
    let budget = gate.get("s").await.budget.unwrap();
    assert_eq!((budget.consecutive_rejections, budget.rejections_since_human), (0, 0));
    assert_eq!(gate.decide(shell("s", "rm d")).await.action(), Action::Reject, "the count begins anew");
}

#[tokio::test]
async fn an_agent_that_alternates_meets_a_human_at_its_ninth_rejection() {
    let gate = gate().await;
    for number in 1..=8 {
        let refused = gate.decide(shell("s", &format!("rm {number}"))).await;
        assert_eq!(refused.action(), Action::Reject, "rejection {number}");
        let budget = refused.budget.unwrap();
        assert_eq!((budget.consecutive_rejections, budget.rejections_since_human), (1, number));
        assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    }
    let ninth = gate.decide(shell("s", "rm 9")).await;
    assert_eq!(ninth.action(), Action::Escalate);
    let settled = gate.answer(answering(&ninth.escalation_id, Verdict::Reject, Scope::Once)).await;
    assert_eq!(settled.negotiation.unwrap().attempts, 9, "all since the last human, not only those in a row");
    assert_eq!(gate.decide(shell("s", "rm 10")).await.action(), Action::Reject);
}

#[tokio::test]
async fn a_catastrophe_is_never_argued_over_and_costs_no_round() {
    let gate = gate().await;
    gate.rater.say("dropdb prod", Outcome::Catastrophic);
    assert_eq!(gate.decide(shell("s", "rm a")).await.action(), Action::Reject);
    let asked = gate.decide(shell("s", "dropdb prod")).await;
    assert_eq!((asked.action(), asked.stage()), (Action::Escalate, Stage::Rater));
    let settled = gate.answer(answering(&asked.escalation_id, Verdict::Reject, Scope::Once)).await;
    let exchange = settled.negotiation.unwrap();
    assert_eq!(
        (exchange.rounds.len(), exchange.includes_pending_call),
        (1, false),
        "what came before is shown"
    );
}

#[tokio::test]
async fn what_the_user_says_in_between_ends_the_argument_and_reaches_the_next_one() {
    let gate = gate().await;
    for command in ["rm a", "rm b"] {
        assert_eq!(gate.decide(shell("s", command)).await.action(), Action::Reject);
    }
    let said = vec!["you may delete a and b".to_owned()];
    gate.update(pb::UpdateSessionRequest { user_messages: said.clone(), ..changing("s") }).await;
    assert_eq!(gate.decide(shell("s", "rm a")).await.action(), Action::Reject, "the first of a new argument");
    gate.decide(shell("s", "rm b")).await;
    let asked = gate.rater.asked();
    assert!(asked[2].context.is_none());
    assert_eq!(asked[3].context.clone().unwrap().user_messages, said);
}
