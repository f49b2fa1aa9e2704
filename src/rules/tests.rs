//! What lists and layers of lists promise, by example; the naive evaluator that they are compared with is beside this file.

mod naive;
mod properties;

use super::*;
use crate::shell::{Analysis, Dialect, analyze};
use serde_json::{Value, json};

pub(super) fn entry(value: &Value) -> Entry {
    serde_json::from_value(value.clone()).unwrap()
}

fn list(kind: ListKind, values: &[Value]) -> RuleList {
    RuleList::compile(kind, values.iter().map(entry).collect()).unwrap()
}

fn shell(matcher: &str, pattern: &str) -> Value {
    json!({ "type": "shell", "matcher": matcher, "pattern": pattern })
}

fn command(text: &str) -> Analysis {
    analyze(text, Dialect::Bash)
}

fn hosts(named: &[&str], uncertain: bool) -> Hosts {
    Hosts { named: named.iter().map(|host| (*host).to_owned()).collect(), uncertain }
}

fn matches(list: &RuleList, target: &Target<'_>) -> bool {
    list.find(target) != Found::None
}

fn matches_command(kind: ListKind, matcher: &str, pattern: &str, text: &str) -> bool {
    matches(&list(kind, &[shell(matcher, pattern)]), &Target::Shell(&command(text)))
}

/// Invariants 47 and 52, and how each side reads case, spacing and quoting.
#[test]
fn an_allow_entry_matches_one_command_as_written_and_a_deny_entry_any_command_the_shell_would_run() {
    for (matcher, pattern, text, allowed, denied) in [
        ("exact", "git push --force", "git push --force", true, true),
        ("exact", "git push --force", "  git   push '--force' ", true, true),
        ("exact", "git  push \"--force\"", "git push --force", true, true),
        ("exact", "git push --force", "ls; git push --force", false, true),
        ("exact", "git push --force", "GIT push --force", false, true),
        ("exact", "ls && rm -rf build", "ls && rm -rf build", false, true),
        ("exact", "ls && rm -rf build", " ls && rm -rf build\n", false, true),
        ("exact", "git *", "git status", false, false),
        ("glob", "git *", "git status", true, true),
        ("glob", "git *", "git  status", true, true),
        ("glob", "git *", "git status && x", false, true),
        ("glob", "x*", "git status && x", false, true),
        ("glob", "GIT *", "git status", false, true),
        ("glob", "*--dry-run", "npm publish # --dry-run", false, true),
        ("regexp", "^git status$", "git  status", true, true),
        ("regexp", "^GIT", "git status", false, false),
        ("regexp", "^x$", "git status && x", false, true),
        ("regexp", "'a b'", "echo \"a b\"", true, true),
        ("regexp", "^git commit -m \"[^\"]*\"$", "git commit -m \"fix it\"", true, true),
        // What a regular expression excludes cannot be brought back by quoting.
        ("regexp", "^git (?!push)", "git push", false, false),
        ("regexp", "^git (?!push)", "git pu''sh", false, true),
        ("regexp", "^git (?!push)", "git \"push\"", false, true),
        ("regexp", "^cat [^.]*$", "cat $'\\x2e\\x2e'", false, true),
    ] {
        assert_eq!(
            matches_command(ListKind::Allow, matcher, pattern, text),
            allowed,
            "allow {matcher} {pattern}: {text}"
        );
        for kind in [ListKind::Deny, ListKind::Escalate] {
            assert_eq!(
                matches_command(kind, matcher, pattern, text),
                denied,
                "{kind:?} {matcher} {pattern}: {text}"
            );
        }
    }
}

/// Nothing lossy on the permissive side.
#[test]
fn a_lookalike_is_another_command_on_the_allow_list() {
    for text in ["ｌｓ", "ls\u{A0}-l", "\u{1b}[0mls", "ls\u{200b}", "LS"] {
        assert!(!matches_command(ListKind::Allow, "exact", "ls", text), "{text:?}");
        assert!(!matches_command(ListKind::Allow, "regexp", "^ls$", text), "{text:?}");
    }
}

