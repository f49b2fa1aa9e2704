//! Commands that send data to another machine.
//!
//! Promises to tell what is sent from what proves who sends it (`-i key`, `--cert`, `--netrc-file`), what is fetched, and the
//! paths of other machines. A command whose counterparty is this machine sends nothing.

use super::argument::{Argument, UNKNOWN, Unit};
use super::command::Invocation;
use super::credentials::is_credential;
use super::hosts::is_this_machine;
use super::options::{Flag, Grammar, Parsed};
use super::sources::{is_file, is_remote};
use super::uploaders;
use crate::shell::tree::{RedirectOperator, Word};
use crate::shell::word::{base_name, best_text};

/// A command that sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sink {
    /// A file that it sends is a credential.
    pub(super) sends_credential: bool,
    /// Whether what it reads as its input is sent.
    pub(super) input: Input,
}

/// Whether what a command reads as its input is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// It is.
    Sent,
    /// It may be, by a way that is not followed.
    Possible,
    /// It is not.
    Ignored,
}

/// Options of `curl` that take a value, by long name; those that name another counterparty stand apart.
const CURL: Grammar = Grammar {
    short: "AbcCdDeEFHKmoPQrtTuUwxXYyz",
    long: &[
        "--abstract-unix-socket",
        "--alt-svc",
        "--aws-sigv4",
        "--cacert",
        "--capath",
        "--cert",
        "--cert-type",
        "--ciphers",
        "--config",
        "--connect-timeout",
        "--connect-to",
        "--continue-at",
        "--cookie",
        "--cookie-jar",
        "--create-file-mode",
        "--crlfile",
        "--curves",
        "--data",
        "--data-ascii",
        "--data-binary",
        "--data-raw",
        "--data-urlencode",
        "--delegation",
        "--dns-interface",
        "--dns-ipv4-addr",
        "--dns-ipv6-addr",
        "--dns-servers",
        "--doh-url",
        "--dump-header",
        "--egd-file",
        "--engine",
        "--etag-compare",
        "--etag-save",
        "--expect100-timeout",
        "--form",
        "--form-string",
        "--ftp-account",
        "--ftp-alternative-to-user",
        "--ftp-method",
        "--ftp-port",
        "--ftp-ssl-ccc-mode",
        "--happy-eyeballs-timeout-ms",
        "--header",
        "--hostpubmd5",
        "--hostpubsha256",
        "--hsts",
        "--interface",
        "--json",
        "--keepalive-time",
        "--key",
        "--key-type",
        "--krb",
        "--libcurl",
        "--limit-rate",
        "--local-port",
        "--login-options",
        "--mail-auth",
        "--mail-from",
        "--mail-rcpt",
        "--max-filesize",
        "--max-redirs",
        "--max-time",
        "--netrc-file",
        "--noproxy",
        "--oauth2-bearer",
        "--output",
        "--output-dir",
        "--parallel-max",
        "--pass",
        "--pinnedpubkey",
        "--preproxy",
        "--proto",
        "--proto-default",
        "--proto-redir",
        "--proxy",
        "--proxy-cacert",
        "--proxy-capath",
        "--proxy-cert",
        "--proxy-cert-type",
        "--proxy-ciphers",
        "--proxy-crlfile",
        "--proxy-header",
        "--proxy-key",
        "--proxy-key-type",
        "--proxy-pass",
        "--proxy-pinnedpubkey",
        "--proxy-service-name",
        "--proxy-tls13-ciphers",
        "--proxy-tlsauthtype",
        "--proxy-tlspassword",
        "--proxy-tlsuser",
        "--proxy-user",
        "--proxy1.0",
        "--pubkey",
        "--quote",
        "--random-file",
        "--range",
        "--rate",
        "--referer",
        "--request",
        "--request-target",
        "--resolve",
        "--retry",
        "--retry-delay",
        "--retry-max-time",
        "--sasl-authzid",
        "--service-name",
        "--socks4",
        "--socks4a",
        "--socks5",
        "--socks5-gssapi-service",
        "--socks5-hostname",
        "--speed-limit",
        "--speed-time",
        "--stderr",
        "--telnet-option",
        "--tftp-blksize",
        "--time-cond",
        "--tls-max",
        "--tls13-ciphers",
        "--tlsauthtype",
        "--tlspassword",
        "--tlsuser",
        "--trace",
        "--trace-ascii",
        "--unix-socket",
        "--upload-file",
        "--url",
        "--url-query",
        "--user",
        "--user-agent",
        "--variable",
        "--write-out",
    ],
};
const WGET: Grammar = Grammar {
    short: "oaeiOBtTwQPUlARDIX",
    long: &[
        "--accept",
        "--accept-regex",
        "--append-output",
        "--base",
        "--bind-address",
        "--body-data",
        "--body-file",
        "--ca-certificate",
        "--ca-directory",
        "--certificate",
        "--certificate-type",
        "--ciphers",
        "--compression",
        "--config",
        "--connect-timeout",
        "--crl-file",
        "--cut-dirs",
        "--default-page",
        "--directory-prefix",
        "--dns-timeout",
        "--domains",
        "--exclude-directories",
        "--exclude-domains",
        "--execute",
        "--follow-tags",
        "--ftp-password",
        "--ftp-user",
        "--header",
        "--http-password",
        "--http-user",
        "--ignore-tags",
        "--include-directories",
        "--input-file",
        "--level",
        "--limit-rate",
        "--load-cookies",
        "--local-encoding",
        "--method",
        "--output-document",
        "--output-file",
        "--password",
        "--pinnedpubkey",
        "--post-data",
        "--post-file",
        "--prefer-family",
        "--private-key",
        "--private-key-type",
        "--progress",
        "--proxy-password",
        "--proxy-user",
        "--quota",
        "--read-timeout",
        "--referer",
        "--regex-type",
        "--reject",
        "--reject-regex",
        "--rejected-log",
        "--remote-encoding",
        "--report-speed",
        "--restrict-file-names",
        "--retry-on-http-error",
        "--save-cookies",
        "--secure-protocol",
        "--start-pos",
        "--timeout",
        "--tries",
        "--use-askpass",
        "--user",
        "--user-agent",
        "--wait",
        "--waitretry",
        "--warc-dedup",
        "--warc-file",
        "--warc-header",
        "--warc-max-size",
        "--warc-tempdir",
    ],
};
const SCP: Grammar = Grammar { short: "cDFiJloPSX", long: &[] };
pub(super) const RSYNC: Grammar = Grammar {
    short: "eBTfM",
    long: &[
        "--rsh",
        "--exclude",
        "--include",
        "--exclude-from",
        "--include-from",
        "--files-from",
        "--chown",
        "--chmod",
        "--rsync-path",
        "--password-file",
        "--bwlimit",
        "--port",
        "--timeout",
        "--filter",
        "--temp-dir",
        "--partial-dir",
        "--log-file",
        "--backup-dir",
        "--suffix",
        "--max-size",
        "--min-size",
        "--link-dest",
        "--compare-dest",
        "--copy-dest",
        "--out-format",
        "--info",
        "--usermap",
        "--groupmap",
        "--address",
        "--remote-option",
    ],
};
const SSH: Grammar = Grammar { short: "BbcDEeFIiJLlmOopPQRSWw", long: &[] };

