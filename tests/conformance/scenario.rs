//! The form of the scenario files, read strictly: a key that is not known is refused.
//!
//! Knows nothing of how a step is taken.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One scenario file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) gate: Value,
    #[serde(default)]
    pub(crate) client: ClientOptions,
    #[serde(default)]
    pub(crate) rater: bool,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ClientOptions {
    pub(crate) deadline_ms: Option<u64>,
    pub(crate) reconnect_for_ms: Option<u64>,
    pub(crate) project: Option<String>,
}

/// One step. Its arguments are kept as they are written, since what was saved is still to be put in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    #[serde(rename = "do")]
    pub(crate) operation: String,
    #[serde(default)]
    pub(crate) with: Map<String, Value>,
    pub(crate) expect: Option<Value>,
    #[serde(default)]
    pub(crate) save: BTreeMap<String, String>,
    pub(crate) background: Option<String>,
    #[serde(default = "once")]
    pub(crate) times: u32,
}

fn once() -> u32 {
    1
}

/// What a step does, with its arguments.
#[derive(Debug)]
pub(crate) enum Operation {
    OpenSession(OpenSession),
    UpdateSession(UpdateSession),
    CloseSession(CloseSession),
    Decide(Box<Decide>),
    Join(Join),
    Rate(Box<Rate>),
    Watch(Watch),
    Events(FeedName),
    Unwatch(FeedName),
    Answer(Answer),
    ListGrants(ListGrants),
    Grant(Grant),
    Deny(Deny),
    Revoke(Revoke),
    Lift(Lift),
    ViewTrust(ViewTrust),
    ChangeTrust(ChangeTrust),
    PredictTrust(ChangeTrust),
    ImportGrants(ImportGrants),
    ExportGrants(Nothing),
    ListDecisions(Box<ListDecisions>),
    ServerInfo(Nothing),
    Server(Server),
    Rater(Rater),
}

impl Operation {
    /// Every operation that a step can name.
    pub(crate) const NAMES: [&'static str; 24] = [
        "open_session",
        "update_session",
        "close_session",
        "decide",
        "join",
        "rate",
        "watch",
        "events",
        "unwatch",
        "answer",
        "list_grants",
        "grant",
        "deny",
        "revoke",
        "lift",
        "view_trust",
        "change_trust",
        "predict_trust",
        "import_grants",
        "export_grants",
        "list_decisions",
        "server_info",
        "server",
        "rater",
    ];

