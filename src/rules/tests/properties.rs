//! Over random lists and calls: compiled lists agree with the naive evaluator, order changes nothing, denying never loosens.

use super::naive;
use crate::rules::*;
use crate::shell::{Dialect, analyze};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A call that owns what a target borrows.
#[derive(Debug, Clone)]
enum Call {
    Shell(String),
    Tool(String, Hosts, Option<Annotations>),
    McpTool(McpIdentity, Hosts, Option<Annotations>),
}

impl Call {
    fn with_target<T>(&self, use_it: impl FnOnce(&Target<'_>) -> T) -> T {
        match self {
            Self::Shell(text) => use_it(&Target::Shell(&analyze(text, Dialect::Bash))),
            Self::Tool(name, hosts, annotations) => {
                use_it(&Target::Tool { name, hosts, annotations: *annotations })
            }
            Self::McpTool(identity, hosts, annotations) => {
                use_it(&Target::McpTool { identity, hosts, annotations: *annotations })
            }
        }
    }
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "git", "Git", "push", "--force", "npm", "a", "ab", "b", "'a b'", "x\\ y", "É", "#", "rm",
    ])
    .prop_map(str::to_owned)
}

fn command() -> impl Strategy<Value = String> {
    let simple = prop::collection::vec(word(), 1..4).prop_map(|words| words.join(" ")).boxed();
    let separator = prop::sample::select(vec![" && ", "; ", " | ", "\n", "  "]);
    (simple.clone(), prop::option::weighted(0.4, (separator, simple))).prop_map(|(first, rest)| match rest {
        Some((separator, second)) => format!("{first}{separator}{second}"),
        None => first,
    })
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["fetch", "Fetch", "read_file", "a", "ab", "get", "mcp__a__b__get"])
        .prop_map(str::to_owned)
}

fn regexp() -> impl Strategy<Value = String> {
    let known = vec![
        "^git\\b.*--force",
        "a",
        "^(?!git)",
        "(.)\\1",
        "push|fetch",
        "b$",
        "^[^;&|]*$",
        "e",
        "^rm\\s",
        "(?<=git )push",
        "zzz",
    ];
    prop::sample::select(known).prop_map(str::to_owned)
}

fn glob_of(text: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (text, prop::collection::vec(any::<bool>(), 12)).prop_map(|(text, stars)| {
        let starred: String = text
            .chars()
            .zip(stars.into_iter().chain(std::iter::repeat(false)))
            .map(|(character, star)| if star { '*' } else { character })
            .collect();
        if starred.trim().is_empty() { "*".to_owned() } else { starred }
    })
}

fn text_pattern(text: BoxedStrategy<String>) -> impl Strategy<Value = TextPattern> {
    prop_oneof![
        text.clone().prop_map(TextPattern::Exact),
        glob_of(text).prop_map(TextPattern::Glob),
        regexp().prop_map(TextPattern::Regexp),
    ]
}

fn tool_pattern() -> impl Strategy<Value = ToolPattern> {
    let hints = prop::collection::btree_map(prop::sample::select(Hint::ALL.to_vec()), any::<bool>(), 1..3);
    prop_oneof![
        4 => text_pattern(name().boxed()).prop_map(ToolPattern::Name),
        1 => hints.prop_map(|hints: BTreeMap<Hint, bool>| ToolPattern::Hints(hints)),
    ]
}

fn host() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a.com", "b.com", "b.com.", "evil.com"]).prop_map(str::to_owned)
}

fn hosts() -> impl Strategy<Value = Hosts> {
    (prop::collection::btree_set(host(), 0..3), any::<bool>())
        .prop_map(|(named, uncertain)| Hosts { named: named.into_iter().collect(), uncertain })
}

fn server() -> impl Strategy<Value = ServerPattern> {
    prop_oneof![Just(ServerPattern::Any), server_key().prop_map(ServerPattern::Key)]
}

fn server_key() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "a__b", "jira"]).prop_map(str::to_owned)
}

fn entry() -> impl Strategy<Value = Entry> {
    let host = prop::option::weighted(0.4, host()).boxed();
    prop_oneof![
        2 => (text_pattern(command().boxed()), any::<Option<bool>>())
            .prop_map(|(pattern, rate)| Entry::Shell { pattern, rate }),
        1 => (tool_pattern(), host.clone()).prop_map(|(pattern, host)| Entry::Tool { pattern, host, rate: None }),
        1 => (server(), tool_pattern(), host)
            .prop_map(|(server, pattern, host)| Entry::McpTool { server, pattern, host, rate: None }),
    ]
}

fn annotations() -> impl Strategy<Value = Option<Annotations>> {
    prop::option::of((any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(read_only, destructive, idempotent, open_world)| Annotations {
            read_only,
            destructive,
            idempotent,
            open_world,
        },
    ))
}