/// Reads a command as one that sends; `None` where it sends nothing, or nothing beyond this machine.
pub(super) fn read(command: &Invocation<'_>) -> Option<Sink> {
    match command.program.as_str() {
        "curl" | "curlie" => curl(command),
        "wget" | "wget2" => wget(command),
        "http" | "https" | "xh" | "xhs" | "httpie" => http(command),
        "scp" | "pscp" => copies(command, SCP, true),
        "rsync" => copies(command, RSYNC, false),
        "sftp" | "psftp" | "ftp" | "lftp" | "tftp" | "ncftpput" | "ncftp" => transfers(command),
        "nc" | "ncat" | "netcat" | "nc.openbsd" | "nc.traditional" | "telnet" | "websocat" | "grpcurl" => {
            connects(command)
        }
        "socat" => joins(command),
        "openssl" => {
            let client = command.arguments().first().is_some_and(|first| first.text == "s_client");
            let here = value_of(command, "-connect").is_some_and(|host| is_this_machine(&host.text));
            (client && !here).then_some(Sink { sends_credential: false, input: Input::Sent })
        }
        "ssh" | "slogin" | "autossh" | "dbclient" | "plink" | "rsh" => shells_out(command),
        "dig" | "nslookup" | "host" | "drill" | "kdig" | "delv" | "dog" | "doggo" => {
            let input = if command.segment.open_ended || command.arguments().iter().any(Argument::is_dynamic)
            {
                Input::Possible
            } else {
                Input::Ignored
            };
            Some(Sink { sends_credential: false, input })
        }
        _ => uploaders::read(command),
    }
}

/// Whether the words are an `ssh` to this machine.
pub(super) fn goes_to_this_machine(words: &[Word]) -> bool {
    let mut words = words.iter();
    let Some(program) = words.next() else { return false };
    if !matches!(base_name(&best_text(program).0), "ssh" | "slogin" | "autossh") {
        return false;
    }
    let arguments: Vec<Argument> = words.map(|word| Argument::new(word, false)).collect();
    Parsed::read(&arguments, SSH).operands.first().is_some_and(|host| is_this_machine(&host.text))
}

