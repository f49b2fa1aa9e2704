//! The policies in force: one compiled policy for each project and command that the configuration tells apart.
//!
//! Promises that a policy is compiled once per configuration, and that names which the configuration does not know
//! share the policy above them, so that callers cannot make the gate compile without end.

use crate::config::{AgentBounds, Configuration, Problems};
use crate::gate::Policy;
use std::collections::HashMap;
use std::sync::Arc;

/// The policies of one configuration.
#[derive(Debug)]
pub struct Policies {
    configuration: Configuration,
    compiled: HashMap<(Option<String>, Option<String>), Arc<Policy>>,
    root: Arc<Policy>,
    /// What agents may ask for: in the root, then in each project that the configuration knows.
    agents: (AgentBounds, HashMap<String, AgentBounds>),
}

impl Policies {
    /// Compiles every policy that the configuration tells apart.
    ///
    /// # Errors
    /// Every entry that does not compile, although its grammar was in order.
    pub fn compile(configuration: Configuration) -> Result<Self, Problems> {
        let root = Arc::new(configuration.gate_policy("", None)?);
        let mut compiled = HashMap::new();
        let root_bounds = configuration.policy().root.agents.bounds();
        let mut bounds = HashMap::new();
        let names: Vec<String> = configuration.policy().projects.keys().cloned().collect();
        for project in std::iter::once(None).chain(names.into_iter().map(Some)) {
            let scope = configuration.policy().scope(project.as_deref().unwrap_or_default());
            if let Some(name) = &project {
                bounds.insert(name.clone(), scope.agents.bounds());
            }
            for command in std::iter::once(None).chain(scope.commands.keys().cloned().map(Some)) {
                let policy =
                    configuration.gate_policy(project.as_deref().unwrap_or_default(), command.as_deref())?;
                compiled.insert((project.clone(), command), Arc::new(policy));
            }
        }
        Ok(Self { configuration, compiled, root, agents: (root_bounds, bounds) })
    }

    /// The configuration that these policies were compiled from.
    #[must_use]
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// Names this state of the configuration.
    #[must_use]
    pub fn revision(&self) -> &str {
        self.configuration.revision()
    }

    /// What agents may ask for in a project; one that the configuration does not know has what holds in the root.
    #[must_use]
    pub fn agents(&self, project: &str) -> &AgentBounds {
        let (root, projects) = &self.agents;
        projects.get(project).unwrap_or(root)
    }

    /// Whether a project's policy has a part of its own for a command.
    #[must_use]
    pub fn knows_command(&self, project: &str, command: &str) -> bool {
        let project = self.configuration.policy().projects.contains_key(project).then(|| project.to_owned());
        self.compiled.contains_key(&(project, Some(command.to_owned())))
    }

    /// The policy for a project and a command; a name that the configuration does not know has what holds above it.
    #[must_use]
    pub fn get(&self, project: &str, command: Option<&str>) -> Arc<Policy> {
        let project = self.configuration.policy().projects.contains_key(project).then(|| project.to_owned());
        let found = command
            .and_then(|command| self.compiled.get(&(project.clone(), Some(command.to_owned()))))
            .or_else(|| self.compiled.get(&(project, None)));
        Arc::clone(found.unwrap_or(&self.root))
    }
}
