//! Humans: they follow both feeds and answer what is asked, sometimes two of them at once.

use crate::callers::Role;
use crate::chance::Chance;
use crate::model::Accepted;
use crate::world::World;
use haltgate::client::{Client, Event};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::ErrorReason;
use pb::answer_request::Target;
use pb::answer_response::Settled;
use std::sync::Arc;
use std::time::Duration;

/// How long a human thinks at most, in milliseconds.
const THINKING: usize = 250;
/// Silence after which a feed is made anew: the server says every second that it is alive.
const SILENCE: Duration = Duration::from_secs(5);

/// Follows a project's feeds and answers, until the run is over.
pub(crate) async fn human(world: Arc<World>, number: u64, project: &'static str) {
    let client = world.connect(project, Role::Operator).await;
    let mut chance = world.chance(200 + number);
    let mut asked =
        client.watch_escalations(pb::StreamEscalationsRequest::default()).with_silence(SILENCE).events();
    let mut halts =
        client.watch_halts(pb::StreamAttackHaltsRequest::default()).with_silence(SILENCE).events();
    while !world.is_over() {
        let begun = !asked.cursor().is_empty();
        let answer = tokio::select! {
            event = asked.next() => match event {
                Ok(Event::Raised(raised)) if raised.state() == pb::EscalationState::Open => {
                    to_escalation(&mut chance, &raised)
                }
                // Cut off within its first snapshot it has no cursor to go on behind.
                Ok(Event::Restarted) if begun => {
                    world.fail("a human's feed began anew".to_owned());
                    None
                }
                Ok(_) => None,
                Err(error) => return world.fail(format!("a human's feed ended: {error}")),
            },
            event = halts.next() => match event {
                Ok(Event::Raised(raised)) if raised.state() == pb::AttackHaltState::Open => {
                    let verdict = *chance.one(&[pb::Verdict::Stop, pb::Verdict::Stop, pb::Verdict::RunAnyway]);
                    Some((Target::HaltId(raised.halt_id), verdict, pb::Scope::Once))
                }
                Ok(_) => None,
                Err(error) => return world.fail(format!("a human's feed ended: {error}")),
            },
            () = tokio::time::sleep(Duration::from_millis(200)) => None,
        };
        if let Some((target, verdict, scope)) = answer {
            // The feeds are read on while the human thinks.
            let (world, client) = (Arc::clone(&world), client.clone());
            let thinking = Duration::from_millis(u64::try_from(chance.below(THINKING)).unwrap());
            tokio::spawn(async move {
                tokio::time::sleep(thinking).await;
                give(&world, &client, target, verdict, scope).await;
            });
        }
    }
}

/// What a human says to an escalation; `None` leaves it to others, or to nobody.
fn to_escalation(chance: &mut Chance, raised: &pb::Escalation) -> Option<(Target, pb::Verdict, pb::Scope)> {
    let command = match raised.call.as_ref().and_then(|call| call.kind.as_ref()) {
        Some(pb::call::Kind::Shell(shell)) => shell.command.as_str(),
        _ => "",
    };
    let target = Target::EscalationId(raised.escalation_id.clone());
    if command.contains("leave-") && chance.below(10) < 8 {
        return None;
    }
    // Whether a grant let those through is counted; a human may not add to it.
    if command.starts_with("deploy ") {
        return Some((target, pb::Verdict::Reject, pb::Scope::Once));
    }
    let offer = raised.offer.as_ref()?;
    let approve = chance.below(10) < 6;
    let (verdict, scopes) = if approve {
        (pb::Verdict::Approve, &offer.approve_scopes)
    } else {
        (pb::Verdict::Reject, &offer.reject_scopes)
    };
    // For ever would add up to a list without end.
    let offered = |scope: &pb::Scope| *scope != pb::Scope::Always && scopes.contains(&i32::from(*scope));
    let scopes: Vec<pb::Scope> = [pb::Scope::Once, pb::Scope::Session].into_iter().filter(offered).collect();
    Some((target, verdict, *chance.one(&scopes)))
}

/// Gives an answer, and asks again until it is known what became of it.
async fn give(world: &World, client: &Client, target: Target, verdict: pb::Verdict, scope: pb::Scope) {
    let id = format!("h{}", world.number());
    let question = match &target {
        Target::EscalationId(id) | Target::HaltId(id) => id.clone(),
    };
    let request = pb::AnswerRequest {
        target: Some(target),
        verdict: verdict.into(),
        scope: scope.into(),
        request_id: id.clone(),
        ..Default::default()
    };
    let refusal = match world.until_answered("answering", || client.answer(request.clone())).await {
        Ok(settled) => {
            world.count("answers accepted");
            let answer = match settled.settled {
                Some(Settled::Escalation(escalation)) => escalation.answer,
                Some(Settled::Halt(halt)) => halt.answer,
                None => None,
            };
            // What is already held is not stored again, so that the scope may be another than was asked for.
            let Some(answer) = answer.filter(|answer| answer.verdict() == verdict) else {
                return world.fail(format!("{question} was not settled with the answer that was accepted"));
            };
            let accepted = Accepted { verdict, scope: answer.scope(), request: id };
            let recorded = world.model.lock().unwrap().answered(&question, accepted);
            if let Err(failure) = recorded {
                world.fail(failure);
            }
            return;
        }
        Err(error) => error,
    };
    match (&refusal, refusal.reason()) {
        (haltgate::client::Error::Refused(why), Some(ErrorReason::AlreadyAnswered)) => {
            world.count("answers that came second");
            let verdict = why.metadata.get("verdict").cloned().unwrap_or_default();
            world.model.lock().unwrap().beaten.push((question, verdict));
        }
        (_, Some(ErrorReason::NoLongerOpen)) => world.count("answers that came too late"),
        _ => world.fail(format!("answering {question}: {refusal:?}")),
    }
}
