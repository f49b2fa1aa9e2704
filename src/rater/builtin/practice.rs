//! Whether what a command is asked to do belongs to everyday work: what an entry calls harmless is believed where the name of
//! the subcommand says so too, or where people are seen to use it day by day.
//!
//! Promises never to make a judgement milder: a subcommand that few people know is not assessed, so that a mistake in its entry
//! does no harm. Knows nothing of effects on objects.

use super::call::Call;
use super::effects;
use super::findings::Findings;
use super::objects::shown;
use crate::rater::knowledge::{Action, Resolved, Verb, entry};
use crate::shell::hardline::Argument;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What subcommands are called that only look, check or build, sorted.
const LOOKING: &[&str] = &[
    "about",
    "addr",
    "analyse",
    "analyze",
    "ast",
    "audit",
    "bench",
    "benchmark",
    "blame",
    "bloat",
    "build",
    "can",
    "cat",
    "check",
    "ci",
    "clippy",
    "cloc",
    "compare",
    "compile",
    "completion",
    "completions",
    "configtest",
    "count",
    "cov",
    "coverage",
    "current",
    "dependencies",
    "deps",
    "describe",
    "detect",
    "df",
    "diagnose",
    "dialyzer",
    "diff",
    "display",
    "doc",
    "docs",
    "doctor",
    "du",
    "e2e",
    "events",
    "explain",
    "filter",
    "find",
    "flamegraph",
    "fmt",
    "fmtcheck",
    "format",
    "formatter",
    "frequency",
    "get",
    "graph",
    "hclfmt",
    "head",
    "headers",
    "heads",
    "health",
    "help",
    "history",
    "images",
    "info",
    "inspect",
    "integration",
    "is",
    "json",
    "lanes",
    "lex",
    "licenses",
    "lint",
    "list",
    "loc",
    "locate",
    "log",
    "logs",
    "ls",
    "members",
    "metadata",
    "names",
    "outdated",
    "outputs",
    "overview",
    "package",
    "parse",
    "ping",
    "plan",
    "preview",
    "print",
    "profiling",
    "providers",
    "ps",
    "query",
    "read",
    "reflog",
    "releases",
    "render",
    "report",
    "routes",
    "scan",
    "schema",
    "search",
    "select",
    "shortlog",
    "show",
    "size",
    "sloc",
    "spec",
    "stat",
    "stats",
    "status",
    "summary",
    "synth",
    "tail",
    "tasks",
    "test",
    "tests",
    "top",
    "trace",
    "tree",
    "type",
    "typecheck",
    "unit",
    "unittest",
    "usage",
    "validate",
    "verify",
    "verify-pack",
    "version",
    "versions",
    "vet",
    "view",
    "wait",
    "whatchanged",
    "where",
    "which",
    "whoami",
    "why",
];
/// Programs whose subcommands are programs or tasks with entries of their own.
const STARTERS: &[&str] = &["npx", "pnpx", "bunx", "gradle", "gradlew"];
/// Programs that run the scripts of a project by their names.
const RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];

/// The subcommands of everyday work by program, each chain of words with one blank between them.
static EVERYDAY: LazyLock<HashMap<&'static str, HashSet<&'static str>>> =
    LazyLock::new(|| read(include_str!("everyday.txt")));

fn read(text: &'static str) -> HashMap<&'static str, HashSet<&'static str>> {
    let mut everyday: HashMap<&str, HashSet<&str>> = HashMap::new();
    let mut program = "";
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let chains = match line.split_once(':') {
            Some((name, chains)) if !line.starts_with(' ') => {
                program = name;
                chains
            }
            Some(_) | None => line,
        };
        let chains = chains.split(',').map(str::trim).filter(|chain| !chain.is_empty());
        everyday.entry(program).or_default().extend(chains);
    }
    everyday
}

/// Adds that a command only clears away: what that is stands in the project's own settings.
fn only_clears_away(call: &Call<'_>, findings: &mut Findings) {
    const DRY: [&str; 6] = ["-n", "--dry-run", "--just-print", "--recon", "-m", "--dry"];
    const CLEARING: [&str; 7] =
        ["clean", "distclean", "mrproper", "realclean", "maintainer-clean", "clean-all", "clean:all"];
    if matches!(call.program, "git" | "go" | "echo" | "printf" | "grep" | "rg" | "man")
        || call.arguments.iter().any(|argument| DRY.contains(&argument.text.as_str()))
    {
        return;
    }
    let words = || {
        let plain = |argument: &&Argument| !argument.text.starts_with('-') && !argument.text.contains('=');
        call.arguments.iter().filter(plain).map(|argument| argument.text.as_str())
    };
    let clears =
        |word: &str| CLEARING.contains(&word.rsplit(':').next().unwrap_or(word)) || CLEARING.contains(&word);
    let only = words().all(|word| clears(word) || matches!(word, "run" | "run-script"));
    if only && words().any(clears) {
        call.not_assessed("what it clears away is not known", findings);
    }
}

/// Adds that a subcommand is not assessed which few people know.
pub(super) fn add(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
    only_clears_away(call, findings);
    let words: Vec<&str> = resolved
        .subcommands
        .iter()
        .filter_map(|at| call.arguments.get(*at))
        .map(|argument| argument.text.as_str())
        .collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    let hands_on = resolved.effects.iter().any(|applied| applied.effect.action == Action::Verb(Verb::Wraps));
    let runs_a_script = RUNNERS.contains(&call.program)
        && (matches!(*first, "run" | "run-script") || words.len() == 1 && entry(first).is_some());
    // In a cluster the verb stands first: `kubectl get namespaces`.
    let verb_in_front = matches!(call.program, "kubectl" | "oc" | "kubecolor") && says_so(first);
    if resolved.replaced_by.is_some()
        || !resolved.effects.iter().all(|applied| effects::is_mild(applied.effect))
        || hands_on
        || runs_a_script
        || STARTERS.contains(&call.program)
        || verb_in_front
        || says_so(last)
    {
        return;
    }
    let chain = words.join(" ");
    if !EVERYDAY.get(call.program).is_some_and(|chains| chains.contains(chain.as_str())) {
        call.not_assessed(&format!("{} is nothing that is done every day", shown(&chain)), findings);
    }
}

/// Whether the name of a subcommand says that it only looks, checks or builds: `list`, `describe-instances`, `dependency:tree`.
fn says_so(word: &str) -> bool {
    let task = word.rsplit(':').next().unwrap_or_default();
    let verb = task.split(['-', '_']).next().unwrap_or_default();
    LOOKING.binary_search(&task).is_ok() || LOOKING.binary_search(&verb).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subcommands_are_believed_where_their_names_say_that_they_only_look_or_build() {
        assert!(LOOKING.is_sorted(), "the words are looked up by halving");
        for (word, believed) in [
            ("list", true),
            ("describe-db-snapshots", true),
            ("dependency:tree", true),
            ("update-ref", false),
            ("versions:use-latest-versions", false),
            ("sync", false),
            ("hostname", false),
        ] {
            assert_eq!(says_so(word), believed, "{word}");
        }
    }

    #[test]
    fn lines_that_are_continued_belong_to_the_program_in_front_of_them() {
        let everyday = read("# said\ngit: add, bisect bad,\n  mv\nxsv: cat\n");
        assert_eq!(everyday["git"], HashSet::from(["add", "bisect bad", "mv"]));
        assert_eq!(everyday["xsv"], HashSet::from(["cat"]));
        assert!(EVERYDAY["git"].contains("rebase"), "the list is read");
    }
}
