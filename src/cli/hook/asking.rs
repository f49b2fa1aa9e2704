//! Asking the gate for an agent.
//!
//! Promises that an agent is told to run a call for nothing but an approval. Knows nothing of the agents' protocols.

use super::agent::Agent;
use super::protocol::Asked;
use super::reply::Reply;
use super::{Instead, Manner};
use crate::cli::connection::Connection;
use crate::client::{Action, Decision, Error, Stage};
use crate::display::neutralise;
use std::time::Duration;

/// How long a gate that went away in the middle of a question is looked for: somebody waits for the answer.
const RECONNECT_FOR: Duration = Duration::from_secs(5);

/// Asks, and says what the agent is told.
pub(super) async fn ask(agent: Agent, manner: &Manner, connection: &Connection, asked: Asked) -> Reply {
    let attended = asked.attended && agent.can_ask();
    let unavailable = |problem: &str| {
        let what =
            format!("haltgate, which decides what may run here, is out of reach: {}", for_people(problem));
        match manner.on_unavailable {
            Instead::Ask if attended => Reply::Ask(what),
            Instead::Ask | Instead::Deny => Reply::Deny(what),
        }
    };
    let client = match connection.open_for(RECONNECT_FOR).await {
        Ok(client) => client,
        Err(failure) => return unavailable(&failure.to_string()),
    };
    let wait = manner.wait(agent);
    let mut question =
        client.session(asked.session).decide(asked.call).run_id(asked.run).wait(!wait.is_zero());
    if !asked.request.is_empty() {
        question = question.request_id(asked.request);
    }
    match question.max_wait(wait).await {
        Ok(decision) => decided(manner.then(agent), attended, &decision),
        Err(Error::AttackHalted(decision) | Error::Unattended(decision)) => {
            Reply::Stop(for_people(decision.message()))
        }
        Err(Error::GateUnavailable(status)) => unavailable(status.message()),
        Err(error @ (Error::UnexpectedAnswer(_) | Error::InvalidRequest(_) | Error::Refused(_))) => {
            Reply::Deny(for_people(&format!("haltgate did not decide: {error}")))
        }
    }
}

fn decided(then: Instead, attended: bool, decision: &Decision) -> Reply {
    match decision.action() {
        Action::Approve if decision.approved() => match decision.stage() {
            // What the gate does not judge, it does not vouch for either.
            Stage::NotGated => Reply::Pass,
            Stage::DenyList
            | Stage::Bypass
            | Stage::HardlineFloor
            | Stage::EscalateEntry
            | Stage::AllowList
            | Stage::AllowTripwire
            | Stage::Rater
            | Stage::ToolOpenWorldFloor
            | Stage::UnratedRung => Reply::Allow("haltgate approved it".to_owned()),
            Stage::Unspecified => Reply::Deny("haltgate did not say why it approved it".to_owned()),
        },
        // The message is made for the model; it is shown to people on the way.
        Action::Reject => Reply::Deny(for_people(decision.message())),
        // An attack is never put to whoever happens to sit there.
        Action::Escalate if decision.halt_id().is_some() => Reply::Stop(for_people(decision.message())),
        Action::Escalate => match then {
            Instead::Ask if attended => Reply::Ask(format!(
                "haltgate asked a human, who has not answered yet.\n{}",
                for_people(decision.message())
            )),
            Instead::Ask | Instead::Deny => Reply::Deny(
                "A human was asked whether this may run, and has not answered in time. Do something else first, or ask \
                 the user to answer in haltgate's console, for the session, before you try this again."
                    .to_owned(),
            ),
        },
        Action::Approve | Action::Halt | Action::Unattended | Action::Unspecified => {
            Reply::Deny("haltgate did not approve it".to_owned())
        }
    }
}

/// A text whose lines are safe to show.
fn for_people(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(neutralise).collect();
    lines.join("\n")
}
