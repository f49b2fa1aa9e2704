//! What holds of every decision, whatever the lists, the rung and the call: random policies over a small vocabulary, so that
//! entries and calls meet often.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "the helpers of a test fail as the test does"
)]

use haltgate::gate::{
    Action, Call, Decision, Escalation, FailureCause, Floors, GateScope, Grant, GrantBook, GrantScope,
    HumanAnswer, HumanVerdict, Moment, Next, Outcome, Policy, Progress, RatingResult, RatingSource,
    RejectScope, Rung, Scope, SessionState, ShellCall, Stage, Surroundings, Terms, ToolCall, Verdict, answer,
    decide, rated,
};
use haltgate::rules::{
    Annotations, Entry, Found, Hosts, ListKind, McpIdentity, RuleList, Target, parse_entry,
};
use haltgate::shell::{Dialect, analyze};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// The entries of one list.
type Entries = Vec<Entry>;

/// What a policy declares.
#[derive(Debug, Clone)]
struct Lists {
    deny: Entries,
    escalate: Entries,
    allow: Entries,
}

/// What surrounds a call.
#[derive(Debug, Clone)]
struct Setting {
    rung: Rung,
    scope: GateScope,
    interactive: bool,
    rating: RatingResult,
}

fn entry_of(value: &Value) -> Entry {
    parse_entry(value, "entry", &mut Vec::new()).unwrap()
}

fn entries() -> impl Strategy<Value = Entry> {
    let rate = || select(vec![None, Some(true), Some(false)]);
    let rated = |mut value: Value, rate: Option<bool>| {
        if let Some(rate) = rate {
            value["rate"] = json!(rate);
        }
        entry_of(&value)
    };
    let shell = (
        select(vec![
            ("exact", "make"),
            ("exact", "git push"),
            ("exact", "git push --force"),
            ("exact", "npm test"),
            ("glob", "git *"),
            ("glob", "make*"),
            ("glob", "*"),
            ("glob", "npm *"),
            ("regexp", "^git"),
            ("regexp", "push"),
            ("regexp", "^(?!npm)"),
            ("regexp", "(a+)+$"),
        ]),
        rate(),
    )
        .prop_map(move |((matcher, pattern), rate)| {
            rated(json!({ "type": "shell", "matcher": matcher, "pattern": pattern }), rate)
        });
    let host = || select(vec![None, Some("a.example"), Some("b.example")]);
    let hosted = |mut value: Value, host: Option<&str>| {
        if let Some(host) = host {
            value["host"] = json!(host);
        }
        value
    };
    let tool =
        (select(vec!["fetch", "read_file", "write_file", "run_shell_command", "mcp__a__x"]), host(), rate())
            .prop_map(move |(name, host, rate)| {
                rated(hosted(json!({ "type": "tool", "matcher": "exact", "pattern": name }), host), rate)
            });
    let mcp = (select(vec!["a", "a__b", "*"]), select(vec!["x", "b__x", "*"]), host()).prop_map(
        move |(server, pattern, host)| {
            entry_of(&hosted(
                json!({ "type": "mcpTool", "server": server, "matcher": "glob", "pattern": pattern }),
                host,
            ))
        },
    );
    let hint = select(vec!["tool", "mcpTool"]).prop_map(|kind| {
        let mut value = json!({ "type": kind, "matcher": "hint", "pattern": { "readOnlyHint": true } });
        if kind == "mcpTool" {
            value["server"] = json!("*");
        }
        entry_of(&value)
    });
    prop_oneof![4 => shell, 2 => tool, 2 => mcp, 1 => hint]
}

fn commands() -> impl Strategy<Value = String> {
    let simple = select(vec![
        "make",
        "make all",
        "git push",
        "git push --force",
        "git  push",
        "git pu''sh",
        "GIT push",
        "npm test",
        "'npm' test",
        "echo aaaaaaaa!",
        "$X",
        "git 'unterminated",
        "",
        "# git push",
    ]);
    let wrapped = (
        simple,
        select(vec!["{}", "sudo {}", "bash -c '{}'", "echo $({})", "({})", "X=1 {}", "{} > f", "{ {}; }"]),
    )
        .prop_map(|(command, shape)| shape.replace("{}", command));
    proptest::collection::vec((wrapped, select(vec!["; ", " && ", " | ", "\n", " & "])), 1..3).prop_map(
        |parts| {
            let last = parts.len() - 1;
            parts
                .iter()
                .enumerate()
                .map(
                    |(index, (command, joint))| {
                        if index == last { command.clone() } else { format!("{command}{joint}") }
                    },
                )
                .collect()
        },
    )
}

