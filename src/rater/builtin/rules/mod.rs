//! The rules for programs that have a language of their own.
//!
//! Promises that every rule that an entry can name is here. A rule reads a [`Call`] and adds what the command does to the
//! [`Findings`]; a rule that adds nothing leaves the command not assessed. Knows nothing of other commands of the text.

use super::call::Call;
use super::findings::Findings;
use crate::rater::knowledge::RuleName;

/// Applies a rule to a command.
pub(super) fn apply(rule: RuleName, call: &Call<'_>, findings: &mut Findings) {
    match rule {
        RuleName::Find
        | RuleName::Fd
        | RuleName::Sed
        | RuleName::Awk
        | RuleName::Tar
        | RuleName::Xargs
        | RuleName::Parallel
        | RuleName::Dd
        | RuleName::Permissions
        | RuleName::GitSetting
        | RuleName::GitCheckout
        | RuleName::Environment
        | RuleName::Interpreter
        | RuleName::Shell
        | RuleName::Sql
        | RuleName::Redis
        | RuleName::Mongo
        | RuleName::Curl
        | RuleName::Wget
        | RuleName::Make => call.not_assessed("what its arguments ask for is not looked into", findings),
    }
}