    pub(crate) fn read(name: &str, with: Value) -> Result<Self, String> {
        fn arguments<T: DeserializeOwned>(with: Value) -> Result<T, String> {
            serde_json::from_value(with).map_err(|error| error.to_string())
        }
        Ok(match name {
            "open_session" => Self::OpenSession(arguments(with)?),
            "update_session" => Self::UpdateSession(arguments(with)?),
            "close_session" => Self::CloseSession(arguments(with)?),
            "decide" => Self::Decide(arguments(with)?),
            "join" => Self::Join(arguments(with)?),
            "rate" => Self::Rate(arguments(with)?),
            "watch" => Self::Watch(arguments(with)?),
            "events" => Self::Events(arguments(with)?),
            "unwatch" => Self::Unwatch(arguments(with)?),
            "answer" => Self::Answer(arguments(with)?),
            "list_grants" => Self::ListGrants(arguments(with)?),
            "grant" => Self::Grant(arguments(with)?),
            "deny" => Self::Deny(arguments(with)?),
            "revoke" => Self::Revoke(arguments(with)?),
            "lift" => Self::Lift(arguments(with)?),
            "view_trust" => Self::ViewTrust(arguments(with)?),
            "change_trust" => Self::ChangeTrust(arguments(with)?),
            "predict_trust" => Self::PredictTrust(arguments(with)?),
            "import_grants" => Self::ImportGrants(arguments(with)?),
            "export_grants" => Self::ExportGrants(arguments(with)?),
            "list_decisions" => Self::ListDecisions(arguments(with)?),
            "server_info" => Self::ServerInfo(arguments(with)?),
            "server" => Self::Server(arguments(with)?),
            "rater" => Self::Rater(arguments(with)?),
            other => return Err(format!("there is no operation {other:?}")),
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenSession {
    pub(crate) session: String,
    pub(crate) rung: Option<String>,
    pub(crate) interactive: Option<bool>,
    pub(crate) command: Option<String>,
    #[serde(default)]
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) cwd: Option<String>,
    pub(crate) home: Option<String>,
    pub(crate) tools: Option<Vec<Tool>>,
    pub(crate) mcp_servers: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) user_messages: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UpdateSession {
    pub(crate) session: String,
    pub(crate) rung: Option<String>,
    pub(crate) interactive: Option<bool>,
    pub(crate) labels: Option<LabelChanges>,
    pub(crate) cwd: Option<String>,
    pub(crate) home: Option<String>,
    pub(crate) tools: Option<Vec<Tool>>,
    pub(crate) mcp_servers: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) user_messages: Vec<String>,
    #[serde(default)]
    pub(crate) reset_thread: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelChanges {
    #[serde(default)]
    pub(crate) set: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) remove: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tool {
    pub(crate) registered_name: String,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) annotations: Option<Annotations>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Annotations {
    pub(crate) read_only_hint: Option<bool>,
    pub(crate) destructive_hint: Option<bool>,
    pub(crate) idempotent_hint: Option<bool>,
    pub(crate) open_world_hint: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CloseSession {
    pub(crate) session: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shell {
    pub(crate) command: String,
    #[serde(default)]
    pub(crate) cwd: String,
    #[serde(default)]
    pub(crate) home: String,
    pub(crate) dialect: Option<String>,
    #[serde(default)]
    pub(crate) justification: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedTool {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) arguments: Map<String, Value>,
    #[serde(default)]
    pub(crate) cwd: String,
    #[serde(default)]
    pub(crate) home: String,
    #[serde(default)]
    pub(crate) justification: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct McpTool {
    pub(crate) server: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) arguments: Map<String, Value>,
    #[serde(default)]
    pub(crate) cwd: String,
    #[serde(default)]
    pub(crate) home: String,
    #[serde(default)]
    pub(crate) justification: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decide {
    pub(crate) session: String,
    pub(crate) shell: Option<Shell>,
    pub(crate) tool: Option<NamedTool>,
    pub(crate) mcp_tool: Option<McpTool>,
    pub(crate) registered: Option<NamedTool>,
    pub(crate) run_id: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) wait: Option<bool>,
    pub(crate) max_wait_ms: Option<u64>,
    #[serde(default)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Join {
    pub(crate) background: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rate {
    pub(crate) session: Option<String>,
    pub(crate) shell: Option<Shell>,
    pub(crate) tool: Option<NamedTool>,
    pub(crate) mcp_tool: Option<McpTool>,
    pub(crate) registered: Option<NamedTool>,
    #[serde(default)]
    pub(crate) profile: String,
    #[serde(default)]
    pub(crate) fresh: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FeedKind {
    Escalations,
    Halts,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Watch {
    pub(crate) feed: String,
    pub(crate) kind: FeedKind,
    #[serde(default)]
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) run_id: String,
    #[serde(default)]
    pub(crate) after: String,
    #[serde(default)]
    pub(crate) observe_only: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FeedName {
    pub(crate) feed: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    pub(crate) escalation_id: Option<String>,
    pub(crate) halt_id: Option<String>,
    pub(crate) verdict: String,
    pub(crate) scope: Option<String>,
    #[serde(default)]
    pub(crate) comment: String,
    pub(crate) terms: Option<Terms>,
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Terms {
    pub(crate) max_uses: Option<u32>,
    #[serde(default)]
    pub(crate) note: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListGrants {
    #[serde(default)]
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) scopes: Vec<String>,
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) page_size: i32,
}

/// An entry as a policy file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) matcher: String,
    pub(crate) pattern: Value,
    pub(crate) server: Option<String>,
    pub(crate) host: Option<String>,
    pub(crate) rate: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grant {
    #[serde(default)]
    pub(crate) session: String,
    pub(crate) entry: Entry,
    pub(crate) scope: String,
    pub(crate) terms: Option<Terms>,
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deny {
    pub(crate) session: String,
    pub(crate) entry: Entry,
    #[serde(default)]
    pub(crate) note: String,
    pub(crate) request_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Revoke {
    #[serde(default)]
    pub(crate) session: String,
    pub(crate) entry: Option<Entry>,
    pub(crate) object_text: Option<String>,
    pub(crate) scope: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lift {
    pub(crate) session: String,
    pub(crate) entry: Option<Entry>,
    pub(crate) object_text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ViewTrust {
    pub(crate) session: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangeTrust {
    pub(crate) session: String,
    pub(crate) server: String,
    #[serde(default)]
    pub(crate) believe: Vec<String>,
    #[serde(default)]
    pub(crate) disbelieve: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportGrants {
    pub(crate) content: String,
    #[serde(default)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListDecisions {
    #[serde(default)]
    pub(crate) session: String,
    #[serde(default)]
    pub(crate) run_id: String,
    #[serde(default)]
    pub(crate) actions: Vec<String>,
    #[serde(default)]
    pub(crate) stages: Vec<String>,
    #[serde(default)]
    pub(crate) text: String,
    pub(crate) order: Option<String>,
    #[serde(default)]
    pub(crate) page_size: i32,
    #[serde(default)]
    pub(crate) page_token: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ServerAction {
    Kill,
    Stop,
    Start,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Server {
    pub(crate) action: ServerAction,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RaterAction {
    Asked,
    HangUp,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rater {
    pub(crate) action: RaterAction,
}

/// The folder of the scenarios.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

/// Every scenario with the name of its file, in the order of the names.
pub(crate) fn all() -> Vec<(String, Scenario)> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| path.file_name().is_some_and(|name| name != "schema.json"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let scenario = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}.json: {error}"));
            (name, scenario)
        })
        .collect()
}
