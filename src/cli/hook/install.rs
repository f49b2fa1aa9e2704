//! Writing the hook into an agent's settings, and taking it out.
//!
//! Promises to show what changes, to change nothing else, and to replace a file whole or not at all. Knows nothing of what
//! the hook does.

use super::agent::Agent;
use super::diff::diff;
use super::{Manner, command, settings};
use crate::cli::connection::Connection;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use crate::display::one_line;
use clap::Args;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The plugin for OpenCode, which has no hooks in its settings.
const PLUGIN: &str = include_str!("opencode.js");

/// What the plugin begins with, whoever wrote it.
const PLUGIN_MARK: &str = "// haltgate:";

/// Where the hook goes.
#[derive(Debug, Args)]
struct Place {
    /// In your own settings, for every project, instead of in those of the project here
    #[arg(long)]
    user: bool,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

/// The options of `install`.
#[derive(Debug, Args)]
pub(super) struct InstallOptions {
    #[command(flatten)]
    place: Place,
}

/// The options of `uninstall`.
#[derive(Debug, Args)]
pub(super) struct UninstallOptions {
    #[command(flatten)]
    place: Place,
}

impl InstallOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The settings are in a form that is not known, or cannot be written.
    pub(super) fn run(
        &self,
        agent: Agent,
        manner: &Manner,
        connection: &Connection,
    ) -> Result<Exit, Failure> {
        // What a project shares must not name a place of this machine.
        let program = if self.place.user { this_program()? } else { "haltgate".to_owned() };
        let line = command::line(agent, &program, manner, connection);
        let timeout = command::timeout(agent, manner, connection);
        self.place.change(agent, |text| match agent {
            Agent::ClaudeCode | Agent::Codex | Agent::Gemini => {
                settings::installed(text.unwrap_or_default(), agent, &line, timeout).map(Some)
            }
            Agent::OpenCode => {
                own_plugin(text)?;
                let command = serde_json::Value::from(line.as_str()).to_string();
                let plugin = PLUGIN.replace("__TIMEOUT__", &timeout.as_millis().to_string());
                Ok(Some(plugin.replace("__COMMAND__", &command)))
            }
        })?;
        if !self.place.dry_run {
            output::write(afterwards(agent))?;
        }
        Ok(Exit::Good)
    }
}

impl UninstallOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The settings are in a form that is not known, or cannot be written.
    pub(super) fn run(&self, agent: Agent) -> Result<Exit, Failure> {
        self.place.change(agent, |text| {
            let Some(text) = text else { return Ok(None) };
            match agent {
                Agent::ClaudeCode | Agent::Codex | Agent::Gemini => {
                    settings::uninstalled(text, agent).map(Some)
                }
                Agent::OpenCode => own_plugin(Some(text)).map(|()| None),
            }
        })?;
        Ok(Exit::Good)
    }
}

/// A file of another with the name of the plugin is left alone.
fn own_plugin(text: Option<&str>) -> Result<(), String> {
    match text {
        Some(text) if !text.starts_with(PLUGIN_MARK) => Err("it is not haltgate's plugin".to_owned()),
        Some(_) | None => Ok(()),
    }
}

/// What is left to do by hand.
fn afterwards(agent: Agent) -> &'static str {
    match agent {
        Agent::ClaudeCode => "Claude Code asks haltgate from its next session on. The gate must run then.\n",
        Agent::Codex => "Codex skips a hook until you trust it: open /hooks there. The gate must run then.\n",
        Agent::Gemini => "Gemini CLI asks haltgate from its next start on. The gate must run then.\n",
        Agent::OpenCode => "OpenCode asks haltgate from its next start on. The gate must run then.\n",
    }
}

impl Place {
    /// The file that the hook goes into.
    fn path(&self, agent: Agent) -> Result<PathBuf, Failure> {
        let (folder, variable, below_home, file) = match agent {
            Agent::ClaudeCode => (".claude", Some("CLAUDE_CONFIG_DIR"), ".claude", "settings.json"),
            Agent::Codex => (".codex", Some("CODEX_HOME"), ".codex", "hooks.json"),
            Agent::Gemini => (".gemini", None, ".gemini", "settings.json"),
            Agent::OpenCode => (".opencode", None, ".config/opencode", "plugins/haltgate.js"),
        };
        if !self.user {
            return Ok(Path::new(folder).join(file));
        }
        let filled = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(named) = variable.and_then(filled) {
            return Ok(named.join(file));
        }
        let home = filled("HOME").ok_or_else(|| Failure::new("HOME does not say where your settings are"))?;
        Ok(home.join(below_home).join(file))
    }

    /// Shows a change of the file, and makes it. A text that is `None` stands for no file.
    fn change(
        &self,
        agent: Agent,
        edit: impl FnOnce(Option<&str>) -> Result<Option<String>, String>,
    ) -> Result<(), Failure> {
        let path = self.path(agent)?;
        let name = one_line(&path.display().to_string());
        let failed = |problem: String| Failure::new(format!("{name}: {problem}"));
        let before = match std::fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error.to_string())),
        };
        let after = edit(before.as_deref()).map_err(|problem| {
            failed(problem).advise("mend the file, or add the hook by hand as docs/adapters.md shows")
        })?;
        if before == after {
            output::write(&format!("{name}: nothing to change\n"))?;
            return Ok(());
        }
        let (old, new) = (before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
        output::write(&diff(&name, old, new))?;
        if self.dry_run {
            return Ok(());
        }
        let written = match &after {
            Some(text) => replace(&path, text),
            None => std::fs::remove_file(&path),
        };
        written.map_err(|error| failed(error.to_string()))
    }
}

/// Replaces a file whole or not at all. A link stays one: what it leads to is replaced.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_absent| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let beside = folder.join(format!(".haltgate-{}", uuid::Uuid::now_v7()));
    let written = (|| {
        let mut file = std::fs::File::options().write(true).create_new(true).open(&beside)?;
        if let Ok(found) = std::fs::metadata(&target) {
            file.set_permissions(found.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&beside, &target)
    })();
    if written.is_err() {
        // What is left of the attempt, where there is anything.
        let _removed = std::fs::remove_file(&beside);
    }
    written
}

/// The path of this program.
fn this_program() -> Result<String, Failure> {
    let path = std::env::current_exe()
        .map_err(|error| Failure::new(format!("cannot tell where haltgate itself is: {error}")))?;
    path.into_os_string().into_string().map_err(|_path| Failure::new("the path of haltgate is no text"))
}
