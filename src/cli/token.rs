//! `haltgate token`: the tokens that callers of a gate show.
//!
//! Promises that a token is shown once, when it is made, and that what is kept of it cannot be turned back into it. Works on the
//! file alone: a gate that runs follows it, and needs no restart.

use super::exit::Exit;
use super::failure::Failure;
use super::gate::refused;
use super::output;
use super::style::{self, painted};
use super::table::{Cell, table};
use super::time::{local, parse_duration, to_proto};
use crate::access::{Projects, Role};
use crate::config::{self, ALL_PROJECTS, Overrides, Source};
use crate::server::{NewToken, TokenFile, TokenFileError, TokenId, TokenRecord, is_caller_name};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
A token is shown once, when it is made; the file keeps a hash. Give it to clients in HALTGATE_TOKEN, or in a
file that HALTGATE_TOKEN_FILE or --token-file names; never on a command line, which others can read.
A gate that runs follows the file: a new token counts within seconds, and a revoked one no longer.

Examples:
  haltgate token create --name ci-agent --role agent --project web --expires 90d
  haltgate token create --name ana --role operator --project '*' > ana.token
  haltgate token list
  haltgate token revoke 3f9a0c51d2e7")]
pub(super) struct TokenOptions {
    #[command(subcommand)]
    command: TokenCommand,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Subcommand)]
enum TokenCommand {
    /// Make a token, and print it on standard output
    Create(CreateOptions),
    /// List the tokens, without their secrets
    List,
    /// Revoke a token: it counts no longer, and what is under way with it ends
    Revoke(RevokeOptions),
}

// Where the tokens are. (Documentation here would become the help of the command.)
#[derive(Debug, Args)]
struct Place {
    /// The file with the tokens [default: the `auth.tokens_file` of the configuration]
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "config")]
    file: Option<PathBuf>,
    /// The configuration that names the file [default: HALTGATE_CONFIG, or haltgate.jsonc here]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Print JSON instead of text
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Args)]
struct CreateOptions {
    /// What its holder is called in records
    #[arg(long)]
    name: String,
    /// What its holder may do: agent, operator, auditor or admin
    #[arg(long, value_parser = parse_role)]
    role: Role,
    /// A project that its holder may use; may be repeated; '*' for all
    #[arg(long = "project", value_name = "NAME", required = true)]
    projects: Vec<String>,
    /// When it ends, from now: 12h, 90d. Without it, when it is revoked
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    expires: Option<Duration>,
}

#[derive(Debug, Args)]
struct RevokeOptions {
    /// The token's id, or the name of its holder where that has one token
    #[arg(value_name = "ID")]
    token: String,
}

fn parse_role(text: &str) -> Result<Role, String> {
    let names = Role::ALL.map(Role::as_str).join(", ");
    Role::parse(text).ok_or_else(|| format!("must be one of {names}"))
}

impl From<TokenFileError> for Failure {
    fn from(error: TokenFileError) -> Self {
        Self::new(error.to_string())
    }
}

impl TokenOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The file cannot be found, read or written, or what is asked for cannot be done.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let file = self.place.find()?;
        match self.command {
            TokenCommand::Create(options) => options.run(&file, self.place.json),
            TokenCommand::List => list(&file, self.place.json),
            TokenCommand::Revoke(options) => options.run(&file, self.place.json),
        }
    }
}

impl Place {
    fn find(&self) -> Result<TokenFile, Failure> {
        if let Some(file) = &self.file {
            return Ok(TokenFile::at(file));
        }
        let flags = Overrides { config: self.config.clone(), ..Overrides::default() };
        let variables = Overrides::from_environment(|name| std::env::var_os(name));
        let overrides = flags.over(variables.map_err(|problems| refused(&problems))?);
        let loaded = config::load(&Source { folder: PathBuf::new(), overrides })
            .map_err(|problems| refused(&problems))?;
        let path = loaded.configuration.auth().and_then(|auth| auth.tokens_file.as_ref());
        path.map(|path| TokenFile::at(path)).ok_or_else(|| {
            Failure::new("the configuration names no file for tokens").advise(
                "write `\"auth\": { \"tokens_file\": \"tokens.json\" }` into it, or name the file with --file",
            )
        })
    }
}

impl CreateOptions {
    fn run(self, file: &TokenFile, json: bool) -> Result<Exit, Failure> {
        if !is_caller_name(&self.name) {
            return Err(Failure::new(
                "--name must be 1 to 128 bytes that can be seen, without blanks around them, and not that of callers without credentials: \"local\"",
            ));
        }
        let projects = projects(self.projects)?;
        let now = Timestamp::now();
        let expires_at = match self.expires {
            Some(time) => Some(now.checked_add(time).map_err(|_beyond| {
                Failure::new("--expires lies beyond the calendar; leave it out for a token without an end")
            })?),
            None => None,
        };
        let token = NewToken::generate().map_err(|error| Failure::new(error.to_string()))?;
        let record = TokenRecord {
            id: token.id.clone(),
            name: self.name,
            role: self.role,
            projects,
            hash: token.hash,
            created_at: now,
            expires_at,
            revoked_at: None,
        };
        file.change(|records| {
            records.push(record.clone());
            Ok(())
        })?;
        if json {
            let mut value = as_json(&record, now);
            if let Some(object) = value.as_object_mut() {
                object.insert("token".to_owned(), json!(token.reveal()));
            }
            output::write_json(&value)?;
            return Ok(Exit::Good);
        }
        output::write(&format!("{}\n", token.reveal()))?;
        let end =
            expires_at.map_or_else(|| "until it is revoked".to_owned(), |at| format!("until {}", shown(at)));
        output::complain(&format!(
            "{} for {}: {} in {}, {end}; kept in {}\nIt is shown this once. Give it to its holder in HALTGATE_TOKEN or in a \
             file.\n",
            painted(style::LABEL, &record.id.to_string()),
            record.name,
            record.role,
            listed(&record.projects),
            file.path().display(),
        ));
        Ok(Exit::Good)
    }
}

