//! Agents and their sessions, as the contract has them.

use super::cast::{Known, OWN, own, reply};
use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Action, Rung};
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::Code;

const SETTINGS: &str = r#"
    "approvals": { "mode": "manual" },
    "commands": { "review": { "approvals": { "mode": "manual" } }, "deploy": { "approvals": { "mode": "bypass" } } },
    "agents": { "commands": ["review"], "interactive": true },
    "projects": { "own": { "agents": { "interactive": false } } }
"#;

#[tokio::test]
async fn what_an_agent_may_ask_for_is_what_the_policy_of_its_project_says() {
    let known = Known::with(SETTINGS).await;
    let open = |session: &str, command: &str, interactive| pb::OpenSessionRequest {
        command: command.to_owned(),
        interactive,
        ..opening(session)
    };
    let opened = known.open("ann", open("s", "review", None)).await.unwrap().session.unwrap();
    assert_eq!(
        (opened.command.as_str(), opened.interactive, opened.owner.as_str()),
        ("review", false, "ann")
    );
    for (command, interactive, field) in [("deploy", None, "command"), ("", Some(true), "interactive")] {
        let refused = known.open("ann", open("t", command, interactive)).await.unwrap_err();
        refused.expect(Code::PermissionDenied, "POLICY_NOT_ALLOWED");
        assert_eq!(refused.metadata("field"), field);
        known.get("adm", "t").await.unwrap_err().expect(Code::NotFound, "SESSION_NOT_FOUND");
    }
    let turned_on = pb::UpdateSessionRequest { interactive: Some(true), ..changing("s") };
    let refused = known.update("ann", turned_on.clone()).await.unwrap_err();
    refused.expect(Code::PermissionDenied, "POLICY_NOT_ALLOWED");
    assert!(known.update("ops", turned_on).await.unwrap().session.unwrap().interactive);
    // An agent's session that nobody opened is as the policy wants it, too.
    let asked = known.decide("ann", shell("implicit", "ls")).await.unwrap();
    assert_eq!(asked.action(), Action::Unattended);
    // Others are not bound by it.
    let session = known.open("ops", open("ops", "deploy", Some(true))).await.unwrap().session.unwrap();
    assert_eq!((session.rung(), session.interactive, session.owner.as_str()), (Rung::Bypass, true, ""));
}

#[tokio::test]
async fn a_session_stays_its_agents_over_restarts_and_closing() {
    let known = Known::manual().await;
    known.open("ops", opening("prepared")).await.unwrap();
    known.decide("ann", shell("prepared", "ls")).await.unwrap();
    known.close("ann", "prepared").await.unwrap();
    let known = known.restart().await;
    let taken = known.open("bob", opening("prepared")).await.unwrap_err();
    taken.expect(Code::PermissionDenied, "SESSION_NOT_ALLOWED");
    assert_eq!(taken.metadata.len(), 1, "nothing else is said of it: {taken:?}");
    assert!(known.open("ann", opening("prepared")).await.unwrap().reopened);
}

#[tokio::test]
async fn an_agent_lists_its_own_sessions_page_by_page_and_everybody_else_lists_all() {
    let known = Known::manual().await;
    for number in 0..12 {
        let who = if number % 3 == 0 { "ann" } else { "bob" };
        known.open(who, opening(&format!("s{number}"))).await.unwrap();
    }
    let list = async |who: &str, size: i32| {
        let (mut found, mut page_token) = (Vec::new(), String::new());
        loop {
            let request = pb::ListSessionsRequest {
                project: OWN.to_owned(),
                page_size: size,
                page_token,
                ..pb::ListSessionsRequest::default()
            };
            let page = reply(known.of(who).list_sessions(request).await).unwrap();
            found.extend(page.sessions.into_iter().map(|session| session.session_id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return found;
            }
        }
    };
    for size in [1, 2, 0] {
        assert_eq!(list("ann", size).await, ["s9", "s6", "s3", "s0"], "{size} at a time");
        for who in ["ops", "eve", "adm"] {
            assert_eq!(list(who, size).await.len(), 12);
        }
    }
    let first = pb::ListSessionsRequest { project: OWN.to_owned(), page_size: 1, ..Default::default() };
    let page_token = reply(known.of("bob").list_sessions(first.clone()).await).unwrap().next_page_token;
    let request = pb::ListSessionsRequest { page_token, ..first };
    reply(known.of("ann").list_sessions(request).await)
        .unwrap_err()
        .expect_field("PAGE_TOKEN_INVALID", "page_token");
}

#[tokio::test]
async fn an_agent_reads_nothing_of_another_agents_session_by_a_dry_run_or_a_rating() {
    let known = Known::manual().await;
    known.open("ann", opening("s")).await.unwrap();
    let explained = reply(known.of("bob").decide(own(dry(shell("s", "ls")))).await).unwrap_err();
    explained.expect(Code::PermissionDenied, "SESSION_NOT_ALLOWED");
    let rate = pb::RateRequest {
        project: OWN.to_owned(),
        session_id: "s".to_owned(),
        call: Some(shell_call("ls")),
        ..pb::RateRequest::default()
    };
    reply(known.of("bob").rate(rate.clone()).await)
        .unwrap_err()
        .expect(Code::PermissionDenied, "SESSION_NOT_ALLOWED");
    reply(known.of("bob").rate(pb::RateRequest { session_id: String::new(), ..rate }).await).unwrap();
    // A dry run opens nothing, and takes nothing from whoever comes first.
    reply(known.of("bob").decide(own(dry(shell("new", "ls")))).await).unwrap();
    known.open("ann", opening("new")).await.unwrap();
}

#[tokio::test]
async fn a_browser_is_held_to_its_role_like_everybody() {
    let known = Known::manual().await;
    let asked = known.decide("ann", shell("s", "make")).await.unwrap();
    let answer = pb::AnswerRequest {
        project: OWN.to_owned(),
        ..answering(&asked.escalation_id, pb::Verdict::Approve, pb::Scope::Once)
    };
    for (who, status) in [("ann", "7"), ("eve", "7"), ("ops", "0")] {
        let answered = over_web(&known, who, "Answer", &answer.encode_to_vec()).await;
        assert!(answered.contains(&format!("grpc-status:{status}")), "{who}: {answered}");
    }
    let answered = over_web(&known, "", "Answer", &answer.encode_to_vec()).await;
    assert!(answered.contains("grpc-status:16"), "{answered}");
}

/// What comes back over HTTP/1.1 in gRPC-Web: head and body, without blanks behind the colons of headers.
async fn over_web(known: &Known, who: &str, method: &str, message: &[u8]) -> String {
    let credentials = match who {
        "" => String::new(),
        who => format!("authorization: Bearer {}\r\n", known.token(who)),
    };
    let head = format!(
        "POST /haltgate.v1.ApprovalGate/{method} HTTP/1.1\r\nhost: {}\r\n{credentials}\
         content-type: application/grpc-web+proto\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        known.gate.address,
        message.len() + 5
    );
    let mut stream = TcpStream::connect(known.gate.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&[0]).await.unwrap();
    stream.write_all(&u32::try_from(message.len()).unwrap().to_be_bytes()).await.unwrap();
    stream.write_all(message).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).to_lowercase().replace(": ", ":")
}
