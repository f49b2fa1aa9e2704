//! What happens to the server while it works: it is killed, told to stop, its disk is full or read-only, its policy changes.

use crate::callers::Role;
use crate::disk::Disk;
use crate::gate::Served;
use crate::options::{BAD_POLICY, policy};
use crate::process::{Life, Sample};
use crate::records::Records;
use crate::world::{PROJECTS, World, request, shell};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::ErrorReason;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long something may take that must happen.
const PATIENCE: Duration = Duration::from_secs(120);
/// What was told so long before a kill is looked for after it.
const LOOK_BACK: Duration = Duration::from_secs(10);

/// So many disturbances there are at least.
const AT_LEAST: usize = 4;
/// What uses up the space that the store still has of its own when its disk is full: a write-ahead log is written over.
const LARGE: usize = 200_000;

/// What is done, in turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disturbance {
    Kill,
    Stop,
    FullDisk,
    ReadOnlyDisk,
    Reload,
}

const WITH_ENDS: [Disturbance; 7] = [
    Disturbance::Kill,
    Disturbance::FullDisk,
    Disturbance::Kill,
    Disturbance::ReadOnlyDisk,
    Disturbance::Stop,
    Disturbance::Reload,
    Disturbance::Kill,
];
const WITHOUT_ENDS: [Disturbance; 2] = [Disturbance::Reload, Disturbance::FullDisk];

/// The server and all that is done to it.
pub(crate) struct Bench {
    world: Arc<World>,
    disk: Disk,
    served: Option<Served>,
    folder: Arc<tempfile::TempDir>,
    policies: u64,
    pub(crate) lives: Vec<Life>,
    pub(crate) done: Vec<(&'static str, Duration)>,
}

impl Bench {
    pub(crate) fn start(world: Arc<World>, disk: Disk, folder: Arc<tempfile::TempDir>) -> Self {
        let mut bench =
            Self { world, disk, served: None, folder, policies: 0, lives: Vec::new(), done: Vec::new() };
        bench.write(&policy(0));
        bench.serve();
        bench
    }

    fn write(&self, text: &str) {
        std::fs::write(self.folder.path().join("haltgate.jsonc"), text).unwrap();
    }

    fn serve(&mut self) {
        let store = self.disk.store();
        let served = Served::start_in(Arc::clone(&self.folder), &["--store", &store.to_string_lossy()]);
        self.world.proxy.point_at(&served.address);
        self.served = Some(served);
        self.lives.push(Life::default());
    }

    pub(crate) fn served(&self) -> &Served {
        self.served.as_ref().unwrap()
    }

    pub(crate) fn store_mib(&self) -> u64 {
        self.disk.used_mib()
    }

    fn sample(&mut self) {
        let sample = self.served.as_ref().and_then(|served| Sample::of(served.id()));
        if let (Some(life), Some(sample)) = (self.lives.last_mut(), sample) {
            life.samples.push(sample);
        }
    }

    async fn pass(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until && self.world.goes_on() {
            if self.served.as_mut().is_some_and(Served::has_ended) {
                let log = self.served().log();
                let last: Vec<&str> = log.lines().rev().take(3).collect();
                self.world
                    .fail(format!("the server ended by itself, or by others; last in its log: {last:?}"));
            }
            self.sample();
            let left = until.saturating_duration_since(Instant::now());
            tokio::time::sleep(left.min(Duration::from_secs(1))).await;
        }
    }

    /// Disturbs until the time is up or something has failed.
    pub(crate) async fn disturb(&mut self) {
        let started = Instant::now();
        let options = self.world.options.clone();
        let (turns, every) = match options.kill_every {
            0 => (WITHOUT_ENDS.as_slice(), 60),
            every => (WITH_ENDS.as_slice(), every),
        };
        let every = Duration::from_secs(every);
        for (number, turn) in turns.iter().cycle().enumerate() {
            // However slow the machine, each kind of disk comes to its turn.
            let enough = number >= turns.len().min(AT_LEAST);
            let late = every * u32::try_from(number + 1).unwrap() >= options.length();
            if (late && enough) || !self.world.goes_on() {
                break;
            }
            // At its time; where the one before took long, after a breath in which everything works.
            let due = every * u32::try_from(number + 1).unwrap();
            self.pass(due.saturating_sub(started.elapsed()).max(every / 3)).await;
            if !self.world.goes_on() {
                break;
            }
            let began = Instant::now();
            match turn {
                Disturbance::Kill => self.kill().await,
                Disturbance::Stop => self.stop(),
                Disturbance::FullDisk => self.full().await,
                Disturbance::ReadOnlyDisk => self.read_only().await,
                Disturbance::Reload => self.reload().await,
            }
            let name = match turn {
                Disturbance::Kill => "killed",
                Disturbance::Stop => "stopped by SIGTERM",
                Disturbance::FullDisk => "disk full",
                Disturbance::ReadOnlyDisk => "disk read-only",
                Disturbance::Reload => "policy reloaded",
            };
            println!("{:>4} s  {name}, {:.1} s", started.elapsed().as_secs(), began.elapsed().as_secs_f64());
            self.done.push((name, began.elapsed()));
        }
        self.pass(options.length().saturating_sub(started.elapsed())).await;
    }

