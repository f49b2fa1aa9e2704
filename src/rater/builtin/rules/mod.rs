//! The rules for programs that have a language of their own.
//!
//! Promises that every rule that an entry can name is here. A rule reads a [`Call`] and adds what the command does to the
//! [`Findings`]; a rule that adds nothing leaves the command not assessed. Knows nothing of other commands of the text.

mod code;
mod curl;
mod environment;
mod git_checkout;
mod git_setting;
mod interpreter;
mod make;
mod mongo;
mod redis;
mod shell;
mod sql;
mod sql_client;
#[cfg(test)]
mod tests;
mod wget;

pub(super) use git_setting::is_known as is_known_git_setting;

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
        | RuleName::Permissions => {
            call.not_assessed("what its arguments ask for is not looked into", findings)
        }
        RuleName::GitSetting => git_setting::apply(call, findings),
        RuleName::GitCheckout => git_checkout::apply(call, findings),
        RuleName::Environment => environment::apply(call, findings),
        RuleName::Interpreter => interpreter::apply(call, findings),
        RuleName::Shell => shell::apply(call, findings),
        RuleName::Sql => sql_client::apply(call, findings),
        RuleName::Redis => redis::apply(call, findings),
        RuleName::Mongo => mongo::apply(call, findings),
        RuleName::Curl => curl::apply(call, findings),
        RuleName::Wget => wget::apply(call, findings),
        RuleName::Make => make::apply(call, findings),
    }
}
