//! Names of this machine.
//!
//! Promises to call a host this machine only in its plain spellings; any other spelling is another machine.

/// Whether a URL, `host:port`, `user@host` or `user@host:path` names this machine.
pub(crate) fn is_this_machine(text: &str) -> bool {
    if text.contains(['\\', super::argument::UNKNOWN]) {
        return false;
    }
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if let Some(inner) = host.strip_prefix('[') {
        return inner.split(']').next() == Some("::1");
    }
    if host == "::1" {
        return true;
    }
    let name = host.split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    name == "localhost"
        || name == "ip6-localhost"
        || name.ends_with(".localhost")
        || is_loopback_address(&name)
}

fn is_loopback_address(name: &str) -> bool {
    let numbers: Vec<&str> = name.split('.').collect();
    let plain = numbers.len() == 4 && numbers.iter().all(|number| number.parse::<u8>().is_ok());
    name == "0.0.0.0" || (plain && numbers.first() == Some(&"127"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_spellings_name_this_machine() {
        for (text, expected) in [
            ("http://localhost:3000/x", true),
            ("localhost", true),
            ("LOCALHOST:1", true),
            ("me@127.0.0.1:/x", true),
            ("http://127.9.9.9?a=b", true),
            ("http://[::1]:80/", true),
            ("https://app.localhost/", true),
            ("0.0.0.0:80", true),
            ("http://localhost@evil.example/", false),
            ("http://127.0.0.1.evil.example/", false),
            ("http://evil.example/localhost", false),
            ("http://localhost.evil.example", false),
            ("http://evil.example#@localhost", false),
            ("http://evil.example\\@localhost", false),
            ("127.0.0.1000", false),
            ("", false),
        ] {
            assert_eq!(is_this_machine(text), expected, "{text}");
        }
    }
}
