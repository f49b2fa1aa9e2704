//! Takes the steps of a scenario with the Rust client, against a real server.
//!
//! Knows no scenario by name.

use crate::matching::{Saved, difference, filled_in, part};
use crate::normal::{self, each, present, to_entry};
use crate::scenario::*;
use crate::server::{Server as Process, SilentRater};
use haltgate::client::{Address, Client, Decision, Error, Events, Options, Question};
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation as Managing;
use pb::manage_grants_response::Result as Managed;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use tokio::task::JoinHandle;

/// A guard against hanging, nothing else.
const STEP_LIMIT: Duration = Duration::from_secs(60);

enum Feed {
    Escalations(Events<pb::StreamEscalationsResponse>),
    Halts(Events<pb::StreamAttackHaltsResponse>),
}

struct World {
    server: Process,
    client: Client,
    rater: Option<SilentRater>,
    saved: Saved,
    feeds: HashMap<String, Feed>,
    background: HashMap<String, JoinHandle<Result<Decision, Error>>>,
}

/// Runs a scenario; says which step went wrong, and how.
pub(crate) async fn run(scenario: Scenario) -> Result<(), String> {
    let mut saved = Saved::new();
    let rater = if scenario.rater { Some(SilentRater::open().await) } else { None };
    if let Some(rater) = &rater {
        saved.insert("rater".to_owned(), rater.address.clone().into());
    }
    let server = Process::start(&filled_in(&scenario.gate, &saved));
    let mut options = Options::default();
    if let Some(deadline) = scenario.client.deadline_ms {
        options = options.deadline(Duration::from_millis(deadline));
    }
    if let Some(time) = scenario.client.reconnect_for_ms {
        options = options.reconnect_for(Duration::from_millis(time));
    }
    if let Some(project) = scenario.client.project {
        options = options.project(project);
    }
    let client = options.connect(&Address::Tcp(server.address.clone())).await.unwrap();
    let (feeds, background) = (HashMap::new(), HashMap::new());
    let mut world = World { server, client, rater, saved, feeds, background };
    for (number, step) in scenario.steps.iter().enumerate() {
        for _ in 0..step.times {
            let taken = tokio::time::timeout(STEP_LIMIT, world.take(step)).await;
            taken.unwrap_or_else(|_| Err("it does not come to an end".to_owned())).map_err(|problem| {
                let log = std::fs::read_to_string(world.server.path().join("log")).unwrap_or_default();
                format!("step {number} ({}): {problem}\n{log}", step.operation)
            })?;
        }
    }
    Ok(())
}

impl World {
    async fn take(&mut self, step: &Step) -> Result<(), String> {
        let with = filled_in(&Value::Object(step.with.clone()), &self.saved);
        let expected = step.expect.as_ref().map(|expected| filled_in(expected, &self.saved));
        let operation = Operation::read(&step.operation, with)?;
        if let (Some(name), Operation::Decide(decide)) = (&step.background, &operation) {
            let asked = tokio::spawn(self.question(decide).ask());
            self.background.insert(name.clone(), asked);
            return Ok(());
        }
        let events = expected.as_ref().and_then(Value::as_array).map_or(0, Vec::len);
        let result = self.perform(operation, events).await.unwrap_or_else(|error| normal::error(&error));
        match &expected {
            Some(expected) => {
                if result.get("error").is_some() && expected.get("error").is_none() {
                    return Err(format!("expected {expected}, got {result}"));
                }
                if let Some(difference) = difference(expected, Some(&result), "result") {
                    return Err(format!("{difference}\n  in {result}"));
                }
            }
            None if result.get("error").is_some() => return Err(result.to_string()),
            None => {}
        }
        for (name, path) in &step.save {
            let found = part(&result, path).ok_or_else(|| format!("there is no {path} in {result}"))?;
            self.saved.insert(name.clone(), found.clone());
        }
        Ok(())
    }

