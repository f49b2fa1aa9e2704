//! Examples of an entry are checked as the list that holds it would match them.

use super::{Examples, Problem};
use crate::rules::entry::{Entry, ListKind, ServerPattern};
use crate::rules::list::RuleList;
use crate::rules::matching::Found;
use crate::rules::target::{Hosts, McpIdentity, Target};
use crate::shell::{self, Dialect};

/// Whether every example holds; each that does not is an error at its path.
pub(super) fn hold(
    entry: &Entry,
    examples: &Examples,
    path: &str,
    kind: ListKind,
    problems: &mut Vec<Problem>,
) -> bool {
    if examples.matches.is_empty() && examples.not_matches.is_empty() {
        return true;
    }
    let list = match RuleList::compile(kind, vec![entry.clone()]) {
        Ok(list) => list,
        Err(errors) => {
            problems.extend(errors.into_iter().map(|error| Problem::error(path, error.message)));
            return false;
        }
    };
    let mut all_hold = true;
    for (field, texts, wanted) in
        [("match", &examples.matches, true), ("not_match", &examples.not_matches, false)]
    {
        for (place, text) in texts.iter().enumerate() {
            if matches(&list, entry, text) != wanted {
                all_hold = false;
                let message = failure(entry, kind, text, wanted);
                problems.push(Problem::error(format!("{path}.{field}[{place}]"), message));
            }
        }
    }
    all_hold
}

fn matches(list: &RuleList, entry: &Entry, text: &str) -> bool {
    let hosts = |host: &Option<String>| Hosts { named: host.iter().cloned().collect(), uncertain: false };
    let found = match entry {
        Entry::Shell { .. } => list.find(&Target::Shell(&shell::analyze(text, Dialect::Bash))),
        Entry::Tool { host, .. } => {
            list.find(&Target::Tool { name: text, hosts: &hosts(host), annotations: None })
        }
        Entry::McpTool { server, host, .. } => {
            let server = match server {
                ServerPattern::Any => "*".to_owned(),
                ServerPattern::Key(key) => key.clone(),
            };
            let identity = McpIdentity::Resolved { server, name: text.to_owned() };
            list.find(&Target::McpTool { identity: &identity, hosts: &hosts(host), annotations: None })
        }
    };
    match found {
        Found::None => false,
        Found::Match { .. } => true,
    }
}

fn failure(entry: &Entry, kind: ListKind, text: &str, wanted: bool) -> String {
    let shown: String = text.chars().take(200).collect();
    let list = kind.as_str();
    if !wanted {
        return format!(
            "`{shown}` must not match, but this {list} entry matches it; make the pattern narrower or drop the example"
        );
    }
    let why = match (entry, kind) {
        (Entry::Shell { .. }, ListKind::Allow)
            if shell::analyze(text, Dialect::Bash).canonical().is_none() =>
        {
            ": an allow entry matches one simple command only, and this is more than that"
        }
        (
            Entry::Shell { .. } | Entry::Tool { .. } | Entry::McpTool { .. },
            ListKind::Allow | ListKind::Deny | ListKind::Escalate,
        ) => "",
    };
    format!(
        "`{shown}` must match, but this {list} entry does not match it{why}; fix the pattern or drop the example"
    )
}
