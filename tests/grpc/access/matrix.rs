//! Every role, every method and operation of the contract, own and foreign projects, own and foreign sessions: one table, no hole.

use super::cast::{Client, FOREIGN, Known, OWN, reply};
use super::store::content;
use crate::support::*;
use haltgate::access::{Operation, Role};
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation as Managing;
use prost_reflect::DescriptorPool;
use std::collections::BTreeSet;
use tonic::Code;

/// Who may do what, written down here for itself: in the order of the roles agent, operator, auditor and admin.
const MAY: [(Operation, [bool; 4]); 28] = [
    (Operation::Decide, [true, false, false, true]),
    (Operation::Explain, [true, true, true, true]),
    (Operation::Rate, [true, true, false, true]),
    (Operation::FollowHaltsOfSession, [true, true, true, true]),
    (Operation::FollowHaltsOfProject, [false, true, true, true]),
    (Operation::FollowEscalationsOfSession, [true, true, true, true]),
    (Operation::FollowEscalationsOfProject, [false, true, true, true]),
    (Operation::Answer, [false, true, false, true]),
    (Operation::ListGrants, [false, true, true, true]),
    (Operation::Grant, [false, true, false, true]),
    (Operation::Deny, [false, true, false, true]),
    (Operation::Revoke, [false, true, false, true]),
    (Operation::Lift, [false, true, false, true]),
    (Operation::ViewTrust, [false, true, true, true]),
    (Operation::ChangeTrust, [false, true, false, true]),
    (Operation::PredictTrust, [false, true, true, true]),
    (Operation::ImportGrants, [false, true, false, true]),
    (Operation::ExportGrants, [false, true, true, true]),
    (Operation::OpenSession, [true, true, false, true]),
    (Operation::UpdateSession, [true, true, false, true]),
    (Operation::ChangeRung, [false, true, false, true]),
    (Operation::GetSession, [true, true, true, true]),
    (Operation::ListSessions, [true, true, true, true]),
    (Operation::CloseSession, [true, true, false, true]),
    (Operation::ListDecisions, [false, true, true, true]),
    (Operation::VerifyAudit, [false, true, true, true]),
    (Operation::ExportAudit, [false, true, true, true]),
    (Operation::GetServerInfo, [true, true, true, true]),
];

const ROLES: [(&str, Role); 4] =
    [("ann", Role::Agent), ("ops", Role::Operator), ("eve", Role::Auditor), ("adm", Role::Admin)];

fn may(operation: Operation, role: Role) -> bool {
    let (_, row) = MAY.iter().find(|(of, _)| *of == operation).unwrap();
    let column = Role::ALL.iter().position(|of| *of == role).unwrap();
    row[column]
}

fn needed(operation: Operation) -> String {
    let roles: Vec<&str> =
        Role::ALL.into_iter().filter(|role| may(operation, *role)).map(Role::as_str).collect();
    roles.join(",")
}

/// Whether the request of an operation names a session.
fn names_session(operation: Operation) -> bool {
    match operation {
        Operation::FollowHaltsOfProject
        | Operation::FollowEscalationsOfProject
        | Operation::Answer
        | Operation::ImportGrants
        | Operation::ExportGrants
        | Operation::ListSessions
        | Operation::VerifyAudit
        | Operation::ExportAudit
        | Operation::GetServerInfo => false,
        Operation::Decide
        | Operation::Explain
        | Operation::Rate
        | Operation::FollowHaltsOfSession
        | Operation::FollowEscalationsOfSession
        | Operation::ListGrants
        | Operation::Grant
        | Operation::Deny
        | Operation::Revoke
        | Operation::Lift
        | Operation::ViewTrust
        | Operation::ChangeTrust
        | Operation::PredictTrust
        | Operation::OpenSession
        | Operation::UpdateSession
        | Operation::ChangeRung
        | Operation::GetSession
        | Operation::CloseSession
        | Operation::ListDecisions => true,
    }
}

/// Where a request goes.
struct Place {
    project: &'static str,
    session: String,
    escalation: String,
}

