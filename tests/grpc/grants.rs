//! `ManageGrants`: grants and denials by hand, listed, bounded, imported and exported.

use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::manage_grants_response::Result as Done;
use pb::{Action, Matcher, NoticeCode, Scope, Stage};
use std::time::Duration;

fn text_of(entry: &Option<pb::RenderedEntry>) -> &str {
    &entry.as_ref().unwrap().object_text
}

fn exact(command: &str) -> String {
    format!("{{ \"type\": \"shell\", \"matcher\": \"exact\", \"pattern\": \"{command}\" }}")
}

async fn grant(gate: &Gate, session: &str, add: pb::AddGrant) -> pb::GrantAdded {
    match gate.manage(session, Operation::Grant(add)).await {
        Done::Grant(added) => added,
        other => panic!("not a grant: {other:?}"),
    }
}

#[tokio::test]
async fn a_grant_is_stored_as_given_and_lets_the_next_call_through() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let add =
        pb::AddGrant { entry: Some(shell_entry("git  status")), scope: Scope::Session.into(), terms: None };
    let added = grant(&gate, "s", add.clone()).await;
    assert!(!added.already_granted);
    let held = added.grant.unwrap();
    assert_eq!(
        (held.project.as_str(), held.session_id.as_str(), held.scope()),
        ("default", "s", Scope::Session)
    );
    assert_eq!(
        (held.granted_by.as_str(), held.terms.clone(), held.uses_left, held.last_used_at),
        ("local", None, None, None)
    );
    assert!(held.granted_at.is_some() && held.annotations.is_none());
    let entry = held.entry.clone().unwrap();
    assert_eq!(entry.entry.unwrap(), shell_entry("git  status"));
    assert_eq!(entry.object_text, exact("git  status"));
    let given = gate.decide(shell("s", "git status")).await;
    assert_eq!(
        (given.action(), given.stage(), given.scope()),
        (Action::Approve, Stage::AllowList, Scope::Session)
    );
    let used = gate.held("s").await.0.remove(0);
    assert!(used.last_used_at.is_some());

    let again = grant(
        &gate,
        "s",
        pb::AddGrant { terms: Some(pb::GrantTerms { max_uses: Some(1), ..Default::default() }), ..add },
    )
    .await;
    assert!(again.already_granted);
    assert_eq!(again.grant.unwrap(), used, "it stays as it was");
}

#[tokio::test]
async fn session_and_project_grants_reach_as_far_as_they_say_90() {
    let gate = Gate::at("manual").await;
    for session in ["a", "b"] {
        gate.open(opening(session)).await;
    }
    gate.manage("a", granting(shell_entry("ls"), Scope::Session)).await;
    gate.manage("a", granting(shell_entry("pwd"), Scope::Always)).await;
    for (session, command, action) in [
        ("a", "ls", Action::Approve),
        ("b", "ls", Action::Escalate),
        ("a", "pwd", Action::Approve),
        ("b", "pwd", Action::Approve),
    ] {
        assert_eq!(gate.decide(shell(session, command)).await.action(), action, "{session} {command}");
    }
    let held = gate.held("").await.0;
    assert_eq!(held.len(), 1);
    assert_eq!((held[0].session_id.as_str(), held[0].scope()), ("", Scope::Always));
}

