//! How long it takes to analyse a command: ordinary ones, hostile ones, and how that grows with their length.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark may fail")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use haltgate::shell::{Dialect, analyze, reader};

fn realistic() -> Vec<String> {
    serde_json::from_str(include_str!("../tests/corpora/realistic_commands.json"))
        .expect("the corpus is JSON")
}

/// The best time of one command, in a row of runs.
fn best(command: &str) -> Duration {
    let once = || {
        let started = Instant::now();
        black_box(analyze(black_box(command), Dialect::Bash));
        started.elapsed()
    };
    (0..200).map(|_| once()).min().unwrap_or_default()
}

fn each_command() {
    let mut times: Vec<(Duration, String)> =
        realistic().into_iter().map(|command| (best(&command), command)).collect();
    times.sort();
    let at =
        |percent: usize| times.get(times.len() * percent / 100).map(|(time, _)| *time).unwrap_or_default();
    println!("each of {} realistic commands: median {:?}, 90 % within {:?}", times.len(), at(50), at(90));
    for (time, command) in times.iter().rev().take(3) {
        println!("  {time:?}: {command:?}");
    }
}

fn ordinary(criterion: &mut Criterion) {
    each_command();
    let commands = realistic();
    let mut group = criterion.benchmark_group("analysis of 200 realistic commands");
    group.throughput(Throughput::Elements(commands.len() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| commands.iter().for_each(|command| drop(black_box(reader::read(command)))));
    });
    group.bench_function("analyse", |bencher| {
        bencher.iter(|| commands.iter().for_each(|command| drop(black_box(analyze(command, Dialect::Bash)))));
    });
    group.bench_function("analyse, and compare with a restrictive list", |bencher| {
        bencher.iter(|| {
            for command in &commands {
                black_box(analyze(command, Dialect::Bash).restrictive_spellings().len());
            }
        });
    });
    group.finish();
}

fn hostile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hostile text");
    group.sample_size(10);
    let texts = [
        ("100 kB of nested $(", format!("echo {}", "$(".repeat(50_000))),
        ("one word of 1 MiB", format!("echo {}", "a".repeat((1 << 20) - 5))),
        ("50,000 semicolons", "a;".repeat(50_000)),
        ("1 MiB of quotes", format!("echo {}", "''".repeat((1 << 19) - 3))),
        ("1 MiB of words", format!("echo {}", "a ".repeat((1 << 19) - 3))),
        ("100 kB of braces", format!("echo {}", "{a,".repeat(33_000))),
        ("1 MiB that does not read", format!("(echo {}", "a&&b;$(c)".repeat(116_000))),
    ];
    for (name, text) in &texts {
        group.bench_function(*name, |bencher| {
            bencher.iter(|| black_box(analyze(text, Dialect::Bash).restrictive_spellings().len()));
        });
    }
    group.finish();
}

fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth with length");
    group.sample_size(10);
    for commands in [16_usize, 128, 1024, 4096] {
        let text = "git commit -m \"$(date) 'x'\" -- src/*.rs && ".repeat(commands / 2) + "true";
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(commands), &text, |bencher, text| {
            bencher.iter(|| black_box(analyze(text, Dialect::Bash)));
        });
    }
    group.finish();
}

criterion_group!(benches, ordinary, hostile, growth);
criterion_main!(benches);
