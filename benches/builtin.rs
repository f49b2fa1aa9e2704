//! How long the built-in rater takes to judge a command, its analysis included: ordinary ones, and how that grows with hostile
//! ones.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark may fail")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use haltgate::gate::{RatingRequest, RatingSubject, ReadCommand};
use haltgate::rater::BuiltIn;
use haltgate::shell::Dialect;

fn request(command: &str) -> RatingRequest {
    RatingRequest {
        subject: RatingSubject::Command {
            command: ReadCommand::new(command, Dialect::Bash),
            cwd: Some("/work/project".to_owned()),
            home: Some("/home/me".to_owned()),
        },
        profile: None,
        timeout_ms: 30_000,
        context: None,
        negotiable: false,
        free_tools: Vec::new(),
    }
}

fn realistic() -> Vec<RatingRequest> {
    let commands: Vec<String> =
        serde_json::from_str(include_str!("../tests/corpora/realistic_commands.json"))
            .expect("the corpus is JSON");
    commands.iter().map(|command| request(command)).collect()
}

/// The best time of one command, in a row of runs.
fn best(request: &RatingRequest) -> Duration {
    let once = || {
        let started = Instant::now();
        black_box(BuiltIn::judge(black_box(request)));
        started.elapsed()
    };
    (0..200).map(|_| once()).min().unwrap_or_default()
}

fn each_command(requests: &[RatingRequest]) {
    let mut times: Vec<Duration> = requests.iter().map(best).collect();
    times.sort();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or_default();
    println!("each of {} realistic commands: median {:?}, 90 % within {:?}", times.len(), at(50), at(90));
}

fn ordinary(criterion: &mut Criterion) {
    let requests = realistic();
    each_command(&requests);
    let mut group = criterion.benchmark_group("judging 200 realistic commands");
    group.throughput(Throughput::Elements(requests.len() as u64));
    group.bench_function("judge", |bencher| {
        bencher.iter(|| requests.iter().for_each(|request| drop(black_box(BuiltIn::judge(request)))));
    });
    group.finish();
}

fn hostile(criterion: &mut Criterion) {
    let nested = format!("{}ls{}", "echo $(".repeat(90), ")".repeat(90));
    let many = "x=$x$x; cat $x; ".repeat(1_000);
    let piped = vec!["sort"; 2_000].join(" | ");
    let mut group = criterion.benchmark_group("judging hostile text");
    for (name, text) in [("nested", nested), ("values of values", many), ("a long pipeline", piped)] {
        let request = request(&text);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.sample_size(10);
        group.bench_function(name, |bencher| bencher.iter(|| BuiltIn::judge(black_box(&request))));
    }
    group.finish();
}

criterion_group!(benches, ordinary, hostile);
criterion_main!(benches);
