//! The policy: what decides, for the root, for each project and for each command.
//!
//! Promises that a project's block is laid over the root and a command's over both. Knows nothing of settings that do
//! not decide anything.

use super::agents::AgentsBlock;
use super::approvals::Approvals;
use super::document::{Document, key_path};
use super::layers::Posture;
use super::problem::Report;
use super::retired;
use super::section::Section;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The keys that hold policy, at the root of a file and in a project.
pub(super) const KEYS: [&str; 4] = ["approvals", "commands", "mcpServers", "agents"];

/// The agent's own setting, answered in its own words.
pub(super) const BUILT_IN_TOOLS: &str = "builtInTools";

/// The longest name of a command.
const MAX_COMMAND_NAME: usize = 64;

/// The longest name of a project.
const MAX_PROJECT_NAME: usize = 128;

/// The policy of the root or of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Its `approvals`.
    pub approvals: Approvals,
    /// The `approvals` of its commands.
    pub commands: BTreeMap<String, Approvals>,
    /// The keys under which MCP servers are configured.
    pub mcp_servers: BTreeSet<String>,
    /// What agents may ask for.
    pub agents: AgentsBlock,
}

/// What decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// What holds for every project.
    pub root: Scope,
    /// What projects lay over it.
    pub projects: BTreeMap<String, Scope>,
}

impl Policy {
    /// Reads the policy keys at the root of a document.
    pub(super) fn read(section: &Section<'_>, document: &Document, report: &mut Report) -> Self {
        let root = Scope::read(section, document, report);
        let mut projects = BTreeMap::new();
        let path = section.path_of("projects");
        let declared = section.get("projects").and_then(|projects| Section::open(projects, &path, report));
        if let Some(declared) = declared {
            for (name, value) in declared.entries() {
                let path = declared.path_of(name);
                if !is_project_name(name) {
                    report.error(
                        &path,
                        format!(
                            "is not a name for a project: write 1 to {MAX_PROJECT_NAME} printable ASCII characters \
                             without blanks"
                        ),
                    );
                }
                if let Some(project) = Section::open(value, &path, report) {
                    project.refuse_unknown_but(&[BUILT_IN_TOOLS], &KEYS, report);
                    projects.insert(name.clone(), Scope::read(&project, document, report));
                }
            }
        }
        Self { root, projects }
    }

    /// The `mcp` blocks of a higher file, by path, that look as if they took trust back and do not: laid over another
    /// file or over the root, only a stated `trustAnnotations: []` does.
    pub(super) fn idle_withdrawals(&self, higher: &Self) -> Vec<String> {
        let mut paths = self.root.idle_withdrawals(&higher.root, "");
        let root = self.root.clone().under(higher.root.clone());
        for (name, project) in higher.projects.iter().filter(|(_, project)| project.states_trust()) {
            let below = match self.projects.get(name) {
                Some(lower) => root.clone().under(lower.clone()),
                None => root.clone(),
            };
            paths.extend(below.idle_withdrawals(project, &key_path("projects", name)));
        }
        paths
    }

    /// This policy with a higher file's laid over it.
    #[must_use]
    pub fn under(self, higher: Self) -> Self {
        Self {
            root: self.root.under(higher.root),
            projects: united(self.projects, higher.projects, Scope::under),
        }
    }

    /// What holds in a project: its block laid over the root, or the root where it has none.
    #[must_use]
    pub fn scope(&self, project: &str) -> Scope {
        let root = self.root.clone();
        match self.projects.get(project) {
            Some(scope) => root.under(scope.clone()),
            None => root,
        }
    }

    /// What holds for the sessions of a project and command.
    #[must_use]
    pub fn posture(&self, project: &str, command: Option<&str>) -> Posture {
        self.scope(project).posture(command)
    }
}

impl Scope {
    fn read(section: &Section<'_>, document: &Document, report: &mut Report) -> Self {
        let approvals = read_approvals(section, document, report);
        refuse_built_in_tools(section, report);
        let mut commands = BTreeMap::new();
        let path = section.path_of("commands");
        let declared = section.get("commands").and_then(|commands| Section::open(commands, &path, report));
        if let Some(declared) = declared {
            for (name, value) in declared.entries() {
                let path = declared.path_of(name);
                if !is_command_name(name) {
                    report.error(
                        &path,
                        format!(
                            "is not a name for a command: write 1 to {MAX_COMMAND_NAME} letters, digits, `_` or `-`"
                        ),
                    );
                }
                if let Some(command) = Section::open(value, &path, report) {
                    command.refuse_unknown_but(&[BUILT_IN_TOOLS], &["approvals"], report);
                    refuse_built_in_tools(&command, report);
                    commands.insert(name.clone(), read_approvals(&command, document, report));
                }
            }
        }
        let agents = section
            .get("agents")
            .map(|value| AgentsBlock::read(value, &section.path_of("agents"), report))
            .unwrap_or_default();
        Self { approvals, commands, mcp_servers: read_mcp_servers(section, report), agents }
    }