fn value_of<'a>(command: &'a Invocation<'_>, option: &str) -> Option<&'a Argument> {
    let mut arguments = command.arguments().iter();
    arguments.find(|argument| argument.text == option)?;
    arguments.next()
}

/// Whether there are counterparties and all of them are this machine.
fn all_here<'a>(hosts: impl Iterator<Item = &'a str>) -> bool {
    let mut some = false;
    for host in hosts {
        if !is_this_machine(host) {
            return false;
        }
        some = true;
    }
    some
}

fn curl(command: &Invocation<'_>) -> Option<Sink> {
    let parsed = command.parsed(CURL);
    let detour = ["--resolve", "--connect-to", "--dns-servers"];
    let through = ["-x", "--proxy", "--preproxy", "--socks4", "--socks5", "--socks5-hostname", "--url"];
    let is = |flag: &Flag<'_>, names: &[&str]| names.contains(&flag.name.as_str());
    let hosts: Vec<String> = parsed
        .operands
        .iter()
        .map(|operand| operand.text.clone())
        .chain(
            parsed
                .flags
                .iter()
                .filter(|flag| is(flag, &through))
                .filter_map(|flag| flag.value.map(super::argument::text_of)),
        )
        .collect();
    let detoured = parsed.flags.iter().any(|flag| is(flag, &detour));
    if !detoured && all_here(hosts.iter().map(String::as_str)) {
        return None;
    }
    let mut input = Input::Possible;
    let mut sends_credential = false;
    for flag in &parsed.flags {
        let Some(value) = flag.value else { continue };
        for file in files_of_curl(&flag.name, value) {
            if matches!(super::argument::text_of(file).as_str(), "-" | ".") {
                input = Input::Sent;
            }
            sends_credential |= is_credential(&command.path(file));
        }
    }
    Some(Sink { sends_credential, input })
}

