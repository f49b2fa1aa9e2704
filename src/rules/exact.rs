//! The keys under which an `exact` pattern is looked up.
//!
//! Promises that on the permissive side a key is nothing but the pattern's own canonical spelling. Knows nothing of lists.

use super::entry::ListKind;
use super::fold::{fold_case, trim_command};
use crate::shell;

/// The keys of a shell entry's exact pattern, distinct.
pub(super) fn shell_keys(pattern: &str, kind: ListKind) -> Vec<String> {
    let canonical = shell::canonicalize(pattern);
    match kind {
        ListKind::Allow => vec![canonical.unwrap_or_else(|| trim_command(pattern).to_owned())],
        ListKind::Deny | ListKind::Escalate => {
            let mut keys: Vec<String> = Vec::with_capacity(3);
            for text in
                [Some(pattern), Some(trim_command(pattern)), canonical.as_deref()].into_iter().flatten()
            {
                let key = fold_case(text).into_owned();
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            keys
        }
    }
}
