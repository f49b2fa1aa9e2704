//! One call on its way: judged, waited for, and forwarded or answered.
//!
//! Promises that an approval counts for the tool as its server described it then, and that whatever is no approval is an
//! answer to the client. Knows nothing of streams.

use super::operator::{pass_on, say};
use super::proxy::Shared;
use super::registrar::{Obstacle, Question, Standing};
use crate::client::{Client, Error};
use crate::mcp::{Code, Release, Ticket, ToolCall, progress};
use crate::proto::v1 as pb;
use pb::Action;
use std::time::Duration;
use tokio::sync::oneshot;
use uuid::Uuid;

/// How often the tools may change under one call.
const MAX_CHANGES: u32 = 5;

/// How often a client hears that a human is asked: well within the patience of clients.
const PROGRESS: Duration = Duration::from_secs(5);

/// What a client hears meanwhile.
const WAITING: &str = "haltgate: a human is asked whether this may run";

/// Why a call does not run.
enum Refusal {
    /// The model reads why.
    Rejected(String),
    /// The client gets an error.
    Failed(Code, String),
}

/// Judges a call, and sends it or the answer on its way.
pub(super) async fn judge(shared: &Shared, call: &ToolCall, ticket: Ticket, message: String) {
    let Err(refusal) = approve_and_forward(shared, call, ticket, message).await else { return };
    if !shared.traffic().end(&call.id, ticket) {
        return;
    }
    let reply = match refusal {
        Refusal::Rejected(why) => call.rejected(&why),
        Refusal::Failed(code, why) => call.failed(code, &why),
    };
    // A client that is gone ends everything elsewhere.
    let _gone = shared.to_client.send(reply).await;
}

async fn approve_and_forward(
    shared: &Shared,
    call: &ToolCall,
    ticket: Ticket,
    message: String,
) -> Result<(), Refusal> {
    let mut approved = None;
    for _change in 0..MAX_CHANGES {
        let standing = stand(shared, call).await?;
        if approved.as_ref() != Some(&standing.declaration) {
            let human = decide(shared, &standing.client, call).await?;
            approved = Some(standing.declaration);
            if human && call.stateless.is_some() {
                // A lot may have changed meanwhile, and such a server does not say so.
                continue;
            }
        }
        let Ok(permit) = shared.to_server.reserve().await else {
            return Err(Refusal::Failed(Code::NotDecided, "the server is gone".to_owned()));
        };
        // In one step, so that a cancellation comes behind the call or holds it back.
        let mut traffic = shared.traffic();
        match traffic.release(&call.id, ticket, standing.epoch) {
            Release::Go => {
                permit.send(message);
                return Ok(());
            }
            Release::GivenUp => return Ok(()),
            Release::Stale => {}
        }
    }
    let why = "the server changes its tools faster than they can be judged";
    Err(Refusal::Failed(Code::NotDecided, why.to_owned()))
}

/// Makes sure that the gate knows the tools as they are.
async fn stand(shared: &Shared, call: &ToolCall) -> Result<Standing, Refusal> {
    let (reply, answer) = oneshot::channel();
    let question = Question { tool: call.name.clone(), stateless: call.stateless.clone(), reply };
    let gone = || Refusal::Failed(Code::NotDecided, "the proxy is ending".to_owned());
    shared.registrar.send(question).await.map_err(|_ended| gone())?;
    answer.await.map_err(|_ended| gone())?.map_err(refusal)
}

fn refusal(obstacle: Obstacle) -> Refusal {
    match obstacle {
        Obstacle::Away => {
            Refusal::Failed(Code::Unavailable, "the gate cannot be reached, so nothing was called".to_owned())
        }
        Obstacle::Refused(why) => Refusal::Failed(
            Code::NotDecided,
            format!("the gate did not decide, so nothing was called: {why}"),
        ),
    }
}

/// Asks the gate, and waits for the human who may be asked. Whether one was.
async fn decide(shared: &Shared, client: &Client, call: &ToolCall) -> Result<bool, Refusal> {
    let failed = |error: Error| {
        let obstacle = Obstacle::from(error);
        say(&format!("a call was refused: {obstacle}"));
        refusal(obstacle)
    };
    let request = request(shared, call);
    let mut response = client.decide(request.clone()).await.map_err(failed)?;
    let human = response.action() == Action::Escalate;
    if human {
        say("a human is asked about a call; `haltgate watch` shows it");
        response = tokio::select! {
            answered = client.decide_and_wait(request, None) => answered.map_err(failed)?,
            never = keep_informed(shared, call) => never,
        };
    }
    let action = response.action();
    match action {
        Action::Approve if !response.run_halted => Ok(human),
        Action::Reject => Err(Refusal::Rejected(response.message)),
        Action::Halt | Action::Approve => {
            pass_on(&response.framed_lines);
            Err(Refusal::Failed(
                Code::Halted,
                "the run is halted; nothing is called in it any more".to_owned(),
            ))
        }
        Action::Unattended => {
            pass_on(&response.framed_lines);
            let why = "approval is needed, and nobody can be asked";
            Err(Refusal::Failed(Code::Unattended, why.to_owned()))
        }
        // Only waiting without an end was asked for.
        Action::Escalate | Action::Unspecified => {
            Err(Refusal::Failed(Code::NotDecided, "the gate did not decide".to_owned()))
        }
    }
}

fn request(shared: &Shared, call: &ToolCall) -> pb::DecideRequest {
    let place = &shared.place;
    let tool = pb::McpToolCall {
        server: place.key.clone(),
        name: call.name.clone(),
        arguments_json: call.arguments.clone(),
        cwd: place.cwd.clone(),
        home: place.home.clone(),
        justification: String::new(),
    };
    pb::DecideRequest {
        project: place.project.clone(),
        session_id: place.session.clone(),
        run_id: place.run.clone(),
        request_id: Uuid::now_v7().to_string(),
        call: Some(pb::Call { kind: Some(pb::call::Kind::McpTool(tool)) }),
        ..pb::DecideRequest::default()
    }
}

/// Tells the client again and again that a human is asked, where it wants to hear of it. Never returns.
async fn keep_informed<Never>(shared: &Shared, call: &ToolCall) -> Never {
    if let Some(token) = &call.progress {
        let mut ticks = tokio::time::interval(PROGRESS);
        for count in 1_u32.. {
            ticks.tick().await;
            if shared.to_client.send(progress(token, count, WAITING)).await.is_err() {
                break;
            }
        }
    }
    std::future::pending().await
}