impl RevokeOptions {
    fn run(self, file: &TokenFile, json: bool) -> Result<Exit, Failure> {
        let now = Timestamp::now();
        let revoked = file.change(|records| {
            let found = find(records, &self.token, now)?;
            found.revoked_at.get_or_insert(now);
            Ok(found.clone())
        })?;
        if json {
            output::write_json(&as_json(&revoked, now))?;
        } else {
            output::write(&format!("revoked {} of {}\n", revoked.id, revoked.name))?;
        }
        Ok(Exit::Good)
    }
}

/// The token of an id, or the one valid token of a name.
fn find<'r>(
    records: &'r mut [TokenRecord],
    wanted: &str,
    now: Timestamp,
) -> Result<&'r mut TokenRecord, TokenFileError> {
    let id = TokenId::parse(wanted);
    let is_meant = |record: &TokenRecord| match &id {
        Some(id) => record.id == *id,
        None => record.name == wanted && record.is_valid(now),
    };
    let meant: Vec<String> =
        records.iter().filter(|record| is_meant(record)).map(|record| record.id.to_string()).collect();
    if meant.len() > 1 {
        let ids = meant.join(", ");
        return Err(TokenFileError::Refused(format!(
            "{wanted:?} has several tokens; name one by its id: {ids}"
        )));
    }
    records.iter_mut().find(|record| is_meant(record)).ok_or_else(|| {
        TokenFileError::Refused(format!(
            "there is no token {wanted:?}; `haltgate token list` shows those there are"
        ))
    })
}

fn projects(named: Vec<String>) -> Result<Projects, Failure> {
    if named.iter().any(|name| name == ALL_PROJECTS) {
        return if named.len() == 1 {
            Ok(Projects::All)
        } else {
            Err(Failure::new("--project '*' means all projects; name no other beside it"))
        };
    }
    if named.iter().any(|name| name.trim() != name || name.is_empty()) {
        return Err(Failure::new("--project must be the name of a project, or '*' for all"));
    }
    Ok(Projects::These(named.into_iter().collect()))
}

fn list(file: &TokenFile, json: bool) -> Result<Exit, Failure> {
    let records = file.read()?;
    let now = Timestamp::now();
    if json {
        let tokens: Vec<Value> = records.iter().map(|record| as_json(record, now)).collect();
        output::write_json(&json!({ "tokens": tokens }))?;
        return Ok(Exit::Good);
    }
    let row = |record: &TokenRecord| -> [Cell; 6] {
        let (state, style) = state(record, now);
        [
            record.id.to_string().into(),
            Cell::styled(state, style),
            record.name.as_str().into(),
            record.role.as_str().into(),
            record.expires_at.map_or_else(|| "never".to_owned(), shown).into(),
            listed(&record.projects).into(),
        ]
    };
    let rows: Vec<[Cell; 6]> = records.iter().map(row).collect();
    if rows.is_empty() {
        output::complain(&format!("{} holds no tokens\n", file.path().display()));
    } else {
        output::write(&table(["id", "state", "name", "role", "expires", "projects"], rows))?;
    }
    Ok(Exit::Good)
}

fn state(record: &TokenRecord, now: Timestamp) -> (&'static str, anstyle::Style) {
    match (record.revoked_at, record.is_valid(now)) {
        (Some(_), _) => ("revoked", style::FAINT),
        (None, false) => ("expired", style::FAINT),
        (None, true) => ("valid", style::GOOD),
    }
}

fn listed(projects: &Projects) -> String {
    match projects {
        Projects::All => "all projects".to_owned(),
        Projects::These(names) => names.iter().cloned().collect::<Vec<_>>().join(", "),
    }
}

fn shown(at: Timestamp) -> String {
    local(Some(to_proto(at)))
}

fn as_json(record: &TokenRecord, now: Timestamp) -> Value {
    let projects = match &record.projects {
        Projects::All => json!(ALL_PROJECTS),
        Projects::These(names) => json!(names),
    };
    json!({
        "id": record.id.to_string(),
        "name": record.name,
        "role": record.role.as_str(),
        "projects": projects,
        "state": state(record, now).0,
        "created_at": record.created_at.to_string(),
        "expires_at": record.expires_at.map(|at| at.to_string()),
        "revoked_at": record.revoked_at.map(|at| at.to_string()),
    })
}
