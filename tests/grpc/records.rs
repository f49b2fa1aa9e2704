//! Records: filtered, ordered, paged, and the chain that they stand in.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, SortOrder, Stage, Verdict};
use std::collections::HashSet;

const LISTS: &str =
    r#"{ "mode": "assisted", "deny": [{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }] }"#;

async fn all(gate: &Gate, request: pb::ListDecisionsRequest) -> Vec<pb::DecisionRecord> {
    let (mut records, mut token) = (Vec::new(), String::new());
    loop {
        let page = gate
            .try_records(pb::ListDecisionsRequest { page_token: token, ..request.clone() })
            .await
            .unwrap();
        assert!(request.page_size == 0 || page.decisions.len() <= request.page_size as usize);
        records.extend(page.decisions);
        token = page.next_page_token;
        if token.is_empty() {
            return records;
        }
        assert!(!records.is_empty(), "another page only behind one that holds something here");
    }
}

fn commands(records: &[pb::DecisionRecord]) -> Vec<String> {
    records
        .iter()
        .map(|record| match record.call.clone().unwrap().kind.unwrap() {
            pb::call::Kind::Shell(call) => call.command,
            pb::call::Kind::Tool(call) => call.name,
            pb::call::Kind::McpTool(call) => call.name,
            pb::call::Kind::Registered(call) => call.name,
        })
        .collect()
}