/// The operation on grants, if it is one: one that succeeds in a session as [`prepared`] leaves it.
fn managing_operation(operation: Operation) -> Option<Managing> {
    let trust = || pb::TrustChange {
        server: "jira".to_owned(),
        believe: vec![pb::Hint::ReadOnly.into()],
        disbelieve: Vec::new(),
    };
    Some(match operation {
        Operation::ListGrants => Managing::List(pb::ListGrants::default()),
        Operation::Grant => granting(shell_entry("make"), pb::Scope::Session),
        Operation::Deny => denying(shell_entry("make")),
        Operation::Revoke => Managing::Revoke(pb::RevokeGrant {
            target: Some(pb::revoke_grant::Target::Entry(shell_entry("granted"))),
            scope: 0,
        }),
        Operation::Lift => Managing::Lift(pb::LiftDenial {
            target: Some(pb::lift_denial::Target::Entry(shell_entry("refused"))),
        }),
        Operation::ViewTrust => Managing::ViewTrust(pb::ViewTrust {}),
        Operation::ChangeTrust => Managing::ChangeTrust(trust()),
        Operation::PredictTrust => Managing::PredictTrust(trust()),
        Operation::ImportGrants => Managing::ImportFile(pb::ImportGrants {
            content: r#"{"version":1,"prefixes":["ls"]}"#.to_owned(),
            ..Default::default()
        }),
        Operation::ExportGrants => Managing::ExportFile(pb::ExportGrants {}),
        Operation::Decide
        | Operation::Explain
        | Operation::Rate
        | Operation::FollowHaltsOfSession
        | Operation::FollowHaltsOfProject
        | Operation::FollowEscalationsOfSession
        | Operation::FollowEscalationsOfProject
        | Operation::Answer
        | Operation::OpenSession
        | Operation::UpdateSession
        | Operation::ChangeRung
        | Operation::GetSession
        | Operation::ListSessions
        | Operation::CloseSession
        | Operation::ListDecisions
        | Operation::VerifyAudit
        | Operation::ExportAudit
        | Operation::GetServerInfo => return None,
    })
}

/// The name in the contract of an operation on grants. A new one does not compile until it has its place here, and above.
fn field(operation: &Managing) -> &'static str {
    match operation {
        Managing::List(_) => "list",
        Managing::Grant(_) => "grant",
        Managing::Deny(_) => "deny",
        Managing::Revoke(_) => "revoke",
        Managing::Lift(_) => "lift",
        Managing::ViewTrust(_) => "view_trust",
        Managing::ChangeTrust(_) => "change_trust",
        Managing::PredictTrust(_) => "predict_trust",
        Managing::ImportFile(_) => "import_file",
        Managing::ExportFile(_) => "export_file",
    }
}

async fn send(mut client: Client, operation: Operation, place: &Place) -> Result<(), Failure> {
    let (project, session_id) = (place.project.to_owned(), place.session.clone());
    if let Some(operation) = managing_operation(operation) {
        // An import is the project's.
        let session_id = if matches!(operation, Managing::ImportFile(_) | Managing::ExportFile(_)) {
            String::new()
        } else {
            session_id
        };
        let request = pb::ManageGrantsRequest { project, ..managing(&session_id, operation) };
        return reply(client.manage_grants(request).await).map(drop);
    }
    match operation {
        Operation::Decide => {
            let request = pb::DecideRequest { project, ..shell(&session_id, "ls") };
            reply(client.decide(request).await).map(drop)
        }
        Operation::Explain => {
            let request = pb::DecideRequest { project, ..dry(shell(&session_id, "ls")) };
            reply(client.decide(request).await).map(drop)
        }
        Operation::Rate => {
            let call = Some(shell_call("ls"));
            let request = pb::RateRequest { project, session_id, call, ..Default::default() };
            reply(client.rate(request).await).map(drop)
        }
        Operation::FollowHaltsOfSession => {
            let request = pb::StreamAttackHaltsRequest { project, session_id, ..Default::default() };
            reply(client.stream_attack_halts(request).await).map(drop)
        }
        Operation::FollowHaltsOfProject => {
            let request = pb::StreamAttackHaltsRequest { project, ..Default::default() };
            reply(client.stream_attack_halts(request).await).map(drop)
        }
        Operation::FollowEscalationsOfSession => {
            let request = pb::StreamEscalationsRequest { project, session_id, ..Default::default() };
            reply(client.stream_escalations(request).await).map(drop)
        }
        Operation::FollowEscalationsOfProject => {
            let request = pb::StreamEscalationsRequest { project, ..Default::default() };
            reply(client.stream_escalations(request).await).map(drop)
        }
        Operation::Answer => {
            let answer = answering(&place.escalation, pb::Verdict::Approve, pb::Scope::Once);
            reply(client.answer(pb::AnswerRequest { project, ..answer }).await).map(drop)
        }
        Operation::OpenSession => {
            let request = pb::OpenSessionRequest { project, ..opening(&session_id) };
            reply(client.open_session(request).await).map(drop)
        }
        Operation::UpdateSession => {
            let request = pb::UpdateSessionRequest {
                project,
                user_messages: vec!["go on".to_owned()],
                ..changing(&session_id)
            };
            reply(client.update_session(request).await).map(drop)
        }
        Operation::ChangeRung => {
            let rung = pb::Rung::Write.into();
            let request = pb::UpdateSessionRequest { project, rung, ..changing(&session_id) };
            reply(client.update_session(request).await).map(drop)
        }
        Operation::GetSession => {
            let request = pb::GetSessionRequest { project, session_id, include_tools: true };
            reply(client.get_session(request).await).map(drop)
        }
        Operation::ListSessions => {
            let request = pb::ListSessionsRequest { project, ..Default::default() };
            reply(client.list_sessions(request).await).map(drop)
        }
        Operation::CloseSession => {
            reply(client.close_session(pb::CloseSessionRequest { project, session_id }).await).map(drop)
        }
        Operation::ListDecisions => {
            let request = pb::ListDecisionsRequest { project, session_id, ..Default::default() };
            reply(client.list_decisions(request).await).map(drop)
        }
        Operation::VerifyAudit => {
            let request = pb::VerifyAuditRequest { project, ..Default::default() };
            reply(client.verify_audit(request).await).map(drop)
        }
        Operation::ExportAudit => {
            let request = pb::ExportAuditRequest { project, ..Default::default() };
            reply(client.export_audit(request).await).map(drop)
        }
        Operation::GetServerInfo => {
            reply(client.get_server_info(pb::GetServerInfoRequest { project }).await).map(drop)
        }
        Operation::ListGrants
        | Operation::Grant
        | Operation::Deny
        | Operation::Revoke
        | Operation::Lift
        | Operation::ViewTrust
        | Operation::ChangeTrust
        | Operation::PredictTrust
        | Operation::ImportGrants
        | Operation::ExportGrants => panic!("{operation} is an operation on grants"),
    }
}

