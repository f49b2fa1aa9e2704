//! The rule for `git checkout`: branches or files.
//!
//! Promises that a checkout which takes files from elsewhere is told from one that changes the branch, and that a word which
//! could be either is taken for a file where it looks like one. Knows nothing of other commands of git.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::shown;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Argument;

/// Options that change nothing for what is lost.
const HARMLESS: &[&str] = &[
    "-q",
    "--quiet",
    "--progress",
    "--no-progress",
    "-d",
    "--detach",
    "--guess",
    "--no-guess",
    "-l",
    "--recurse-submodules",
    "--no-recurse-submodules",
    "--ignore-other-worktrees",
    "-t",
    "--track",
    "--no-track",
    "--overlay",
    "-m",
    "--merge",
    "--track=direct",
    "--track=inherit",
];
/// Names without an ending that are files or folders in many projects.
const FILES: &[&str] = &[
    "Makefile",
    "Dockerfile",
    "README",
    "LICENSE",
    "Gemfile",
    "Rakefile",
    "Procfile",
    "src",
    "lib",
    "app",
    "tests",
    "test",
    "docs",
    "include",
    "scripts",
    "config",
    "public",
    "packages",
    "crates",
    "cmd",
    "internal",
    "pkg",
];

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let mut operands: Vec<&Argument> = Vec::new();
    let mut files: Option<&[Argument]> = None;
    let mut makes_branch = false;
    let rest = call.rest();
    let mut at = 0;
    while let Some(argument) = rest.get(at) {
        at += 1;
        match argument.text.as_str() {
            "--" => {
                files = rest.get(at..);
                break;
            }
            "-b" | "--orphan" => {
                makes_branch = true;
                at += 1;
            }
            "-B" => {
                makes_branch = true;
                at += 1;
                call.does_plainly(Verb::Discards, Some("where a branch of that name stood"), findings);
            }
            "-f" | "--force" | "-fq" | "-qf" => {
                call.does_plainly(Verb::Discards, Some("changes that are not committed"), findings);
            }
            "--ours" | "--theirs" | "-2" | "-3" | "-p" | "--patch" => {
                call.does_plainly(Verb::Discards, Some("changes in files"), findings);
            }
            "-" => operands.push(argument),
            text if HARMLESS.contains(&text) => {}
            text if text.starts_with('-') => {
                let what = format!("the option {} is not known", shown(text));
                call.not_assessed(&what, findings);
            }
            _ => operands.push(argument),
        }
    }
    if operands.iter().any(|operand| operand.is_dynamic()) && !makes_branch {
        call.not_assessed("whether it takes a branch or files will only be known when it runs", findings);
    }
    let takes_files = match files {
        Some(files) => !files.is_empty(),
        None => {
            !makes_branch
                && (operands.len() > 1 || operands.first().is_some_and(|operand| is_file(&operand.text)))
        }
    };
    if takes_files {
        call.does_plainly(Verb::Discards, Some("changes in files that are not committed"), findings);
    } else {
        call.does_plainly(Verb::Records, Some("it changes the branch"), findings);
    }
}

/// Whether a word looks like a file rather than a branch.
fn is_file(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    let ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !ending.is_empty()
            && ending.len() <= 6
            && ending.chars().all(char::is_alphanumeric)
            && ending.starts_with(char::is_alphabetic)
            && !stem.ends_with(|letter: char| letter.is_ascii_digit() && ending == "x")
    });
    text.starts_with('.')
        || text.starts_with(':')
        || text.ends_with('/')
        || text.contains(['*', '?'])
        || ending
        || FILES.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn a_checkout_of_files_discards_and_one_of_a_branch_does_not() {
        outcomes(&[
            ("git checkout main", "safe"),
            ("git checkout -b feature/search", "safe"),
            ("git checkout -b fix origin/main", "safe"),
            ("git checkout -t origin/feature/x", "safe"),
            ("git checkout -", "safe"),
            ("git checkout v1.2.3", "safe"),
            ("git checkout HEAD~2", "safe"),
            ("git checkout release-1.x", "safe"),
            ("git checkout -- .", "destructive"),
            ("git checkout .", "destructive"),
            ("git checkout -f main", "destructive"),
            ("git checkout HEAD -- src/app.ts", "destructive"),
            ("git checkout main src/", "destructive"),
            ("git checkout src/app.ts", "destructive"),
            ("git checkout Makefile", "destructive"),
            ("git checkout --theirs a.txt", "destructive"),
            ("git checkout -B topic origin/topic", "destructive"),
            ("git checkout \"$REF\"", "not assessed"),
            ("git checkout --frobnicate main", "not assessed"),
        ]);
    }
}