#[tokio::test]
async fn a_denial_refuses_at_every_rung_until_it_is_lifted() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let deny =
        |note: &str| Operation::Deny(pb::AddDenial { entry: Some(shell_entry("ls")), note: note.to_owned() });
    let Done::Deny(added) = gate.manage("s", deny("too curious")).await else { panic!("a denial") };
    assert!(!added.already_denied);
    let denial = added.denial.unwrap();
    assert_eq!(
        (
            denial.project.as_str(),
            denial.session_id.as_str(),
            denial.denied_by.as_str(),
            denial.note.as_str()
        ),
        ("default", "s", "local", "too curious")
    );
    assert_eq!(text_of(&denial.entry), exact("ls"));
    let Done::Deny(again) = gate.manage("s", deny("other")).await else { panic!("a denial") };
    assert!(again.already_denied);
    assert_eq!(again.denial.unwrap(), denial, "it stays as it was");
    gate.manage("s", granting(shell_entry("ls"), Scope::Session)).await;
    for rung in [pb::Rung::Manual, pb::Rung::Write, pb::Rung::Assisted, pb::Rung::Auto, pb::Rung::Bypass] {
        gate.set_rung("s", rung).await;
        let given = gate.decide(shell("s", "pwd; ls")).await;
        assert_eq!((given.action(), given.stage()), (Action::Reject, Stage::DenyList), "{rung:?}");
    }
    let lift = |target| Operation::Lift(pb::LiftDenial { target: Some(target) });
    let Done::Lift(lifted) = gate.manage("s", lift(pb::lift_denial::Target::ObjectText(exact("ls")))).await
    else {
        panic!("a lifted denial")
    };
    assert_eq!(lifted.lifted.unwrap(), denial);
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    gate.manage("s", deny("")).await;
    gate.manage("s", lift(pb::lift_denial::Target::Entry(shell_entry("ls")))).await;
    assert!(gate.held("s").await.1.is_empty());
}

#[tokio::test]
async fn declared_entries_can_neither_be_revoked_nor_lifted() {
    let gate = Gate::with(
        r#"{ "deny": [{ "type": "shell", "matcher": "exact", "pattern": "ls" }],
             "allow": [{ "type": "shell", "matcher": "exact", "pattern": "pwd" }] }"#,
    )
    .await;
    gate.open(opening("s")).await;
    let lift =
        Operation::Lift(pb::LiftDenial { target: Some(pb::lift_denial::Target::Entry(shell_entry("ls"))) });
    gate.try_manage(managing("s", lift)).await.unwrap_err().expect(tonic::Code::NotFound, "DENIAL_NOT_FOUND");
    let revoke = Operation::Revoke(pb::RevokeGrant {
        target: Some(pb::revoke_grant::Target::Entry(shell_entry("pwd"))),
        scope: 0,
    });
    gate.try_manage(managing("s", revoke))
        .await
        .unwrap_err()
        .expect(tonic::Code::NotFound, "GRANT_NOT_FOUND");
}

#[tokio::test]
async fn a_grant_is_revoked_by_entry_or_text_in_the_scope_that_is_named() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let add_both = async || {
        gate.manage("s", granting(shell_entry("ls"), Scope::Session)).await;
        gate.manage("", granting(shell_entry("ls"), Scope::Always)).await;
    };
    let revoke = async |session: &str, target: pb::revoke_grant::Target, scope: Scope| {
        let operation = Operation::Revoke(pb::RevokeGrant { target: Some(target), scope: scope.into() });
        match gate.manage(session, operation).await {
            Done::Revoke(revoked) => revoked.revoked.iter().map(pb::Grant::scope).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        }
    };
    let entry = || pb::revoke_grant::Target::Entry(shell_entry("ls"));
    let text = || pb::revoke_grant::Target::ObjectText(exact("ls"));
    add_both().await;
    assert_eq!(revoke("s", entry(), Scope::Unspecified).await, [Scope::Session, Scope::Always]);
    add_both().await;
    assert_eq!(revoke("s", text(), Scope::Session).await, [Scope::Session]);
    assert_eq!(
        gate.decide(shell("s", "ls")).await.action(),
        Action::Approve,
        "the project's grant is there still"
    );
    assert_eq!(revoke("s", text(), Scope::Always).await, [Scope::Always]);
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Escalate);
    add_both().await;
    assert_eq!(
        revoke("", entry(), Scope::Unspecified).await,
        [Scope::Always],
        "without a session the project's"
    );
    assert_eq!(gate.held("s").await.0.len(), 1);
    // Two entries that differ in anything are two.
    let glob = pb::revoke_grant::Target::Entry(entry_of(Matcher::Glob, "ls"));
    let operation = Operation::Revoke(pb::RevokeGrant { target: Some(glob), scope: 0 });
    gate.try_manage(managing("s", operation))
        .await
        .unwrap_err()
        .expect(tonic::Code::NotFound, "GRANT_NOT_FOUND");
}

