//! The oracle: every command that a real bash runs from a line must be a segment of its analysis, or the analysis must say
//! that it cannot read the line. `docs/oracle.md` tells how to run it for long.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

mod compare;
mod counts;
mod generate;
mod ran;
mod random;
mod sandbox;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use haltgate::shell::{Analysis, Dialect, analyze};

use compare::{Miss, missed};
use counts::Counts;
use generate::{Generator, Origin};
use ran::{Case, Ran};
use sandbox::{Question, Root, Sandbox, Unavailable};

const USAGE: &str = "usage: cargo test --test differential -- [--seconds N | --lines N] [--seed N] [--workers N] [--report-every N] [--why N]
       cargo test --test differential -- --line TEXT | --file FILE | --keep FILE

Compares what a real bash runs with what the analysis says, on generated lines. Needs Linux, root, bash, unshare, prlimit and
chroot; exits with 77 and the reason where they are not there, and with 1 after a miss. A miss is saved in
tests/corpora/oracle, whose lines are compared first in every run.
  --seconds N       stop after N seconds (default 60)
  --lines N         stop after N lines instead
  --seed N          where the generators start (default 1); worker w of round r uses a seed of its own
  --workers N       how many at once (default: one for each core)
  --report-every N  seconds between lines of progress (default 60)
  --why N           at the end, with each reason of unread and opaque lines the N shortest lines that have it (default 0)
  --line TEXT       say what bash runs from one line and what the analysis says, and no more
  --file FILE       the same for a file
  --keep FILE       the same, and save it as a case";

/// The exit code that stands for `skipped`.
const SKIPPED: u8 = 77;
/// Lines of one seed; a worker takes one seed after the other.
const LINES_OF_A_SEED: usize = 500;

/// Of so many lines one is asked for more than it needs: whether it is valid, and what it runs with the builtins at work.
const LINES_BETWEEN_QUESTIONS: usize = 4;

/// Words after which an argument or a value may be code, so that an opaque answer is the right one.
const EVALUATING: &[&str] = &[
    "eval",
    "trap",
    "bash",
    "sh",
    "zsh",
    "dash",
    "source",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "let",
    "test",
    "printf",
    "read",
    "unset",
    "mapfile",
    "readarray",
    "compgen",
    "complete",
    "command",
    "builtin",
    "exec",
    "env",
    "sudo",
    "xargs",
    "find",
    "ssh",
    "alias",
    "enable",
    "hash",
    "bind",
    "shopt",
    "fc",
    "jobs",
    "wait",
    "getopts",
    "PS4",
    "PS0",
    "PS1",
    "PROMPT_COMMAND",
    "BASH_ENV",
    "ENV",
    "python",
    "python3",
    "perl",
    "node",
    "ruby",
    "awk",
    "parallel",
    "docker",
    "kubectl",
    "su",
    "doas",
    "timeout",
    "nice",
    "nohup",
    "watch",
    "busybox",
    "fish",
    "ksh",
    "csh",
    "git",
    "make",
];

/// Whether a word of the line may make bash take an argument or a value as code.
fn may_evaluate(line: &str) -> bool {
    let mut words = line.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words.any(|word| EVALUATING.contains(&word))
}

struct Options {
    limit: Limit,
    seed: u64,
    workers: usize,
    report_every: Duration,
    why: usize,
    show: Option<String>,
    keep: bool,
}

