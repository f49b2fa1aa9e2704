//! Traces: one from the client through the gate to the model and to receivers, and a collector that does not matter.

use crate::gate::{Served, command};
use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::client::{Address, Client};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// A collector that keeps what it is sent.
#[derive(Debug, Clone, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().unwrap().push(request.into_inner());
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

impl Collector {
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = TraceServiceServer::new(self.clone());
        tokio::spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener)),
        );
        format!("http://{address}")
    }

    fn spans(&self) -> Vec<Span> {
        let requests = self.0.lock().unwrap();
        let scopes =
            requests.iter().flat_map(|request| &request.resource_spans).flat_map(|spans| &spans.scope_spans);
        scopes.flat_map(|scope| scope.spans.clone()).collect()
    }

    /// Everything that was sent, as text.
    fn text(&self) -> String {
        format!("{:?}", self.0.lock().unwrap())
    }

    fn service(&self) -> String {
        let requests = self.0.lock().unwrap();
        let resource = requests[0].resource_spans[0].resource.as_ref().unwrap();
        let name = resource.attributes.iter().find(|attribute| attribute.key == "service.name").unwrap();
        match name.value.as_ref().unwrap().value.as_ref().unwrap() {
            Value::StringValue(name) => name.clone(),
            other => panic!("{other:?}"),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let found = span.attributes.iter().find(|attribute| attribute.key == key)?;
    Some(match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        other => panic!("{other:?}"),
    })
}

/// A policy whose commands a model rates, and whose questions a receiver is told.
fn policy(model: &Server, receiver: &Server, more: &str) -> String {
    format!(
        r#"{{ "approvals": {{ "rater": "cloud" }},
             "rater": {{ "profiles": {{ "cloud": {{ "kind": "model", "provider": "openai", "model": "m",
                "base_url": "http://{}/v1" }} }} }},
             "notifications": {{ "webhooks": {{ "pager": {{ "url": "http://{}/hook", "secret_file": "secret" }} }} }}
             {more} }}"#,
        model.address, receiver.address
    )
}

fn serve_with(policy: &str) -> Served {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
    std::fs::write(folder.path().join("secret"), "a-secret-that-only-the-two-know").unwrap();
    Served::start_in(folder, &["--ephemeral"])
}

async fn traced(served: &Served) -> Client {
    let address: Address = served.address.parse().unwrap();
    let trace = format!("00-{TRACE}-{PARENT}-01").parse().unwrap();
    Client::connect(&address).await.unwrap().with_trace(trace)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_trace_leads_from_the_client_through_the_gate_to_the_model_and_the_receivers() {
    let model = Server::start(Reply::ok(&openai(&verdict("destructive")))).await;
    let receiver = Server::start(Reply::Answer(204, Vec::new(), String::new())).await;
    let collector = Collector::default();
    let telemetry = format!(
        r#", "telemetry": {{ "otlp_endpoint": "{}", "sample_ratio": 0, "service_name": "gate-of-a-test" }}"#,
        collector.start().await
    );
    let served = serve_with(&policy(&model, &receiver, &telemetry));
    // Without a trace of its own a request begins none here.
    client(&served).await.decide(shell("untraced", "mend canary-untraced")).await.unwrap();
    let client = traced(&served).await;
    let session = client.session("s");
    session.decide_shell("mend canary-command").wait(false).await.unwrap();
    receiver.arrived(2).await;
    let seen = model.seen();
    let (status, log) = tokio::task::spawn_blocking(move || served.end("TERM")).await.unwrap();
    assert_eq!(status.code(), Some(0), "{log}");

    let spans = collector.spans();
    assert_eq!(collector.service(), "gate-of-a-test");
    let names: Vec<(&str, i32)> = spans.iter().map(|span| (span.name.as_str(), span.kind)).collect();
    assert!(spans.iter().all(|span| hex(&span.trace_id) == TRACE), "{names:?}");
    let of = |name: &str| {
        spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name} in {names:?}"))
    };
    let rpc = of("haltgate.v1.ApprovalGate/Decide");
    assert_eq!(hex(&rpc.parent_span_id), PARENT);
    assert_eq!(attribute(rpc, "rpc.service").unwrap(), "haltgate.v1.ApprovalGate");
    assert_eq!(attribute(rpc, "rpc.grpc.status_code").unwrap(), "0");
    assert_eq!(attribute(rpc, "haltgate.action").unwrap(), "ESCALATE");
    let (rate, ask, commit) = (of("rate"), of("ask model"), of("commit"));
    assert_eq!(rate.parent_span_id, rpc.span_id);
    assert_eq!(ask.parent_span_id, rate.span_id);
    assert_eq!(commit.parent_span_id, rpc.span_id);
    assert_eq!(attribute(rate, "haltgate.outcome").unwrap(), "destructive");
    assert!(!collector.text().contains("canary"), "no span holds anything of a call");

    assert_eq!(seen[1].header("traceparent").unwrap(), format!("00-{TRACE}-{}-01", hex(&ask.span_id)));
    assert!(seen[0].header("traceparent").unwrap().ends_with("-00"), "a trace that nobody keeps");
    let told = receiver.seen();
    let told = told.iter().filter_map(|seen| seen.header("traceparent"));
    assert!(
        told.clone().any(|header| header == format!("00-{TRACE}-{}-01", hex(&rpc.span_id))),
        "{:?}",
        told.collect::<Vec<_>>()
    );
}

