//! `haltgate check`: is this configuration sound, and is it meant?
//!
//! Promises every problem with its file, line and column, as a compiler prints them. Knows nothing of any gate.

use super::exit::Exit;
use super::failure::Failure;
use super::output;
use super::style::{self, painted};
use super::words::counted;
use crate::config::{self, Configuration, Overrides, Problem, Problems, Source, lint};
use crate::rater::missing_keys;
use crate::rules::ListKind;
use crate::server::{check_auth, missing_secrets};
use crate::session::Policies;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Warned of: entries that can never fire, that another entry makes needless, or that match nothing
they seem meant for.
Exit codes: 0 no errors, 1 errors, 2 usage or fault

Examples:
  haltgate check
  haltgate check policies/ci.jsonc --json
  haltgate check --effective             prints every setting with its value")]
pub(super) struct CheckOptions {
    /// The configuration file [default: HALTGATE_CONFIG, or haltgate.jsonc here]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Print every setting with its value, defaults included
    #[arg(long)]
    effective: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

impl CheckOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The result cannot be written.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        match self.load() {
            Ok((configuration, files, warnings)) => {
                let text = if self.json {
                    return report(&warnings, Some((&configuration, &files)));
                } else {
                    self.sound(&configuration, &files, &warnings)?
                };
                output::write(&text)?;
                Ok(Exit::Good)
            }
            Err(problems) if self.json => report(&problems, None),
            Err(problems) => {
                output::write(&problem_rows(&problems))?;
                Ok(Exit::Bad)
            }
        }
    }

    fn load(&self) -> Result<(Configuration, Vec<PathBuf>, Problems), Problems> {
        let flags = Overrides { config: self.file.clone(), ..Overrides::default() };
        let overrides = flags.over(Overrides::from_environment(|name| std::env::var_os(name))?);
        let loaded = config::load(&Source { folder: PathBuf::new(), overrides })?;
        let mut warnings = loaded.warnings.list().to_vec();
        warnings.extend(lint(&loaded.configuration).list().iter().cloned());
        warnings.extend(missing_keys(loaded.configuration.rater()));
        warnings.extend(missing_secrets(loaded.configuration.notifications()));
        let files = check_auth(&loaded.configuration).err();
        // Here and now; where the gate runs, they may be there.
        warnings.extend(
            files.iter().flat_map(Problems::list).map(|problem| {
                Problem::warning(problem.origin.clone(), &problem.path, problem.message.clone())
            }),
        );
        // Each entry is sound by itself; this finds lists that are too much as a whole.
        Policies::compile(loaded.configuration.clone())?;
        Ok((loaded.configuration, loaded.files, Problems::new(warnings)))
    }

    fn sound(
        &self,
        configuration: &Configuration,
        files: &[PathBuf],
        warnings: &Problems,
    ) -> Result<String, Failure> {
        let mut text = if warnings.is_empty() { String::new() } else { problem_rows(warnings) };
        if self.effective {
            let whole = serde_json::to_string_pretty(&configuration.effective())
                .map_err(|error| Failure::new(format!("cannot write the settings: {error}")))?;
            text.push_str(&format!("{whole}\n"));
            return Ok(text);
        }
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let from = if names.is_empty() { "no file, the defaults".to_owned() } else { names.join(", ") };
        let posture = configuration.posture("", None);
        let lists = [ListKind::Deny, ListKind::Escalate, ListKind::Allow]
            .map(|list| format!("{} {}", posture.list(list).len(), list.as_str()));
        text.push_str(&format!(
            "{} {}: rung {}, {}, revision {}\n",
            painted(style::GOOD, "ok"),
            crate::display::one_line(&from),
            posture.rung.as_str(),
            lists.join(", "),
            configuration.revision()
        ));
        Ok(text)
    }
}

/// Problems, one row each, and a row that counts them.
pub(super) fn problem_rows(problems: &Problems) -> String {
    let mut text = String::new();
    for problem in problems.list() {
        let label = if problem.is_error() {
            painted(style::ERROR, "error")
        } else {
            painted(style::WARNING, "warning")
        };
        let line = problem.to_string().replacen("warning: ", "", usize::from(!problem.is_error()));
        text.push_str(&format!("{label} {line}\n"));
    }
    let errors = problems.list().iter().filter(|problem| problem.is_error()).count();
    let warnings = problems.list().len().saturating_sub(errors);
    let counts: Vec<String> = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count as u64, noun))
        .collect();
    text.push_str(&format!("{}\n", counts.join(", ")));
    text
}

/// Problems as JSON, with the configuration where there is one.
fn report(problems: &Problems, sound: Option<(&Configuration, &[PathBuf])>) -> Result<Exit, Failure> {
    let mut value = problems.to_json();
    if let (Some((configuration, files)), Value::Object(map)) = (sound, &mut value) {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        map.insert("files".to_owned(), json!(files));
        map.insert("revision".to_owned(), json!(configuration.revision()));
        map.insert("configuration".to_owned(), configuration.effective());
    }
    output::write_json(&value)?;
    Ok(if problems.has_errors() { Exit::Bad } else { Exit::Good })
}
