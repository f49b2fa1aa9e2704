//! Operators: grants that are spent, revoked and refused, rungs, lists, and the chain.

use crate::callers::Role;
use crate::world::{PROJECTS, World, decide, request, shell};
use haltgate::client::Client;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Calls beyond its uses that a grant must not let through.
const TOO_MANY: u32 = 3;
/// Calls that may be needed to spend a grant: while the store fails, one may be refused although a use is left.
const AT_MOST: u32 = 200;

struct Operator<'a> {
    world: &'a World,
    client: &'a Client,
    /// The agent whose calls are decided: operators have none.
    agent: &'a Client,
    project: &'static str,
    /// Sessions of its own, which no agent works in.
    sessions: [String; 3],
}

/// Manages a project until the run ends.
pub(crate) async fn operator(world: Arc<World>, number: u64, project: &'static str) {
    let mut chance = world.chance(300 + number);
    let client = world.connect(project, Role::Operator).await;
    let agent = world.connect(project, Role::Agent).await;
    let mut heads = BTreeMap::new();
    while world.goes_on() {
        let sessions = [0, 1, 2].map(|index| format!("operator-{number}-{index}"));
        let operator = Operator { world: &world, client: &client, agent: &agent, project, sessions };
        let done = match chance.below(6) {
            0 | 1 => operator.bounded(u32::try_from(1 + chance.below(5)).unwrap()).await,
            2 => operator.revoked().await,
            3 => operator.refused().await,
            4 => operator.rung().await,
            _ => operator.look_around(&mut heads).await,
        };
        if done.is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(u64::try_from(chance.below(200)).unwrap())).await;
    }
}

fn exact(command: &str) -> pb::Entry {
    pb::Entry {
        r#type: pb::EntryType::Shell.into(),
        matcher: pb::Matcher::Exact.into(),
        subject_pattern: Some(pb::entry::SubjectPattern::Pattern(command.to_owned())),
        ..Default::default()
    }
}