/// A session of an owner with a grant, a denial and an open question.
async fn prepared(known: &Known, project: &'static str, session: String, owner: &str) -> Place {
    let mut root = known.of("root");
    let mut owner = known.of(owner);
    let open = pb::OpenSessionRequest { project: project.to_owned(), ..opening(&session) };
    reply(owner.open_session(open).await).unwrap();
    for operation in [granting(shell_entry("granted"), pb::Scope::Session), denying(shell_entry("refused"))] {
        let request =
            pb::ManageGrantsRequest { project: project.to_owned(), ..managing(&session, operation) };
        reply(root.manage_grants(request).await).unwrap();
    }
    let asked = pb::DecideRequest { project: project.to_owned(), ..shell(&session, "asked") };
    let escalation = reply(owner.decide(asked).await).unwrap().escalation_id;
    assert_ne!(escalation, "");
    Place { project, session, escalation }
}

#[test]
fn the_table_has_every_method_and_every_operation_of_the_contract() {
    let named: BTreeSet<Operation> = MAY.iter().map(|(operation, _)| *operation).collect();
    assert_eq!(named, Operation::ALL.into());
    let pool = DescriptorPool::decode(haltgate::proto::FILE_DESCRIPTOR_SET).unwrap();
    let service = pool.get_service_by_name("haltgate.v1.ApprovalGate").unwrap();
    let methods: BTreeSet<String> = service.methods().map(|method| method.name().to_owned()).collect();
    let in_table: BTreeSet<String> = MAY.iter().map(|(operation, _)| operation.method().to_owned()).collect();
    assert_eq!(in_table, methods);
    let message = pool.get_message_by_name("haltgate.v1.ManageGrantsRequest").unwrap();
    let oneof = message.oneofs().find(|oneof| oneof.name() == "operation").unwrap();
    let operations: BTreeSet<String> = oneof.fields().map(|field| field.name().to_owned()).collect();
    let sent: BTreeSet<String> = Operation::ALL
        .into_iter()
        .filter_map(managing_operation)
        .map(|operation| field(&operation).to_owned())
        .collect();
    assert_eq!(sent, operations);
}