    async fn kill(&mut self) {
        let to = Instant::now();
        drop(self.served.take().unwrap().kill());
        self.serve();
        self.look_back(to).await;
    }

    /// What clients were told shortly before the process ended is there.
    async fn look_back(&self, to: Instant) {
        let from = to.checked_sub(LOOK_BACK).unwrap_or(to);
        let earlier = std::time::SystemTime::now() - from.elapsed() - PATIENCE;
        let client = self.world.connect(PROJECTS[0], Role::Auditor).await;
        for project in PROJECTS {
            // A call may have waited for its human for long before it was settled.
            let Some(records) = Records::read(&self.world, &client, project, Some(earlier.into())).await
            else {
                return;
            };
            let missing = records.missing(&self.world.model.lock().unwrap(), project, from, to);
            for missing in missing {
                self.world.fail(format!("after a kill: {missing}"));
            }
        }
    }

    fn stop(&mut self) {
        let (status, _log) = self.served.take().unwrap().end("TERM");
        if !status.success() {
            self.world.fail(format!("told to stop, the server ended with {status}"));
        }
        self.serve();
    }

    /// While nothing can be written nothing is decided, and afterwards everything goes on by itself.
    async fn full(&mut self) {
        if self.lacks_disk("the disk was never full") {
            return;
        }
        let before = self.world.store_refusals.load(Ordering::Relaxed);
        let address = self.served().address.clone();
        let client = self.world.connect_to(address, PROJECTS[0], Role::Agent).await;
        self.disk.empty_log();
        self.disk.become_full();
        let began = Instant::now();
        while self.world.store_refusals.load(Ordering::Relaxed) == before && self.world.goes_on() {
            if began.elapsed() > PATIENCE {
                self.world.fail("a full disk was not noticed".to_owned());
            }
            // What SQLite gave back to the file system meanwhile is taken, too.
            self.disk.fill();
            let large = format!("echo {}", "x".repeat(LARGE));
            let asked = request("large", "", &format!("large{}", self.world.number()), shell(&large));
            match client.decide(asked).await {
                Ok(given) => self.world.decided(PROJECTS[0], &given),
                Err(error) if error.reason() == Some(ErrorReason::StoreUnavailable) => break,
                // The connection was cut.
                Err(_passes) => {}
            }
        }
        self.pass(Duration::from_secs(2)).await;
        self.disk.empty();
    }

    /// A server on a read-only disk does not start, and says why.
    async fn read_only(&mut self) {
        if self.lacks_disk("the disk was never read-only") {
            return;
        }
        let to = Instant::now();
        drop(self.served.take().unwrap().kill());
        self.disk.read_only();
        let refused = self.try_to_serve();
        if refused.status.success() || refused.stderr.is_empty() {
            self.world.fail(format!("a server started on a read-only disk: {refused:?}"));
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        self.disk.writable();
        self.serve();
        self.look_back(to).await;
    }

    fn try_to_serve(&self) -> std::process::Output {
        let mut command = crate::gate::command(self.folder.path());
        command.args(["serve", "--listen", "127.0.0.1:0", "--store"]).arg(self.disk.store());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap()
    }

    /// A bad policy changes nothing, a good one is taken over.
    async fn reload(&mut self) {
        let before = self.revision().await;
        self.write(BAD_POLICY);
        self.pass(Duration::from_secs(2)).await;
        if self.revision().await != before {
            self.world.fail("a bad policy was taken over".to_owned());
        }
        self.policies += 1;
        self.write(&policy(self.policies));
        let began = Instant::now();
        while self.revision().await == before && self.world.goes_on() {
            if began.elapsed() > PATIENCE {
                self.world.fail("a good policy was not taken over".to_owned());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    async fn revision(&self) -> String {
        let client = self.world.connect(PROJECTS[0], Role::Auditor).await;
        let info = self
            .world
            .surely("asking for the policy", || client.server_info(pb::GetServerInfoRequest::default()));
        info.await.map(|info| info.policy_revision).unwrap_or_default()
    }

    fn lacks_disk(&self, what: &str) -> bool {
        let Some(why) = &self.disk.ordinary else { return false };
        let text = format!("SKIPPED: {what}: there is no file system of its own for the store: {why}");
        println!("{text}");
        if std::env::var("CI").is_ok_and(|ci| ci == "true") {
            self.world.fail(text);
        }
        true
    }

    /// The end of the server, and what it has logged in all its lives.
    pub(crate) fn finish(mut self) -> (Vec<Life>, String) {
        let (status, log) = self.served.take().unwrap().end("TERM");
        if !status.success() {
            self.world.fail(format!("told to stop, the server ended with {status}"));
        }
        (std::mem::take(&mut self.lives), log)
    }
}
