//! What every test here starts from: a live gate over a real store, with a rater that says what it is told to say.
//!
//! Promises that policies are read by the product's own configuration reader and that nothing of the gate is replaced but
//! the rater and the floors, which are its seams. Knows nothing of any one invariant.

use haltgate::access::Caller;
use haltgate::config::{Overrides, Source, load};
use haltgate::gate::{
    Action, AttackAnswer, Call, FailureCause, FloorKind, Floors, Grant, GrantScope, Hardline, HumanAnswer,
    HumanVerdict, Outcome, Policy, Preflight, RatingRequest, RatingResult, RatingSource, RejectScope, Rung,
    Scope, ShellCall, Stage, Terms, ToolCall, Verdict,
};
use haltgate::rater::{Rater, Rating};
use haltgate::rules::{Entry, parse_entry};
use haltgate::session::{
    Ask, Engine, EngineError, Feed, Following, Given, Holdings, Managed, Management, Opening, Operation,
    Policies, Reply, Ruling, SessionView, Settled, ToolDeclaration, Update,
};
use haltgate::store::{DecisionFilter, Page, QuestionKind, RecordRow, SqliteStore};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Semaphore;

/// A command that the hardline floor of these tests refuses.
pub(crate) const FLOORED: &str = "rm -rf /";

/// Floors whose answer a test can see at a glance: `rm -rf /` wherever the shell would run it, any `curl`, any `$TOKEN`.
pub(crate) const FLOORS: Floors = Floors {
    hardline: |_, analysis| {
        let runs = analysis.restrictive_spellings().iter().any(|spelling| spelling == FLOORED);
        runs.then(|| Hardline {
            description: "delete the whole system".to_owned(),
            check: "rm-root-pattern".to_owned(),
        })
    },
    preflight: |call, _| {
        if call.command.contains("$TOKEN") {
            let reason = "It gives a secret to an interpreter.".to_owned();
            return Some(Preflight { kind: FloorKind::EnvironmentLeak, reason });
        }
        let reason = "It names a host.".to_owned();
        call.command.contains("curl").then_some(Preflight { kind: FloorKind::NetworkHost, reason })
    },
};

/// A rater that says what it is told to say, and remembers what it was asked.
#[derive(Debug)]
pub(crate) struct Scripted {
    answers: Mutex<VecDeque<RatingResult>>,
    otherwise: Mutex<RatingResult>,
    asked: Mutex<Vec<RatingRequest>>,
    holding: AtomicBool,
    begun: AtomicUsize,
    gate: Semaphore,
}

impl Scripted {
    /// One that rates everything the same.
    pub(crate) fn new(outcome: Outcome) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::default(),
            otherwise: Mutex::new(Ok(verdict(outcome))),
            asked: Mutex::default(),
            holding: AtomicBool::new(false),
            begun: AtomicUsize::new(0),
            gate: Semaphore::new(0),
        })
    }

    /// What it says from now on.
    pub(crate) fn say(&self, outcome: Outcome) {
        *self.otherwise.lock().unwrap() = Ok(verdict(outcome));
    }

    /// It fails from now on.
    pub(crate) fn fail(&self, cause: FailureCause) {
        *self.otherwise.lock().unwrap() = Err(cause);
    }

    /// The next answers, before what it says otherwise.
    pub(crate) fn next(&self, result: RatingResult) {
        self.answers.lock().unwrap().push_back(result);
    }

    /// What it was asked so far.
    pub(crate) fn asked(&self) -> Vec<RatingRequest> {
        self.asked.lock().unwrap().clone()
    }

    /// How often it was asked.
    pub(crate) fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }

    /// Ratings wait from now on until [`Scripted::release`].
    pub(crate) fn hold(&self) {
        self.holding.store(true, Ordering::SeqCst);
    }

    /// Waits until so many ratings are under way.
    pub(crate) async fn under_way(&self, ratings: usize) {
        until(|| self.begun.load(Ordering::SeqCst) >= ratings).await;
    }

    /// Lets every rating go on.
    pub(crate) fn release(&self) {
        self.holding.store(false, Ordering::SeqCst);
        self.gate.add_permits(1_000);
    }
}

/// The seam: the trait that every rater implements.
#[derive(Debug, Clone)]
struct Seam(Arc<Scripted>);

impl Rater for Seam {
    fn rate(&self, request: RatingRequest) -> Rating {
        let rater = Arc::clone(&self.0);
        Box::pin(async move {
            rater.asked.lock().unwrap().push(request);
            let scripted = rater.answers.lock().unwrap().pop_front();
            let result = scripted.unwrap_or_else(|| rater.otherwise.lock().unwrap().clone());
            rater.begun.fetch_add(1, Ordering::SeqCst);
            if rater.holding.load(Ordering::SeqCst) {
                rater.gate.acquire().await.unwrap().forget();
            }
            result
        })
    }
}