fn calls() -> impl Strategy<Value = Call> {
    let shell =
        commands().prop_filter("an empty command is not a call", |command| !command.trim().is_empty());
    let arguments = select(vec![
        json!({}),
        json!({ "url": "https://a.example" }),
        json!({ "url": "https://a.example", "b": "https://b.example" }),
        json!({ "note": "see https://a.example" }),
        json!({ "command": "git push" }),
    ]);
    let object = |value: Value| value.as_object().cloned().unwrap_or_else(Map::new);
    let tool = (
        select(vec![
            "fetch",
            "read_file",
            "write_file",
            "run_shell_command",
            "mcp__a__x",
            "mcp__a__b__x",
            "mcp__c__x",
        ]),
        arguments.clone(),
        any::<bool>(),
    )
        .prop_map(move |(name, arguments, registered)| {
            let call = ToolCall::new(name, object(arguments));
            if registered { Call::Registered(call) } else { Call::Tool(call) }
        });
    let mcp = (select(vec!["a", "a__b", "c"]), select(vec!["x", "b__x"]), arguments).prop_map(
        move |(server, name, arguments)| Call::McpTool {
            server: server.to_owned(),
            tool: ToolCall::new(name, object(arguments)),
        },
    );
    prop_oneof![4 => shell.prop_map(|command| Call::Shell(ShellCall::new(command))), 2 => tool, 1 => mcp]
}

fn lists() -> impl Strategy<Value = Lists> {
    let list = || proptest::collection::vec(entries(), 0..4);
    (list(), list(), list()).prop_map(|(deny, escalate, allow)| Lists { deny, escalate, allow })
}

fn ratings() -> impl Strategy<Value = RatingResult> {
    let verdict = |outcome| Verdict {
        outcome,
        reason: "It was rated.".to_owned(),
        suggested_tool: None,
        source: RatingSource::BuiltIn,
        cause: None,
    };
    select(vec![
        Ok(Outcome::Safe),
        Ok(Outcome::Destructive),
        Ok(Outcome::Catastrophic),
        Ok(Outcome::Attack),
        Err(FailureCause::Timeout),
    ])
    .prop_map(move |outcome| outcome.map(verdict))
}

fn settings() -> impl Strategy<Value = Setting> {
    (select(Rung::ALL.to_vec()), select(GateScope::ALL.to_vec()), any::<bool>(), ratings())
        .prop_map(|(rung, scope, interactive, rating)| Setting { rung, scope, interactive, rating })
}

fn policy(lists: &Lists, scope: GateScope) -> Policy {
    let compile = |kind, entries: &Entries| RuleList::compile(kind, entries.clone()).unwrap();
    Policy {
        deny: compile(ListKind::Deny, &lists.deny),
        escalate: compile(ListKind::Escalate, &lists.escalate),
        allow: compile(ListKind::Allow, &lists.allow),
        gate_scope: scope,
        mcp_servers: vec!["a".to_owned(), "a__b".to_owned()],
        ..Policy::embedded()
    }
}

/// A session and what the project keeps.
#[derive(Debug, Clone)]
struct World {
    state: SessionState,
    persisted: GrantBook,
}

impl World {
    fn of(policy: &Policy, setting: &Setting) -> Self {
        let mut state = SessionState::open(policy);
        state.set_rung(setting.rung);
        state.interactive = setting.interactive;
        Self { state, persisted: GrantBook::default() }
    }