fn entry_of(matcher: Matcher, pattern: &str) -> pb::Entry {
    entry(pb::EntryType::Shell, matcher, pattern)
}

#[tokio::test]
async fn every_kind_of_entry_comes_back_as_it_was_given() {
    let gate = Gate::plain().await;
    gate.open(opening("s")).await;
    let hints = pb::entry::SubjectPattern::Hints(pb::ToolAnnotations {
        read_only_hint: Some(true),
        open_world_hint: Some(false),
        ..Default::default()
    });
    let host = |entry: pb::Entry| pb::Entry { host: "api.example.com".to_owned(), ..entry };
    let entries = [
        shell_entry("git push"),
        entry_of(Matcher::Glob, "git *"),
        entry_of(Matcher::Regexp, "^git (push|pull)$"),
        pb::Entry { rate: Some(true), ..shell_entry("make") },
        pb::Entry { rate: Some(false), ..entry_of(Matcher::Glob, "make *") },
        tool_entry("notify"),
        host(tool_entry("fetch")),
        host(mcp_entry("jira", "get")),
        pb::Entry { matcher: Matcher::Glob.into(), ..mcp_entry("*", "delete_*") },
        pb::Entry { matcher: Matcher::Hint.into(), subject_pattern: Some(hints), ..mcp_entry("jira", "") },
    ];
    for entry in &entries {
        let held = grant(
            &gate,
            "s",
            pb::AddGrant { entry: Some(entry.clone()), scope: Scope::Session.into(), terms: None },
        )
        .await;
        let rendered = held.grant.unwrap().entry.unwrap();
        assert_eq!(rendered.entry.as_ref(), Some(entry));
        assert!(!rendered.object_text.contains('\n') && !rendered.summary.is_empty());
        let value: serde_json::Value = serde_json::from_str(&rendered.object_text).unwrap();
        let keys: Vec<&String> = value.as_object().unwrap().keys().collect();
        let order = ["type", "server", "matcher", "pattern", "host", "rate"];
        let expected: Vec<&str> = order.into_iter().filter(|key| value.get(key).is_some()).collect();
        assert_eq!(keys, expected);
    }
    let listed: Vec<pb::Entry> =
        gate.held("s").await.0.into_iter().map(|grant| grant.entry.unwrap().entry.unwrap()).collect();
    assert_eq!(listed, entries, "in the order added");
}

#[tokio::test]
async fn a_grant_ends_with_its_time_and_with_its_uses() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let terms = pb::GrantTerms {
        expires_at: Some(seconds_from_now(2)),
        max_uses: None,
        note: "for the release".to_owned(),
    };
    let add = |command: &str, scope: Scope, terms| pb::AddGrant {
        entry: Some(shell_entry(command)),
        scope: scope.into(),
        terms: Some(terms),
    };
    let held = grant(&gate, "", add("date", Scope::Always, terms.clone())).await.grant.unwrap();
    assert_eq!(held.terms, Some(terms));
    assert_eq!(gate.decide(shell("s", "date")).await.action(), Action::Approve);

    let twice = pb::GrantTerms { max_uses: Some(2), ..Default::default() };
    let held = grant(&gate, "s", add("ls", Scope::Session, twice)).await.grant.unwrap();
    assert_eq!(held.uses_left, Some(2));
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    assert_eq!(gate.held("s").await.0[0].uses_left, Some(1));
    let last = gate.decide(shell("s", "ls")).await;
    assert_eq!(last.action(), Action::Approve);
    assert!(last.notices.iter().any(|notice| notice.code() == NoticeCode::GrantSpent), "{:?}", last.notices);
    let after = gate.decide(shell("s", "ls")).await;
    assert_eq!(after.action(), Action::Escalate);
    tokio::time::sleep(Duration::from_millis(2100)).await;
    assert_eq!(gate.decide(shell("s", "date")).await.action(), Action::Escalate);
    let add_again = grant(
        &gate,
        "",
        add("date", Scope::Always, pb::GrantTerms { max_uses: Some(1), ..Default::default() }),
    )
    .await;
    assert!(!add_again.already_granted, "an expired grant does not stand in the way of a new one");
    assert_eq!(gate.decide(shell("s", "date")).await.action(), Action::Approve);
}