/// The files that the value of an option of `curl` sends.
fn files_of_curl<'u>(option: &str, value: &'u [Unit]) -> Vec<&'u [Unit]> {
    let behind = |at: usize| value.get(at..).unwrap_or_default();
    let position = |wanted: char| value.iter().position(|unit| unit.character() == wanted);
    match option {
        "-T" | "--upload-file" => value.split(|unit| matches!(unit.character(), '{' | '}' | ',')).collect(),
        "-d" | "--data" | "--data-ascii" | "--data-binary" | "--json" | "-H" | "--header" => {
            if position('@') == Some(0) { vec![behind(1)] } else { Vec::new() }
        }
        "--data-urlencode" | "--url-query" | "--variable" => match (position('@'), position('=')) {
            (Some(at), equals) if equals.is_none_or(|equals| at < equals) => vec![behind(at + 1)],
            _ => Vec::new(),
        },
        "-F" | "--form" => {
            let Some(equals) = position('=') else { return Vec::new() };
            match value.get(equals + 1).map(|unit| unit.character()) {
                Some('@' | '<') => {
                    behind(equals + 2).split(|unit| matches!(unit.character(), ',' | ';' | '"')).collect()
                }
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

fn wget(command: &Invocation<'_>) -> Option<Sink> {
    let parsed = command.parsed(WGET);
    if all_here(parsed.operands.iter().map(|operand| operand.text.as_str())) {
        return None;
    }
    let mut sink = Sink { sends_credential: false, input: Input::Possible };
    for flag in &parsed.flags {
        if let ("--post-file" | "--body-file", Some(value)) = (flag.name.as_str(), flag.value) {
            sink.sends_credential |= is_credential(&command.path(value));
        }
    }
    Some(sink)
}

fn http(command: &Invocation<'_>) -> Option<Sink> {
    let parsed = command.parsed(Grammar {
        short: "aAosp",
        long: &[
            "--auth",
            "--auth-type",
            "--output",
            "--session",
            "--cert",
            "--cert-key",
            "--verify",
            "--timeout",
        ],
    });
    let is_method = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_uppercase());
    let mut operands = parsed.operands.iter();
    let mut url = operands.next()?;
    if is_method(&url.text) {
        url = operands.next()?;
    }
    if url.text.starts_with(':') || is_this_machine(&url.text) {
        return None;
    }
    let sends_credential = operands.any(|item| {
        let at = item.text.chars().position(|character| character == '@');
        at.is_some_and(|at| is_credential(&command.path(item.behind(at + 1))))
    });
    Some(Sink { sends_credential, input: Input::Sent })
}

/// `scp` and `rsync`: files to a destination. With `always`, a destination that is not known counts as another machine.
fn copies(command: &Invocation<'_>, grammar: Grammar, always: bool) -> Option<Sink> {
    let parsed = command.parsed(grammar);
    let (destination, files) = parsed.operands.split_last()?;
    let text = destination.text.as_str();
    let remote = is_remote(text) || (always && (text.contains("://") || text.starts_with(UNKNOWN)));
    if !remote || is_this_machine(&text.replace("::", ":")) {
        return None;
    }
    let sends_credential =
        files.iter().any(|file| is_file(file) && is_credential(&command.path(&file.units)));
    let input = if command.segment.open_ended { Input::Possible } else { Input::Ignored };
    let reads_input = files.iter().any(|file| matches!(file.text.as_str(), "-" | "/dev/stdin"))
        || parsed.flags.iter().any(|flag| flag.name == "--files-from");
    Some(Sink { sends_credential, input: if reads_input { Input::Sent } else { input } })
}

/// `sftp` and its kin: what their commands put.
fn transfers(command: &Invocation<'_>) -> Option<Sink> {
    let parsed = command.parsed(Grammar { short: "bBcDFilopPRsSu", long: &[] });
    let mut hosts = parsed.operands.iter().map(|operand| operand.text.as_str());
    if hosts.next().is_some_and(is_this_machine) {
        return None;
    }
    let input = command.segment.redirects.iter().filter_map(|redirect| match redirect.operator {
        RedirectOperator::HereString => Some(Argument::new(&redirect.target, true)),
        RedirectOperator::HereDocument | RedirectOperator::HereDocumentStripped => {
            redirect.heredoc.as_ref().map(|document| Argument::new(&document.body, true))
        }
        _ => None,
    });
    let texts: Vec<Argument> = command.arguments().iter().cloned().chain(input).collect();
    let puts = texts.iter().any(|argument| puts_credential(command, argument));
    let operand = command.program == "ncftpput"
        && parsed.operands.iter().any(|file| is_credential(&command.path(&file.units)));
    let separate = command.program == "tftp" && {
        let mut arguments = command.arguments().iter();
        arguments.any(|argument| argument.text == "put")
            && arguments.any(|file| is_credential(&command.path(&file.units)))
    };
    Some(Sink { sends_credential: puts || operand || separate, input: Input::Sent })
}

/// Whether a text of commands for a file transfer (`put ~/.ssh/id_rsa`) sends a credential.
pub(super) fn puts_credential(command: &Invocation<'_>, text: &Argument) -> bool {
    let blank = |unit: &Unit| matches!(unit.character(), ' ' | '\t');
    text.units.split(|unit| matches!(unit.character(), '\n' | ';')).any(|line| {
        let mut words = line.split(blank).filter(|word| !word.is_empty());
        let verb = words.next().map(super::argument::text_of).unwrap_or_default();
        let sends = matches!(verb.as_str(), "put" | "mput" | "reput" | "send" | "append" | "mirror");
        sends && words.any(|word| is_credential(&command.path(word)))
    })
}

fn connects(command: &Invocation<'_>) -> Option<Sink> {
    let parsed = command.parsed(Grammar {
        short: "ceghiIkmMnopPqsTVwWxX",
        long: &["--exec", "--proxy", "--source", "--ssl-cert", "--ssl-key"],
    });
    let only_looks = parsed.has('z', "");
    let listens = parsed.has('l', "--listen");
    let here = parsed.operands.first().is_some_and(|host| is_this_machine(&host.text));
    let folder = parsed.has('U', "--unixsock");
    (!only_looks && !folder && (listens || !here))
        .then_some(Sink { sends_credential: false, input: Input::Sent })
}

fn joins(command: &Invocation<'_>) -> Option<Sink> {
    const NETWORK: &[&str] = &["tcp", "udp", "ssl", "openssl", "sctp", "socks", "proxy", "dccp", "quic"];
    let mut sends = false;
    let mut sends_credential = false;
    for argument in command.arguments() {
        let (kind, rest) = argument.text.split_once(':').unwrap_or(("", argument.text.as_str()));
        let kind = kind.to_ascii_lowercase();
        if NETWORK.iter().any(|network| kind.starts_with(network)) {
            sends |= !is_this_machine(rest.split(',').next().unwrap_or_default());
        } else {
            let start = argument.text.chars().count() - rest.chars().count();
            sends_credential |= argument
                .behind(start)
                .split(|unit| matches!(unit.character(), ',' | ' ' | '\t'))
                .any(|part| is_credential(&command.path(part)));
        }
    }
    sends.then_some(Sink { sends_credential, input: Input::Sent })
}

fn shells_out(command: &Invocation<'_>) -> Option<Sink> {
    let parsed = command.parsed(SSH);
    let host = parsed.operands.first()?;
    let own_input = parsed.flags.iter().any(|flag| matches!(flag.name.as_str(), "-n" | "-f" | "-N"));
    (!is_this_machine(&host.text)).then_some(Sink {
        sends_credential: false,
        input: if own_input { Input::Ignored } else { Input::Sent },
    })
}