impl Operator<'_> {
    async fn manage(&self, session: &str, operation: Operation) -> Option<pb::ManageGrantsResponse> {
        let request = pb::ManageGrantsRequest {
            session_id: session.to_owned(),
            request_id: format!("m{}", self.world.number()),
            operation: Some(operation),
            ..Default::default()
        };
        self.world.surely("managing grants", || self.client.manage_grants(request.clone())).await
    }

    async fn call(&self, session: &str, command: &str) -> Option<pb::DecideResponse> {
        let request = request(session, "", &format!("o{}", self.world.number()), shell(command));
        decide(self.world, self.agent, self.project, request).await
    }

    fn command(&self) -> String {
        format!("deploy ticket-{}", self.world.number())
    }

    async fn grant(&self, command: &str, max_uses: Option<u32>) -> Option<()> {
        let terms = max_uses.map(|_| pb::GrantTerms { max_uses, ..Default::default() });
        let add = pb::AddGrant { entry: Some(exact(command)), scope: pb::Scope::Always.into(), terms };
        self.manage("", Operation::Grant(add)).await.map(|_added| ())
    }

    fn passed(given: &pb::DecideResponse) -> bool {
        given.action() == pb::Action::Approve
    }

    /// A grant of so many uses lets exactly so many calls through, however many come at once from however many sessions.
    async fn bounded(&self, uses: u32) -> Option<()> {
        let command = self.command();
        self.grant(&command, Some(uses)).await?;
        self.world.model.lock().unwrap().bounded.push((self.project.to_owned(), command.clone(), uses));
        let [a, b, c] = &self.sessions;
        let mut passed = 0;
        for _ in 0..uses {
            let calls = tokio::join!(self.call(a, &command), self.call(b, &command), self.call(c, &command));
            for given in [calls.0?, calls.1?, calls.2?] {
                passed += u32::from(Self::passed(&given));
            }
        }
        let mut calls = 0;
        while passed < uses && calls < AT_MOST {
            passed += u32::from(Self::passed(&self.call(a, &command).await?));
            calls += 1;
        }
        for _ in 0..TOO_MANY {
            passed += u32::from(Self::passed(&self.call(b, &command).await?));
        }
        if passed != uses {
            self.world.fail(format!("a grant of {uses} uses let {passed} calls through: {command}"));
        }
        self.world.count("grants spent to the last use");
        Some(())
    }

    /// What was revoked lets nothing through any more.
    async fn revoked(&self) -> Option<()> {
        let (command, session) = (self.command(), &self.sessions[0]);
        self.grant(&command, None).await?;
        if !Self::passed(&self.call(session, &command).await?) {
            self.world.fail(format!("a grant did not hold: {command}"));
        }
        let target = pb::revoke_grant::Target::Entry(exact(&command));
        let revoke = pb::RevokeGrant { target: Some(target), scope: pb::Scope::Always.into() };
        self.manage("", Operation::Revoke(revoke)).await?;
        if Self::passed(&self.call(session, &command).await?) {
            self.world.fail(format!("a grant held although it was revoked: {command}"));
        }
        self.world.count("grants revoked");
        Some(())
    }

    /// What was refused stays refused, even for what the policy allows, until it is lifted.
    async fn refused(&self) -> Option<()> {
        let command = format!("echo refused {}", self.world.number());
        let session = &self.sessions[1];
        self.call(session, "echo to open it").await?;
        let deny = pb::AddDenial { entry: Some(exact(&command)), ..Default::default() };
        self.manage(session, Operation::Deny(deny)).await?;
        let given = self.call(session, &command).await?;
        if given.action() != pb::Action::Reject {
            self.world.fail(format!("a denial did not hold: {given:?}"));
        }
        let target = pb::lift_denial::Target::Entry(exact(&command));
        self.manage(session, Operation::Lift(pb::LiftDenial { target: Some(target) })).await?;
        let given = self.call(session, &command).await?;
        if !Self::passed(&given) {
            self.world.fail(format!("a denial held although it was lifted: {given:?}"));
        }
        self.world.count("denials lifted");
        Some(())
    }

    /// A rung that was changed is in force for the next call.
    async fn rung(&self) -> Option<()> {
        let (session, command) = (&self.sessions[2], self.command());
        self.call(session, "echo to open it").await?;
        for (rung, passes) in [(pb::Rung::Bypass, true), (pb::Rung::Assisted, false)] {
            let update = pb::UpdateSessionRequest {
                session_id: session.clone(),
                rung: rung.into(),
                ..Default::default()
            };
            self.world.surely("changing a rung", || self.client.update_session(update.clone())).await?;
            let given = self.call(session, &command).await?;
            if Self::passed(&given) != passes {
                self.world.fail(format!("{rung:?} was not in force: {given:?}"));
            }
        }
        self.world.count("rungs changed");
        Some(())
    }

    /// Lists, and the chain: what was its head is still in it.
    async fn look_around(&self, heads: &mut BTreeMap<&'static str, (u64, String)>) -> Option<()> {
        let list = pb::ListDecisionsRequest { page_size: 20, ..Default::default() };
        self.world.surely("listing decisions", || self.client.list_decisions(list.clone())).await?;
        let list = pb::ListSessionsRequest { page_size: 20, ..Default::default() };
        self.world.surely("listing sessions", || self.client.list_sessions(list.clone())).await?;
        self.manage("", Operation::List(pb::ListGrants::default())).await?;
        for project in PROJECTS {
            let (noted_sequence, noted_hash) = heads.get(project).cloned().unwrap_or_default();
            let verify = pb::VerifyAuditRequest { project: project.to_owned(), noted_sequence, noted_hash };
            // The longer the chain, the longer it takes.
            let client = self.client.clone().with_deadline(Duration::from_secs(60));
            let found = self.world.surely("verifying", || client.verify_audit(verify.clone())).await?;
            if !found.intact {
                self.world.fail(format!("the chain of {project} is broken: {found:?}"));
            }
            heads.insert(project, (found.head_sequence, found.head_hash));
        }
        self.world.count("chains verified while at work");
        Some(())
    }
}