#[tokio::test]
async fn every_filter_narrows_and_all_of_them_together_do() {
    let gate = Gate::with(LISTS).await;
    gate.rater.say("rm b", Outcome::Destructive);
    for (session, run, call) in [
        ("s", "r1", shell_call("ls -la")),
        ("s", "r1", shell_call("npm publish")),
        ("s", "r2", shell_call("rm b")),
        ("t", "r1", shell_call("pwd")),
        ("t", "", tool_call("notify", r#"{"to": "Ana", "percent": "100%_\\"}"#)),
        ("t", "", mcp_call("jira", "get_issue", r#"{"key": "HALT-7"}"#)),
    ] {
        gate.decide(in_run(run, ask(session, call))).await;
    }
    let list = async |change: &dyn Fn(&mut pb::ListDecisionsRequest)| {
        let mut request =
            pb::ListDecisionsRequest { order: SortOrder::OldestFirst.into(), ..Default::default() };
        change(&mut request);
        commands(&all(&gate, request).await)
    };
    let text = async |text: &str| list(&|request| request.text = text.to_owned()).await;
    assert_eq!(list(&|_| {}).await, ["ls -la", "npm publish", "rm b", "pwd", "notify", "get_issue"]);
    assert_eq!(list(&|request| request.order = SortOrder::NewestFirst.into()).await[0], "get_issue");
    assert_eq!(list(&|request| request.order = 0).await[5], "ls -la", "the newest first unless stated");
    assert_eq!(list(&|request| request.session_id = "s".to_owned()).await.len(), 3);
    assert_eq!(list(&|request| request.run_id = "r1".to_owned()).await, ["ls -la", "npm publish", "pwd"]);
    assert!(list(&|request| request.project = "other".to_owned()).await.is_empty());
    assert_eq!(list(&|request| request.actions = vec![Action::Reject.into()]).await, ["npm publish"]);
    let two = vec![Action::Reject.into(), Action::Escalate.into()];
    assert_eq!(list(&|request| request.actions = two.clone()).await, ["npm publish", "rm b"]);
    assert_eq!(list(&|request| request.stages = vec![Stage::DenyList.into()]).await, ["npm publish"]);
    assert_eq!(
        list(&|request| request.stages = vec![Stage::DenyList.into(), Stage::NotGated.into()]).await.len(),
        3
    );
    assert_eq!(text("LS -LA").await, ["ls -la"]);
    assert_eq!(text("Notify").await, ["notify"]);
    assert_eq!(text("halt-7").await, ["get_issue"], "the arguments");
    assert_eq!(text("approvals.deny").await, ["npm publish"], "the message");
    assert_eq!(text("100%_").await, ["notify"], "no wildcards");
    assert!(text("1__%").await.is_empty());
    let everything = list(&|request| {
        request.session_id = "s".to_owned();
        request.run_id = "r1".to_owned();
        request.actions = vec![Action::Approve.into(), Action::Reject.into()];
        request.stages = vec![Stage::Rater.into()];
        request.text = "ls".to_owned();
    });
    assert_eq!(everything.await, ["ls -la"]);

    let record = gate.records_of("t").await.remove(0);
    assert_eq!(list(&|request| request.record_id.clone_from(&record.record_id)).await, ["pwd"]);
    let at = record.arrived_at.unwrap();
    let after = list(&|request| request.arrived_from = Some(at)).await;
    let before = list(&|request| request.arrived_before = Some(at)).await;
    assert_eq!(
        (after.len(), before),
        (3, vec!["ls -la".to_owned(), "npm publish".to_owned(), "rm b".to_owned()])
    );
}

#[tokio::test]
async fn arrival_is_when_the_call_came_and_not_when_it_was_settled() {
    let gate = Gate::at("manual").await;
    let id = gate.decide(shell("s", "ls")).await.escalation_id;
    gate.decide(shell("s", "pwd")).await;
    gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
    let second = gate.records_of("s").await.remove(1);
    let list = async |from, before| {
        let request = pb::ListDecisionsRequest {
            arrived_from: from,
            arrived_before: before,
            order: SortOrder::OldestFirst.into(),
            ..Default::default()
        };
        commands(&all(&gate, request).await)
    };
    assert_eq!(list(None, second.arrived_at).await, ["ls", "ls"], "both records of the earlier call");
    assert_eq!(list(second.arrived_at, None).await, ["pwd"]);
}

#[tokio::test]
async fn paging_shows_each_record_once_also_while_new_ones_arrive() {
    let gate = Gate::at("bypass").await;
    let calls: Vec<_> = (0..57)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move { client.decide(shell("s", &format!("echo {number}"))).await.unwrap() })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    let known: HashSet<String> =
        gate.records_of("s").await.into_iter().map(|record| record.record_id).collect();
    assert_eq!(known.len(), 57);
    for size in [1, 5, 53, 57] {
        for order in [SortOrder::NewestFirst, SortOrder::OldestFirst] {
            let (mut seen, mut token, mut number) = (Vec::new(), String::new(), 0);
            loop {
                let request = pb::ListDecisionsRequest {
                    session_id: "s".to_owned(),
                    page_size: size,
                    page_token: token,
                    order: order.into(),
                    ..Default::default()
                };
                let page = gate.try_records(request).await.unwrap();
                assert!(!page.decisions.is_empty(), "the last page is known to be the last");
                seen.extend(page.decisions.into_iter().map(|record| record.record_id));
                token = page.next_page_token;
                if token.is_empty() {
                    break;
                }
                // Somebody else goes on meanwhile, now and then.
                number += 1;
                if size > 1 && number % 5 == 0 {
                    gate.decide(shell("other", "ls")).await;
                }
            }
            assert_eq!(seen.len(), 57, "{size} {order:?}");
            assert_eq!(seen.into_iter().collect::<HashSet<_>>(), known);
        }
    }
    // New records of the same list: newest first never shows them late, oldest first shows each once.
    let first = pb::ListDecisionsRequest {
        session_id: "s".to_owned(),
        page_size: 50,
        order: SortOrder::OldestFirst.into(),
        ..Default::default()
    };
    let page = gate.try_records(first.clone()).await.unwrap();
    gate.decide(shell("s", "new")).await;
    let rest = gate
        .try_records(pb::ListDecisionsRequest { page_token: page.next_page_token.clone(), ..first.clone() })
        .await
        .unwrap();
    assert_eq!((rest.decisions.len(), commands(&rest.decisions).pop().unwrap()), (8, "new".to_owned()));
    for other in [
        pb::ListDecisionsRequest { order: SortOrder::NewestFirst.into(), ..first.clone() },
        pb::ListDecisionsRequest { session_id: "t".to_owned(), ..first.clone() },
        pb::ListDecisionsRequest { text: "x".to_owned(), ..first.clone() },
        pb::ListDecisionsRequest { actions: vec![1], ..first.clone() },
        pb::ListDecisionsRequest { project: "p".to_owned(), ..first },
    ] {
        let request = pb::ListDecisionsRequest { page_token: page.next_page_token.clone(), ..other };
        gate.try_records(request).await.unwrap_err().expect_field("PAGE_TOKEN_INVALID", "page_token");
    }
}

#[tokio::test]
async fn a_page_of_long_records_fits_into_a_message() {
    let gate = Gate::at("bypass").await;
    let long = format!("echo {}", "x".repeat(1 << 19));
    for _ in 0..5 {
        gate.decide(shell("s", &long)).await;
    }
    let mut strict = pb::approval_gate_client::ApprovalGateClient::new(gate.channel.clone());
    let (mut seen, mut token) = (HashSet::new(), String::new());
    loop {
        let request = pb::ListDecisionsRequest { page_token: token, ..Default::default() };
        let page = strict.list_decisions(request).await.unwrap().into_inner();
        seen.extend(page.decisions.into_iter().map(|record| record.record_id));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(seen.len(), 5);
}

#[tokio::test]
async fn every_change_is_a_link_of_the_chain() {
    let gate = Gate::at("manual").await;
    let mut head = gate.verify().await;
    assert_eq!(
        (head.intact, head.head_sequence, head.first_sequence.min(1)),
        (true, 0, head.first_sequence.min(1))
    );
    let mut grew = async |what: &str| {
        let now = gate.verify().await;
        assert!(now.intact && now.broken.is_none());
        assert!(now.head_sequence > head.head_sequence, "{what}");
        assert_ne!(now.head_hash, head.head_hash, "{what}");
        assert_eq!(now.records_checked, now.head_sequence);
        assert_eq!(now.first_sequence, 1);
        head = now;
    };
    gate.open(opening("s")).await;
    grew("a session opened").await;
    gate.set_rung("s", pb::Rung::Write).await;
    grew("a rung changed").await;
    let id = gate.decide(shell("s", "ls")).await.escalation_id;
    grew("a decision").await;
    gate.answer(answering(&id, Verdict::Reject, Scope::Once)).await;
    grew("an answer").await;
    gate.manage("s", granting(shell_entry("a"), Scope::Session)).await;
    grew("a grant").await;
    gate.manage("s", denying(shell_entry("b"))).await;
    grew("a denial").await;
    let trust = pb::TrustChange { server: "jira".to_owned(), believe: vec![1], disbelieve: vec![] };
    gate.manage("s", pb::manage_grants_request::Operation::ChangeTrust(trust)).await;
    grew("trust").await;
    gate.close("s").await;
    grew("a session closed").await;
    let record = gate.records_of("s").await.pop().unwrap();
    assert_eq!(record.hash.len(), 64);
    assert!(record.sequence >= 1);
}

#[tokio::test]
async fn a_head_that_was_noted_down_must_be_in_the_chain() {
    let gate = Gate::at("bypass").await;
    for _ in 0..3 {
        gate.decide(shell("s", "ls")).await;
    }
    let head = gate.verify().await;
    let noted = async |sequence, hash: &str| {
        gate.try_verify(pb::VerifyAuditRequest {
            project: String::new(),
            noted_sequence: sequence,
            noted_hash: hash.to_owned(),
        })
        .await
        .unwrap()
    };
    gate.decide(shell("s", "ls")).await;
    assert!(noted(head.head_sequence, &head.head_hash).await.intact);
    let rewritten = noted(head.head_sequence, &"0".repeat(64)).await;
    let broken = rewritten.broken.unwrap();
    assert_eq!((rewritten.intact, broken.sequence), (false, head.head_sequence));
    let hashes = [broken.expected_hash, broken.actual_hash];
    assert!(hashes.contains(&head.head_hash) && hashes.contains(&"0".repeat(64)), "{hashes:?}");
    let cut = noted(1000, &head.head_hash).await;
    let broken = cut.broken.unwrap();
    assert_eq!((cut.intact, broken.sequence, broken.record_id.as_str()), (false, 1000, ""));
    assert!(!broken.reason.is_empty());
}

#[tokio::test]
async fn tampering_is_found_at_its_first_link() {
    for (statement, sequence) in [
        ("UPDATE records SET body = replace(body, 'echo 3', 'echo X') WHERE sequence = 3", 3),
        ("UPDATE records SET action = 'APPROVE' || 'D' WHERE sequence = 2", 2),
        ("DELETE FROM records WHERE sequence = 2", 2),
        ("UPDATE records SET at = at + 1 WHERE sequence IN (2, 4)", 2),
    ] {
        let gate = Gate::at("bypass").await;
        for number in 1..=5 {
            gate.decide(shell("s", &format!("echo {number}"))).await;
        }
        let records = gate.records_of("s").await;
        assert_eq!(records[1].sequence, 2);
        let file = gate.database();
        let setup = gate.stop().await;
        let connection = rusqlite::Connection::open(&file).unwrap();
        assert!(connection.execute(statement, []).unwrap() >= 1, "{statement}");
        drop(connection);
        let gate = Gate::start(setup).await;
        let found = gate.verify().await;
        assert!(!found.intact, "{statement}");
        let broken = found.broken.unwrap();
        assert_eq!(broken.sequence, sequence, "{statement}: {broken:?}");
        assert!(!broken.reason.is_empty() && !broken.reason.contains('\n'));
        assert_eq!(found.records_checked, sequence - 1, "{statement}");
        if !statement.starts_with("DELETE") {
            assert_eq!(broken.record_id, records[sequence as usize - 1].record_id);
            assert_eq!(broken.actual_hash, records[sequence as usize - 1].hash);
            assert_ne!(broken.expected_hash, broken.actual_hash);
        }
    }
}