    async fn perform(&mut self, operation: Operation, events: usize) -> Result<Value, Error> {
        match operation {
            Operation::OpenSession(with) => {
                let opened = self.client.open_session(opening(with)).await?;
                Ok(normal::session(opened.session.as_ref()))
            }
            Operation::UpdateSession(with) => {
                let changed = self.client.update_session(changing(with)).await?;
                Ok(normal::session(changed.session.as_ref()))
            }
            Operation::CloseSession(CloseSession { session }) => {
                let request = pb::CloseSessionRequest { session_id: session, ..Default::default() };
                Ok(normal::session(self.client.close_session(request).await?.session.as_ref()))
            }
            Operation::Decide(with) => Ok(normal::decision(&self.question(&with).ask().await?)),
            Operation::Join(Join { background }) => {
                Ok(normal::decision(&self.background.remove(&background).unwrap().await.unwrap()?))
            }
            Operation::Rate(with) => {
                let request = pb::RateRequest {
                    session_id: with.session.unwrap_or_default(),
                    call: Some(call(with.shell, with.tool, with.mcp_tool, with.registered)),
                    profile: with.profile,
                    fresh: with.fresh,
                    ..Default::default()
                };
                Ok(normal::rating(self.client.rate(request).await?.rating.as_ref()))
            }
            Operation::Watch(with) => {
                self.watch(with);
                Ok(json!({}))
            }
            Operation::Events(FeedName { feed }) => {
                let feed = self.feeds.get_mut(&feed).unwrap();
                let mut heard = Vec::new();
                while heard.len() < events {
                    heard.push(match feed {
                        Feed::Escalations(feed) => normal::event(feed.next().await, normal::escalation),
                        Feed::Halts(feed) => normal::event(feed.next().await, normal::halt),
                    });
                }
                Ok(Value::Array(heard))
            }
            Operation::Unwatch(FeedName { feed }) => {
                let cursor = match self.feeds.remove(&feed).unwrap() {
                    Feed::Escalations(feed) => feed.cursor().to_owned(),
                    Feed::Halts(feed) => feed.cursor().to_owned(),
                };
                Ok(present(json!({ "cursor": cursor })))
            }
            Operation::Answer(with) => self.answer(with).await,
            Operation::ListGrants(with) => self.list_grants(with).await,
            Operation::ListDecisions(with) => self.list_decisions(*with).await,
            Operation::ServerInfo(Nothing {}) => {
                let info = self.client.server_info(pb::GetServerInfoRequest::default()).await?;
                Ok(present(json!({
                    "version": info.version,
                    "contract_version": info.contract_version,
                    "policy_revision": info.policy_revision,
                    "ephemeral": info.ephemeral,
                })))
            }
            Operation::Server(Server { action }) => {
                match action {
                    ServerAction::Kill => self.server.end("KILL"),
                    ServerAction::Stop => self.server.end("TERM"),
                    ServerAction::Start => self.server.start_again(),
                }
                Ok(json!({}))
            }
            Operation::Rater(Rater { action }) => {
                let rater = self.rater.as_mut().unwrap();
                match action {
                    RaterAction::Asked => rater.wait_until_asked().await,
                    RaterAction::HangUp => rater.hang_up(),
                }
                Ok(json!({}))
            }
            Operation::Grant(_)
            | Operation::Deny(_)
            | Operation::Revoke(_)
            | Operation::Lift(_)
            | Operation::ViewTrust(_)
            | Operation::ChangeTrust(_)
            | Operation::PredictTrust(_)
            | Operation::ImportGrants(_)
            | Operation::ExportGrants(_) => self.manage(operation).await,
        }
    }

    fn question(&self, with: &Decide) -> Question {
        let session = self.client.session(&with.session);
        let mut question = match (&with.shell, &with.tool, &with.mcp_tool, &with.registered) {
            (Some(shell), None, None, None) => {
                let asked = session.decide_shell(&shell.command).dialect(dialect(shell.dialect.as_deref()));
                asked.cwd(&shell.cwd).home(&shell.home).justification(&shell.justification)
            }
            (None, Some(tool), None, None) => {
                let asked = session.decide_tool(&tool.name, &tool.arguments);
                asked.cwd(&tool.cwd).home(&tool.home).justification(&tool.justification)
            }
            (None, None, Some(tool), None) => {
                let asked = session.decide_mcp(&tool.server, &tool.name, &tool.arguments);
                asked.cwd(&tool.cwd).home(&tool.home).justification(&tool.justification)
            }
            (None, None, None, Some(tool)) => {
                let asked = session.decide_registered(&tool.name, &tool.arguments);
                asked.cwd(&tool.cwd).home(&tool.home).justification(&tool.justification)
            }
            other => panic!("not one call: {other:?}"),
        };
        if let Some(run_id) = &with.run_id {
            question = question.run_id(run_id);
        }
        if let Some(request_id) = &with.request_id {
            question = question.request_id(request_id);
        }
        if let Some(limit) = with.max_wait_ms {
            question = question.max_wait(Duration::from_millis(limit));
        }
        if with.dry_run {
            question = question.dry_run();
        }
        question.wait(with.wait.unwrap_or(true))
    }

