//! What is in another project does not exist: neither by name nor by any id.

use super::cast::{FOREIGN, Known, OWN, reply};
use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use tonic::Code;

const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// A gate with an open question of mallory's in the other project.
async fn with_foreign() -> (Known, pb::DecideResponse) {
    let known = Known::manual().await;
    let request = pb::DecideRequest { project: FOREIGN.to_owned(), ..shell("theirs", "make") };
    let asked = reply(known.of("mallory").decide(request).await).unwrap();
    assert_eq!(asked.action(), Action::Escalate);
    (known, asked)
}

#[tokio::test]
async fn another_projects_question_is_as_unknown_as_one_that_was_made_up() {
    let (known, asked) = with_foreign().await;
    for who in ["ops", "adm"] {
        let tries = [asked.escalation_id.as_str(), NOBODY].map(|id| {
            let answer = answering(id, Verdict::Approve, Scope::Once);
            async { known.answer(who, answer).await.unwrap_err() }
        });
        let [theirs, made_up] = tries;
        let (theirs, made_up) = (theirs.await, made_up.await);
        theirs.expect(Code::NotFound, "ESCALATION_NOT_FOUND");
        made_up.expect(Code::NotFound, "ESCALATION_NOT_FOUND");
        assert_eq!(theirs.message.replace(&asked.escalation_id, NOBODY), made_up.message);
    }
    let request = pb::DecideRequest { project: FOREIGN.to_owned(), ..shell("theirs", "make") };
    assert_eq!(reply(known.of("mallory").decide(request).await).unwrap().action(), Action::Escalate);
}

#[tokio::test]
async fn another_projects_records_sessions_and_pages_are_not_found_by_their_ids() {
    let (known, asked) = with_foreign().await;
    known.decide("ann", shell("s", "ls")).await.unwrap();
    let of = |project: &str| pb::ListDecisionsRequest {
        project: project.to_owned(),
        page_size: 1,
        ..pb::ListDecisionsRequest::default()
    };
    for record_id in [asked.decision_id.as_str(), NOBODY] {
        let request = pb::ListDecisionsRequest { record_id: record_id.to_owned(), ..of(OWN) };
        for who in ["adm", "eve", "ops"] {
            let found = reply(known.of(who).list_decisions(request.clone()).await).unwrap();
            assert_eq!((found.decisions.len(), found.next_page_token.as_str()), (0, ""), "{who}");
        }
    }
    let mut root = known.of("root");
    let more = pb::DecideRequest { project: FOREIGN.to_owned(), ..shell("theirs", "ls") };
    reply(known.of("mallory").decide(more).await).unwrap();
    let token = reply(root.list_decisions(of(FOREIGN)).await).unwrap().next_page_token;
    assert_ne!(token, "");
    let request = pb::ListDecisionsRequest { page_token: token, ..of(OWN) };
    reply(known.of("eve").list_decisions(request).await)
        .unwrap_err()
        .expect_field("PAGE_TOKEN_INVALID", "page_token");
    known.get("adm", "theirs").await.unwrap_err().expect(Code::NotFound, "SESSION_NOT_FOUND");
}

#[tokio::test]
async fn whether_a_foreign_project_exists_is_not_said() {
    let (known, _) = with_foreign().await;
    let ask = async |project: &str| {
        let request = pb::GetSessionRequest {
            project: project.to_owned(),
            session_id: "theirs".to_owned(),
            include_tools: false,
        };
        reply(known.of("adm").get_session(request).await).unwrap_err()
    };
    let (there, not_there) = (ask(FOREIGN).await, ask("nowhere").await);
    there.expect(Code::PermissionDenied, "PROJECT_NOT_ALLOWED");
    not_there.expect(Code::PermissionDenied, "PROJECT_NOT_ALLOWED");
    assert_eq!(there.message.replace(FOREIGN, "nowhere"), not_there.message);
    // The default project is a project like any other, and what is no name of one is repeated to nobody.
    ask("").await.expect(Code::PermissionDenied, "PROJECT_NOT_ALLOWED");
    let long = "x".repeat(100_000);
    for strange in ["a b", "\u{1b}[2J", long.as_str()] {
        let failure = ask(strange).await;
        assert_eq!(
            (failure.code, failure.fields.as_slice()),
            (Code::InvalidArgument, &["project".to_owned()][..])
        );
        assert!(failure.message.len() < 200);
    }
}

#[tokio::test]
async fn a_session_of_the_same_name_in_another_project_is_another_session() {
    let (known, _) = with_foreign().await;
    known.open("ann", opening("theirs")).await.unwrap();
    let session = known.get("ann", "theirs").await.unwrap().session.unwrap();
    assert_eq!((session.project.as_str(), session.owner.as_str(), session.open_escalations), (OWN, "ann", 0));
}
