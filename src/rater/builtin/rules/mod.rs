//! The rules for programs that have a language of their own.
//!
//! Promises that every rule that an entry can name is here. A rule reads a [`Call`] and adds what the command does to the
//! [`Findings`]; a rule that adds nothing leaves the command not assessed. Knows nothing of other commands of the text.

mod awk;
mod awk_program;
mod dd;
mod fd;
mod find;
mod options;
mod parallel;
mod permissions;
mod sed;
mod sed_script;
mod tar;
mod tar_options;
#[cfg(test)]
mod file_tests;
mod text;
mod xargs;

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
        RuleName::GitSetting
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
