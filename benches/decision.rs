//! How long the gate itself takes to decide, from the call to the answer, in process and without a store; and what counting
//! adds to that.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark may fail")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use haltgate::config::{Configuration, Document};
use haltgate::gate::{
    Action, Call, Floors, GrantBook, Moment, Outcome, SessionState, ShellCall, Stage, Surroundings, decide,
};
use haltgate::telemetry::{Method, Metrics, Source};
use std::time::Duration;
use tonic::Code;

fn deciding(criterion: &mut Criterion) {
    let text = include_str!("../docs/haltgate.example.jsonc");
    let document = Document::parse("example", text).expect("the example can be read");
    let configuration = Configuration::of(&document).expect("the example is valid");
    let policy = configuration.gate_policy("default", None).expect("the example compiles");
    let commands: Vec<String> =
        serde_json::from_str(include_str!("../tests/corpora/realistic_commands.json"))
            .expect("the corpus is JSON");
    let calls: Vec<Call> = commands.into_iter().map(|command| Call::Shell(ShellCall::new(command))).collect();
    let mut group = criterion.benchmark_group("a whole decision");
    group.throughput(Throughput::Elements(calls.len() as u64));
    group.bench_function("200 realistic commands under the example policy", |bencher| {
        bencher.iter(|| {
            for call in &calls {
                let mut session = SessionState::open(&policy);
                let mut persisted = GrantBook::default();
                let mut around = Surroundings {
                    policy: &policy,
                    floors: Floors::default(),
                    persisted: &mut persisted,
                    now: Moment::default(),
                    attack_watched: false,
                };
                black_box(decide(&mut around, &mut session, call, "run"));
            }
        });
    });
    group.finish();
}

/// What counting adds to each of those decisions: everything that is counted of a request which is rated and stored.
fn counting(criterion: &mut Criterion) {
    let metrics = Metrics::default();
    let method = Method { grpc_service: "haltgate.v1.ApprovalGate", grpc_method: "Decide" };
    let took = Duration::from_micros(42);
    let mut group = criterion.benchmark_group("counting");
    group.throughput(Throughput::Elements(200));
    group.bench_function("200 decisions", |bencher| {
        bencher.iter(|| {
            for _ in 0..200 {
                let metrics = black_box(&metrics);
                metrics.began(method);
                metrics.rated(Source::BuiltIn, Outcome::Safe, None, false, took);
                metrics.decided(Action::Approve, Stage::Rater, took);
                metrics.committed(took);
                metrics.ended(method, Code::Ok, took);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, deciding, counting);
criterion_main!(benches);
