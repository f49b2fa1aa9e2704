//! Where a server may listen, and what it says about it.

use super::gate::{Served, run_in};
use haltgate::client::Options;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

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

/// A certificate of its own for `127.0.0.1`, in a folder, that holds during these years.
fn certify(folder: &Path, years: (i32, i32)) {
    let mut params = rcgen::CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    params.not_before = rcgen::date_time_ymd(years.0, 1, 1);
    params.not_after = rcgen::date_time_ymd(years.1, 1, 1);
    let key = rcgen::KeyPair::generate().unwrap();
    std::fs::write(folder.join("tls.crt"), params.self_signed(&key).unwrap().pem()).unwrap();
    std::fs::write(folder.join("tls.key"), key.serialize_pem()).unwrap();
}

const ENCRYPTED: &str =
    r#"{ "server": { "listen": "127.0.0.1:0", "tls": { "certificate": "tls.crt", "key": "tls.key" } } }"#;

#[tokio::test(flavor = "multi_thread")]
async fn an_encrypted_gate_says_how_it_is_reached_and_speaks_of_its_certificate() {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("haltgate.jsonc"), ENCRYPTED).unwrap();
    certify(folder.path(), (2001, 2002));
    let key = folder.path().join("tls.key");
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o644)).unwrap();
    let served = Served::start_where_configured(Arc::clone(&folder), &["--ephemeral", "--log", "info"]);
    assert!(served.address.starts_with("https://127.0.0.1:"), "{}", served.banner);
    for part in ["the certificate has expired", "2002-01-01", "can read the private key", "tls.key"] {
        assert!(served.log().contains(part), "{part}: {}", served.log());
    }
    // Another that is of no use, and then a good one.
    std::fs::write(&key, "").unwrap();
    while !served.log().contains("is of no use; the old one stays") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    certify(folder.path(), (2020, 2099));
    while !served.log().contains("a new certificate is in use") {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let authority = std::fs::read(folder.path().join("tls.crt")).unwrap();
    let client =
        Options::default().certificate_authority(authority).connect(&served.address.parse().unwrap()).await;
    let decision = client.unwrap().session("s").decide_shell("git status").ask().await.unwrap();
    assert!(decision.approved());
    let (status, log) = tokio::task::block_in_place(|| served.end("TERM"));
    assert_eq!(status.code(), Some(0), "{log}");
}

#[test]
fn a_gate_without_its_certificate_does_not_start_and_names_the_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), ENCRYPTED).unwrap();
    let refused = run_in(folder.path(), &["serve", "--ephemeral"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(
        refused.err.contains("server.tls: cannot read") && refused.err.contains("tls.crt"),
        "{}",
        refused.err
    );
}