#[tokio::test]
async fn an_answer_may_bound_what_it_stores() {
    let gate = Gate::at("manual").await;
    let id = gate.decide(shell("s", "ls")).await.escalation_id;
    let terms = pb::GrantTerms { max_uses: Some(1), note: "once more".to_owned(), ..Default::default() };
    let answer = pb::AnswerRequest {
        terms: Some(terms.clone()),
        ..answering(&id, pb::Verdict::Approve, Scope::Always)
    };
    gate.answer(answer).await;
    let held = gate.held("").await.0;
    assert_eq!((held[0].terms.as_ref(), held[0].uses_left), (Some(&terms), Some(1)));
    assert_eq!(gate.decide(shell("other", "ls")).await.action(), Action::Approve);
    assert_eq!(gate.decide(shell("other", "ls")).await.action(), Action::Escalate);
}

#[tokio::test]
async fn grants_and_denials_are_paged_together_each_once_in_the_order_added() {
    let gate = Gate::at("bypass").await;
    gate.open(opening("s")).await;
    let mut expected = Vec::new();
    for number in 0..37 {
        gate.manage("s", granting(shell_entry(&format!("g{number}")), Scope::Session)).await;
        expected.push(exact(&format!("g{number}")));
    }
    for number in 0..20 {
        gate.manage("s", denying(shell_entry(&format!("d{number}")))).await;
        expected.push(exact(&format!("d{number}")));
    }
    for size in [1, 5, 53] {
        let (mut seen, mut token, mut pages) = (Vec::new(), String::new(), 0);
        loop {
            let list = pb::ListGrants { page_size: size, page_token: token, ..Default::default() };
            let Done::List(page) = gate.manage("s", Operation::List(list)).await else { panic!("a list") };
            let count = page.grants.len() + page.denials.len();
            assert!(count >= 1 && count <= size as usize);
            seen.extend(page.grants.iter().map(|grant| text_of(&grant.entry).to_owned()));
            seen.extend(page.denials.iter().map(|denial| text_of(&denial.entry).to_owned()));
            pages += 1;
            token = page.next_page_token;
            if token.is_empty() {
                break;
            }
        }
        assert_eq!(seen, expected, "{size}");
        assert_eq!(pages, 57_usize.div_ceil(size as usize));
    }
    let first = pb::ListGrants { page_size: 5, ..Default::default() };
    let Done::List(page) = gate.manage("s", Operation::List(first.clone())).await else { panic!("a list") };
    let with = |change: &dyn Fn(&mut pb::ListGrants)| {
        let mut list = pb::ListGrants { page_token: page.next_page_token.clone(), ..first.clone() };
        change(&mut list);
        Operation::List(list)
    };
    for (session, operation) in [
        ("", with(&|_| {})),
        ("s", with(&|list| list.text = "g".to_owned())),
        ("s", with(&|list| list.scopes = vec![Scope::Session.into()])),
    ] {
        let failure = gate.try_manage(managing(session, operation)).await.unwrap_err();
        failure.expect_field("PAGE_TOKEN_INVALID", "list.page_token");
    }
    // A page may be of another size than the one before.
    gate.manage("s", with(&|list| list.page_size = 7)).await;
    let sessions = gate
        .sessions(pb::ListSessionsRequest { page_token: page.next_page_token.clone(), ..Default::default() });
    sessions.await.unwrap_err().expect_field("PAGE_TOKEN_INVALID", "page_token");
}