#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Lines(u64),
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        limit: Limit::Time(Duration::from_secs(60)),
        seed: 1,
        workers: thread::available_parallelism().map_or(1, std::num::NonZero::get),
        report_every: Duration::from_secs(60),
        why: 0,
        show: None,
        keep: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        if option == "--help" {
            println!("{USAGE}");
            std::process::exit(0);
        }
        let value = arguments.next().ok_or_else(|| format!("{option} needs a value\n{USAGE}"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{option} needs a number, not {value}"));
        options.keep |= option == "--keep";
        match option.as_str() {
            "--seconds" => options.limit = Limit::Time(Duration::from_secs(number()?)),
            "--lines" => options.limit = Limit::Lines(number()?),
            "--seed" => options.seed = number()?,
            "--workers" => options.workers = usize::try_from(number()?.clamp(1, 64)).unwrap_or(1),
            "--report-every" => options.report_every = Duration::from_secs(number()?.max(1)),
            "--why" => options.why = usize::try_from(number()?).unwrap_or(usize::MAX),
            "--line" => options.show = Some(value),
            "--file" | "--keep" => {
                options.show = Some(fs::read_to_string(&value).map_err(|error| format!("{value}: {error}"))?)
            }
            _ => return Err(format!("there is no option {option}\n{USAGE}")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            println!("{message}");
            return ExitCode::from(2);
        }
    };
    let outcome = match &options.show {
        Some(line) => show(line, options.keep),
        None => compare_all(&options),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(Unavailable(reason)) => {
            println!("SKIPPED: the differential test cannot run here: {reason}. It needs root on Linux.");
            ExitCode::from(SKIPPED)
        }
    }
}

fn show(line: &str, keep: bool) -> Result<bool, Unavailable> {
    let root = Root::new()?;
    let mut sandbox = Sandbox::start(&root, 0)?;
    let answer = sandbox.ask(&[Question::all(line)])?.pop().unwrap_or_default();
    let analysis = analyze(line, Dialect::Bash);
    let miss = missed(&analysis, &answer.ran);
    println!("valid: {:?}, late: {}", answer.valid, answer.late);
    println!("plain: {:?}\nevaluating: {:?}", answer.ran.plain, answer.ran.evaluating);
    println!("{}", said(&analysis));
    println!("missed: {miss:?}");
    if keep {
        save(line, &answer.ran);
    }
    Ok(miss.is_none())
}

fn said(analysis: &Analysis) -> String {
    let mut text = match analysis.unread() {
        Some(unread) => format!("unread: {unread}\n"),
        None => String::new(),
    };
    for reason in analysis.opaque_reasons() {
        text += &format!("opaque: {reason}\n");
    }
    for segment in analysis.segments() {
        text += &format!("segment: {} {:?}\n", segment.spelling, segment.reached);
    }
    text
}

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora")
}

/// The commands of all corpora.
fn corpus() -> Vec<String> {
    let read = |name: &str| -> serde_json::Value {
        let text = fs::read_to_string(corpora().join(name)).expect("the corpus is part of the source");
        serde_json::from_str(&text).expect("the corpus is JSON")
    };
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let mut commands: Vec<String> = Vec::new();
    commands.extend(read("realistic_commands.json").as_array().into_iter().flatten().filter_map(text));
    commands.extend(
        read("segments.json").as_array().into_iter().flatten().filter_map(|case| text(&case["command"])),
    );
    let bypass = read("bypass.json");
    let cases = bypass["cases"].as_array().into_iter().flatten();
    commands.extend(cases.filter_map(|case| text(&case["call"]["shell"]["command"])));
    commands
}

fn save(line: &str, ran: &Ran) {
    // FNV-1a: the name of a line is the same on every machine.
    let hash = line.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let case = Case { command: line.to_owned(), ran: ran.clone() };
    let text = serde_json::to_string_pretty(&case).expect("a case is JSON");
    let file = Case::folder().join(format!("{hash:016x}.json"));
    if let Err(error) = fs::write(&file, text + "\n") {
        println!("the case cannot be saved in {}: {error}", file.display());
    }
}

fn tell(line: &str, miss: &Miss, analysis: &Analysis) {
    let single = if miss.called_single { " (called one simple command)" } else { "" };
    println!("MISSED{single}: {line:?}\n  bash ran {:?}", miss.ran);
    for text in said(analysis).lines() {
        println!("  {text}");
    }
}