    fn watch(&mut self, with: Watch) {
        let (session_id, run_id, after) = (with.session, with.run_id, with.after);
        let feed = match with.kind {
            FeedKind::Escalations => {
                let request =
                    pb::StreamEscalationsRequest { session_id, run_id, after, ..Default::default() };
                Feed::Escalations(self.client.watch_escalations(request).events())
            }
            FeedKind::Halts => {
                let observe_only = with.observe_only;
                let project = String::new();
                let request =
                    pb::StreamAttackHaltsRequest { project, session_id, run_id, after, observe_only };
                Feed::Halts(self.client.watch_halts(request).events())
            }
        };
        self.feeds.insert(with.feed, feed);
    }

    async fn answer(&self, with: Answer) -> Result<Value, Error> {
        use pb::answer_request::Target;
        use pb::answer_response::Settled;
        let target = match (with.escalation_id, with.halt_id) {
            (Some(id), None) => Target::EscalationId(id),
            (None, Some(id)) => Target::HaltId(id),
            other => panic!("not one target: {other:?}"),
        };
        let request = pb::AnswerRequest {
            target: Some(target),
            verdict: pb::Verdict::from_str_name(&format!("VERDICT_{}", with.verdict)).unwrap().into(),
            scope: scope(with.scope.as_deref()).into(),
            comment: with.comment,
            terms: with.terms.map(terms),
            request_id: with.request_id.unwrap_or_default(),
            ..Default::default()
        };
        Ok(match self.client.answer(request).await?.settled.unwrap() {
            Settled::Escalation(escalation) => normal::escalation(&escalation),
            Settled::Halt(halt) => normal::halt(&halt),
        })
    }

    async fn list_grants(&self, with: ListGrants) -> Result<Value, Error> {
        let scopes = with.scopes.iter().map(|name| scope(Some(name)).into()).collect();
        let list =
            pb::ListGrants { scopes, text: with.text, page_size: with.page_size, ..Default::default() };
        let mut pages = self.client.grants("", &with.session, list);
        let (mut grants, mut denials) = (Vec::new(), Vec::new());
        while let Some(page) = pages.next().await? {
            grants.extend(page.grants);
            denials.extend(page.denials);
        }
        Ok(json!({ "grants": each(&grants, normal::grant), "denials": each(&denials, normal::denial) }))
    }

    async fn list_decisions(&self, with: ListDecisions) -> Result<Value, Error> {
        let action = |name: &String| pb::Action::from_str_name(&format!("ACTION_{name}")).unwrap().into();
        let stage = |name: &String| pb::Stage::from_str_name(&format!("STAGE_{name}")).unwrap().into();
        let order = with.order.map_or(pb::SortOrder::Unspecified, |name| {
            pb::SortOrder::from_str_name(&format!("SORT_ORDER_{name}")).unwrap()
        });
        let mut pages = self.client.decisions(pb::ListDecisionsRequest {
            session_id: with.session,
            run_id: with.run_id,
            actions: with.actions.iter().map(action).collect(),
            stages: with.stages.iter().map(stage).collect(),
            text: with.text,
            order: order.into(),
            page_size: with.page_size,
            page_token: with.page_token,
            ..Default::default()
        });
        let mut records = Vec::new();
        while let Some(page) = pages.next().await? {
            records.extend(page.decisions);
        }
        Ok(json!({ "decisions": each(&records, normal::record) }))
    }