    fn decide(
        &mut self,
        policy: &Policy,
        call: &Call,
        rating: &RatingResult,
    ) -> (Decision, Option<Escalation>) {
        let mut around = Surroundings {
            policy,
            floors: Floors::NONE,
            persisted: &mut self.persisted,
            now: Moment(1),
            attack_watched: false,
        };
        let mut progress = decide(&mut around, &mut self.state, call, "run");
        if let Next::NeedsRating(_, deliberation) = progress.next {
            progress = rated(&mut around, &mut self.state, *deliberation, rating.clone());
        }
        settled(progress)
    }

    fn answer(&mut self, policy: &Policy, escalation: &Escalation, verdict: HumanVerdict) -> Decision {
        let mut around = Surroundings {
            policy,
            floors: Floors::NONE,
            persisted: &mut self.persisted,
            now: Moment(1),
            attack_watched: false,
        };
        let given = HumanAnswer { verdict, answered_by: None, comment: None, terms: Terms::default() };
        settled(answer(&mut around, &mut self.state, escalation, &given)).0
    }
}

fn settled(progress: Progress) -> (Decision, Option<Escalation>) {
    match progress.next {
        Next::Decided(decision) => (*decision, None),
        Next::NeedsHuman(escalation) => (escalation.pending(), Some(*escalation)),
        Next::NeedsRating(..) | Next::NeedsWatcher(_) => {
            panic!("nobody watches, and a rating leads to no other")
        }
    }
}

fn once(lists: &Lists, setting: &Setting, call: &Call) -> Decision {
    let policy = policy(lists, setting.scope);
    World::of(&policy, setting).decide(&policy, call, &setting.rating).0
}

/// How far a call still is from running, strictest last: it runs, a human may let it run, or it does not run.
fn strictness(action: Action) -> u8 {
    match action {
        Action::Approve => 0,
        Action::Escalate => 1,
        Action::Unattended | Action::Reject | Action::Halt => 2,
    }
}

fn outcome(decision: &Decision) -> (Action, Stage, Option<Scope>, Option<Outcome>) {
    (decision.action, decision.stage, decision.scope, decision.rating.as_ref().map(|rating| rating.outcome))
}

