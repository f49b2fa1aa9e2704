//! The whole configuration: every setting with its value.
//!
//! Promises that a setting nobody states has its documented default, and that equal policies have equal revisions.
//! Knows nothing of files, variables or flags; `load` lays them over one another.

use super::admin::AdminSettings;
use super::approvals::RaterChoice;
use super::auth::AuthSettings;
use super::document::Document;
use super::effective;
use super::ext_authz::ExtAuthzSettings;
use super::layers::Posture;
use super::limits::LimitSettings;
use super::log::LogSettings;
use super::notifications::NotificationSettings;
use super::overrides::Overrides;
use super::policy::{self, Policy, Scope};
use super::problem::{Origin, Problem, Problems, Report};
use super::rater::RaterSettings;
use super::section::Section;
use super::server::ServerSettings;
use super::store::{Retention, StoreSettings};
use super::telemetry::TelemetrySettings;
use crate::rules::grammar;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

/// The keys at the root of a file.
pub(super) const KEYS: [&str; 18] = [
    "$schema",
    "extends",
    "approvals",
    "commands",
    "projects",
    "mcpServers",
    "agents",
    "rater",
    "server",
    "auth",
    "limits",
    "store",
    "retention",
    "notifications",
    "ext_authz",
    "log",
    "admin",
    "telemetry",
];

/// The blocks that whoever looks at a running gate may see. One that holds secrets, or what stands for them, has no place here.
const SHOWN: [&str; 12] = [
    "approvals",
    "commands",
    "projects",
    "mcpServers",
    "rater",
    "server",
    "store",
    "retention",
    "notifications",
    "log",
    "admin",
    "telemetry",
];

/// What stands for what is not shown.
const REDACTED: &str = "…";

/// An address down to its host.
fn redacted(url: &serde_json::Value) -> serde_json::Value {
    let parsed = url.as_str().and_then(|text| url::Url::parse(text).ok());
    let origin = parsed.map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    format!("{origin}/{REDACTED}").into()
}

/// The whole configuration.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    policy: Policy,
    rater: RaterSettings,
    server: ServerSettings,
    auth: Option<AuthSettings>,
    limits: LimitSettings,
    store: StoreSettings,
    retention: Retention,
    notifications: NotificationSettings,
    ext_authz: ExtAuthzSettings,
    log: LogSettings,
    admin: AdminSettings,
    telemetry: TelemetrySettings,
    revision: OnceLock<String>,
    project_revisions: BTreeMap<String, OnceLock<String>>,
    root_revision: OnceLock<String>,
}

impl PartialEq for Configuration {
    /// Equal settings; entries count with the place that declared them.
    fn eq(&self, other: &Self) -> bool {
        self.policy == other.policy
            && self.rater == other.rater
            && self.server == other.server
            && self.auth == other.auth
            && self.limits == other.limits
            && self.store == other.store
            && self.retention == other.retention
            && self.notifications == other.notifications
            && self.ext_authz == other.ext_authz
            && self.log == other.log
            && self.admin == other.admin
            && self.telemetry == other.telemetry
    }
}

impl Configuration {
    /// What decides.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Who rates commands.
    #[must_use]
    pub fn rater(&self) -> &RaterSettings {
        &self.rater
    }

    /// Where the gate listens and what it bears.
    #[must_use]
    pub fn server(&self) -> &ServerSettings {
        &self.server
    }

    /// Who may call, and as what; `None` where no `auth` block stands anywhere, so that every caller is local.
    #[must_use]
    pub fn auth(&self) -> Option<&AuthSettings> {
        self.auth.as_ref()
    }

    /// The same for a gate that only this process and what it starts can reach: nobody needs credentials there.
    #[must_use]
    pub fn without_auth(mut self) -> Self {
        self.auth = None;
        self
    }

    /// How much callers, sessions and projects may take.
    #[must_use]
    pub fn limits(&self) -> &LimitSettings {
        &self.limits
    }

    /// Where records are kept.
    #[must_use]
    pub fn store(&self) -> &StoreSettings {
        &self.store
    }

    /// How long records are kept.
    #[must_use]
    pub fn retention(&self) -> &Retention {
        &self.retention
    }

    /// Who is told that a human is needed.
    #[must_use]
    pub fn notifications(&self) -> &NotificationSettings {
        &self.notifications
    }

    /// Which proxies may ask before they pass an MCP request on.
    #[must_use]
    pub fn ext_authz(&self) -> &ExtAuthzSettings {
        &self.ext_authz
    }

    /// What is logged.
    #[must_use]
    pub fn log(&self) -> &LogSettings {
        &self.log
    }

    /// Where the gate tells of itself.
    #[must_use]
    pub fn admin(&self) -> &AdminSettings {
        &self.admin
    }

    /// Where traces are sent.
    #[must_use]
    pub fn telemetry(&self) -> &TelemetrySettings {
        &self.telemetry
    }