#[tokio::test]
async fn every_role_may_do_what_the_table_says_in_its_own_projects_and_sessions_and_nothing_else() {
    let known = Known::manual().await;
    let mut number = 0;
    for (name, role) in ROLES {
        for (operation, _) in MAY {
            for project in [OWN, FOREIGN] {
                for mine in [true, false] {
                    number += 1;
                    let cell = format!("{role}, {operation}, project {project}, own session {mine}");
                    let owner = match (project, mine, role) {
                        (FOREIGN, _, _) => "mallory",
                        (_, true, Role::Agent) => "ann",
                        (_, true, _) => "adm",
                        (_, false, _) => "bob",
                    };
                    let place = prepared(&known, project, format!("s{number}"), owner).await;
                    let before = content(&known);
                    let outcome = send(known.of(name), operation, &place).await;
                    let refused = if operation == Operation::ChangeRung && role == Role::Agent {
                        // The method is the agent's; the rung is not.
                        match (project, mine) {
                            (OWN, true) => Some("RUNG_NOT_ALLOWED"),
                            (OWN, false) => Some("SESSION_NOT_ALLOWED"),
                            _ => Some("PROJECT_NOT_ALLOWED"),
                        }
                    } else if !may(operation, role) {
                        Some("ROLE_NOT_ALLOWED")
                    } else if project == FOREIGN {
                        Some("PROJECT_NOT_ALLOWED")
                    } else if role == Role::Agent && !mine && names_session(operation) {
                        Some("SESSION_NOT_ALLOWED")
                    } else {
                        None
                    };
                    match (refused, outcome) {
                        (None, Ok(())) => {}
                        (Some(reason), Err(failure)) => {
                            assert_eq!(
                                (failure.code, failure.reason.as_str()),
                                (Code::PermissionDenied, reason),
                                "{cell}: {failure:?}"
                            );
                            check_metadata(&failure, operation, role, &place);
                            assert_eq!(content(&known), before, "{cell}: a refusal changed something");
                        }
                        (expected, outcome) => panic!("{cell}: {outcome:?}, expected {expected:?}"),
                    }
                }
            }
        }
    }
    let verified = reply(
        known
            .of("root")
            .verify_audit(pb::VerifyAuditRequest { project: OWN.to_owned(), ..Default::default() })
            .await,
    );
    assert!(verified.unwrap().intact, "records of refusals are links of the chain");
}

#[track_caller]
fn check_metadata(failure: &Failure, operation: Operation, role: Role, place: &Place) {
    match failure.reason.as_str() {
        "ROLE_NOT_ALLOWED" => {
            assert_eq!(failure.metadata("role"), role.as_str());
            // A rung is told from the rest of an update only where the method is the caller's.
            if operation != Operation::ChangeRung {
                assert_eq!(failure.metadata("needed"), needed(operation), "{operation}");
            }
        }
        "PROJECT_NOT_ALLOWED" => assert_eq!(failure.metadata("project"), place.project),
        "SESSION_NOT_ALLOWED" => assert_eq!(failure.metadata("session_id"), place.session),
        "RUNG_NOT_ALLOWED" => {
            assert_eq!(failure.metadata("rung"), "RUNG_WRITE");
            assert_eq!(failure.metadata("configured"), "RUNG_MANUAL");
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn whoever_is_not_recognised_may_do_nothing() {
    let known = Known::manual().await;
    let place = prepared(&known, OWN, "s".to_owned(), "ann").await;
    let before = content(&known);
    for (operation, _) in MAY {
        let failure = send(known.of(""), operation, &place).await.unwrap_err();
        failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    }
    assert_eq!(content(&known), before);
}

#[tokio::test]
async fn a_path_that_the_contract_does_not_have_is_nobodys() {
    let known = Known::manual().await;
    for (who, code) in
        [("adm", Code::Unimplemented), ("ann", Code::Unimplemented), ("", Code::Unauthenticated)]
    {
        for path in [
            "/haltgate.v1.ApprovalGate/Approve",
            "/haltgate.v1.ApprovalGate/answer",
            "/haltgate.v1.ApprovalGate/",
        ] {
            let mut grpc = tonic::client::Grpc::new(known.gate.channel.clone());
            grpc.ready().await.unwrap();
            let mut request = tonic::Request::new(pb::GetServerInfoRequest::default());
            if !who.is_empty() {
                let bearer = format!("Bearer {}", known.token(who)).parse().unwrap();
                request.metadata_mut().insert("authorization", bearer);
            }
            let codec =
                tonic_prost::ProstCodec::<pb::GetServerInfoRequest, pb::GetServerInfoResponse>::default();
            let answered = grpc.unary(request, path.parse().unwrap(), codec).await;
            assert_eq!(answered.unwrap_err().code(), code, "{who:?} {path}");
        }
    }
}
