//! Where a server may listen, and what it says about it.

use super::gate::{Served, run_in};
use std::sync::Arc;

#[test]
fn an_address_that_strangers_reach_starts_nothing_unless_somebody_insists() {
    let folder = tempfile::tempdir().unwrap();
    for address in ["0.0.0.0:0", "[::]:0", "[::ffff:192.0.2.1]:0", "192.0.2.1:0"] {
        let flag = run_in(folder.path(), &["serve", "--ephemeral", "--listen", address]);
        assert_eq!(flag.code, 2, "{flag:?}");
        for part in [address, "reached from other machines", "`auth`", "127.0.0.1:7557", "--insecure"] {
            assert!(flag.err.contains(part), "{part}: {}", flag.err);
        }
        let file = format!("{{\n  \"server\": {{ \"listen\": [\"127.0.0.1:0\", \"{address}\"] }}\n}}");
        std::fs::write(folder.path().join("haltgate.jsonc"), file).unwrap();
        let checked = run_in(folder.path(), &["check"]);
        assert_eq!(checked.code, 1, "{checked:?}");
        assert!(checked.out.contains("haltgate.jsonc:2:15: server.listen"), "{}", checked.out);
        std::fs::remove_file(folder.path().join("haltgate.jsonc")).unwrap();
    }
    for name in ["example.com:7557", "gate:7557", "7557", ":7557", "localhost", "*:7557"] {
        let named = run_in(folder.path(), &["serve", "--ephemeral", "--listen", name]);
        assert_eq!(named.code, 2, "{named:?}");
        assert!(
            named.err.contains("IP address with a port") && named.err.contains("0.0.0.0:7557"),
            "{}",
            named.err
        );
    }
    let unclear = run_in(folder.path(), &["serve", "--ephemeral", "--listen", "[::1%lo]:1"]);
    assert_eq!(unclear.code, 2, "{unclear:?}");
}

#[test]
fn whoever_insists_is_served_and_told_at_every_start() {
    let policy = r#"{ "server": { "lame_duck": "0s", "listen": ["0.0.0.0:0", "127.0.0.1:0"] } }"#;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
    let served = Served::start_where_configured(Arc::new(folder), &["--ephemeral", "--insecure"]);
    assert!(served.banner.contains("INSECURE"), "{}", served.banner);
    assert_eq!(served.banner.lines().filter(|line| line.trim_start().starts_with("address")).count(), 2);
    assert!(served.log().contains("--insecure"), "{}", served.log());
    let (_, port) = served.address.rsplit_once(':').unwrap();
    let server = format!("127.0.0.1:{port}");
    assert_eq!(served.run(&["decide", "--server", &server, "--", "git", "status"]).code, 0);
    assert_eq!(served.end("TERM").0.code(), Some(0));
    // A file cannot insist.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), r#"{ "server": { "insecure": true } }"#).unwrap();
    assert_eq!(run_in(folder.path(), &["check"]).code, 1);
}

#[test]
fn nobody_is_warned_of_strangers_where_there_are_none() {
    let served = Served::start("{}", &["--ephemeral", "--insecure"]);
    assert!(!served.banner.contains("INSECURE") && !served.log().contains("--insecure"), "{}", served.log());
}
