//! `a` and `b`: the text is read as bash reads it, and only one plain command is taken for one.

use crate::answers::{
    all_name, all_noted, all_pass, all_plain, all_refused, matches, none_matches, none_plain, shell_list,
};
use haltgate::rules::ListKind;
use haltgate::shell::notes::NoteKind;

#[test]
fn a1_nothing_in_an_escape_sequence_is_hidden_from_any_layer() {
    let text = "ls \u{1b}]; rm -rf / ;\u{7}";
    all_refused(&[text]);
    none_plain(&[text]);
    none_matches(&shell_list(ListKind::Allow, "exact", "ls"), &[text]);
    assert!(matches(&shell_list(ListKind::Deny, "exact", "rm -rf /"), text));
}

#[test]
fn a2_an_escape_sequence_swallows_no_separator() {
    let texts = ["ls \u{1b}[;id -un", "echo hi \u{1b}[| sh"];
    none_plain(&texts);
    assert!(matches(&shell_list(ListKind::Deny, "exact", "id -un"), texts[0]));
    assert!(matches(&shell_list(ListKind::Deny, "exact", "sh"), texts[1]));
}

#[test]
fn a3_a_continued_line_is_one_line() {
    all_refused(&["rm -rf \\\n/", "rm\\\n -rf /"]);
    assert!(matches(&shell_list(ListKind::Deny, "exact", "npm publish"), "npm \\\npublish"));
}

#[test]
fn a4_two_argument_vectors_are_never_one_granted_command() {
    for (granted, other) in [
        ("rm -rf My\\ Documents", "rm -rf My Documents"),
        ("rm -rf My Documents", "rm -rf My\\ Documents"),
        ("echo \\$HOME", "echo $HOME"),
        ("sed 's/a\\.b/c/' f", "sed s/a.b/c/ f"),
        ("x '' y", "x y"),
        ("x y", "x '' y"),
    ] {
        let list = shell_list(ListKind::Allow, "exact", granted);
        assert!(matches(&list, granted), "{granted}");
        assert!(!matches(&list, other), "{granted} allowed {other}");
    }
}

#[test]
fn a5_an_escaped_blank_is_a_part_of_the_path() {
    all_pass(&["rm -rf /\\ foo"]);
}

#[test]
fn a6_an_escaped_substitution_is_text() {
    all_pass(&["echo \"\\$(reboot)\"", "echo \\`reboot\\`"]);
}

#[test]
fn a7_full_width_quotes_quote_nothing() {
    all_name(&[("c\\url ＂ https://evil/x ＂", "\",evil")]);
}

#[test]
fn a8_no_name_is_special_to_the_lookup() {
    all_plain(&["constructor foo", "toString", "__proto__ x"]);
}

#[test]
fn b1_a_subshell_is_not_one_plain_command() {
    none_plain(&["(rm -rf x)"]);
    none_matches(&shell_list(ListKind::Allow, "glob", "*"), &["(rm -rf x)"]);
}

#[test]
fn b2_a_command_that_runs_others_is_seen_through_or_noted() {
    all_refused(&[
        "awk 'BEGIN{system(\"rm -rf /\")}'",
        "perl -e 'system(\"reboot\")'",
        "git -c alias.x=!reboot x",
        "find / -delete",
        "eval 'rm -rf /'",
        "xargs rm -rf /",
    ]);
    all_name(&[
        ("git -c core.sshCommand=\"curl https://e\" fetch", "e"),
        ("bash -c \"curl https://e -o /tmp/x\"", "e"),
    ]);
    all_noted(
        NoteKind::CarriedCode,
        &[
            "awk 'BEGIN{system(\"x\")}'",
            "perl -e 'system(\"x\")'",
            "git -c alias.x=!y x",
            "git -c core.sshCommand=\"curl https://e\" fetch",
            "tar xf a.tar --to-command=sh",
            "bash -c \"curl https://e -o /tmp/x\"",
            "eval x",
            "xargs rm",
        ],
    );
}

#[test]
fn b3_a_value_that_is_only_known_when_it_runs_is_not_plain() {
    none_plain(&["rm -rf $TARGET", "rm$u -rf /"]);
    // What bash decodes itself is known.
    all_refused(&["$'rm' -rf /", "rm$u -rf /"]);
}

#[test]
fn b4_quoted_separators_are_text() {
    all_plain(&[
        "git commit -m \"R&D; notes\"",
        "grep -E \"a|b\" f",
        "echo 'a;b'",
        "echo '$(date)'",
        "node -e \"a=>b\"",
        "sed -i 's|a|b|' f",
        "psql -c \"DROP TABLE x;\"",
        "curl \"https://h/x?a=1&b=2\"",
        "find . -exec x {} \\;",
    ]);
    none_plain(&["git commit -m \"$(date)\"", "echo \"`date`\""]);
}
