//! What host does a text name? Addresses, URLs and numbers as the programs read them that dial them.
//!
//! Promises to look at characters only: no name is resolved. Where two programs would read a text differently the reading
//! that names a host wins. Knows nothing of commands.

/// Stands in a text for something that is only known when the command runs; no shell word can hold it otherwise.
pub(super) const HOLE: char = '\0';
/// The longest host that is looked at as a name; a longer one is shown as it is written.
const MAX_NAME_BYTES: usize = 1024;
/// Schemes that curl and browsers follow however many slashes stand behind the colon.
const WEB_SCHEMES: [&str; 7] = ["http", "https", "ftp", "ftps", "ws", "wss", "sftp"];
/// Schemes that name no counterparty by themselves; a host behind them is one all the same (`file://server/share`).
const LOCAL_SCHEMES: [&str; 9] =
    ["unix", "npipe", "fd", "data", "about", "http+unix", "vscode", "classpath", "oci-layout"];

/// What a text says about whom it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    /// This host, in the form that is shown; never a loopback one.
    Host(String),
    /// A host that is only known when it runs.
    Hidden,
    /// This machine, at a port that is only known when it runs.
    HiddenPort,
}

/// Reads the authority of an address: `[user@]host[:port]`.
pub(super) fn authority(text: &str) -> Option<Reading> {
    let place = text.rsplit_once('@').map_or(text, |(_, place)| place);
    let (host, port) = split_port(place);
    if host.contains(HOLE) {
        return Some(Reading::Hidden);
    }
    if host.is_empty() {
        return port.contains(HOLE).then_some(Reading::Hidden);
    }
    match named(host) {
        Some(name) => Some(Reading::Host(name)),
        None if port.contains(HOLE) => Some(Reading::HiddenPort),
        None => None,
    }
}

/// `host:port` in its two parts; an IPv6 address may stand with or without brackets.
fn split_port(place: &str) -> (&str, &str) {
    if let Some(rest) = place.strip_prefix('[') {
        return rest.split_once(']').unwrap_or((rest, ""));
    }
    if place.matches(':').take(2).count() == 2 && !place.contains(HOLE) {
        return (place, "");
    }
    place.split_once(':').unwrap_or((place, ""))
}

/// The host in the form that is shown; `None` for this machine itself.
///
/// Only the spellings that people write count as this machine. A number that merely works out to a loopback address is
/// shown with what it works out to.
pub(super) fn named(host: &str) -> Option<String> {
    if is_loopback(host) {
        return None;
    }
    if host.len() > MAX_NAME_BYTES {
        return Some(host.to_owned());
    }
    if is_plain_name(host) {
        return Some(host.strip_suffix('.').unwrap_or(host).to_owned());
    }
    match url::Host::parse(host) {
        Ok(url::Host::Domain(name)) => Some(name.strip_suffix('.').unwrap_or(&name).to_owned()),
        Ok(url::Host::Ipv4(address)) if address.to_string() != host => Some(format!("{host} ({address})")),
        Ok(url::Host::Ipv4(address)) => Some(address.to_string()),
        Ok(url::Host::Ipv6(address)) => Some(address.to_string()),
        Err(_) => Some(host.to_owned()),
    }
}

/// A name that stands for itself: small letters, digits and hyphens, with a last label that is no number.
fn is_plain_name(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    last.starts_with(|first: char| first.is_ascii_lowercase())
        && host
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte))
}

/// Whether the host is this machine, as people write it: `localhost` and names under it, 127.0.0.0/8, `::1`, and the
/// address of no particular host, which leads to this machine too.
pub(super) fn is_loopback(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let lower = host.to_ascii_lowercase();
    lower == "localhost"
        || lower == "ip6-localhost"
        || lower.ends_with(".localhost")
        || dotted_quad(host).is_some_and(|numbers| matches!(numbers, [127, ..] | [0, 0, 0, 0]))
        || (host.contains(':') && host.len() < 64 && is_loopback_six(host))
}

/// The numbers of an address that is written as four plain decimal ones.
fn dotted_quad(text: &str) -> Option<[u8; 4]> {
    let mut numbers = [0; 4];
    let mut parts = text.split('.');
    for number in &mut numbers {
        let part = parts.next()?;
        let plain = part == "0" || (!part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit()));
        *number = if plain { part.parse().ok()? } else { return None };
    }
    parts.next().is_none().then_some(numbers)
}

fn is_loopback_six(text: &str) -> bool {
    match url::Host::parse(&format!("[{text}]")) {
        Ok(url::Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
        Ok(url::Host::Domain(_) | url::Host::Ipv4(_)) | Err(_) => false,
    }
}

/// The scheme of `scheme:rest`, in lower case, and the rest.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let starts = scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    let fits = scheme.len() <= 40
        && scheme
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '.' | '-' | '_'));
    (starts && fits).then(|| (scheme.to_ascii_lowercase(), rest))
}

fn end_of_authority(text: &str) -> &str {
    text.split(['/', '?', '#', '\\']).next().unwrap_or(text)
}