    /// What holds for the sessions of a project and command. A project or command without a block has what holds
    /// above it.
    #[must_use]
    pub fn posture(&self, project: &str, command: Option<&str>) -> Posture {
        self.policy.posture(project, command)
    }

    /// Whether callers must say who they are.
    #[must_use]
    pub fn credentials_required(&self) -> bool {
        self.auth.is_some()
    }

    /// The keys under which MCP servers are configured, for sessions of a project that bring none of their own.
    #[must_use]
    pub fn mcp_server_keys(&self, project: &str) -> Vec<String> {
        let own = self.policy.projects.get(project).map(|scope| &scope.mcp_servers);
        let all: BTreeSet<&String> =
            self.policy.root.mcp_servers.iter().chain(own.into_iter().flatten()).collect();
        all.into_iter().cloned().collect()
    }

    /// A short text that is equal for equal policies of all projects, however they are written, and else differs.
    /// Settings that decide nothing (`server`, `auth`, `limits`, `store`, `retention`, `notifications`, `ext_authz`, `log`, `admin`,
    /// `telemetry`) do not count.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.revision.get_or_init(|| effective::revision(&effective::policy(&self.policy, &self.rater)))
    }

    /// As [`Configuration::revision`], of what holds in one project.
    #[must_use]
    pub fn project_revision(&self, project: &str) -> &str {
        let of = |scope: &Scope| effective::revision(&effective::scope_with_rater(scope, &self.rater));
        match self.project_revisions.get(project) {
            Some(revision) => revision.get_or_init(|| of(&self.policy.scope(project))),
            None => self.root_revision.get_or_init(|| of(&self.policy.root)),
        }
    }

    /// The names of the sections that differ and that a running gate cannot take over: they wait for a restart.
    #[must_use]
    pub fn waiting_for_restart(&self, newer: &Self) -> Vec<&'static str> {
        let sections = [
            ("server", self.server != newer.server),
            // What else changes in it applies at once; where may be listened depends on whether it is there.
            ("auth", self.auth.is_some() != newer.auth.is_some()),
            ("store", self.store != newer.store),
            ("log", self.log != newer.log),
            ("admin", self.admin != newer.admin),
            ("telemetry", self.telemetry != newer.telemetry),
        ];
        sections.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }

    /// Everything as one value, as `haltgate check` prints it; reading it back gives the same settings.
    #[must_use]
    pub fn effective(&self) -> serde_json::Value {
        let mut whole = effective::policy(&self.policy, &self.rater);
        if let Some(map) = whole.as_object_mut() {
            map.insert("server".to_owned(), self.server.effective());
            map.insert(
                "auth".to_owned(),
                self.auth.as_ref().map_or(serde_json::Value::Null, AuthSettings::effective),
            );
            map.insert("limits".to_owned(), self.limits.effective());
            map.insert("store".to_owned(), self.store.effective());
            map.insert("retention".to_owned(), self.retention.effective());
            map.insert("notifications".to_owned(), self.notifications.effective());
            map.insert("ext_authz".to_owned(), self.ext_authz.effective());
            map.insert("log".to_owned(), self.log.effective());
            map.insert("admin".to_owned(), self.admin.effective());
            map.insert("telemetry".to_owned(), self.telemetry.effective());
        }
        effective::without_nulls(whole)
    }

    /// As [`Configuration::effective`], for whoever looks at a gate that runs: without what may be a secret. Blocks that are not
    /// named here are left out.
    #[must_use]
    pub fn shown(&self) -> serde_json::Value {
        let mut whole = self.effective();
        let Some(map) = whole.as_object_mut() else { return whole };
        map.retain(|key, _| SHOWN.contains(&key.as_str()));
        // The address of a receiver is often all that is needed to write to it, and any header may let somebody in.
        let webhooks = map.get_mut("notifications").and_then(|block| block.get_mut("webhooks"));
        for webhook in webhooks
            .and_then(|webhooks| webhooks.as_object_mut())
            .into_iter()
            .flat_map(|all| all.values_mut())
        {
            if let Some(url) = webhook.get_mut("url") {
                *url = redacted(url);
            }
            let headers = webhook.get_mut("headers").and_then(|headers| headers.as_object_mut());
            for value in
                headers.into_iter().flat_map(|headers| headers.values_mut()).filter(|value| value.is_string())
            {
                *value = REDACTED.into();
            }
        }
        whole
    }

    /// The configuration of one document over the defaults, for whoever holds the text already. What it extends is not read,
    /// and relative paths in it stay relative.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn of(document: &Document) -> Result<Self, Problems> {
        let mut configuration = Self::default();
        let mut problems = configuration.lay(document, Path::new(""));
        problems.extend(configuration.contradictions());
        if problems.iter().any(Problem::is_error) { Err(Problems::new(problems)) } else { Ok(configuration) }
    }

    /// Lays a file over what is there. Relative paths in it start from `folder`.
    pub(super) fn lay(&mut self, document: &Document, folder: &Path) -> Vec<Problem> {
        let mut report = Report::default();
        if let Some(section) = Section::open(document.value(), "", &mut report) {
            self.lay_section(&section, document, folder, &mut report);
        }
        report.problems.into_iter().map(|problem| document.locate(problem)).collect()
    }

    fn lay_section(
        &mut self,
        section: &Section<'_>,
        document: &Document,
        folder: &Path,
        report: &mut Report,
    ) {
        section.refuse_unknown_but(&[policy::BUILT_IN_TOOLS], &KEYS, report);
        section.text("$schema", report);
        let stated = Policy::read(section, document, report);
        for path in self.policy.idle_withdrawals(&stated) {
            report.problems.push(grammar::Problem::warning(
                path,
                "takes no trust back from what stands below it; write `\"trustAnnotations\": []` for what is no longer \
                 believed",
            ));
        }
        self.policy = std::mem::take(&mut self.policy).under(stated);
        self.project_revisions =
            self.policy.projects.keys().map(|name| (name.clone(), OnceLock::new())).collect();
        self.revision = OnceLock::new();
        self.root_revision = OnceLock::new();
        if let Some(value) = section.get("rater") {
            self.rater.read(value, "rater", document, folder, report);
        }
        if let Some(value) = section.get("server") {
            self.server.read(value, "server", folder, report);
        }
        if let Some(value) = section.get("auth") {
            self.auth.get_or_insert_default().read(value, "auth", document, folder, report);
        }
        if let Some(value) = section.get("limits") {
            self.limits.read(value, "limits", report);
        }
        if let Some(value) = section.get("store") {
            self.store.read(value, "store", folder, report);
        }
        if let Some(value) = section.get("retention") {
            self.retention.read(value, "retention", report);
        }
        if let Some(value) = section.get("notifications") {
            self.notifications.read(value, "notifications", document, folder, report);
        }
        if let Some(value) = section.get("ext_authz") {
            self.ext_authz.read(value, "ext_authz", report);
        }
        if let Some(value) = section.get("log") {
            self.log.read(value, "log", report);
        }
        if let Some(value) = section.get("admin") {
            self.admin.read(value, "admin", report);
        }
        if let Some(value) = section.get("telemetry") {
            self.telemetry.read(value, "telemetry", report);
        }
    }

    /// Lays variables and flags over the files.
    pub(super) fn apply(&mut self, overrides: &Overrides) {
        if let Some(listen) = overrides.listen {
            self.server.listen = vec![listen];
        }
        if let Some(insecure) = overrides.insecure {
            self.server.insecure = insecure;
        }
        if let Some(path) = &overrides.store {
            self.store.path.clone_from(path);
            // Whoever names a file wants it used, whatever a lower layer says.
            self.store.ephemeral = false;
        }
        if let Some(ephemeral) = overrides.ephemeral {
            self.store.ephemeral = ephemeral;
        }
        if let Some(level) = overrides.log_level {
            self.log.level = level;
        }
        if let Some(format) = overrides.log_format {
            self.log.format = format;
        }
        if let Some(admin) = overrides.admin {
            self.admin.listen = admin;
        }
    }

    /// What can only be known once every layer is there.
    pub(super) fn contradictions(&self) -> Vec<Problem> {
        let auth = self.auth.iter().flat_map(AuthSettings::contradictions);
        self.dangling_profiles().into_iter().chain(auth).collect()
    }

    /// That each chosen rater profile exists, and what it builds on.
    fn dangling_profiles(&self) -> Vec<Problem> {
        self.rater_choices()
            .filter(|choice| !choice.profile.is_empty() && !self.rater.profiles.contains_key(&choice.profile))
            .map(|choice| {
                let message = format!(
                    "there is no rater profile {:?}; what exists is {}. Declare it in `rater.profiles`, or leave \
                     `rater` out for the default",
                    choice.profile,
                    self.rater.names()
                );
                Problem::error(Some(choice.origin.clone()), &choice.origin.path, message)
            })
            .chain(self.rater.dangling())
            .collect()
    }

    /// An address that strangers reach though nobody has to say who they are; `origin` is where it is stated.
    pub(super) fn unguarded(&self, origin: Option<Origin>) -> Option<Problem> {
        let message = self.server.unguarded(self.credentials_required())?;
        Some(Problem::error(origin, "server.listen", message))
    }

    /// The profiles that blocks choose, wherever they stand.
    fn rater_choices(&self) -> impl Iterator<Item = &RaterChoice> {
        let scopes = std::iter::once(&self.policy.root).chain(self.policy.projects.values());
        policy::rater_choices(
            scopes.flat_map(|scope| std::iter::once(&scope.approvals).chain(scope.commands.values())),
        )
    }

    /// Profiles that nothing chooses: whoever wrote one meant to.
    pub(super) fn idle_profiles(&self) -> Vec<Problem> {
        let chosen = self.rater_choices().map(|choice| choice.profile.as_str()).collect();
        self.rater.idle(&chosen)
    }
}
