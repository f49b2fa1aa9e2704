//! `j` and `l`: deny entries meet every command that would run and no mention of one; no text keeps the gate busy.

use crate::answers::{all_match, matches, none_matches, refused, shell_list};
use haltgate::rules::ListKind;

#[test]
fn j1_a_deny_entry_meets_its_command_in_every_position_and_spelling() {
    all_match(
        &shell_list(ListKind::Deny, "exact", "npm publish"),
        &[
            "sudo npm publish",
            "npm publish > log",
            "npm publish 2>&1",
            "npm \"publish\"",
            "(npm publish)",
            "{ npm publish; }",
            "if true; then npm publish; fi",
            "FOO=1 npm publish",
            "cat <(npm publish)",
        ],
    );
    all_match(
        &shell_list(ListKind::Deny, "glob", "git push --force*"),
        &[
            "git push \"--force\"",
            "git -C . push --force",
            "git push origin --force",
            "/usr/bin/git push --force",
        ],
    );
}

#[test]
fn j2_a_deny_entry_meets_no_text() {
    none_matches(
        &shell_list(ListKind::Deny, "exact", "npm publish"),
        &["echo \"a; npm publish; b\"", "cat > notes.md <<'EOF'\nnpm publish\nEOF"],
    );
}

#[test]
fn j3_a_pattern_that_would_run_forever_is_stopped_and_counts_on_the_restrictive_side() {
    let command = format!("{}!", "a".repeat(40));
    for pattern in ["^(a+)+$", "^(?=a)(a+)+$", "^(a|a)*\\1$"] {
        // Tried in every way, they would take years.
        assert!(!matches(&shell_list(ListKind::Allow, "regexp", pattern), &command), "{pattern}");
        // Where it can be decided it does not match; where it cannot, it does.
        let denied = matches(&shell_list(ListKind::Deny, "regexp", pattern), &command);
        assert_eq!(denied, pattern != "^(a+)+$", "{pattern}");
    }
}

/// Each token could be read in two ways, which doubled the work with every one of them elsewhere.
#[test]
fn l1_repeated_options_take_no_longer_than_their_length_asks() {
    for piece in ["-r ", "--recursive ", "-R me ", "-r -r x "] {
        let command = format!("chown {}x", piece.repeat(20_000));
        assert_eq!(refused(&command), None, "{piece}");
    }
    assert_eq!(refused(&format!("chown {}x /", "-r ".repeat(25))), None, "-r is no option of chown");
    assert!(refused(&format!("chown {}x /", "-R ".repeat(20_000))).is_some());
}

#[test]
fn l2_sequences_without_an_end_take_no_longer_than_their_length_asks() {
    let command = format!("ls {}", "\u{1b}]".repeat(20_000));
    assert_eq!(refused(&command), None);
    none_matches(&shell_list(ListKind::Deny, "exact", "rm"), &[&command]);
}