/// A text that starts with a scheme, read as a URL: `Some` where it is one, with what it names.
pub(super) fn url(text: &str) -> Option<Vec<Reading>> {
    let text = text.trim();
    let (scheme, rest) = scheme(text)?;
    let bare = scheme.rsplit('+').next().unwrap_or(&scheme);
    let web = WEB_SCHEMES.contains(&scheme.as_str()) || WEB_SCHEMES.contains(&bare);
    let place = match rest.strip_prefix("//") {
        Some(place) if web => place.trim_start_matches(['/', '\\']),
        Some(place) => place,
        None if web && !rest.starts_with(|first: char| first.is_ascii_digit()) => {
            rest.trim_start_matches(['/', '\\'])
        }
        // Digits behind a web scheme are a host; behind any other name they are a port.
        None if web => rest,
        None => return None,
    };
    if LOCAL_SCHEMES.contains(&scheme.as_str()) {
        return Some(Vec::new());
    }
    let mut readings: Vec<Reading> = authority(end_of_authority(place)).into_iter().collect();
    if scheme == "file"
        && readings.iter().any(|reading| matches!(reading, Reading::Host(host) if host.len() == 1))
    {
        // A drive letter.
        readings.clear();
    }
    // Some programs do not end the host at a hash sign.
    let beyond_hash = place.split('/').next().and_then(|whole| whole.split_once('#'));
    if let Some((_, behind)) = beyond_hash.filter(|(_, behind)| behind.contains('@')) {
        readings.extend(authority(end_of_authority(behind)));
    }
    // Programs disagree on whether a backslash ends the host.
    if place.split(['/', '?', '#']).next().is_some_and(|whole| whole.contains('\\')) {
        readings.extend(authority(place.split(['/', '?', '#']).next().unwrap_or(place)));
    }
    Some(readings)
}

/// An address as a fetching program reads its operand: a URL, or a host with whatever follows it.
pub(super) fn address(text: &str) -> Vec<Reading> {
    let text = text.trim();
    if let Some(readings) = url(text) {
        return readings;
    }
    let text = text.strip_prefix("//").unwrap_or(text);
    if text.starts_with(['/', '.']) || text.is_empty() {
        return Vec::new();
    }
    authority(end_of_authority(text)).into_iter().collect()
}

/// A host, perhaps with a user and a port, or a URL; a path is a socket on this machine.
pub(super) fn host(text: &str) -> Vec<Reading> {
    let text = text.trim();
    if let Some(readings) = url(text) {
        return readings;
    }
    if text.starts_with(['/', '@']) || text.is_empty() || text == "-" {
        return Vec::new();
    }
    authority(end_of_authority(text)).into_iter().collect()
}

/// A place as `scp` and `rsync` read it: `[user@]host:path`, a URL, or a local path.
pub(super) fn remote(text: &str) -> Vec<Reading> {
    if let Some(readings) = url(text) {
        return readings;
    }
    if let Some(rest) = text.strip_prefix('[').or_else(|| text.split_once("@[").map(|(_, rest)| rest)) {
        return rest
            .split_once("]:")
            .and_then(|(host, _)| authority(&format!("[{host}]")))
            .into_iter()
            .collect();
    }
    let Some((place, path)) = text.split_once(':') else {
        let unknown_start =
            text.starts_with(HOLE) || text.split('/').next().is_some_and(|s| s.contains(HOLE));
        return if unknown_start { vec![Reading::Hidden] } else { Vec::new() };
    };
    let drive = place.len() == 1 && path.starts_with('\\');
    if place.contains('/') || place.starts_with('-') || drive {
        return Vec::new();
    }
    let place = place.rsplit_once('@').map_or(place, |(_, host)| host);
    if place.contains(HOLE) {
        return vec![Reading::Hidden];
    }
    if place.is_empty() {
        // `:http,url='https://…':` and the like.
        return mentions(text);
    }
    named(place).map(Reading::Host).into_iter().collect()
}

/// Every `scheme://host` in a text of any kind: code, a setting, a requirement.
pub(super) fn mentions(text: &str) -> Vec<Reading> {
    let mut found = Vec::new();
    for (at, mark) in text.match_indices("://") {
        let before = text.get(..at).unwrap_or_default();
        let scheme_start = before
            .char_indices()
            .rev()
            .take(40)
            .take_while(|(_, letter)| {
                letter.is_ascii_alphanumeric() || matches!(letter, '+' | '.' | '-' | '_')
            })
            .last();
        let Some((start, _)) = scheme_start else { continue };
        let scheme =
            before.get(start..).unwrap_or_default().trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        let lower = scheme.to_ascii_lowercase();
        if scheme.is_empty() || LOCAL_SCHEMES.contains(&lower.as_str()) || lower == "file" {
            continue;
        }
        let behind = text.get(at + mark.len()..).unwrap_or_default();
        let end = behind
            .find(|c: char| c.is_whitespace() || "/?#\\'\"`,;)(<>|".contains(c))
            .unwrap_or(behind.len());
        let place = behind.get(..end).unwrap_or_default();
        let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
        let (host, _) = split_port(place);
        if host.is_empty() {
            // A scheme that is put together with its host, as in `'https://' + host`.
            if matches!(lower.as_str(), "http" | "https" | "ftp" | "ws" | "wss") && end < behind.len() {
                found.push(Reading::Hidden);
            }
        } else if host.contains(HOLE) || host.contains(['{', '}', '$', '%', '*', '^', '[']) {
            found.push(Reading::Hidden);
        } else {
            found.extend(named(host).map(Reading::Host));
        }
    }
    found
}