#[tokio::test]
async fn lists_are_narrowed_by_scope_and_text_and_name_a_double_grant_once() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    gate.manage("s", granting(shell_entry("git push"), Scope::Session)).await;
    gate.manage("s", granting(shell_entry("git push"), Scope::Always)).await;
    gate.manage("s", granting(shell_entry("make"), Scope::Always)).await;
    gate.manage("s", denying(shell_entry("GIT clean"))).await;
    gate.decide(shell("s", "ls")).await;
    let list = async |scopes: &[Scope], text: &str| {
        let list = pb::ListGrants {
            scopes: scopes.iter().map(|scope| (*scope).into()).collect(),
            text: text.to_owned(),
            ..Default::default()
        };
        let Done::List(page) = gate.manage("s", Operation::List(list)).await else { panic!("a list") };
        (
            page.grants
                .iter()
                .map(|grant| (text_of(&grant.entry).to_owned(), grant.scope()))
                .collect::<Vec<_>>(),
            page.denials.len(),
        )
    };
    let push = (exact("git push"), Scope::Session);
    let make = (exact("make"), Scope::Always);
    assert_eq!(list(&[], "").await, (vec![push.clone(), make.clone()], 1));
    assert_eq!(list(&[Scope::Session], "").await, (vec![push.clone()], 1));
    assert_eq!(list(&[Scope::Always], "").await, (vec![make.clone()], 0));
    assert_eq!(list(&[], "Git").await, (vec![push], 1));
    assert_eq!(list(&[], "nothing").await, (vec![], 0));
}

const VERSION_2: &str = r#"{ "version": 2, "grants": [
    { "entry": { "type": "shell", "matcher": "exact", "pattern": "git push" }, "grantedAt": "2025-03-01T10:00:00Z", "scope": "always" },
    { "entry": { "type": "shell", "matcher": "nonsense", "pattern": "x" } },
    { "entry": { "type": "tool", "matcher": "exact", "pattern": "deploy" },
      "annotations": { "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true } },
    "not an object",
    { "entry": { "type": "shell", "matcher": "exact", "pattern": "git push" } }
] }"#;

async fn import(gate: &Gate, import: pb::ImportGrants) -> (pb::GrantsImported, Vec<pb::Notice>) {
    let response = gate.try_manage(managing("", Operation::ImportFile(import))).await.unwrap();
    match response.result {
        Some(Done::ImportFile(imported)) => (imported, response.notices),
        other => panic!("not an import: {other:?}"),
    }
}

#[tokio::test]
async fn a_file_is_imported_item_by_item_and_a_dry_run_stores_nothing() {
    let gate = Gate::at("manual").await;
    let modified = prost_types::Timestamp { seconds: 1_700_000_000, nanos: 0 };
    let file = |dry_run| pb::ImportGrants {
        content: VERSION_2.to_owned(),
        file_modified_at: Some(modified),
        dry_run,
    };
    let (would, _) = import(&gate, file(true)).await;
    assert!(gate.held("").await.0.is_empty());
    assert_eq!(gate.verify().await.head_sequence, 0);
    let (done, _) = import(&gate, file(false)).await;
    assert_eq!(done, would);
    assert_eq!((done.file_version, done.already_granted), (2, 0));
    let places: Vec<u32> = done.dropped.iter().map(|item| item.index).collect();
    assert_eq!(places, [1, 3, 4]);
    assert!(done.dropped.iter().all(|item| !item.reason.is_empty() && !item.reason.contains('\n')));
    let [push, deploy] = done.imported.as_slice() else { panic!("two grants: {:?}", done.imported) };
    assert_eq!(
        (text_of(&push.entry), push.scope(), push.granted_by.as_str()),
        (exact("git push").as_str(), Scope::Always, "import")
    );
    assert_eq!((push.session_id.as_str(), push.terms.as_ref(), push.annotations.as_ref()), ("", None, None));
    assert_eq!(push.granted_at.unwrap().seconds, 1_740_823_200);
    assert_eq!(deploy.granted_at.unwrap(), modified, "an item without a time takes the file's");
    assert_eq!(deploy.annotations.unwrap().destructive_hint, Some(true));
    assert_eq!(gate.held("").await.0, done.imported);
    let (again, _) = import(&gate, file(false)).await;
    assert_eq!((again.imported.len(), again.already_granted), (0, 2));
    assert_eq!(gate.decide(shell("s", "git push")).await.action(), Action::Approve);
}

