//! What all who take part share: where the gate is, what it said, when to stop, and what went wrong.

use crate::callers::{Role, Tokens};
use crate::chance::Chance;
use crate::model::Model;
use crate::options::Options;
use crate::proxy::Proxy;
use haltgate::client::{Address, Client, Error, Options as Connecting};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::ErrorReason;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long the gate may be out of reach before that is a failure: every disturbance is far shorter.
const PATIENCE: Duration = Duration::from_secs(180);
/// How long one request may take. Short, so that what is cut off silently is noticed soon.
const DEADLINE: Duration = Duration::from_secs(5);
/// Failures that are kept; a run with one has failed.
const KEPT_FAILURES: usize = 20;

/// The projects of the run. In both, humans watch.
pub(crate) const PROJECTS: [&str; 2] = ["default", "shop"];

pub(crate) struct World {
    pub(crate) options: Options,
    pub(crate) started: Instant,
    pub(crate) proxy: Arc<Proxy>,
    tokens: Tokens,
    pub(crate) model: Mutex<Model>,
    /// Agents and operators begin nothing any more.
    winding_down: AtomicBool,
    /// Humans stop answering.
    over: AtomicBool,
    failures: Mutex<Vec<String>>,
    counts: Mutex<BTreeMap<String, u64>>,
    latencies: Mutex<Vec<Duration>>,
    numbered: AtomicU64,
    pub(crate) store_refusals: AtomicU64,
}

impl World {
    pub(crate) fn new(options: Options, proxy: Arc<Proxy>, tokens: Tokens) -> Arc<Self> {
        Arc::new(Self {
            options,
            started: Instant::now(),
            proxy,
            tokens,
            model: Mutex::default(),
            winding_down: AtomicBool::new(false),
            over: AtomicBool::new(false),
            failures: Mutex::default(),
            counts: Mutex::default(),
            latencies: Mutex::default(),
            numbered: AtomicU64::new(0),
            store_refusals: AtomicU64::new(0),
        })
    }

    /// The choices of one who takes part.
    pub(crate) fn chance(&self, who: u64) -> Chance {
        Chance::new(self.options.seed.wrapping_mul(0x1_0000).wrapping_add(who))
    }

    /// A connection of one's own, through the proxy.
    pub(crate) async fn connect(&self, project: &'static str, role: Role) -> Client {
        self.connect_to(self.proxy.address.to_string(), project, role).await
    }