    /// The operations on grants, denials and trust.
    async fn manage(&self, operation: Operation) -> Result<Value, Error> {
        let mut request = pb::ManageGrantsRequest::default();
        request.operation = Some(match operation {
            Operation::Grant(with) => {
                request.session_id = with.session;
                request.request_id = with.request_id.unwrap_or_default();
                let scope = scope(Some(&with.scope)).into();
                let entry = Some(to_entry(with.entry));
                Managing::Grant(pb::AddGrant { entry, scope, terms: with.terms.map(terms) })
            }
            Operation::Deny(with) => {
                request.session_id = with.session;
                request.request_id = with.request_id.unwrap_or_default();
                Managing::Deny(pb::AddDenial { entry: Some(to_entry(with.entry)), note: with.note })
            }
            Operation::Revoke(with) => {
                use pb::revoke_grant::Target;
                request.session_id = with.session;
                let entry = with.entry.map(|entry| Target::Entry(to_entry(entry)));
                let target = entry.or(with.object_text.map(Target::ObjectText));
                Managing::Revoke(pb::RevokeGrant { target, scope: scope(with.scope.as_deref()).into() })
            }
            Operation::Lift(with) => {
                use pb::lift_denial::Target;
                request.session_id = with.session;
                let entry = with.entry.map(|entry| Target::Entry(to_entry(entry)));
                Managing::Lift(pb::LiftDenial { target: entry.or(with.object_text.map(Target::ObjectText)) })
            }
            Operation::ViewTrust(ViewTrust { session }) => {
                request.session_id = session;
                Managing::ViewTrust(pb::ViewTrust {})
            }
            Operation::ChangeTrust(with) => {
                request.session_id.clone_from(&with.session);
                Managing::ChangeTrust(trust(with))
            }
            Operation::PredictTrust(with) => {
                request.session_id.clone_from(&with.session);
                Managing::PredictTrust(trust(with))
            }
            Operation::ImportGrants(ImportGrants { content, dry_run }) => {
                Managing::ImportFile(pb::ImportGrants { content, dry_run, file_modified_at: None })
            }
            Operation::ExportGrants(Nothing {}) => Managing::ExportFile(pb::ExportGrants {}),
            other => panic!("{other:?} manages no grants"),
        });
        Ok(managed(self.client.manage_grants(request).await?.result.unwrap()))
    }
}

fn managed(result: Managed) -> Value {
    match result {
        Managed::List(_) => panic!("lists come page by page"),
        Managed::Grant(added) => json!({
            "grant": normal::grant(&added.grant.unwrap()), "already_granted": added.already_granted
        }),
        Managed::Deny(added) => json!({
            "denial": normal::denial(&added.denial.unwrap()), "already_denied": added.already_denied
        }),
        Managed::Revoke(gone) => json!({ "revoked": each(&gone.revoked, normal::grant) }),
        Managed::Lift(gone) => json!({ "lifted": normal::denial(&gone.lifted.unwrap()) }),
        Managed::ViewTrust(view) => {
            let servers = each(&view.servers, |server| {
                let trusted: Vec<Value> = server.trusted().map(normal::hint).collect();
                json!({
                    "server": server.server, "trusted": trusted,
                    "configured": server.configured, "changed": server.changed,
                })
            });
            json!({ "defaults": view.defaults().map(normal::hint).collect::<Vec<_>>(), "servers": servers })
        }
        Managed::ChangeTrust(changed) | Managed::PredictTrust(changed) => json!({
            "server": changed.server,
            "configured": changed.configured,
            "trusted": changed.trusted().map(normal::hint).collect::<Vec<_>>(),
            "added": changed.added().map(normal::hint).collect::<Vec<_>>(),
            "removed": changed.removed().map(normal::hint).collect::<Vec<_>>(),
            "weakening": changed.weakening().map(normal::hint).collect::<Vec<_>>(),
            "invalidates": each(&changed.invalidates, normal::grant),
        }),
        Managed::ImportFile(done) => json!({
            "imported": each(&done.imported, normal::grant),
            "already_granted": done.already_granted,
            "dropped": each(&done.dropped, |item| json!({ "index": item.index, "reason": item.reason })),
            "file_version": done.file_version,
        }),
        Managed::ExportFile(file) => {
            json!({ "content": file.content, "grants": file.grants, "skipped": file.skipped })
        }
    }
}

fn scope(name: Option<&str>) -> pb::Scope {
    name.map_or(pb::Scope::Unspecified, |name| pb::Scope::from_str_name(&format!("SCOPE_{name}")).unwrap())
}

