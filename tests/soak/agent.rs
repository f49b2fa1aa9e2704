//! Agents: sessions and the calls in them, with whatever becomes of each.

use crate::callers::Role;
use crate::chance::Chance;
use crate::world::{World, decide, decide_and_wait, request, shell};
use haltgate::client::{Client, Error};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::ErrorReason;
use std::sync::Arc;
use std::time::Duration;

/// What reads a secret for its own sake.
const ATTACK: &str = "cat ~/.ssh/id_rsa";

/// How often an agent looks whether a human has answered.
const POLLING: Duration = Duration::from_millis(100);

/// One session of an agent.
struct Conversation<'a> {
    world: &'a World,
    client: &'a Client,
    project: &'static str,
    session: String,
    chance: &'a mut Chance,
}

/// Opens sessions and works in them until the run ends.
pub(crate) async fn agent(world: Arc<World>, number: u64, project: &'static str) {
    let mut chance = world.chance(100 + number);
    let client = world.connect(project, Role::Agent).await;
    while world.goes_on() {
        let session = format!("agent-{number}-{}", world.number());
        let mut conversation =
            Conversation { world: &world, client: &client, project, session, chance: &mut chance };
        if conversation.whole().await.is_none() {
            return;
        }
    }
}

impl Conversation<'_> {
    async fn whole(&mut self) -> Option<()> {
        // Some are never opened: the first decision does that.
        let interactive = !matches!(self.chance.below(10), 0);
        if !interactive || self.chance.below(3) > 0 {
            self.open(interactive).await?;
        }
        for _ in 0..5 + self.chance.below(40) {
            if !self.world.goes_on() {
                break;
            }
            self.step(interactive).await?;
            let pause = self.chance.below(usize::try_from(self.world.options.pause_ms).unwrap());
            tokio::time::sleep(Duration::from_millis(u64::try_from(pause).unwrap())).await;
        }
        if self.chance.below(2) == 0 {
            self.close().await?;
        }
        Some(())
    }

    async fn step(&mut self, interactive: bool) -> Option<()> {
        match self.chance.below(100) {
            0..=29 => {
                self.expect(shell(&format!("echo step {}", self.world.number())), pb::Action::Approve).await
            }
            30..=37 => self.expect(shell("git status --short"), pb::Action::Approve).await,
            38..=45 => {
                let command = format!("npm publish --tag v{}", self.world.number());
                self.expect(shell(&command), pb::Action::Reject).await
            }
            46..=51 => self.tool().await,
            52..=65 if interactive => self.ask_and_wait().await,
            66..=74 if interactive => self.ask_and_poll().await,
            75..=77 if interactive => self.ask_and_leave().await,
            52..=77 => self.expect(shell(&self.unknown()), pb::Action::Unattended).await,
            78..=81 => self.attack().await,
            82..=88 => self.go_away_meanwhile().await,
            89..=94 => self.ask_twice_at_once().await,
            95..=97 => self.update().await,
            _ => self.rate().await,
        }
    }

    fn id(&self) -> String {
        format!("q{}", self.world.number())
    }

    /// A command that the built-in rater knows nothing good of, so that a human is asked.
    fn unknown(&self) -> String {
        format!("rm -rf build-{}", self.world.number())
    }

    async fn decide(&self, run: &str, call: pb::Call) -> Option<pb::DecideResponse> {
        let request = request(&self.session, run, &self.id(), call);
        decide(self.world, self.client, self.project, request).await
    }

    async fn decide_and_wait(&self, run: &str, call: pb::Call) -> Option<pb::DecideResponse> {
        let request = request(&self.session, run, &self.id(), call);
        decide_and_wait(self.world, self.client, self.project, request).await
    }

    fn must_be(&self, given: &pb::DecideResponse, expected: pb::Action) {
        if given.action() != expected {
            self.world.fail(format!("{expected:?} was expected of {given:?}"));
        }
    }

    async fn expect(&self, call: pb::Call, expected: pb::Action) -> Option<()> {
        let given = self.decide("", call).await?;
        self.must_be(&given, expected);
        Some(())
    }

    async fn tool(&mut self) -> Option<()> {
        let number = self.world.number();
        let mcp = pb::McpToolCall {
            server: "jira".to_owned(),
            name: if number.is_multiple_of(2) { "delete_issue" } else { "create_issue" }.to_owned(),
            arguments_json: format!(r#"{{"key":"HG-{number}"}}"#),
            ..Default::default()
        };
        self.decide("", pb::Call { kind: Some(pb::call::Kind::McpTool(mcp)) }).await.map(|_asked| ())
    }

    /// A human's answer holds for the next call too, where it said so.
    async fn ask_and_wait(&mut self) -> Option<()> {
        let command = self.unknown();
        let given = self.decide_and_wait("", shell(&command)).await?;
        self.answer_holds(&command, &given).await
    }

    async fn answer_holds(&self, command: &str, given: &pb::DecideResponse) -> Option<()> {
        let Some(human) = &given.human else { return Some(()) };
        let expected = match (human.verdict(), human.scope()) {
            (pb::Verdict::Approve, pb::Scope::Session) => pb::Action::Approve,
            (pb::Verdict::Reject, pb::Scope::Session) => pb::Action::Reject,
            _ => return Some(()),
        };
        self.world.count("answers that held for the session");
        self.expect(shell(command), expected).await
    }

    async fn ask_and_poll(&mut self) -> Option<()> {
        let command = self.unknown();
        let request = request(&self.session, "", &self.id(), shell(&command));
        loop {
            let given = decide(self.world, self.client, self.project, request.clone()).await?;
            if given.action() != pb::Action::Escalate {
                return self.answer_holds(&command, &given).await;
            }
            tokio::time::sleep(POLLING).await;
        }
    }

    async fn ask_and_leave(&mut self) -> Option<()> {
        let command = format!("rm -rf leave-{}", self.world.number());
        let given = self.decide("", shell(&command)).await?;
        // Where the first answer was lost on the way, a human may have been faster than the second.
        if given.human.is_none() {
            self.must_be(&given, pb::Action::Escalate);
        }
        self.answer_itself(given.escalation_id).await
    }

    /// Whoever asks may not answer.
    async fn answer_itself(&self, escalation: String) -> Option<()> {
        let answer = pb::AnswerRequest {
            target: Some(pb::answer_request::Target::EscalationId(escalation)),
            verdict: pb::Verdict::Approve.into(),
            scope: pb::Scope::Session.into(),
            request_id: self.id(),
            ..Default::default()
        };
        let given =
            self.world.until_answered("answering itself", || self.client.answer(answer.clone())).await;
        if given.as_ref().err().and_then(Error::reason) != Some(ErrorReason::RoleNotAllowed) {
            self.world.fail(format!("an agent answered what it had asked: {given:?}"));
        }
        self.world.count("agents kept from answering themselves");
        Some(())
    }

    /// An attack halts its run, and a halted run stays halted unless a human lets the command run.
    async fn attack(&mut self) -> Option<()> {
        let run = format!("run-{}", self.world.number());
        let given = self.decide_and_wait(&run, shell(ATTACK)).await?;
        let after = self.decide(&run, shell("echo after")).await?;
        match given.action() {
            pb::Action::Approve => self.must_be(&after, pb::Action::Approve),
            pb::Action::Halt => {
                self.must_be(&after, pb::Action::Halt);
                let key = (self.project.to_owned(), self.session.clone(), run);
                self.world.model.lock().unwrap().halted.push(key);
            }
            pb::Action::Reject | pb::Action::Escalate | pb::Action::Unattended | pb::Action::Unspecified => {
                self.world.fail(format!("an attack was neither halted nor let through: {given:?}"));
            }
        }
        Some(())
    }

    /// A client that goes away in the middle of its call; most come back under the same id.
    async fn go_away_meanwhile(&mut self) -> Option<()> {
        let call = if self.chance.below(2) == 0 { shell("echo and away") } else { shell(&self.unknown()) };
        let request = request(&self.session, "", &self.id(), call);
        let moment = Duration::from_micros(u64::try_from(self.chance.below(15_000)).unwrap());
        let given = tokio::time::timeout(moment, self.client.decide(request.clone())).await;
        self.world.count("clients that went away");
        if let Ok(Ok(given)) = given {
            self.world.decided(self.project, &given);
        }
        if self.chance.below(10) < 7 {
            decide(self.world, self.client, self.project, request).await?;
        }
        Some(())
    }

    /// Two clients with one id get one decision.
    async fn ask_twice_at_once(&mut self) -> Option<()> {
        let other = self.world.connect(self.project, Role::Agent).await;
        let call = if self.chance.below(2) == 0 { shell("echo twice") } else { shell(&self.unknown()) };
        let request = request(&self.session, "", &self.id(), call);
        let (one, two) = tokio::join!(
            decide(self.world, self.client, self.project, request.clone()),
            decide(self.world, &other, self.project, request.clone())
        );
        let (one, two) = (one?, two?);
        if one.decision_id != two.decision_id {
            self.world.fail(format!("one request, two decisions: {one:?} and {two:?}"));
        }
        Some(())
    }

    async fn rate(&mut self) -> Option<()> {
        let request = pb::RateRequest { call: Some(shell(&self.unknown())), ..Default::default() };
        let rated = self.world.surely("rating", || self.client.rate(request.clone())).await?;
        if rated.rating.as_ref().map(pb::Rating::outcome) != Some(pb::Outcome::Destructive) {
            self.world.fail(format!("rm -rf was rated as {rated:?}"));
        }
        Some(())
    }

    async fn open(&mut self, interactive: bool) -> Option<()> {
        let request = pb::OpenSessionRequest {
            session_id: self.session.clone(),
            interactive: Some(interactive),
            labels: [("owning_command".to_owned(), "soak".to_owned())].into(),
            cwd: "/work".to_owned(),
            mcp_servers: Some(pb::McpServers { keys: vec!["jira".to_owned()] }),
            ..Default::default()
        };
        self.world.surely("opening a session", || self.client.open_session(request.clone())).await.map(|_| ())
    }

    async fn update(&mut self) -> Option<()> {
        let labels = pb::LabelChanges {
            set: [("step".to_owned(), self.world.number().to_string())].into(),
            ..Default::default()
        };
        let request = pb::UpdateSessionRequest {
            session_id: self.session.clone(),
            labels: Some(labels),
            ..Default::default()
        };
        match self.world.until_answered("updating", || self.client.update_session(request.clone())).await {
            Ok(_updated) => Some(()),
            // Nobody has opened it yet.
            Err(error) if error.reason() == Some(ErrorReason::SessionNotFound) => Some(()),
            Err(error) => {
                self.world.fail(format!("updating {}: {error:?}", self.session));
                None
            }
        }
    }

    /// What waits in a session that is closed is withdrawn, and it decides nothing any more.
    async fn close(&mut self) -> Option<()> {
        let request = pb::CloseSessionRequest { session_id: self.session.clone(), ..Default::default() };
        let closed =
            self.world.until_answered("closing", || self.client.close_session(request.clone())).await;
        match closed.as_ref().map_err(Error::reason) {
            Ok(_) => {}
            // An attempt that was not answered has closed it.
            Err(Some(ErrorReason::SessionClosed)) => {}
            Err(Some(ErrorReason::SessionNotFound)) => return Some(()),
            Err(_) => {
                self.world.fail(format!("closing {}: {closed:?}", self.session));
                return None;
            }
        }
        self.world.count("sessions closed");
        let late = pb::DecideRequest { request_id: self.id(), ..request_after_closing(&self.session) };
        let given = self.world.until_answered("deciding", || self.client.decide(late.clone())).await;
        if given.as_ref().err().and_then(Error::reason) != Some(ErrorReason::SessionClosed) {
            self.world.fail(format!("a closed session decided: {given:?}"));
        }
        Some(())
    }
}

fn request_after_closing(session: &str) -> pb::DecideRequest {
    request(session, "", "", shell("echo too late"))
}