/// Whether a declared deny entry matches, asked of the list itself.
fn denied(policy: &Policy, call: &Call) -> bool {
    let Call::Shell(shell) = call else { return false };
    !matches!(policy.deny.find(&Target::Shell(&analyze(&shell.command, Dialect::Bash))), Found::None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_writing_never_changes_a_decision(
        lists in lists(), setting in settings(), call in calls(), turns in 0_usize..4, reverse in any::<bool>(),
    ) {
        let turned = |entries: &Entries| {
            let mut entries = entries.clone();
            let length = entries.len().max(1);
            entries.rotate_left(turns % length);
            if reverse {
                entries.reverse();
            }
            entries
        };
        let other = Lists { deny: turned(&lists.deny), escalate: turned(&lists.escalate), allow: turned(&lists.allow) };
        prop_assert_eq!(outcome(&once(&lists, &setting, &call)), outcome(&once(&other, &setting, &call)));
    }

    #[test]
    fn adding_a_deny_entry_changes_nothing_or_refuses(lists in lists(), setting in settings(), call in calls(), added in entries()) {
        let before = once(&lists, &setting, &call);
        let mut more = lists.clone();
        more.deny.push(added);
        let after = once(&more, &setting, &call);
        let refused = (after.action, after.stage) == (Action::Reject, Stage::DenyList);
        prop_assert!(refused || outcome(&before) == outcome(&after), "{:?} became {:?}", outcome(&before), outcome(&after));
        prop_assert!(strictness(after.action) >= strictness(before.action));
    }

    #[test]
    fn adding_an_escalate_entry_never_lets_more_run(lists in lists(), setting in settings(), call in calls(), added in entries()) {
        let before = once(&lists, &setting, &call);
        let mut more = lists.clone();
        more.escalate.push(added);
        let after = once(&more, &setting, &call);
        // An attack or a round that a human now sees instead is not looser: nothing runs without them.
        let asked = matches!((after.action, after.stage), (Action::Escalate | Action::Unattended, Stage::EscalateEntry));
        prop_assert!(asked || outcome(&before) == outcome(&after), "{:?} became {:?}", outcome(&before), outcome(&after));
    }

    #[test]
    fn removing_an_allow_entry_never_lets_more_run(lists in lists(), setting in settings(), call in calls(), place in any::<proptest::sample::Index>()) {
        prop_assume!(!lists.allow.is_empty());
        let before = once(&lists, &setting, &call);
        let mut fewer = lists.clone();
        fewer.allow.remove(place.index(lists.allow.len()));
        let after = once(&fewer, &setting, &call);
        // Without its allow entry a catastrophic call is asked about as before, and an attack halts as before.
        prop_assert!(strictness(after.action) >= strictness(before.action), "{:?} became {:?}", outcome(&before), outcome(&after));
    }

    #[test]
    fn a_decision_is_a_function_of_state_and_call(lists in lists(), setting in settings(), call in calls()) {
        let policy = policy(&lists, setting.scope);
        let world = World::of(&policy, &setting);
        let (first, second) = (world.clone().decide(&policy, &call, &setting.rating), world.clone().decide(&policy, &call, &setting.rating));
        prop_assert_eq!(first, second);
    }

    /// The grants are one allow list with what is declared: where an entry stands never matters to what may run.
    #[test]
    fn a_grant_allows_no_more_than_the_same_entry_declared(lists in lists(), setting in settings(), call in calls(), granted in entries()) {
        let policy_without = policy(&lists, setting.scope);
        let mut world = World::of(&policy_without, &setting);
        world.state.grants.add(Grant::new(granted.clone(), Some(Annotations::FAIL_CLOSED), GrantScope::Session, Moment(0)));
        let held = world.decide(&policy_without, &call, &setting.rating).0;
        let mut declared = lists.clone();
        declared.allow.push(granted);
        prop_assert_eq!(outcome(&held), outcome(&once(&declared, &setting, &call)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_humans_answer_and_rungs_change_a_denied_command_never_runs(
        lists in lists(), setting in settings(),
        steps in proptest::collection::vec((calls(), 0_usize..6, select(Rung::ALL.to_vec()), ratings()), 1..12),
    ) {
        let policy = policy(&lists, setting.scope);
        let mut world = World::of(&policy, &setting);
        let mut refused: Vec<Call> = Vec::new();
        for (call, choice, rung, rating) in steps {
            world.state.set_rung(rung);
            // Each step is a run of its own, so that an attack does not end the sequence.
            world.state.halted_runs.clear();
            let (mut decision, escalation) = world.decide(&policy, &call, &rating);
            if let Some(escalation) = escalation {
                let verdict = [
                    HumanVerdict::Approve(Scope::Once),
                    HumanVerdict::Approve(Scope::Session),
                    HumanVerdict::Approve(Scope::Always),
                    HumanVerdict::Reject(RejectScope::Once),
                    HumanVerdict::Reject(RejectScope::Session),
                ].get(choice).copied();
                if let Some(verdict) = verdict {
                    decision = world.answer(&policy, &escalation, verdict);
                    if verdict == HumanVerdict::Reject(RejectScope::Session) && escalation.denial.is_some() {
                        refused.push(call.clone());
                    }
                }
            }
            if decision.action == Action::Approve {
                prop_assert!(!denied(&policy, &call), "{call:?} ran at {rung} although it is denied");
                let again = matches!(call, Call::Shell(_)) && refused.contains(&call);
                prop_assert!(!again, "{call:?} ran at {rung} although a human refused it");
            }
        }
    }
}

/// The targets of these properties are what the gate makes of calls: an unresolved name is never one that can be allowed.
#[test]
fn an_unresolved_name_is_allowed_by_no_entry_of_the_vocabulary() {
    let identity = McpIdentity::Unresolved {
        registered: "mcp__a__b__x".to_owned(),
        readings: vec![("a".to_owned(), "b__x".to_owned())],
    };
    let hosts = Hosts::default();
    let target =
        Target::McpTool { identity: &identity, hosts: &hosts, annotations: Some(Annotations::FAIL_CLOSED) };
    let any = entry_of(&json!({ "type": "mcpTool", "server": "*", "matcher": "glob", "pattern": "*" }));
    assert_eq!(RuleList::compile(ListKind::Allow, vec![any]).unwrap().find(&target), Found::None);
}
