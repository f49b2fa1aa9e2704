//! `haltgate backup`: a copy of the store, while a gate runs on it or not.
//!
//! Promises that a copy which was not checked is never reported as one, and exit code 1 for a file that is not whole. Knows
//! nothing of how copies are made.

use super::exit::Exit;
use super::failure::Failure;
use super::gate::refused;
use super::output;
use super::show;
use super::style::{self, painted};
use super::words::counted;
use crate::config::{self, Overrides, Source};
use crate::display::one_line;
use crate::store::backup::{self, BackupError, Checked, Stage};
use clap::{Args, Subcommand};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The options of the command.
#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "\
The copy is of one moment: whatever was acknowledged before it began is in it. A gate may run on the store meanwhile, and is
not held up. Every page and every link of the audit chain is checked before the copy gets its name.

To restore: stop the gate, move its file and those beside it (-wal, -shm) away, put the copy in its place, start the gate.

Exit codes: 0 the copy is whole, 1 it is not, 2 usage or fault

Examples:
  haltgate backup --to /backup/gate.db
  haltgate backup --store /var/lib/haltgate/gate.db --to /backup/gate.db --force
  haltgate backup verify /backup/gate.db"
)]
pub(super) struct BackupOptions {
    #[command(subcommand)]
    command: Option<BackupCommand>,
    /// The configuration file that names the store [default: haltgate.jsonc here, or none] [env: HALTGATE_CONFIG]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The SQLite file to copy [default: the configuration's] [env: HALTGATE_STORE]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Where the copy goes
    #[arg(long, value_name = "FILE", required = true)]
    to: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Subcommand)]
enum BackupCommand {
    /// Check every page of a store or copy, and every link of its audit chains
    Verify {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

impl BackupOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// There is no copy, or none that can be relied on.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let listener = listener();
        if let Some(BackupCommand::Verify { file }) = &self.command {
            let checked = backup::check_file(file, &*listener);
            clear();
            return report(checked, "whole", file);
        }
        let from = self.source()?;
        let to = self.to.unwrap_or_default();
        let checked = backup::back_up(&from, &to, self.force, &*listener);
        clear();
        report(checked, "copied", &to)
    }

    /// The store to copy.
    fn source(&self) -> Result<PathBuf, Failure> {
        let flags =
            Overrides { config: self.config.clone(), store: self.store.clone(), ..Overrides::default() };
        let variables = Overrides::from_environment(|name| std::env::var_os(name));
        let overrides = flags.over(variables.map_err(|problems| refused(&problems))?);
        let source = Source { folder: PathBuf::new(), overrides };
        let configuration = config::load(&source).map_err(|problems| refused(&problems))?.configuration;
        if configuration.store().ephemeral {
            return Err(Failure::new(
                "the configuration keeps everything in memory: there is no file to copy",
            )
            .advise("name a file with --store FILE"));
        }
        Ok(configuration.store().path.clone())
    }
}

fn report(checked: Result<Checked, BackupError>, what: &str, file: &Path) -> Result<Exit, Failure> {
    let Checked { bytes, chains } = match checked {
        Ok(checked) => checked,
        Err(error @ (BackupError::Damaged { .. } | BackupError::Broken { .. })) => {
            let advice =
                "no copy was kept; keep the files of the store as they are and find out what changed them";
            let failure = Failure::new(error.to_string());
            let failure = if what == "copied" { failure.advise(advice) } else { failure };
            output::complain(&failure.render());
            return Ok(Exit::Bad);
        }
        Err(error) => return Err(Failure::new(error.to_string())),
    };
    let file = one_line(&file.display().to_string());
    let mut text = format!(
        "{}  {file}, {}, every page and every link checked\n",
        painted(style::GOOD, what),
        size(bytes)
    );
    for chain in chains {
        let head =
            chain.head.map(|head| format!(", head {}:{}", head.sequence, head.hash)).unwrap_or_default();
        let line = format!("{}: {}{head}", one_line(&chain.project), counted(chain.checked, "record"));
        text.push_str(&show::unwrapped("project", &line));
    }
    output::write(&text)?;
    Ok(Exit::Good)
}

/// A size as people read it.
fn size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB"];
    let mut tenths = bytes.saturating_mul(10) / 1024;
    let mut unit = units.iter();
    let mut name = unit.next();
    while tenths >= 10_240
        && let Some(next) = unit.next()
    {
        tenths /= 1024;
        name = Some(next);
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, name.copied().unwrap_or_default())
}

/// Shows on a terminal how far it has come.
fn listener() -> Box<dyn Fn(Stage)> {
    if !std::io::stderr().is_terminal() {
        return Box::new(|_| {});
    }
    Box::new(|stage| {
        let line = match stage {
            Stage::Copying(done, total) => {
                let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
                format!("copying {percent} %")
            }
            Stage::CheckingPages => "checking pages".to_owned(),
            Stage::CheckingChains(done, count) => format!("checking chains {done}/{count}"),
        };
        output::complain(&format!("\r\u{1b}[K{line}"));
    })
}

/// Takes the line of the progress away again.
fn clear() {
    if std::io::stderr().is_terminal() {
        output::complain("\r\u{1b}[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_at_a_glance() {
        for (bytes, text) in [
            (0, "0.0 KiB"),
            (4_096, "4.0 KiB"),
            (1_048_575, "1023.9 KiB"),
            (1 << 20, "1.0 MiB"),
            (5 << 29, "2.5 GiB"),
            (1 << 50, "1048576.0 GiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
