//! The standard services beside the contract: health and reflection.

use crate::support::*;
use haltgate::proto::health::health_check_response::ServingStatus;
use haltgate::proto::health::health_client::HealthClient;
use haltgate::proto::health::{HealthCheckRequest, HealthListRequest};
use haltgate::store::SqliteOptions;
use std::time::Duration;
use tokio_stream::StreamExt;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request};

const SERVICE: &str = "haltgate.v1.ApprovalGate";

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

#[tokio::test]
async fn a_gate_that_can_record_is_serving_and_knows_no_other_service() {
    let gate = Gate::plain().await;
    let mut health = HealthClient::new(gate.channel.clone());
    for service in ["", SERVICE] {
        let mut watched = health.watch(of(service)).await.unwrap().into_inner();
        // The first word may be from before the gate was ready.
        while watched.next().await.unwrap().unwrap().status() != ServingStatus::Serving {}
        assert_eq!(health.check(of(service)).await.unwrap().into_inner().status(), ServingStatus::Serving);
    }
    assert_eq!(health.check(of("other")).await.unwrap_err().code(), Code::NotFound);
    let mut unknown = health.watch(of("other")).await.unwrap().into_inner();
    assert_eq!(unknown.next().await.unwrap().unwrap().status(), ServingStatus::ServiceUnknown);
    let listed = health.list(HealthListRequest {}).await.unwrap().into_inner().statuses;
    let mut names: Vec<&str> = listed.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["", SERVICE]);
    assert!(listed.values().all(|found| found.status() == ServingStatus::Serving));
}

#[tokio::test]
async fn a_gate_that_cannot_record_says_so_and_does_not_decide() {
    let setup = Setup { policy: r#"{ "approvals": "bypass" }"#.to_owned(), ..Setup::default() };
    let small = SqliteOptions { max_pages: Some(120), ..SqliteOptions::default() };
    let gate = Gate::start(Setup { store: small, ..setup }).await;
    let mut health = HealthClient::new(gate.channel.clone());
    let mut watched = health.watch(of(SERVICE)).await.unwrap().into_inner();
    let (mut decided, mut last) = (0, String::new());
    // Until not even a short record fits any more.
    for length in [20_000, 2_000, 10] {
        let command = format!("echo {}", "x".repeat(length));
        loop {
            match gate.try_decide(named(&format!("q{decided}"), shell("s", &command))).await {
                Ok(_) => decided += 1,
                Err(failure) => {
                    failure.expect(Code::Unavailable, "STORE_UNAVAILABLE");
                    break;
                }
            }
            assert!(decided < 500, "the store never filled up");
        }
        last = command;
    }
    assert!(decided > 0);
    let told =
        async { while watched.next().await.unwrap().unwrap().status() != ServingStatus::NotServing {} };
    tokio::time::timeout(Duration::from_secs(10), told).await.expect("the health says so within seconds");
    // What was told may be from a moment when only long records did not fit; then it takes another look at the store.
    let refused = async {
        while health.check(of("")).await.unwrap().into_inner().status() != ServingStatus::NotServing {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), refused).await.expect("whoever asks is told, too");
    assert_eq!(gate.records_of("s").await.len(), decided, "what was acknowledged is there, and nothing else");
    assert!(gate.verify().await.intact);

    let setup = gate.stop().await;
    let gate = Gate::start(Setup { store: SqliteOptions::default(), ..setup }).await;
    assert_eq!(gate.records_of("s").await.len(), decided);
    let retried = gate.decide(named(&format!("q{decided}"), shell("s", &last))).await;
    assert!(!retried.replayed, "it was not decided before");
    assert!(gate.verify().await.intact);
}

#[tokio::test]
async fn a_gate_that_shuts_down_says_so_before_it_goes() {
    let mut gate = Gate::at("manual").await;
    let mut health = HealthClient::new(gate.channel.clone());
    let mut watched = health.watch(of("")).await.unwrap().into_inner();
    while watched.next().await.unwrap().unwrap().status() != ServingStatus::Serving {}
    gate.drain();
    let last = tokio::time::timeout(Duration::from_secs(5), watched.next()).await.unwrap();
    assert_eq!(last.unwrap().unwrap().status(), ServingStatus::NotServing);
}

macro_rules! reflected {
    ($gate:expr, $version:ident, $path:literal) => {{
        use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
        use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;
        use tonic_reflection::pb::$version::{ServerReflectionRequest, ServerReflectionResponse};
        let mut grpc = tonic::client::Grpc::new($gate.channel.clone());
        grpc.ready().await.unwrap();
        let ask = |message_request| ServerReflectionRequest {
            host: String::new(),
            message_request: Some(message_request),
        };
        let requests = tokio_stream::iter([
            ask(MessageRequest::ListServices(String::new())),
            ask(MessageRequest::FileContainingSymbol(SERVICE.to_owned())),
        ]);
        let codec = tonic_prost::ProstCodec::<ServerReflectionRequest, ServerReflectionResponse>::default();
        let mut answers = grpc
            .streaming(Request::new(requests), PathAndQuery::from_static($path), codec)
            .await
            .unwrap()
            .into_inner();
        let first = answers.next().await.unwrap().unwrap().message_response.unwrap();
        let MessageResponse::ListServicesResponse(services) = first else {
            panic!("a list of services: {first:?}")
        };
        let names: Vec<String> = services.service.into_iter().map(|service| service.name).collect();
        for name in [SERVICE, "grpc.health.v1.Health"] {
            assert!(names.iter().any(|known| known == name), "{name} is not among {names:?}");
        }
        let second = answers.next().await.unwrap().unwrap().message_response.unwrap();
        let MessageResponse::FileDescriptorResponse(files) = second else { panic!("a file: {second:?}") };
        assert!(!files.file_descriptor_proto.is_empty());
    }};
}

#[tokio::test]
async fn reflection_lists_the_services_in_both_versions() {
    let gate = Gate::plain().await;
    reflected!(gate, v1, "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo");
    reflected!(gate, v1alpha, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
}