struct Run<'o> {
    options: &'o Options,
    started: Instant,
    corpus: Vec<String>,
    next_seed: AtomicU64,
    lines: AtomicU64,
    counts: Mutex<Counts>,
}

impl Run<'_> {
    fn over(&self) -> bool {
        match self.options.limit {
            Limit::Time(limit) => self.started.elapsed() >= limit,
            Limit::Lines(limit) => self.lines.load(Ordering::Relaxed) >= limit,
        }
    }

    fn compare(
        &self,
        sandbox: &mut Sandbox<'_>,
        lines: &[(Option<Origin>, String)],
    ) -> Result<(), Unavailable> {
        let questions: Vec<Question> = lines
            .iter()
            .enumerate()
            .map(|(index, (origin, line))| Question {
                line: line.clone(),
                validity: origin.is_none() || index.is_multiple_of(LINES_BETWEEN_QUESTIONS),
                evaluating: may_evaluate(line) || index.is_multiple_of(LINES_BETWEEN_QUESTIONS),
            })
            .collect();
        let mut counts = Counts::default();
        for ((origin, line), answer) in lines.iter().zip(sandbox.ask(&questions)?) {
            let analysis = analyze(line, Dialect::Bash);
            counts.count(*origin, line, &answer, &analysis);
            if let Some(miss) = missed(&analysis, &answer.ran) {
                counts.misses += 1;
                tell(line, &miss, &analysis);
                save(line, &answer.ran);
            }
        }
        self.lines.fetch_add(counts.lines, Ordering::Relaxed);
        self.counts.lock().expect("no worker panics with the counts").add(counts);
        Ok(())
    }

    fn work(&self, root: &Root, worker: usize) -> Result<(), Unavailable> {
        let mut sandbox = Sandbox::start(root, worker)?;
        let mut first: Vec<String> = Case::saved().into_iter().map(|case| case.command).collect();
        first.extend(self.corpus.iter().cloned());
        // The saved lines and the corpora as they are, shared among the workers.
        let share: Vec<(Option<Origin>, String)> = first
            .into_iter()
            .enumerate()
            .filter(|(index, line)| index % self.options.workers == worker && !line.contains('\0'))
            .map(|(_, line)| (None, line))
            .collect();
        self.compare(&mut sandbox, &share)?;
        while !self.over() {
            let seed = self.next_seed.fetch_add(1, Ordering::Relaxed);
            let mut generator = Generator::new(seed, &self.corpus);
            for _ in 0..LINES_OF_A_SEED / 50 {
                let lines: Vec<_> =
                    (0..50).map(|_| generator.line()).map(|(origin, line)| (Some(origin), line)).collect();
                self.compare(&mut sandbox, &lines)?;
                if self.over() {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn compare_all(options: &Options) -> Result<bool, Unavailable> {
    let root = Root::new()?;
    let run = Run {
        options,
        started: Instant::now(),
        corpus: corpus(),
        next_seed: AtomicU64::new(options.seed.wrapping_mul(1 << 20)),
        lines: AtomicU64::new(0),
        counts: Mutex::default(),
    };
    let mut said = Instant::now();
    let outcome: Result<(), Unavailable> = thread::scope(|scope| {
        let workers: Vec<_> = (0..options.workers)
            .map(|worker| {
                scope.spawn({
                    let (run, root) = (&run, &root);
                    move || run.work(root, worker)
                })
            })
            .collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(50));
            if said.elapsed() >= options.report_every {
                said = Instant::now();
                println!(
                    "{}",
                    run.counts
                        .lock()
                        .expect("no worker panics with the counts")
                        .report(run.started.elapsed())
                );
            }
        }
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    });
    outcome?;
    let counts = run.counts.into_inner().expect("no worker panics with the counts");
    print!("{}", counts.reasons(options.why));
    println!("seed {}: {}", options.seed, counts.report(run.started.elapsed()));
    Ok(counts.misses == 0)
}