    fn states_trust(&self) -> bool {
        std::iter::once(&self.approvals).chain(self.commands.values()).any(|block| block.mcp.is_some())
    }

    fn idle_withdrawals(&self, higher: &Self, path: &str) -> Vec<String> {
        let of_block = |lower: &Approvals, higher: &Approvals, path: &str| {
            let (Some(lower), Some(higher)) = (&lower.mcp, &higher.mcp) else { return Vec::new() };
            let path = key_path(&key_path(path, "approvals"), "mcp");
            let below = |part: String| if part.is_empty() { path.clone() } else { format!("{path}.{part}") };
            lower.idle_withdrawals(higher).into_iter().map(below).collect()
        };
        let mut paths: Vec<String> = of_block(&self.approvals, &higher.approvals, path);
        for (name, block) in &higher.commands {
            let path = key_path(&key_path(path, "commands"), name);
            paths.extend(
                self.commands.get(name).map(|lower| of_block(lower, block, &path)).unwrap_or_default(),
            );
        }
        paths
    }

    /// This scope with a higher one laid over it.
    #[must_use]
    pub fn under(self, higher: Self) -> Self {
        Self {
            approvals: self.approvals.under(higher.approvals),
            commands: united(self.commands, higher.commands, Approvals::under),
            mcp_servers: self.mcp_servers.into_iter().chain(higher.mcp_servers).collect(),
            agents: self.agents.under(higher.agents),
        }
    }

    /// What holds for the sessions of a command; a command without a block has the scope's own.
    #[must_use]
    pub fn posture(&self, command: Option<&str>) -> Posture {
        match command.and_then(|name| self.commands.get(name)) {
            Some(block) => self.approvals.clone().for_command(block.clone()).posture(),
            None => self.approvals.posture(),
        }
    }
}

fn united<T>(
    lower: BTreeMap<String, T>,
    mut higher: BTreeMap<String, T>,
    under: impl Fn(T, T) -> T,
) -> BTreeMap<String, T> {
    let mut all = BTreeMap::new();
    for (name, value) in lower {
        let value = match higher.remove(&name) {
            Some(over) => under(value, over),
            None => value,
        };
        all.insert(name, value);
    }
    all.extend(higher);
    all
}

fn read_approvals(section: &Section<'_>, document: &Document, report: &mut Report) -> Approvals {
    let path = section.path_of("approvals");
    section
        .get("approvals")
        .map_or_else(Approvals::default, |value| Approvals::read(value, &path, document, report))
}

fn refuse_built_in_tools(section: &Section<'_>, report: &mut Report) {
    if let Some(value) = section.get(BUILT_IN_TOOLS) {
        retired::built_in_tools(value, &section.path_of(BUILT_IN_TOOLS), report);
    }
}

fn read_mcp_servers(section: &Section<'_>, report: &mut Report) -> BTreeSet<String> {
    section
        .get("mcpServers")
        .map(|value| read_mcp_server_keys(value, &section.path_of("mcpServers"), report))
        .unwrap_or_default()
}

/// The keys of an `mcpServers` object. Only they count: what a server is belongs to the agent.
pub(crate) fn read_mcp_server_keys(value: &Value, path: &str, report: &mut Report) -> BTreeSet<String> {
    let servers = Section::open(value, path, report);
    let mut keys = BTreeSet::new();
    for (key, _) in servers.iter().flat_map(Section::entries) {
        let path = key_path(path, key);
        match key.as_str() {
            "*" => report.error(
                &path,
                "is reserved: in a rule `*` stands for every server; give this one another key",
            ),
            "" => report.error(&path, "cannot be named by any rule; give this server a key"),
            _ => {
                keys.insert(key.clone());
            }
        }
    }
    keys
}

fn is_command_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.len() <= MAX_COMMAND_NAME && name.bytes().all(allowed)
}

fn is_project_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_PROJECT_NAME && name.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Reads the `approvals` block of something else than a configuration file, such as a policy case.
///
/// `path` is where the block stands in the document.
#[must_use]
pub fn read_block(
    value: &Value,
    path: &str,
    document: &Document,
) -> (Approvals, Vec<super::problem::Problem>) {
    let mut report = Report::default();
    let approvals = Approvals::read(value, path, document, &mut report);
    (approvals, report.problems.into_iter().map(|problem| document.locate(problem)).collect())
}

/// The rater profiles that blocks choose.
pub(super) fn rater_choices<'p>(
    blocks: impl Iterator<Item = &'p Approvals>,
) -> impl Iterator<Item = &'p super::approvals::RaterChoice> {
    blocks.filter_map(|block| block.rater.as_ref())
}
