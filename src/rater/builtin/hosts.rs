//! Hosts whose names are made to be mistaken for others.
//!
//! Promises to speak up only where the deception is clear: letters of several scripts in one name, or a well-known name in
//! front of another domain. Knows nothing of what is fetched.

use super::findings::Findings;
use super::objects::shown;
use crate::gate::Outcome;
use crate::shell::hardline::Argument;

/// Hosts that others pretend to be.
const KNOWN: [&str; 16] = [
    "github.com",
    "githubusercontent.com",
    "gitlab.com",
    "bitbucket.org",
    "npmjs.org",
    "npmjs.com",
    "pypi.org",
    "pythonhosted.org",
    "crates.io",
    "rubygems.org",
    "docker.com",
    "docker.io",
    "google.com",
    "microsoft.com",
    "apple.com",
    "amazonaws.com",
];
/// Domains below which names of others stand in all honesty: proxies and mirrors.
const HONEST: [&str; 6] = ["localhost", "internal", "local", "lan", "test", "example"];

/// Adds the hosts in addresses that deceive.
pub(super) fn add(arguments: &[Argument], findings: &mut Findings) {
    for argument in arguments {
        let Some((_, rest)) = argument.text.split_once("://") else { continue };
        let is_file = argument.text.starts_with("file:");
        let path =
            rest.split_once('/').filter(|_| !is_file).map_or("", |(_, path)| path).to_ascii_lowercase();
        if path.split(['/', '?', '&', '=']).any(|part| {
            matches!(part, "secret" | "secrets" | "credentials" | "security-credentials" | "tokens")
        }) {
            findings.not_assessed(|| {
                format!("The address {} is that of a store of secrets.", shown(&argument.text))
            });
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let named = user.split(':').next().unwrap_or_default().to_lowercase();
        if let Some(known) =
            KNOWN.into_iter().find(|known| named == *known || named.ends_with(&format!(".{known}")))
        {
            findings.add(Outcome::Attack, || {
                format!("The address {} only looks like one of {known}.", shown(&argument.text))
            });
        }
        let host = host.split(':').next().unwrap_or_default().to_lowercase();
        if mixes_scripts(&host) {
            findings.add(Outcome::Attack, || {
                format!(
                    "The host {} has letters that only look like others: it pretends to be another one.",
                    shown(&host)
                )
            });
        } else if let Some(known) = pretends(&host) {
            findings.add(Outcome::Attack, || format!("The host {} pretends to be {known}.", shown(&host)));
        }
    }
}

fn mixes_scripts(host: &str) -> bool {
    host.split('.').any(|label| {
        let foreign = |letter: char| matches!(letter, '\u{370}'..='\u{3ff}' | '\u{400}'..='\u{52f}');
        label.chars().any(|letter| letter.is_ascii_alphabetic()) && label.chars().any(foreign)
    })
}

/// The well-known host that stands in front of another domain.
fn pretends(host: &str) -> Option<&'static str> {
    let last = host.rsplit('.').next().unwrap_or_default();
    if HONEST.contains(&last) && host.matches('.').count() <= 2 {
        return None;
    }
    KNOWN.into_iter().find(|known| {
        host.match_indices(known).any(|(at, _)| {
            let before = host.get(..at).unwrap_or_default();
            let behind = host.get(at + known.len()..).unwrap_or_default();
            (before.is_empty() || before.ends_with('.')) && behind.starts_with(['.', '-']) && behind.len() > 2
        })
    })
}