#[tokio::test]
async fn without_a_collector_a_trace_goes_through_as_it_came() {
    let model = Server::start(Reply::ok(&openai(&verdict("destructive")))).await;
    let receiver = Server::start(Reply::Answer(204, Vec::new(), String::new())).await;
    let served = serve_with(&policy(&model, &receiver, ""));
    client(&served).await.decide(shell("untraced", "mend this")).await.unwrap();
    traced(&served).await.session("s").decide_shell("mend that").wait(false).await.unwrap();
    receiver.arrived(2).await;
    let given = format!("00-{TRACE}-{PARENT}-01");
    for seen in [model.seen(), receiver.seen()] {
        let mut found: Vec<Option<String>> =
            seen.iter().map(|seen| seen.header("traceparent").map(str::to_owned)).collect();
        found.sort();
        assert_eq!(found, [None, Some(given.clone())]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_not_there_costs_no_decision_and_is_said_once() {
    // A port that nobody listens on any more.
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let policy = format!(r#"{{ "telemetry": {{ "otlp_endpoint": "http://{nobody}", "sample_ratio": 1 }} }}"#);
    let served = serve_with(&policy);
    let mut client = client(&served).await;
    for number in 0..50 {
        client.decide(shell(&format!("s{number}"), "git status")).await.unwrap();
    }
    drop(client);
    let (status, log) = tokio::task::spawn_blocking(move || served.end("TERM")).await.unwrap();
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("stopped"), "{log}");
    assert_eq!(log.matches("the collector takes no spans").count(), 1, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_never_answers_keeps_nobody_from_deciding_or_ending() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let policy =
        format!(r#"{{ "telemetry": {{ "otlp_endpoint": "http://{address}", "sample_ratio": 1 }} }}"#);
    let served = serve_with(&policy);
    let mut client = client(&served).await;
    // More than fit into the exporter's queue.
    let requests = (0..3_000).map(|_| shell("s", "git status"));
    for request in requests {
        client.decide(request).await.unwrap();
    }
    drop(client);
    let (status, log) = tokio::task::spawn_blocking(move || served.end("TERM")).await.unwrap();
    assert_eq!(status.code(), Some(0), "{log}");
    drop(listener);
}

#[test]
fn a_collector_that_cannot_be_spoken_to_is_an_error_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let run = |variables: &[(&str, &str)]| {
        let mut command = command(folder.path());
        command.args(["serve", "--ephemeral", "--listen", "127.0.0.1:0"]).envs(variables.iter().copied());
        command.output().unwrap()
    };
    let http = run(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
    ]);
    let said = String::from_utf8(http.stderr).unwrap();
    assert!(
        !http.status.success() && said.contains("OTEL_EXPORTER_OTLP_PROTOCOL") && said.contains("4317"),
        "{said}"
    );
}
