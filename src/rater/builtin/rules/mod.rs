//! The rules for programs that have a language of their own.
//!
//! Promises that every rule that an entry can name is here. A rule reads a [`Call`] and adds what the command does to the
//! [`Findings`]; a rule that adds nothing leaves the command not assessed. Knows nothing of other commands of the text.

mod awk;
mod awk_program;
mod code;
mod curl;
mod dd;
mod environment;
mod fd;
#[cfg(test)]
mod file_tests;
mod find;
mod find_words;
mod git_checkout;
mod git_setting;
mod interpreter;
mod make;
mod mongo;
mod options;
mod parallel;
mod permissions;
mod redis;
#[cfg(test)]
mod script_tests;
mod sed;
mod sed_script;
mod shell;
mod sql;
mod sql_client;
mod tar;
mod tar_options;
#[cfg(test)]
mod tests;
mod text;
mod wget;
mod xargs;

pub(super) use git_setting::is_known as is_known_git_setting;
pub(super) use xargs::handing;

use super::call::Call;
use super::findings::Findings;
use crate::rater::knowledge::RuleName;

/// Applies a rule to a command.
pub(super) fn apply(rule: RuleName, call: &Call<'_>, findings: &mut Findings) {
    match rule {
        RuleName::Find => find::apply(call, findings),
        RuleName::Fd => fd::apply(call, findings),
        RuleName::Sed => sed::apply(call, findings),
        RuleName::Awk => awk::apply(call, findings),
        RuleName::Tar => tar::apply(call, findings),
        RuleName::Xargs => xargs::apply(call, findings),
        RuleName::Parallel => parallel::apply(call, findings),
        RuleName::Dd => dd::apply(call, findings),
        RuleName::Permissions => permissions::apply(call, findings),
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