fn rung(name: Option<&str>) -> pb::Rung {
    name.map_or(pb::Rung::Unspecified, |name| pb::Rung::from_str_name(&format!("RUNG_{name}")).unwrap())
}

fn dialect(name: Option<&str>) -> pb::ShellDialect {
    name.map_or(pb::ShellDialect::Unspecified, |name| {
        pb::ShellDialect::from_str_name(&format!("SHELL_DIALECT_{name}")).unwrap()
    })
}

fn terms(with: Terms) -> pb::GrantTerms {
    pb::GrantTerms { expires_at: None, max_uses: with.max_uses, note: with.note }
}

fn trust(with: ChangeTrust) -> pb::TrustChange {
    let hints = |names: &[String]| {
        names.iter().map(|name| pb::Hint::from_str_name(&format!("HINT_{name}")).unwrap().into()).collect()
    };
    pb::TrustChange {
        server: with.server,
        believe: hints(&with.believe),
        disbelieve: hints(&with.disbelieve),
    }
}

fn catalogue(tools: Vec<Tool>) -> pb::ToolCatalogue {
    let tools = tools.into_iter().map(|tool| pb::ToolDeclaration {
        registered_name: tool.registered_name,
        description: tool.description,
        annotations: tool.annotations.map(|hints| pb::ToolAnnotations {
            read_only_hint: hints.read_only_hint,
            destructive_hint: hints.destructive_hint,
            idempotent_hint: hints.idempotent_hint,
            open_world_hint: hints.open_world_hint,
        }),
    });
    pb::ToolCatalogue { tools: tools.collect() }
}

fn opening(with: OpenSession) -> pb::OpenSessionRequest {
    pb::OpenSessionRequest {
        project: String::new(),
        session_id: with.session,
        rung: rung(with.rung.as_deref()).into(),
        interactive: with.interactive,
        command: with.command.unwrap_or_default(),
        labels: with.labels.into_iter().collect(),
        cwd: with.cwd.unwrap_or_default(),
        home: with.home.unwrap_or_default(),
        tools: with.tools.map(catalogue),
        mcp_servers: with.mcp_servers.map(|keys| pb::McpServers { keys }),
        user_messages: with.user_messages,
    }
}

fn changing(with: UpdateSession) -> pb::UpdateSessionRequest {
    pb::UpdateSessionRequest {
        project: String::new(),
        session_id: with.session,
        rung: rung(with.rung.as_deref()).into(),
        interactive: with.interactive,
        labels: with
            .labels
            .map(|labels| pb::LabelChanges { set: labels.set.into_iter().collect(), remove: labels.remove }),
        cwd: with.cwd,
        home: with.home,
        tools: with.tools.map(catalogue),
        mcp_servers: with.mcp_servers.map(|keys| pb::McpServers { keys }),
        user_messages: with.user_messages,
        reset_thread: with.reset_thread,
    }
}

fn call(
    shell: Option<Shell>,
    tool: Option<NamedTool>,
    mcp_tool: Option<McpTool>,
    registered: Option<NamedTool>,
) -> pb::Call {
    use pb::call::Kind;
    let text = |arguments: serde_json::Map<String, Value>| Value::Object(arguments).to_string();
    let shell = shell.map(|with| {
        Kind::Shell(pb::ShellCall {
            dialect: dialect(with.dialect.as_deref()).into(),
            command: with.command,
            cwd: with.cwd,
            home: with.home,
            justification: with.justification,
        })
    });
    let tool = tool.map(|with| {
        Kind::Tool(pb::ToolCall {
            name: with.name,
            arguments_json: text(with.arguments),
            cwd: with.cwd,
            home: with.home,
            justification: with.justification,
        })
    });
    let mcp_tool = mcp_tool.map(|with| {
        Kind::McpTool(pb::McpToolCall {
            server: with.server,
            name: with.name,
            arguments_json: text(with.arguments),
            cwd: with.cwd,
            home: with.home,
            justification: with.justification,
        })
    });
    let registered = registered.map(|with| {
        Kind::Registered(pb::RegisteredCall {
            name: with.name,
            arguments_json: text(with.arguments),
            cwd: with.cwd,
            home: with.home,
            justification: with.justification,
        })
    });
    pb::Call { kind: shell.or(tool).or(mcp_tool).or(registered) }
}
