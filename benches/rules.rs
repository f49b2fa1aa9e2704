//! How the cost of comparing a command with a list grows with the list.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark may fail")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use haltgate::rules::{Entry, ListKind, RuleList, Target, TextPattern};
use haltgate::shell::{Dialect, analyze};

/// A list with entries of every kind, none of which matches.
fn list(kind: ListKind, entries: usize) -> RuleList {
    let entry = |number: usize| {
        let pattern = match number % 10 {
            0 => TextPattern::Glob(format!("deploy-{number} * --force")),
            1 => TextPattern::Regexp(format!("^release-{number} (prod|live)$")),
            _ => TextPattern::Exact(format!("git push origin branch-{number}")),
        };
        Entry::Shell { pattern, rate: None }
    };
    RuleList::compile(kind, (0..entries).map(entry).collect()).expect("the entries compile")
}

fn matching(criterion: &mut Criterion) {
    let analysis = analyze("cd /srv/app && git push origin main 2>&1 | tee \"$LOG\"", Dialect::Bash);
    let single = analyze("git push origin main", Dialect::Bash);
    let mut group = criterion.benchmark_group("matching");
    for entries in [10_usize, 1_000, 100_000] {
        let deny = list(ListKind::Deny, entries);
        let allow = list(ListKind::Allow, entries);
        group.bench_function(BenchmarkId::new("a deny list, three commands", entries), |bencher| {
            bencher.iter(|| black_box(deny.find(&Target::Shell(&analysis))));
        });
        group.bench_function(BenchmarkId::new("an allow list, one command", entries), |bencher| {
            bencher.iter(|| black_box(allow.find(&Target::Shell(&single))));
        });
    }
    group.finish();
}

criterion_group!(benches, matching);
criterion_main!(benches);
