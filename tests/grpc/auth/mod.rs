//! Who calls: every kind of credential, good and bad, against a real server.

mod ending;
mod jwt;
mod local;
mod mtls;
mod proxies;
mod remote_keys;
mod rsa;
mod tokens;

use crate::support::*;
use haltgate::access::{Projects, Role};
use haltgate::proto::v1 as pb;
use haltgate::server::{NewToken, TokenFile, TokenRecord};
use jiff::Timestamp;
use std::path::Path;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataKey};
use tonic::{Code, Request};

/// A gate with an `auth` block, in a folder that may hold files for it already.
async fn gate(folder: &std::sync::Arc<tempfile::TempDir>, auth: &str) -> Gate {
    let policy = format!("{{\"auth\": {auth}}}");
    Gate::start(Setup { policy, folder: std::sync::Arc::clone(folder), ..Setup::default() }).await
}

fn folder() -> std::sync::Arc<tempfile::TempDir> {
    std::sync::Arc::new(tempfile::tempdir().unwrap())
}

/// A request with these headers, one of each name after another.
fn with<T>(message: T, headers: &[(&str, &str)]) -> Request<T> {
    let mut request = Request::new(message);
    for (name, value) in headers {
        let name: MetadataKey<Ascii> = name.parse().unwrap();
        request.metadata_mut().append(name, value.parse().unwrap());
    }
    request
}

/// Asks what every role may ask, with these headers.
async fn ask_with(gate: &Gate, headers: &[(&str, &str)]) -> Result<(), Failure> {
    let request = with(pb::GetServerInfoRequest::default(), headers);
    let asked = gate.client.clone().get_server_info(request).await;
    asked.map(drop).map_err(|status| Failure::of(&status))
}

/// The same with a bearer token.
async fn show(gate: &Gate, token: &str) -> Result<(), Failure> {
    ask_with(gate, &[("authorization", &format!("Bearer {token}"))]).await
}

#[track_caller]
fn refused(outcome: Result<(), Failure>) {
    let failure = outcome.unwrap_err();
    failure.expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    assert!(failure.metadata.is_empty(), "it is never said why: {failure:?}");
}

/// Waits until a token is accepted, or is not any more.
async fn until(gate: &Gate, token: &str, accepted: bool) {
    loop {
        match show(gate, token).await {
            Ok(()) if accepted => return,
            Err(failure) if !accepted => {
                failure.expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
                return;
            }
            Ok(()) | Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Adds a token to a file.
fn add_token(file: &Path, role: Role, expires_at: Option<Timestamp>) -> NewToken {
    let token = NewToken::generate().unwrap();
    let record = TokenRecord {
        id: token.id.clone(),
        name: format!("the {role}"),
        role,
        projects: Projects::All,
        hash: token.hash,
        created_at: Timestamp::now(),
        expires_at,
        revoked_at: None,
    };
    TokenFile::at(file)
        .change(|records| {
            records.push(record);
            Ok(())
        })
        .unwrap();
    token
}

fn revoke(file: &Path, token: &NewToken) {
    TokenFile::at(file)
        .change(|records| {
            records.iter_mut().find(|record| record.id == token.id).unwrap().revoked_at =
                Some(Timestamp::now());
            Ok(())
        })
        .unwrap();
}