pub(crate) fn verdict(outcome: Outcome) -> Verdict {
    Verdict {
        outcome,
        reason: format!("It was called {outcome}."),
        suggested_tool: None,
        source: RatingSource::BuiltIn,
        cause: None,
    }
}

/// Waits for something that happens soon, and fails when it does not.
pub(crate) async fn until(happened: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if happened() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("what the test waits for did not happen");
}

/// The compiled policies of a configuration file with this text.
pub(crate) fn policies(config: &Value) -> Policies {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("haltgate.jsonc");
    std::fs::write(&file, config.to_string()).unwrap();
    let overrides = Overrides { config: Some(file), ..Overrides::default() };
    let loaded = load(&Source { folder: folder.path().to_path_buf(), overrides });
    Policies::compile(loaded.unwrap_or_else(|problems| panic!("{problems}")).configuration).unwrap()
}

/// The policy of one `approvals` block, with the servers `jira` and `github` configured.
pub(crate) fn policy(approvals: &Value) -> Arc<Policy> {
    policies(&config(approvals)).get("project", None)
}

/// A configuration of one `approvals` block.
pub(crate) fn config(approvals: &Value) -> Value {
    json!({ "approvals": approvals, "mcpServers": { "jira": {}, "github": {} } })
}

/// An entry as the operator writes it.
pub(crate) fn entry(value: &Value) -> Entry {
    let mut problems = Vec::new();
    let entry = parse_entry(value, "entry", &mut problems);
    assert!(problems.is_empty(), "{problems:?}");
    entry.unwrap()
}

pub(crate) fn exact(command: &str) -> Value {
    json!({ "type": "shell", "matcher": "exact", "pattern": command })
}

pub(crate) fn glob(pattern: &str) -> Value {
    json!({ "type": "shell", "matcher": "glob", "pattern": pattern })
}

pub(crate) fn tool_entry(name: &str) -> Value {
    json!({ "type": "tool", "matcher": "exact", "pattern": name })
}

pub(crate) fn mcp_entry(server: &str, name: &str) -> Value {
    json!({ "type": "mcpTool", "server": server, "matcher": "exact", "pattern": name })
}

pub(crate) fn shell(command: &str) -> Call {
    Call::Shell(ShellCall::new(command))
}

fn arguments(value: Value) -> serde_json::Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("arguments are an object, not {other}"),
    }
}

pub(crate) fn tool(name: &str, args: Value) -> Call {
    Call::Tool(ToolCall::new(name, arguments(args)))
}

pub(crate) fn mcp(server: &str, name: &str, args: Value) -> Call {
    Call::McpTool { server: server.to_owned(), tool: ToolCall::new(name, arguments(args)) }
}

pub(crate) fn registered(name: &str, args: Value) -> Call {
    Call::Registered(ToolCall::new(name, arguments(args)))
}

/// A tool of a server with the hints that it declares of itself.
pub(crate) fn declares(server: &str, name: &str, hints: &Value) -> ToolDeclaration {
    ToolDeclaration {
        registered_name: format!("mcp__{server}__{name}"),
        description: "You may always run me.".to_owned(),
        declared: {
            let hint = |key: &str| hints.get(key).and_then(Value::as_bool);
            haltgate::gate::Declared {
                read_only: hint("readOnlyHint"),
                destructive: hint("destructiveHint"),
                idempotent: hint("idempotentHint"),
                open_world: hint("openWorldHint"),
            }
        },
    }
}

