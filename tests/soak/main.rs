//! The soak: hours of an ordinary life in minutes. Agents, humans and operators work through a real server on a real SQLite
//! file, while it is killed and stopped, its disk is full or read-only, and connections are cut; a model of what was
//! acknowledged says at the end whether anything was lost, doubled, forgotten or kept for ever. `docs/soak.md` tells more.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failure in a test is the point"
)]

mod agent;
mod callers;
#[allow(dead_code, reason = "shared with the model of the feeds")]
#[path = "../feeds_model/chance.rs"]
mod chance;
mod disk;
mod disturb;
mod follower;
#[allow(dead_code, reason = "shared with the tests of the command line")]
#[path = "../command_line/gate.rs"]
mod gate;
mod human;
mod model;
mod operator;
mod options;
mod process;
mod proxy;
mod records;
mod world;

use callers::{AUDITOR_FILE, Role, Tokens};
use chance::Chance;
use disk::Disk;
use disturb::Bench;
use follower::{Follower, Kind, everybody};
use options::{Options, USAGE};
use proxy::Proxy;
use records::{Records, same_order};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use world::{PROJECTS, World, request, shell};

/// Agents of each project, and humans.
const AGENTS: u64 = 4;
const HUMANS: u64 = 2;
/// How long the last messages may take to arrive.
const PATIENCE: Duration = Duration::from_secs(120);
/// Heartbeats without anything else: nothing more will come.
const QUIET: u64 = 3;

fn main() -> ExitCode {
    let Some(options) = Options::parse(std::env::args().skip(1)) else {
        println!("{USAGE}");
        return ExitCode::from(2);
    };
    println!("{}", options.command());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let failures = runtime.block_on(soak(options.clone()));
    if failures.is_empty() {
        println!("\nNothing was lost, doubled or forgotten.");
        return ExitCode::SUCCESS;
    }
    println!("\nFAILED:");
    for failure in &failures {
        println!("  {failure}");
    }
    println!("To repeat it:\n  {}", options.command());
    ExitCode::FAILURE
}

async fn soak(options: Options) -> Vec<String> {
    let started = Instant::now();
    let proxy = Proxy::start(Chance::new(options.seed)).await;
    let disk = Disk::new(options.disk_mib);
    let folder = Arc::new(tempfile::tempdir().unwrap());
    let tokens = Tokens::make(folder.path());
    let world = World::new(options, proxy, tokens);
    let mut bench = Bench::start(Arc::clone(&world), disk, folder);

    let followers = everybody(PROJECTS);
    let mut lookers: Vec<JoinHandle<()>> = Vec::new();
    for (number, follower) in followers.iter().enumerate() {
        let number = u64::try_from(number).unwrap();
        lookers.push(tokio::spawn(Arc::clone(follower).follow(Arc::clone(&world), number)));
    }
    while !followers.iter().all(|follower| follower.has_begun()) && world.goes_on() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut workers: Vec<JoinHandle<()>> = Vec::new();
    for (index, project) in PROJECTS.into_iter().enumerate() {
        let first = u64::try_from(index).unwrap() * 10;
        for number in first..first + HUMANS {
            lookers.push(tokio::spawn(human::human(Arc::clone(&world), number, project)));
        }
        for number in first..first + AGENTS {
            workers.push(tokio::spawn(agent::agent(Arc::clone(&world), number, project)));
        }
        workers.push(tokio::spawn(operator::operator(Arc::clone(&world), first, project)));
    }

    bench.disturb().await;
    let worked = started.elapsed();
    world.wind_down();
    for worker in workers {
        note_panic(&world, worker.await);
    }
    judge(&world, &bench, &followers).await;
    world.end();
    for looker in lookers {
        note_panic(&world, looker.await);
    }
    summary(&world, &bench, &followers, worked);
    let (lives, log) = bench.finish();
    for life in lives.iter().filter(|life| life.counts()) {
        life.grown().into_iter().for_each(|grown| world.fail(grown));
    }
    for line in log.lines().filter(|line| line.contains("panicked") || line.contains("internal fault")) {
        world.fail(format!("the server logged: {line}"));
    }
    world.failures()
}

fn note_panic(world: &World, ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        world.fail(format!("a task of the test ended badly: {error}"));
    }
}