/// Invariants 37 and 38: each type matches its own kind of call, and only that.
#[test]
fn an_entry_matches_only_calls_of_its_own_type() {
    let every = [
        shell("glob", "*"),
        json!({ "type": "tool", "matcher": "glob", "pattern": "*" }),
        json!({ "type": "mcpTool", "server": "*", "matcher": "glob", "pattern": "*" }),
    ];
    let analysis = command("run_shell_command");
    let none = Hosts::default();
    let identity = McpIdentity::Resolved { server: "jira".to_owned(), name: "run_shell_command".to_owned() };
    let targets = [
        Target::Shell(&analysis),
        Target::Tool { name: "run_shell_command", hosts: &none, annotations: None },
        Target::McpTool { identity: &identity, hosts: &none, annotations: None },
    ];
    for kind in [ListKind::Deny, ListKind::Escalate, ListKind::Allow] {
        for (row, written) in every.iter().enumerate() {
            for (column, target) in targets.iter().enumerate() {
                assert_eq!(
                    matches(&list(kind, std::slice::from_ref(written)), target),
                    row == column,
                    "{kind:?} {written}"
                );
            }
        }
    }
}

#[test]
fn names_keep_their_case_on_every_list() {
    let none = Hosts::default();
    let target = Target::Tool { name: "Read_File", hosts: &none, annotations: None };
    for kind in [ListKind::Deny, ListKind::Escalate, ListKind::Allow] {
        for (matcher, pattern, expected) in [
            ("exact", "Read_File", true),
            ("exact", "read_file", false),
            ("glob", "Read*", true),
            ("glob", "read*", false),
            ("regexp", "File$", true),
        ] {
            let list = list(kind, &[json!({ "type": "tool", "matcher": matcher, "pattern": pattern })]);
            assert_eq!(matches(&list, &target), expected, "{kind:?} {matcher} {pattern}");
        }
    }
}

