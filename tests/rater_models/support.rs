//! Short ways to ask a model that stands behind a local server.

use crate::server::Server;
use haltgate::config::{ModelProfile, ModelProvider};
use haltgate::gate::{FailureCause, Outcome, RatingRequest, RatingResult, RatingSubject, ReadCommand};
use haltgate::rater::model::ModelRater;
use haltgate::rater::{Assessed, Rater, RatingScope, Secret};
use haltgate::shell::Dialect;
use url::Url;

/// A key that must never be seen anywhere but in its header.
pub const KEY: &str = "sk-test-0123456789abcdefghij";

pub fn address(server: &Server, path: &str) -> Url {
    Url::parse(&format!("http://{}{path}", server.address)).unwrap()
}

pub fn profile(server: &Server, provider: ModelProvider) -> ModelProfile {
    let path = match provider {
        ModelProvider::OpenAi => "/v1",
        ModelProvider::Anthropic | ModelProvider::Ollama => "",
    };
    ModelProfile::new(provider, "m", address(server, path))
}

pub fn rater_of(profile: ModelProfile) -> ModelRater {
    ModelRater::new("house", profile, Some(Secret::new(KEY).unwrap())).unwrap()
}

pub fn rater(server: &Server) -> ModelRater {
    rater_of(profile(server, ModelProvider::OpenAi))
}

pub fn request(command: &str) -> RatingRequest {
    RatingRequest {
        subject: RatingSubject::Command {
            command: ReadCommand::new(command, Dialect::Bash),
            cwd: Some("/work/secret-project".to_owned()),
            home: Some("/home/me".to_owned()),
        },
        profile: None,
        timeout_ms: 60_000,
        context: None,
        negotiable: false,
        free_tools: Vec::new(),
    }
}

pub fn within(command: &str, timeout_ms: u32) -> RatingRequest {
    RatingRequest { timeout_ms, ..request(command) }
}

pub async fn assess(rater: &ModelRater, request: RatingRequest) -> Assessed {
    rater.assess(request, RatingScope::default()).await
}

pub fn outcome(result: &RatingResult) -> Result<Outcome, FailureCause> {
    result.as_ref().map(|verdict| verdict.outcome).map_err(|cause| *cause)
}
