//! What a push does to the branches of a remote, by the names that it is given.
//!
//! Promises that replacing or deleting a branch on which others build is told from doing so with one's own, by its name.
//! Knows nothing of what a remote holds.

use super::call::Call;
use super::findings::Findings;
use super::objects::{is_url, shown};
use super::supply::is_program;
use crate::rater::knowledge::Verb;
use crate::shell::Analysis;
use crate::shell::hardline::{Argument, UNKNOWN, Unit, is_remote};

/// Branches on which others build, by their usual names.
const SHARED: [&str; 19] = [
    "main",
    "master",
    "trunk",
    "develop",
    "development",
    "dev",
    "next",
    "stable",
    "staging",
    "stage",
    "prod",
    "production",
    "release",
    "integration",
    "qa",
    "test",
    "default",
    "gh-pages",
    "live",
];
/// Starts of names of branches and tags that others use.
const SHARED_STARTS: [&str; 5] = ["release/", "release-", "releases/", "hotfix/", "support/"];

/// Adds what the operands of a push say beside its options.
pub(super) fn add(call: &Call<'_>, analysis: &Analysis, findings: &mut Findings) {
    let operands: Vec<&Argument> = call.operands.iter().filter_map(|at| call.arguments.get(*at)).collect();
    if let Some(remote) = operands.first()
        && (is_url(&remote.text)
            || is_remote(&remote.text)
            || remote.text.starts_with(['.', '/', '~'])
            || remote.text.contains('/')
            || remote.is_dynamic() && remote.units.first() == Some(&Unit::Home))
    {
        call.does_plainly(
            Verb::Sends,
            Some("pushes to an address that is not a configured remote"),
            findings,
        );
    }
    let option = |names: &[&str]| {
        call.arguments.iter().any(|argument| {
            let text = argument.text.split('=').next().unwrap_or_default();
            names.contains(&text)
        })
    };
    let forced = option(&["-f", "--force", "--force-with-lease", "--prune"]) || clustered(call, 'f');
    let deletes = option(&["-d", "--delete"]) || clustered(call, 'd');
    let everything = option(&["--all", "--branches", "--tags", "--mirror"]);
    let mut named = false;
    for operand in operands.iter().skip(1) {
        named = true;
        let text = operand.text.as_str();
        let target = target(text);
        if text.contains('%') {
            call.does_plainly(Verb::Alters, Some("tells the server what to do with the change"), findings);
        }
        if operand.is_dynamic() {
            findings.not_assessed(|| {
                format!(
                    "What is pushed as {} will only be known when it runs.",
                    shown(&text.replace(UNKNOWN, "…"))
                )
            });
        }
        if text.starts_with(':') && text.len() > 1 || deletes {
            let verb = if is_shared(target) { Verb::Publishes } else { Verb::Discards };
            call.does_plainly(verb, Some("deletes a branch or tag of the remote"), findings);
        } else if target.contains('*') && !forced && !text.starts_with('+') {
            call.does_plainly(Verb::Discards, Some("moves every branch of the remote"), findings);
        } else if text.starts_with('+') || forced {
            let verb = if is_shared(target) { Verb::Publishes } else { Verb::Discards };
            call.does_plainly(verb, Some("replaces what others may have built on"), findings);
        }
    }
    // Without a name it is the branch that one is on; a lease keeps what somebody else has pushed meanwhile.
    let leased = !option(&["-f", "--force", "--prune"]) && !clustered(call, 'f');
    if forced && (everything || !named && (!leased || moves_to_shared(analysis))) {
        call.does_plainly(Verb::Publishes, Some("replaces what others build on"), findings);
    }
}

/// Adds the branches of this repository that a fetch moves by force: `+main:main`.
pub(super) fn fetched(call: &Call<'_>, findings: &mut Findings) {
    for operand in call.operands.iter().skip(1).filter_map(|at| call.arguments.get(*at)) {
        let Some((_, target)) = operand.text.strip_prefix('+').and_then(|refspec| refspec.split_once(':'))
        else {
            continue;
        };
        if !target.starts_with("refs/remotes/") {
            call.does_plainly(Verb::Discards, Some("where a branch stood"), findings);
        }
    }
    if let Some(remote) = call.operands.first().and_then(|at| call.arguments.get(*at))
        && (remote.text.starts_with(['/', '~']) || remote.text.starts_with(".."))
    {
        call.does_plainly(Verb::Fetches, Some("from a repository that is not configured"), findings);
    }
}

/// Whether a letter stands in a group of them behind one dash.
fn clustered(call: &Call<'_>, wanted: char) -> bool {
    call.arguments.iter().any(|argument| {
        let letters = argument.text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        letters.is_some_and(|letters| {
            letters.chars().all(|letter| "qvuf46dn".contains(letter)) && letters.contains(wanted)
        })
    })
}

/// The name at the remote that a refspec writes.
fn target(refspec: &str) -> &str {
    let refspec = refspec.strip_prefix('+').unwrap_or(refspec);
    let target = refspec.rsplit(':').next().unwrap_or(refspec);
    target.strip_prefix("refs/heads/").unwrap_or(target)
}

/// Whether others use what has that name: a usual branch, a tag, or more than one at once.
fn is_shared(name: &str) -> bool {
    let version = name.strip_prefix('v').unwrap_or(name).starts_with(|first: char| first.is_ascii_digit());
    SHARED.contains(&name)
        || SHARED_STARTS.iter().any(|start| name.starts_with(start))
        || name.starts_with("refs/tags/")
        || name.contains('*')
        || version && name.contains('.')
}

/// Whether another command of the text goes to such a branch.
fn moves_to_shared(analysis: &Analysis) -> bool {
    analysis.segments().iter().any(|segment| {
        let words: Vec<&str> = segment.words.iter().skip(1).map(|word| word.raw.as_str()).collect();
        is_program(segment, &["git"])
            && matches!(words.first(), Some(&("checkout" | "switch")))
            && words.last().is_some_and(|name| is_shared(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_others_use_is_told_from_one_of_ones_own() {
        for (refspec, shared) in [
            ("main", true),
            ("+main", true),
            ("HEAD:main", true),
            ("HEAD:refs/heads/develop", true),
            ("release/1.2", true),
            ("v1.2.0", true),
            ("refs/tags/v1", true),
            ("refs/heads/*:refs/heads/*", true),
            (":master", true),
            ("fix/typo", false),
            ("main:fix/typo", false),
            ("maintenance", false),
            ("2fa", false),
        ] {
            assert_eq!(is_shared(target(refspec)), shared, "{refspec}");
        }
    }
}
