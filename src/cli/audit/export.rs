//! `haltgate audit export`: every record of a project, to be kept or read elsewhere.
//!
//! Promises that what is written was checked on the way, that a chain which does not hold is written all the same and said to
//! be broken, and that little is held in memory. Knows nothing of where records come from or go to.

use super::destination::Destination;
use super::source::{Source, Wanted};
use crate::cli::connection::Connection;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::cli::show;
use crate::cli::style::{self, painted};
use crate::cli::time::parse_moment;
use crate::cli::words::counted;
use crate::display::one_line;
use crate::export::{ExportCheck, ExportError, event, render, row_of};
use crate::store::{Head, RecordRow};
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use serde_json::json;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often progress is shown on a terminal.
const PROGRESS: Duration = Duration::from_millis(500);

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 everything was written, 1 it was, and the chain is broken, 2 usage or fault

A line holds everything that its hash is made of, so that anybody can verify the file: `haltgate audit verify --export FILE`, or
a few lines of Python (docs/audit.md). An OCSF event carries its line as raw_data.

Examples:
  haltgate audit export --output records.jsonl
  haltgate audit export --since 24h --format ocsf | gzip > yesterday.ocsf.gz
  haltgate audit export --append --output /var/log/haltgate/records.jsonl     run it as often as you like
  haltgate audit export --store /var/lib/haltgate/gate.db --after 8120        without a gate")]
pub(super) struct ExportOptions {
    /// How a record is written
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,
    /// Begin with what was written then or later: a moment, or how long ago
    #[arg(long, value_name = "TIME", value_parser = parse_moment)]
    since: Option<Timestamp>,
    /// End before what was written then: a moment, or how long ago
    #[arg(long, value_name = "TIME", value_parser = parse_moment)]
    until: Option<Timestamp>,
    /// Begin behind this record
    #[arg(long, value_name = "SEQUENCE", default_value_t = 0, hide_default_value = true)]
    after: u64,
    /// Write a file, which is there whole or not at all and replaces an older one [default: standard output]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Add to the file what was recorded since its last record
    #[arg(long, requires = "output", conflicts_with_all = ["after", "since"])]
    append: bool,
    /// Read the SQLite file of a store, without a gate
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// How a record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object on each line
    Jsonl,
    /// One event of the Open Cybersecurity Schema Framework on each line
    Ocsf,
}

