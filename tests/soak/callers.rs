//! Who calls: each kind of participant shows a token of its own role, so that the gate recognises, bounds and restricts them as
//! it would in earnest.

use crate::gate::{Ran, run_in};
use crate::world::PROJECTS;
use std::collections::BTreeMap;
use std::path::Path;

/// The file of the gate's tokens, which the policy names.
pub(crate) const TOKENS_FILE: &str = "tokens.json";

/// The file with the auditor's token, for commands.
pub(crate) const AUDITOR_FILE: &str = "auditor.token";

/// In which role somebody calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Of one project: the sessions of another agent are closed to it.
    Agent,
    /// Those who answer, and those who manage.
    Operator,
    /// Those who only look.
    Auditor,
}

const ALL: [(Role, &str); 3] =
    [(Role::Agent, "agent"), (Role::Operator, "operator"), (Role::Auditor, "auditor")];

/// The tokens by project and role.
#[derive(Debug)]
pub(crate) struct Tokens(BTreeMap<(&'static str, Role), String>);

impl Tokens {
    /// Has them made, in the folder of the server.
    pub(crate) fn make(folder: &Path) -> Self {
        let mut tokens = BTreeMap::new();
        for project in PROJECTS {
            for (role, name) in ALL {
                // Each agent has its project; the others see both.
                let (caller, projects) = match role {
                    Role::Agent => (format!("{name}-of-{project}"), project),
                    Role::Operator | Role::Auditor => (format!("{name}-{project}"), "*"),
                };
                let made = ["token", "create", "--name", &caller, "--role", name, "--project", projects];
                let made = run_in(folder, &[made.as_slice(), &["--file", TOKENS_FILE]].concat());
                assert_eq!(made.code, 0, "{made:?}");
                let Ran { out, .. } = made;
                tokens.insert((project, role), out.trim().to_owned());
            }
        }
        let made = Self(tokens);
        std::fs::write(folder.join(AUDITOR_FILE), made.of(PROJECTS[0], Role::Auditor)).unwrap();
        made
    }

    pub(crate) fn of(&self, project: &'static str, role: Role) -> &str {
        &self.0[&(project, role)]
    }
}