    /// A connection that nobody cuts.
    pub(crate) async fn connect_to(&self, address: String, project: &'static str, role: Role) -> Client {
        let options = Connecting::default().deadline(DEADLINE).reconnect_for(PATIENCE).project(project);
        let options = options.token(self.tokens.of(project, role));
        let address = Address::Tcp(address);
        let started = Instant::now();
        loop {
            match options.clone().connect(&address).await {
                Ok(client) => return client,
                Err(error) => assert!(started.elapsed() < PATIENCE, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Asks until there is an answer, as every client does whose request is safe to repeat. An error that repeating does not
    /// help is returned.
    pub(crate) async fn until_answered<Answer, Asking>(
        &self,
        what: &str,
        mut ask: impl FnMut() -> Asking,
    ) -> Result<Answer, Error>
    where
        Asking: Future<Output = Result<Answer, Error>>,
    {
        let started = Instant::now();
        loop {
            let error = match ask().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            self.count(&format!("not answered: {}", kind_of(&error)));
            if error.reason() == Some(ErrorReason::StoreUnavailable) {
                self.store_refusals.fetch_add(1, Ordering::Relaxed);
            }
            let passes = matches!(error, Error::GateUnavailable(_))
                || matches!(error.reason(), Some(ErrorReason::Overloaded | ErrorReason::TooManyOpen));
            if !passes {
                return Err(error);
            }
            if started.elapsed() > PATIENCE {
                self.fail(format!("{what}: out of reach for {} s: {error}", PATIENCE.as_secs()));
                return Err(error);
            }
            self.count("retries");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The same for what nothing but a failure of the gate can refuse. `None` once it has failed.
    pub(crate) async fn surely<Answer, Asking>(
        &self,
        what: &str,
        ask: impl FnMut() -> Asking,
    ) -> Option<Answer>
    where
        Asking: Future<Output = Result<Answer, Error>>,
    {
        match self.until_answered(what, ask).await {
            Ok(answer) => Some(answer),
            Err(error) => {
                self.fail(format!("{what}: {error:?}"));
                None
            }
        }
    }

    /// An answer of the gate to a call.
    pub(crate) fn decided(&self, project: &str, given: &pb::DecideResponse) {
        self.count(&format!("decided: {}", given.action().as_str_name().trim_start_matches("ACTION_")));
        if given.replayed {
            self.count("replayed");
        }
        let recorded = self.model.lock().unwrap().decided(project, given);
        if let Err(failure) = recorded {
            self.fail(failure);
        }
    }

    pub(crate) fn took(&self, latency: Duration) {
        self.latencies.lock().unwrap().push(latency);
    }

    pub(crate) fn count(&self, what: &str) {
        *self.counts.lock().unwrap().entry(what.to_owned()).or_default() += 1;
    }

    /// Something that must never be was seen. The run ends soon.
    pub(crate) fn fail(&self, what: String) {
        println!("FAILED: {what}");
        let mut failures = self.failures.lock().unwrap();
        if failures.len() < KEPT_FAILURES {
            failures.push(what);
        }
        self.winding_down.store(true, Ordering::Release);
    }

    pub(crate) fn failures(&self) -> Vec<String> {
        self.failures.lock().unwrap().clone()
    }

    pub(crate) fn wind_down(&self) {
        self.winding_down.store(true, Ordering::Release);
    }

    pub(crate) fn goes_on(&self) -> bool {
        !self.winding_down.load(Ordering::Acquire)
    }

    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Release);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// A number that nobody else has.
    pub(crate) fn number(&self) -> u64 {
        self.numbered.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn counts(&self) -> BTreeMap<String, u64> {
        self.counts.lock().unwrap().clone()
    }

    /// So many of a thousand latencies are no longer than this.
    pub(crate) fn latency(&self, thousandths: usize) -> Duration {
        let mut latencies = self.latencies.lock().unwrap();
        latencies.sort_unstable();
        let last = latencies.len().saturating_sub(1);
        latencies.get(last * thousandths / 1_000).copied().unwrap_or_default()
    }
}

fn kind_of(error: &Error) -> String {
    match (error.reason(), error.status()) {
        (Some(reason), _) => reason.as_str_name().trim_start_matches("ERROR_REASON_").to_owned(),
        (None, Some(status)) => format!("{:?}", status.code()),
        (None, None) => "untrusted answer".to_owned(),
    }
}

/// A shell call.
pub(crate) fn shell(command: &str) -> pb::Call {
    let shell = pb::ShellCall { command: command.to_owned(), cwd: "/work".to_owned(), ..Default::default() };
    pb::Call { kind: Some(pb::call::Kind::Shell(shell)) }
}

/// A request to decide a call, under an id of its own.
pub(crate) fn request(session: &str, run: &str, id: &str, call: pb::Call) -> pb::DecideRequest {
    pb::DecideRequest {
        session_id: session.to_owned(),
        run_id: run.to_owned(),
        request_id: id.to_owned(),
        call: Some(call),
        ..Default::default()
    }
}

/// Decides one call, and asks again until there is an answer. `None` once the gate has failed.
pub(crate) async fn decide(
    world: &World,
    client: &Client,
    project: &str,
    request: pb::DecideRequest,
) -> Option<pb::DecideResponse> {
    let what = format!("deciding {} of {project}/{}", request.request_id, request.session_id);
    let given = world
        .surely(&what, || async {
            let asked = Instant::now();
            let given = client.decide(request.clone()).await;
            if given.is_ok() {
                world.took(asked.elapsed());
            }
            given
        })
        .await?;
    world.decided(project, &given);
    Some(given)
}

/// The same, and waits for the human who may be asked.
pub(crate) async fn decide_and_wait(
    world: &World,
    client: &Client,
    project: &str,
    request: pb::DecideRequest,
) -> Option<pb::DecideResponse> {
    let what = format!("waiting for {} of {project}/{}", request.request_id, request.session_id);
    let given = world.surely(&what, || client.decide_and_wait(request.clone(), None)).await?;
    world.decided(project, &given);
    Some(given)
}