#[tokio::test]
async fn prefixes_of_version_1_become_the_narrower_exact_entries_and_it_is_said_72() {
    let gate = Gate::at("manual").await;
    let content = r#"{ "version": 1, "prefixes": ["git  log", "", "ls && pwd", 7] }"#.to_owned();
    let (done, notices) =
        import(&gate, pb::ImportGrants { content: content.clone(), ..Default::default() }).await;
    assert_eq!(done.file_version, 1);
    assert_eq!(
        done.imported.iter().map(|grant| text_of(&grant.entry).to_owned()).collect::<Vec<_>>(),
        [exact("git log")]
    );
    assert_eq!(done.dropped.iter().map(|item| item.index).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(notices.iter().map(pb::Notice::code).collect::<Vec<_>>(), [NoticeCode::Migrated]);
    assert_eq!(gate.decide(shell("s", "git log")).await.action(), Action::Approve);
    assert_eq!(gate.decide(shell("s", "git log -p")).await.action(), Action::Escalate);
    let (_, notices) = import(&gate, pb::ImportGrants { content, ..Default::default() }).await;
    assert!(notices.is_empty(), "said once");
}

#[tokio::test]
async fn what_is_exported_can_be_imported_elsewhere() {
    let gate = Gate::at("manual").await;
    let (_, _) =
        import(&gate, pb::ImportGrants { content: VERSION_2.to_owned(), ..Default::default() }).await;
    let bounded = pb::GrantTerms { max_uses: Some(3), ..Default::default() };
    let expiring = pb::GrantTerms { expires_at: Some(seconds_from_now(3600)), ..Default::default() };
    for (command, terms) in [("a", Some(bounded)), ("b", Some(expiring)), ("c", None)] {
        grant(
            &gate,
            "",
            pb::AddGrant { entry: Some(shell_entry(command)), scope: Scope::Always.into(), terms },
        )
        .await;
    }
    gate.open(opening("s")).await;
    gate.manage("s", granting(shell_entry("of the session"), Scope::Session)).await;
    let Done::ExportFile(file) = gate.manage("", Operation::ExportFile(pb::ExportGrants {})).await else {
        panic!("a file")
    };
    assert_eq!((file.grants, file.skipped), (3, 2));
    let value: serde_json::Value = serde_json::from_str(&file.content).unwrap();
    assert_eq!(value["version"], 2);
    let other = Gate::at("manual").await;
    let (done, _) = import(&other, pb::ImportGrants { content: file.content, ..Default::default() }).await;
    assert_eq!((done.imported.len(), done.dropped.len()), (3, 0));
    let (here, there) = (gate.held("").await.0, other.held("").await.0);
    for grant in &there {
        let original = here.iter().find(|held| held.entry == grant.entry).unwrap();
        assert_eq!(grant.annotations, original.annotations);
        assert_eq!(grant.granted_at.unwrap().seconds, original.granted_at.unwrap().seconds);
    }
}