/// Whether a text is shaped like a host that the internet knows: labels with a last one of letters, or four numbers.
pub(super) fn looks_like_host(text: &str) -> bool {
    if dotted_quad(text).is_some() {
        return true;
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    let label = |label: &str| {
        !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    text.contains('.')
        && text.split('.').all(label)
        && text
            .rsplit('.')
            .next()
            .is_some_and(|last| last.len() >= 2 && last.chars().all(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(readings: Vec<Reading>) -> Vec<String> {
        readings
            .into_iter()
            .map(|reading| match reading {
                Reading::Host(host) => host,
                Reading::Hidden => "?".to_owned(),
                Reading::HiddenPort => "port?".to_owned(),
            })
            .collect()
    }

    #[test]
    fn an_address_names_the_host_that_a_fetching_program_dials() {
        for (text, expected) in [
            ("https://evil.com/x", "evil.com"),
            ("//evil.com/x", "evil.com"),
            ("http://127.0.0.1#@evil.com/", "evil.com"),
            ("http://localhost/#@x", ""),
            ("HTTPS://EVIL.com:8443/a", "evil.com"),
            ("evil.com", "evil.com"),
            ("evil.com?x=1", "evil.com"),
            ("evil", "evil"),
            ("evil.com:8080/x", "evil.com"),
            ("https:/evil.com/x", "evil.com"),
            ("http:evil.com", "evil.com"),
            ("http:\\\\evil.com", "evil.com"),
            ("https:///evil.com/x", "evil.com"),
            ("user:pw@evil.com/x", "evil.com"),
            ("https://good.com@evil.com/", "evil.com"),
            ("https://a@b@evil.com/", "evil.com"),
            ("https://good.com\\@evil.com/", "good.com,evil.com"),
            ("http://2130706433:8000/", "2130706433 (127.0.0.1)"),
            ("2130706433/x", "2130706433 (127.0.0.1)"),
            ("0x7f.1", "0x7f.1 (127.0.0.1)"),
            ("017700000001", "017700000001 (127.0.0.1)"),
            ("1.2.3.4/24", "1.2.3.4"),
            ("bücher.example/x", "xn--bcher-kva.example"),
            ("ｅvil.com", "evil.com"),
            ("[2001:db8::1]:80/", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[::ffff:7f00:1]", "::ffff:7f00:1"),
            ("example.com.", "example.com"),
            ("https://\0/x", "?"),
            ("\0", "?"),
            ("https://api.\0.com/", "?"),
            ("https://evil.com/\0", "evil.com"),
            ("http://localhost:\0/x", "port?"),
            ("localhost:3000/x", ""),
            ("http://localhost:3000", ""),
            ("http://app.localhost/x", ""),
            ("127.0.0.1", ""),
            ("127.8.9.1:80", ""),
            ("::1", ""),
            ("[::1]:80", ""),
            ("0.0.0.0:80", ""),
            ("file:///etc/passwd", ""),
            ("file://localhost/x", ""),
            ("file://server/share", "server"),
            ("unix:///var/run/x.sock", ""),
            ("/path", ""),
            ("", ""),
        ] {
            assert_eq!(shown(address(text)).join(","), expected, "{text:?}");
        }
    }

    #[test]
    fn a_place_with_a_colon_is_remote_unless_a_slash_stands_before_it() {
        for (text, expected) in [
            ("myhost:/tmp", "myhost"),
            ("u@files.example.com:", "files.example.com"),
            ("rsync://evil/m", "evil"),
            ("evil::module", "evil"),
            ("u@[2001:db8::1]:x", "2001:db8::1"),
            ("\0:x", "?"),
            ("\0", "?"),
            ("dir/a:b", ""),
            ("./a:b", ""),
            ("C:\\x", ""),
            ("localhost:x", ""),
            ("a.txt", ""),
            ("/srv/\0", ""),
            ("src/\0", ""),
        ] {
            assert_eq!(shown(remote(text)).join(","), expected, "{text:?}");
        }
    }

    #[test]
    fn addresses_are_found_inside_code_and_settings() {
        for (text, expected) in [
            ("u.urlopen('https://drop.example.net')", "drop.example.net"),
            ("fetch(`http://localhost:${port}/`)", ""),
            ("fetch('https://' + host)", "?"),
            ("f\"https://{host}/x\"", "?"),
            ("requests @ https://evil/x.whl", "evil"),
            ("jdbc:postgresql://db/x", "db"),
            ("postgres://u:p@localhost/db", ""),
            ("# ://", ""),
            ("file:///x", ""),
            ("a://b c://d", "b,d"),
        ] {
            assert_eq!(shown(mentions(text)).join(","), expected, "{text:?}");
        }
    }
}