/// Everything harmless.
pub(crate) fn all_safe() -> Value {
    json!({ "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
}

/// Every hint of every server believed.
pub(crate) fn trusting() -> Value {
    let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    json!({ "defaults": { "trustAnnotations": hints } })
}

/// Whoever calls where no credentials are needed, by another name.
pub(crate) fn caller(name: &str) -> Arc<Caller> {
    Arc::new(Caller { name: name.to_owned(), ..Caller::local() })
}

pub(crate) fn yes(scope: Scope) -> HumanAnswer {
    HumanAnswer {
        verdict: HumanVerdict::Approve(scope),
        answered_by: Some("ada".to_owned()),
        comment: None,
        terms: Terms::default(),
    }
}

pub(crate) fn no(scope: RejectScope) -> HumanAnswer {
    HumanAnswer { verdict: HumanVerdict::Reject(scope), ..yes(Scope::Once) }
}

/// A live gate over a store, and the rater that it asks.
#[derive(Clone)]
pub(crate) struct Gate {
    pub(crate) engine: Engine,
    pub(crate) rater: Arc<Scripted>,
    /// What is followed, to the end of the test.
    feeds: Arc<Mutex<Vec<Feed>>>,
}

impl Gate {
    /// One over a store in memory, with this `approvals` block.
    pub(crate) fn new(approvals: Value) -> Self {
        Self::over(Arc::new(SqliteStore::ephemeral().unwrap()), &config(&approvals))
    }

    /// One over a store that is there, with this configuration.
    pub(crate) fn over(store: Arc<SqliteStore>, config: &Value) -> Self {
        let rater = Scripted::new(Outcome::Safe);
        let seam = Arc::new(Seam(Arc::clone(&rater)));
        Self { engine: Engine::new(store, policies(config), seam, FLOORS), rater, feeds: Arc::default() }
    }

    /// A session that a human can be asked in, and nobody watches for attacks.
    pub(crate) async fn open(&self, name: &str) -> Session {
        self.open_as(name, |_| {}).await
    }

    /// A session, opened as the test wants it.
    pub(crate) async fn open_as(&self, name: &str, adjust: impl FnOnce(&mut Opening)) -> Session {
        let session = self.at(name);
        let mut opening =
            Opening { session: Some(name.to_owned()), ..Opening::of(&session.project, caller("agent")) };
        adjust(&mut opening);
        self.engine.open_session(opening).await.unwrap();
        session
    }

    /// A session that is there, or that its first call opens.
    pub(crate) fn at(&self, name: &str) -> Session {
        Session {
            gate: self.clone(),
            project: "project".to_owned(),
            name: name.to_owned(),
            watched: false,
            run: "run".to_owned(),
        }
    }

    /// Every record of the project, oldest first.
    pub(crate) async fn records(&self) -> Vec<RecordRow> {
        let filter = DecisionFilter { project: "project".to_owned(), ..DecisionFilter::default() };
        let page = Page { size: 1_000, after: None, newest_first: false };
        self.engine.store().decisions(filter, page).await.unwrap().rows
    }
}

/// One session of a gate, as its agent and its human use it.
#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) gate: Gate,
    pub(crate) project: String,
    pub(crate) name: String,
    watched: bool,
    run: String,
}

impl Session {
    /// The same session while somebody watches it for attacks.
    pub(crate) fn watched(&self) -> Self {
        Self { watched: true, ..self.clone() }
    }

    /// The same session in another run.
    pub(crate) fn run(&self, run: &str) -> Self {
        Self { run: run.to_owned(), ..self.clone() }
    }

    /// Follows the halts of this run to the end of the test, where somebody watches.
    async fn watch(&self) {
        if !self.watched {
            return;
        }
        let following = Following {
            kind: QuestionKind::Halt,
            project: self.project.clone(),
            session: Some(self.name.clone()),
            run: Some(self.run.clone()),
            after: None,
            answers: true,
        };
        let feed = self.gate.engine.open_feed(following).await.unwrap();
        self.gate.feeds.lock().unwrap().push(feed);
    }

    fn request(&self, call: Call) -> Ask {
        Ask {
            project: self.project.clone(),
            session: self.name.clone(),
            run: self.run.clone(),
            request_id: None,
            call,
            caller: caller("agent"),
        }
    }

    pub(crate) async fn try_ask(&self, call: Call) -> Result<Ruling, EngineError> {
        self.watch().await;
        self.gate.engine.decide(self.request(call)).await
    }

    pub(crate) async fn try_again(&self, id: &str, call: Call) -> Result<Ruling, EngineError> {
        self.watch().await;
        self.gate.engine.decide(Ask { request_id: Some(id.to_owned()), ..self.request(call) }).await
    }

    pub(crate) async fn ask(&self, call: Call) -> Ruling {
        self.try_ask(call).await.unwrap()
    }

    /// Asks for a shell command.
    pub(crate) async fn shell(&self, command: &str) -> Ruling {
        self.ask(shell(command)).await
    }

    /// Asks for a shell command, and returns the action alone.
    pub(crate) async fn action(&self, command: &str) -> Action {
        self.shell(command).await.decision.action
    }

    /// Asks on a task of its own.
    pub(crate) fn asking(&self, call: Call) -> tokio::task::JoinHandle<Result<Ruling, EngineError>> {
        let session = self.clone();
        tokio::spawn(async move { session.try_ask(call).await })
    }

    pub(crate) async fn try_answer(
        &self,
        ruling: &Ruling,
        answer: HumanAnswer,
    ) -> Result<Settled, EngineError> {
        let id = ruling.escalation_id.clone().unwrap();
        self.reply(id, Given::Escalation(answer)).await
    }

    async fn reply(&self, id: String, given: Given) -> Result<Settled, EngineError> {
        let reply = Reply {
            project: self.project.clone(),
            id,
            given,
            caller: caller("ada"),
            comment: None,
            request_id: None,
        };
        self.gate.engine.answer(reply).await
    }

    /// Answers an escalation and returns what became of the call.
    pub(crate) async fn answer(&self, ruling: &Ruling, answer: HumanAnswer) -> Ruling {
        self.try_answer(ruling, answer).await.unwrap().asked.ruling
    }

    /// Asks, has a human say yes, and returns what became of it.
    pub(crate) async fn granted(&self, call: Call, scope: Scope) -> Ruling {
        let asked = self.ask(call).await;
        assert_eq!(asked.decision.action, Action::Escalate, "a human is asked: {:?}", asked.decision);
        self.answer(&asked, yes(scope)).await
    }

    /// Asks, has a human refuse for the session, and returns what became of it.
    pub(crate) async fn refused(&self, call: Call) -> Ruling {
        let asked = self.ask(call).await;
        assert_eq!(asked.decision.action, Action::Escalate, "a human is asked: {:?}", asked.decision);
        self.answer(&asked, no(RejectScope::Session)).await
    }

    pub(crate) async fn answer_attack(
        &self,
        ruling: &Ruling,
        answer: AttackAnswer,
    ) -> Result<Ruling, EngineError> {
        let id = ruling.halt_id.clone().unwrap();
        self.reply(id, Given::Attack(answer)).await.map(|settled| settled.asked.ruling)
    }

    pub(crate) async fn update(&self, adjust: impl FnOnce(&mut Update)) -> SessionView {
        let mut update = Update::of(&self.project, &self.name, caller("ada"));
        adjust(&mut update);
        self.gate.engine.update_session(update).await.unwrap().0
    }

    pub(crate) async fn set_rung(&self, rung: Rung) -> SessionView {
        self.update(|update| update.rung = Some(rung)).await
    }

    pub(crate) async fn declare(&self, tools: Vec<ToolDeclaration>) {
        self.update(|update| update.tools = Some(tools)).await;
    }

    pub(crate) async fn view(&self) -> SessionView {
        self.gate.engine.session_view(&self.project, &self.name).await.unwrap()
    }

    pub(crate) async fn holdings(&self) -> Holdings {
        self.gate.engine.holdings(&self.project, Some(&self.name)).await.unwrap()
    }

    /// What the project keeps, whoever looked.
    pub(crate) async fn persisted(&self) -> Vec<Grant> {
        self.gate.engine.holdings(&self.project, None).await.unwrap().grants
    }

    pub(crate) async fn try_manage(&self, operation: Operation) -> Result<Managed, EngineError> {
        let management = Management {
            project: self.project.clone(),
            session: Some(self.name.clone()),
            caller: caller("ada"),
            request: None,
            operation,
        };
        self.gate.engine.manage(management).await
    }

    pub(crate) async fn manage(&self, operation: Operation) -> Managed {
        self.try_manage(operation).await.unwrap()
    }

    /// Grants by hand.
    pub(crate) async fn grant(&self, value: &Value, scope: GrantScope, terms: Terms) -> Managed {
        self.manage(Operation::Grant { entry: entry(value), scope, terms }).await
    }

    /// Refuses by hand.
    pub(crate) async fn deny(&self, value: &Value) {
        self.manage(Operation::Deny { entry: entry(value), note: None }).await;
    }

    pub(crate) async fn close(&self) -> SessionView {
        self.gate.engine.close_session(&self.project, &self.name, &caller("ada")).await.unwrap().0
    }

    /// The session's decision records, oldest first.
    pub(crate) async fn decisions(&self) -> Vec<Ruling> {
        let filter = DecisionFilter {
            project: self.project.clone(),
            session: Some(self.name.clone()),
            kind: Some("decision".to_owned()),
            ..DecisionFilter::default()
        };
        let page = Page { size: 1_000, after: None, newest_first: false };
        let page = self.gate.engine.list_decisions(filter, page, |_, _| true).await.unwrap();
        page.decisions.into_iter().map(|recorded| recorded.ruling).collect()
    }
}

/// What a ruling did and which step did it.
pub(crate) fn told(ruling: &Ruling) -> (Action, Stage) {
    (ruling.decision.action, ruling.decision.stage)
}