/// Invariant 40 for allow; any named host on the restrictive side.
#[test]
fn a_host_bound_entry_asks_for_its_host_and_doubt_fails_toward_the_human() {
    let bound = json!({ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": "evil.com" });
    for (named, uncertain, allowed, denied) in [
        (vec![], false, false, false),
        (vec!["evil.com"], false, true, true),
        (vec!["evil.com."], false, true, true),
        (vec!["a.com"], false, false, false),
        (vec!["a.com", "evil.com"], false, false, true),
        (vec!["evil.com"], true, false, true),
        (vec!["a.com"], true, false, true),
        (vec![], true, false, true),
    ] {
        let hosts = hosts(&named, uncertain);
        let target = Target::Tool { name: "fetch", hosts: &hosts, annotations: None };
        assert_eq!(
            matches(&list(ListKind::Allow, std::slice::from_ref(&bound)), &target),
            allowed,
            "{hosts:?}"
        );
        assert_eq!(
            matches(&list(ListKind::Deny, std::slice::from_ref(&bound)), &target),
            denied,
            "{hosts:?}"
        );
        let free =
            list(ListKind::Allow, &[json!({ "type": "tool", "matcher": "exact", "pattern": "fetch" })]);
        assert!(matches(&free, &target), "an entry without a host puts no condition: {hosts:?}");
    }
    let list = list(ListKind::Deny, &[bound]);
    let hosts = hosts(&["a.com"], true);
    let found = list.find(&Target::Tool { name: "fetch", hosts: &hosts, annotations: None });
    assert!(
        matches!(found, Found::Match { basis: Basis::Undecidable { reason: Reason::HostsUncertain }, .. }),
        "{found:?}"
    );
}

/// Invariants 39 and 41.
#[test]
fn an_unresolved_server_is_never_allowed_and_is_denied_by_any_reading() {
    let none = Hosts::default();
    let identity = McpIdentity::Unresolved {
        registered: "mcp__a__b__c".to_owned(),
        readings: vec![("a".to_owned(), "b__c".to_owned()), ("a__b".to_owned(), "c".to_owned())],
    };
    let target = Target::McpTool { identity: &identity, hosts: &none, annotations: None };
    for (server, pattern, denied) in [
        ("a", "b__c", true),
        ("a__b", "c", true),
        ("a", "c", false),
        ("z", "c", false),
        ("*", "c", true),
        ("*", "b__c", true),
        ("*", "mcp__a__b__c", true),
        ("*", "b", false),
        ("a", "mcp__a__b__c", false),
    ] {
        let written = json!({ "type": "mcpTool", "server": server, "matcher": "exact", "pattern": pattern });
        assert_eq!(
            matches(&list(ListKind::Deny, std::slice::from_ref(&written)), &target),
            denied,
            "{server}/{pattern}"
        );
        assert!(!matches(&list(ListKind::Allow, &[written]), &target), "{server}/{pattern}");
    }
    let resolved = McpIdentity::Resolved { server: "jira".to_owned(), name: "get".to_owned() };
    let target = Target::McpTool { identity: &resolved, hosts: &none, annotations: None };
    for (server, pattern, allowed) in [
        ("jira", "get", true),
        ("*", "get", true),
        ("Jira", "get", false),
        ("jira", "mcp__jira__get", false),
        ("other", "get", false),
    ] {
        let written = json!({ "type": "mcpTool", "server": server, "matcher": "exact", "pattern": pattern });
        assert_eq!(matches(&list(ListKind::Allow, &[written]), &target), allowed, "{server}/{pattern}");
    }
}

#[test]
fn every_named_hint_must_be_equal_and_unknown_annotations_are_undecidable() {
    let none = Hosts::default();
    let safe = Annotations { read_only: true, destructive: false, idempotent: false, open_world: false };
    let written = json!({ "type": "tool", "matcher": "hint", "pattern": { "readOnlyHint": true, "openWorldHint": false } });
    for (annotations, allowed, denied) in [
        (Some(safe), true, true),
        (Some(safe.with(Hint::OpenWorld, true)), false, false),
        (Some(safe.with(Hint::Idempotent, true)), true, true),
        (Some(Annotations::FAIL_CLOSED), false, false),
        (None, false, true),
    ] {
        let target = Target::Tool { name: "any", hosts: &none, annotations };
        assert_eq!(
            matches(&list(ListKind::Allow, std::slice::from_ref(&written)), &target),
            allowed,
            "{annotations:?}"
        );
        assert_eq!(
            matches(&list(ListKind::Deny, std::slice::from_ref(&written)), &target),
            denied,
            "{annotations:?}"
        );
    }
}

#[test]
fn a_pattern_over_its_steps_matches_on_deny_and_escalate_only_and_is_told_of() {
    let pattern = r"^(a|a)*\1b(?!c)$";
    let text = format!("{}xb", "a".repeat(60));
    let analysis = command(&text);
    for (kind, matched) in [(ListKind::Deny, true), (ListKind::Escalate, true), (ListKind::Allow, false)] {
        let mut notices = Vec::new();
        let list = list(kind, &[shell("regexp", pattern)]);
        let found = list.find_noting(&Target::Shell(&analysis), &mut notices);
        assert_eq!(found != Found::None, matched, "{kind:?}");
        let reason = Reason::StepLimit { pattern: pattern.to_owned() };
        assert_eq!(notices, [Notice { list: kind, reason }]);
        assert!(notices[0].to_string().contains(pattern));
    }
}

#[test]
fn the_earliest_certain_match_is_named_and_a_doubtful_one_only_without_it() {
    let hosts = hosts(&["b.com"], true);
    let target = Target::Tool { name: "fetch", hosts: &hosts, annotations: None };
    let doubtful = json!({ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": "a.com" });
    let certain = json!({ "type": "tool", "matcher": "glob", "pattern": "fe*" });
    let later = json!({ "type": "tool", "matcher": "regexp", "pattern": "fetch" });
    let place = |values: &[Value]| match list(ListKind::Deny, values).find(&target) {
        Found::Match { index, basis, .. } => (index, basis == Basis::Decided),
        Found::None => panic!("no match"),
    };
    assert_eq!(place(&[doubtful.clone(), certain.clone(), later.clone()]), (1, true));
    assert_eq!(place(&[later.clone(), certain, doubtful.clone()]), (0, true));
    assert_eq!(place(&[doubtful.clone(), doubtful]), (0, false));
}

/// Invariants 45, 49 and 69.
#[test]
fn deny_outranks_escalate_outranks_allow_over_all_layers() {
    let written = [shell("exact", "git push")];
    let (deny, escalate, allow) =
        (list(ListKind::Deny, &written), list(ListKind::Escalate, &written), list(ListKind::Allow, &written));
    let analysis = command("git push");
    let empty = RuleList::new(ListKind::Deny);
    let ruled = |lists: Layered<'_>| {
        let ruling = decide(&lists, &Target::Shell(&analysis));
        ruling.ruled.map(|ruled| (ruled.list, ruled.layer, ruled.rate))
    };
    let all = Layered { deny: &[&empty, &deny], escalate: &[&escalate], allow: &[&allow] };
    assert_eq!(ruled(all), Some((ListKind::Deny, 1, false)));
    assert_eq!(ruled(Layered { deny: &[&empty], ..all }), Some((ListKind::Escalate, 0, false)));
    assert_eq!(ruled(Layered { deny: &[], escalate: &[], ..all }), Some((ListKind::Allow, 0, false)));
    assert_eq!(ruled(Layered::default()), None);
    // A list acts by its own kind, wherever it was put.
    assert_eq!(
        ruled(Layered { allow: &[&allow, &deny], ..Layered::default() }),
        Some((ListKind::Deny, 1, false))
    );
}

#[test]
fn an_allow_match_is_rated_unless_it_is_an_exact_command_or_says_otherwise() {
    let analysis = command("git push");
    for (matcher, pattern, rate, rated) in [
        ("exact", "git push", None, false),
        ("exact", "git push", Some(true), true),
        ("glob", "git *", None, true),
        ("glob", "git *", Some(false), false),
        ("regexp", "^git ", None, true),
    ] {
        let mut written = shell(matcher, pattern);
        if let Some(rate) = rate {
            written["rate"] = json!(rate);
        }
        let allow = list(ListKind::Allow, &[written]);
        let layers = [&allow];
        let ruling = decide(&Layered { allow: &layers, ..Layered::default() }, &Target::Shell(&analysis));
        assert_eq!(ruling.ruled.map(|ruled| ruled.rate), Some(rated), "{matcher} {rate:?}");
    }
}

/// Invariant 74: what is pushed is held as it is, once, and can be taken back.
#[test]
fn a_grant_is_added_once_and_removed_by_identity() {
    let mut grants = RuleList::new(ListKind::Allow);
    let grant = entry(&shell("exact", "git checkout main"));
    let identity = Identity::of(&grant);
    assert!(grants.push(grant.clone()));
    assert!(!grants.push(grant.clone()));
    assert!(grants.contains(&identity) && grants.len() == 1);
    assert!(matches(&grants, &Target::Shell(&command("git checkout main"))));
    assert!(!matches(&grants, &Target::Shell(&command("git checkout main --force"))));
    assert_eq!(grants.remove(&identity), Some(grant));
    assert_eq!(grants.remove(&identity), None);
    assert!(grants.is_empty() && !matches(&grants, &Target::Shell(&command("git checkout main"))));
}

#[test]
fn a_pushed_pattern_that_does_not_compile_fails_toward_the_human() {
    let broken = Entry::Shell { pattern: TextPattern::Regexp("(".to_owned()), rate: None };
    for (kind, matched) in [(ListKind::Deny, true), (ListKind::Allow, false)] {
        let mut list = RuleList::new(kind);
        assert!(list.push(broken.clone()));
        assert_eq!(matches(&list, &Target::Shell(&command("ls"))), matched);
    }
    let errors =
        RuleList::compile(ListKind::Deny, vec![entry(&shell("exact", "ls")), broken.clone(), broken])
            .unwrap_err();
    assert_eq!(errors.iter().map(|error| error.index).collect::<Vec<_>>(), [1, 2]);
    assert!(errors[0].message.contains("never closed"));
}

#[test]
fn long_lists_survive_being_filled_and_emptied() {
    let mut list = RuleList::new(ListKind::Deny);
    let written = |place: usize| match place % 3 {
        0 => shell("exact", &format!("tool{place} go")),
        1 => shell("glob", &format!("tool{place} *")),
        _ => shell("regexp", &format!("^tool{place}\\b")),
    };
    let hit =
        |list: &RuleList, place: usize| matches(list, &Target::Shell(&command(&format!("tool{place} go"))));
    for place in 0..600 {
        assert!(list.push(entry(&written(place))));
    }
    assert!((0..600).all(|place| hit(&list, place)) && !hit(&list, 600));
    for place in (0..600).filter(|place| place % 7 != 0) {
        assert!(list.remove(&Identity::of(&entry(&written(place)))).is_some());
    }
    for place in 0..600 {
        assert_eq!(hit(&list, place), place % 7 == 0, "{place}");
    }
    assert!(list.push(entry(&written(1))) && hit(&list, 1));
}