impl ExportOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The records cannot be read or written.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let (mut destination, last) = match (&self.output, self.append) {
            (None, _) => (Destination::standard(), None),
            (Some(path), false) => (Destination::new_file(path)?, None),
            (Some(path), true) => Destination::grown_file(path)?,
        };
        let before = last.map(|line| self.goes_on_behind(&line, &connection.project)).transpose()?;
        destination.take_up()?;
        let wanted = Wanted {
            after: before.as_ref().map_or(self.after, |record| record.sequence),
            since: self.since,
            until: self.until,
        };
        let mut source = match &self.store {
            Some(path) => Source::store(path, &connection.project, wanted).await?,
            None => Source::gate(connection, wanted).await?,
        };
        let mut written = Written::behind(before.as_ref());
        let mut progress = Progress::new(self.output.is_some());
        'all: loop {
            let records = source.next().await?;
            if records.is_empty() {
                break;
            }
            for record in &records {
                written.check(record, before.as_ref())?;
                let line = match self.format {
                    Format::Jsonl => render(record),
                    Format::Ocsf => event(record),
                };
                let line = line.map_err(|error| {
                    Failure::new(format!("record {} cannot be written: {error}", record.sequence))
                })?;
                if !destination.line(&line)? {
                    // Nobody reads any more.
                    break 'all;
                }
            }
            progress.show(written.count, written.last, source.last());
        }
        destination.finish()?;
        progress.clear();
        self.report(&written, connection.json)
    }

    /// The last record of a file that grows.
    fn goes_on_behind(&self, line: &str, project: &str) -> Result<RecordRow, Failure> {
        let path = self.output.as_deref().map(|path| path.display().to_string()).unwrap_or_default();
        let record = row_of(line)
            .map_err(|error| Failure::new(format!("{path} does not end with a record: {error}")))?;
        if record.project != project {
            let message = format!("{path} holds records of project {}, not of {project}", record.project);
            return Err(Failure::new(message).advise("give each project a file of its own"));
        }
        let is_event = !line.starts_with("{\"project\"");
        if is_event != (self.format == Format::Ocsf) {
            return Err(Failure::new(format!("{path} is written in another format"))
                .advise("append in the format that the file has, or begin another file"));
        }
        Ok(record)
    }

    fn report(&self, written: &Written, as_json: bool) -> Result<Exit, Failure> {
        if let Some(broken) = &written.broken {
            output::complain(&format!(
                "{} the chain does not hold: {}\n",
                painted(style::ERROR, "BROKEN"),
                one_line(&broken.to_string())
            ));
        }
        let exit = if written.broken.is_some() { Exit::Bad } else { Exit::Good };
        let Some(path) = &self.output else { return Ok(exit) };
        if as_json {
            output::write_json(&json!({
                "records": written.count,
                "firstSequence": written.first,
                "lastSequence": written.last.map(|last| last.sequence),
                "lastHash": written.last.map(|last| last.hash.to_string()),
                "intact": written.broken.is_none(),
            }))?;
            return Ok(exit);
        }
        let mut text = format!(
            "{} written to {}\n",
            counted(written.count, "record"),
            one_line(&path.display().to_string())
        );
        if let (Some(first), Some(last)) = (written.first, written.last) {
            text.push_str(&show::labelled("records", &format!("{first} to {}", last.sequence)));
            text.push_str(&show::unwrapped("last", &format!("{}:{}", last.sequence, last.hash)));
        }
        output::write(&text)?;
        Ok(exit)
    }
}

/// What was written so far, and whether it holds.
struct Written {
    check: ExportCheck,
    broken: Option<ExportError>,
    count: u64,
    first: Option<u64>,
    last: Option<Head>,
}

impl Written {
    fn behind(record: Option<&RecordRow>) -> Self {
        let check = record.map_or_else(ExportCheck::default, ExportCheck::behind);
        Self { check, broken: None, count: 0, first: None, last: None }
    }

    /// Checks a record that is about to be written. A chain that breaks is evidence, and is written whole; but a file does not
    /// go on with another chain than its own.
    fn check(&mut self, record: &RecordRow, before: Option<&RecordRow>) -> Result<(), Failure> {
        if self.broken.is_none()
            && let Err(error) = self.check.record(record)
        {
            if before.is_some() && self.count == 0 {
                return Err(Failure::new(format!("the records do not follow those of the file: {error}"))
                    .advise("begin another file; this one is of another chain, or retention dropped what came between"));
            }
            self.broken = Some(error);
        }
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert(record.sequence);
        self.last = Some(Head { sequence: record.sequence, hash: record.hash });
        Ok(())
    }
}

/// How far long work has come, on a terminal.
struct Progress {
    shown_at: Instant,
    shown: bool,
    wanted: bool,
}

impl Progress {
    fn new(to_file: bool) -> Self {
        let wanted = to_file && std::io::stderr().is_terminal();
        Self { shown_at: Instant::now(), shown: false, wanted }
    }

    fn show(&mut self, count: u64, at: Option<Head>, last: Option<u64>) {
        if !self.wanted || self.shown_at.elapsed() < PROGRESS {
            return;
        }
        let at = at.map_or(0, |at| at.sequence);
        let of = last.map(|last| format!(", at {at} of {last}")).unwrap_or_default();
        output::complain(&format!("\r{}{of} ", counted(count, "record")));
        (self.shown, self.shown_at) = (true, Instant::now());
    }

    fn clear(&self) {
        if self.shown {
            output::complain("\r\x1b[K");
        }
    }
}