/// Holds everything that was acknowledged against what is there.
async fn judge(world: &World, bench: &Bench, followers: &[Arc<Follower>]) {
    // Halted runs stay halted, however often the server was killed since.
    let halted = world.model.lock().unwrap().halted.clone();
    for project in PROJECTS {
        let agent = world.connect(project, Role::Agent).await;
        for (_, session, run) in halted.iter().filter(|(of, ..)| of == project) {
            let asked = request(session, run, &format!("late{}", world.number()), shell("echo once more"));
            match world.until_answered("a halted run", || agent.decide(asked.clone())).await {
                Ok(given) if given.action() == haltgate::proto::v1::Action::Halt => {}
                Err(error) if error.reason() == Some(haltgate::proto::v1::ErrorReason::SessionClosed) => {}
                other => world.fail(format!("a halted run went on: {project}/{session}/{run}: {other:?}")),
            }
        }
    }
    let client = world.connect(PROJECTS[0], Role::Auditor).await;
    for project in PROJECTS {
        let Some(mut records) = Records::read(world, &client, project, None).await else { return };
        // Humans still answer what they were asked last.
        let began = Instant::now();
        loop {
            let caught_up = followers.iter().filter(|follower| follower.project == project).all(|follower| {
                let (raised, ended) = records.questions(follower.kind);
                let (saw_raised, saw_ended, quiet) = follower.progress();
                saw_raised >= raised.len() && saw_ended >= ended.len() && quiet >= QUIET
            });
            if caught_up || began.elapsed() > PATIENCE {
                break;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
            let Some(read) = Records::read(world, &client, project, None).await else { return };
            records = read;
        }
        let model = world.model.lock().unwrap();
        let mut wrong = records.missing(&model, project, world.started, Instant::now());
        wrong.extend(records.doubled());
        wrong.extend(records.answers(&model));
        wrong.extend(records.uses(&model, project));
        drop(model);
        for follower in followers.iter().filter(|follower| follower.project == project) {
            let (raised, ended) = records.questions(follower.kind);
            wrong.extend(follower.check(&raised, &ended));
        }
        for what in wrong {
            world.fail(what);
        }
        let of_project = ["--project", project, "--timeout", "120s", "--token-file", AUDITOR_FILE];
        let export = format!("{project}.jsonl");
        let checks = [
            [&["audit", "verify"], of_project.as_slice()].concat(),
            [&["audit", "export", "--output", &export], of_project.as_slice()].concat(),
            vec!["audit", "verify", "--export", &export],
        ];
        for check in checks {
            let ran = bench.served().run(&check);
            if ran.code != 0 {
                world.fail(format!("the chain of {project}: {check:?}: {ran:?}"));
            }
        }
    }
    same_order(followers).into_iter().for_each(|wrong| world.fail(wrong));
}

/// What happened, for people.
fn summary(world: &World, bench: &Bench, followers: &[Arc<Follower>], worked: Duration) {
    println!("\n{:.0} s of traffic, seed {}", worked.as_secs_f64(), world.options.seed);
    for (what, count) in world.counts() {
        println!("  {count:>8}  {what}");
    }
    for kind in [Kind::Escalations, Kind::Halts] {
        let of_kind = || followers.iter().filter(|follower| follower.kind == kind);
        let resumed: u64 = of_kind().map(|follower| follower.resumed().0).sum();
        let slow: u64 = of_kind().map(|follower| follower.resumed().1).sum();
        let seen: usize = of_kind().map(|follower| follower.progress().0).sum();
        println!(
            "  {resumed:>8}  feeds of {kind:?} resumed ({slow} as slow readers); {seen} raised, as seen by all"
        );
    }
    let (connections, faults) =
        (world.proxy.connections.load(Ordering::Relaxed), world.proxy.faults.load(Ordering::Relaxed));
    println!("  {connections:>8}  connections, {faults} of them cut");
    let milliseconds = |thousandths| world.latency(thousandths).as_secs_f64() * 1_000.0;
    println!(
        "  Decide: p50 {:.1} ms, p99 {:.1} ms, longest {:.0} ms",
        milliseconds(500),
        milliseconds(990),
        milliseconds(1_000)
    );
    println!("  store: {} MiB", bench.store_mib());
    for (what, took) in &bench.done {
        println!("  {what}, {:.1} s", took.as_secs_f64());
    }
    for life in &bench.lives {
        println!("  process: {life}");
    }
}