fn identity() -> impl Strategy<Value = McpIdentity> {
    prop_oneof![
        (server_key(), name()).prop_map(|(server, name)| McpIdentity::Resolved { server, name }),
        (name(), prop::collection::vec((server_key(), name()), 0..3))
            .prop_map(|(registered, readings)| McpIdentity::Unresolved { registered, readings }),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        2 => command().prop_map(Call::Shell),
        1 => (name(), hosts(), annotations()).prop_map(|(name, hosts, annotations)| Call::Tool(name, hosts, annotations)),
        1 => (identity(), hosts(), annotations())
            .prop_map(|(identity, hosts, annotations)| Call::McpTool(identity, hosts, annotations)),
    ]
}

fn kind() -> impl Strategy<Value = ListKind> {
    prop::sample::select(vec![ListKind::Deny, ListKind::Escalate, ListKind::Allow])
}

fn place_of(found: &Found<'_>) -> Option<(usize, bool)> {
    match found {
        Found::None => None,
        Found::Match { index, basis, .. } => Some((*index, *basis == Basis::Decided)),
    }
}

/// The kind of list that rules the call.
fn outcome(deny: &RuleList, escalate: &RuleList, allow: &RuleList, target: &Target<'_>) -> Option<ListKind> {
    let lists = Layered { deny: &[deny], escalate: &[escalate], allow: &[allow] };
    decide(&lists, target).ruled.map(|ruled| ruled.list)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_compiled_list_agrees_with_comparing_entry_by_entry(
        kind in kind(), entries in prop::collection::vec(entry(), 0..40), call in call(),
    ) {
        let list = RuleList::compile(kind, entries.clone()).unwrap();
        call.with_target(|target| {
            prop_assert_eq!(place_of(&list.find(target)), naive::find(kind, &entries, target));
            Ok(())
        })?;
    }

    #[test]
    fn a_list_that_was_changed_agrees_with_one_that_was_written_so(
        kind in kind(), entries in prop::collection::vec(entry(), 0..30), keep in prop::collection::vec(any::<bool>(), 30),
        call in call(),
    ) {
        let mut changed = RuleList::new(kind);
        for entry in &entries {
            changed.push(entry.clone());
        }
        let mut kept: Vec<Entry> = Vec::new();
        for (entry, keep) in entries.iter().zip(keep) {
            if keep {
                if !kept.contains(entry) && changed.contains(&Identity::of(entry)) {
                    kept.push(entry.clone());
                }
            } else {
                changed.remove(&Identity::of(entry));
                kept.retain(|known| known != entry);
            }
        }
        prop_assert_eq!(changed.len(), kept.len());
        call.with_target(|target| {
            let written = naive::find(kind, &kept, target).map(|(place, certain)| (kept.get(place), certain));
            let found = match changed.find(target) {
                Found::None => None,
                Found::Match { entry, basis, .. } => Some((Some(entry), basis == Basis::Decided)),
            };
            prop_assert_eq!(found, written);
            Ok(())
        })?;
    }

    /// Invariant 69.
    #[test]
    fn the_order_of_entries_never_changes_the_outcome(
        (entries, shuffled) in prop::collection::vec((kind(), entry()), 0..24)
            .prop_flat_map(|entries| (Just(entries.clone()), Just(entries).prop_shuffle())),
        call in call(),
    ) {
        let compiled = |entries: &[(ListKind, Entry)]| {
            [ListKind::Deny, ListKind::Escalate, ListKind::Allow].map(|kind| {
                let of_kind = entries.iter().filter(|(of, _)| *of == kind).map(|(_, entry)| entry.clone()).collect();
                RuleList::compile(kind, of_kind).unwrap()
            })
        };
        let ([deny, escalate, allow], [deny_two, escalate_two, allow_two]) = (compiled(&entries), compiled(&shuffled));
        call.with_target(|target| {
            let first = outcome(&deny, &escalate, &allow, target);
            prop_assert_eq!(first, outcome(&deny_two, &escalate_two, &allow_two, target));
            Ok(())
        })?;
    }

    #[test]
    fn a_further_deny_entry_never_loosens(
        denied in prop::collection::vec(entry(), 0..8), escalated in prop::collection::vec(entry(), 0..8),
        allowed in prop::collection::vec(entry(), 0..8), further in entry(), call in call(),
    ) {
        let deny = RuleList::compile(ListKind::Deny, denied).unwrap();
        let mut stricter = deny.clone();
        stricter.push(further);
        let escalate = RuleList::compile(ListKind::Escalate, escalated).unwrap();
        let allow = RuleList::compile(ListKind::Allow, allowed).unwrap();
        call.with_target(|target| {
            let before = outcome(&deny, &escalate, &allow, target);
            let after = outcome(&stricter, &escalate, &allow, target);
            prop_assert!(after == before || after == Some(ListKind::Deny), "{:?} became {:?}", before, after);
            Ok(())
        })?;
    }

    #[test]
    fn what_is_stored_as_json_is_the_same_entry(entry in entry()) {
        let stored = serde_json::to_string(&entry).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Entry>(&stored).unwrap(), &entry);
        prop_assert_eq!(&serde_json::from_str::<Entry>(&object_text(&entry)).unwrap(), &entry);
    }
}
