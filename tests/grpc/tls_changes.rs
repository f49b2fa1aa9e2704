//! Certificates that change while the gate runs.

use crate::support::*;
use haltgate::config::ClientAuth;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tonic::transport::ClientTlsConfig;

async fn decides(gate: &Serving, tls: ClientTlsConfig) -> bool {
    match connect(gate.address, tls).await {
        Ok(channel) => ApprovalGateClient::new(channel).decide(shell("s", "ls")).await.is_ok(),
        Err(_) => false,
    }
}

/// Waits until it holds.
async fn until(mut holds: impl AsyncFnMut() -> bool) {
    while !holds().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// What Kubernetes does to a mounted secret: a new folder, and one link that changes from the old to the new in one step.
fn mount(volume: &Path, version: &str, pair: &Pair) {
    let folder = volume.join(version);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("tls.crt"), &pair.certificate).unwrap();
    std::fs::write(folder.join("tls.key"), &pair.key).unwrap();
    symlink(version, volume.join("..data_tmp")).unwrap();
    std::fs::rename(volume.join("..data_tmp"), volume.join("..data")).unwrap();
    for name in ["tls.crt", "tls.key"] {
        if !volume.join(name).exists() {
            symlink(Path::new("..data").join(name), volume.join(name)).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mounted_secret_that_is_swapped_is_taken_over_and_no_request_fails() {
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let volume = tempfile::tempdir().unwrap();
    mount(volume.path(), "..1", &old.certify(&["gate.test"]));
    let files = Files { folder: volume };
    let gate = Arc::new(Serving::with(files.settings(ClientAuth::None)).await);
    let both = ClientTlsConfig::new()
        .ca_certificate(tonic::transport::Certificate::from_pem(&old.pem))
        .ca_certificate(tonic::transport::Certificate::from_pem(&new.pem))
        .domain_name("gate.test");
    let (done, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let flowing: Vec<_> = (0..4)
        .map(|client| {
            let (gate, both, done, asked) =
                (Arc::clone(&gate), both.clone(), Arc::clone(&done), Arc::clone(&asked));
            tokio::spawn(async move {
                let kept = connect(gate.address, both.clone()).await.unwrap();
                while !done.load(Ordering::Acquire) {
                    // Half of them over one connection, half over a new one each.
                    let channel = if client % 2 == 0 {
                        kept.clone()
                    } else {
                        connect(gate.address, both.clone()).await.unwrap()
                    };
                    ApprovalGateClient::new(channel).decide(shell("s", "ls")).await.unwrap();
                    asked.fetch_add(1, Ordering::AcqRel);
                }
            })
        })
        .collect();
    until(async || asked.load(Ordering::Acquire) > 20).await;
    mount(files.folder.path(), "..2", &new.certify(&["gate.test"]));
    until(async || decides(&gate, new.client("gate.test", None)).await).await;
    assert!(!decides(&gate, old.client("gate.test", None)).await, "the old certificate is still shown");
    let before = asked.load(Ordering::Acquire);
    until(async || asked.load(Ordering::Acquire) > before + 20).await;
    done.store(true, Ordering::Release);
    for client in flowing {
        client.await.unwrap();
    }
}

#[tokio::test]
async fn a_broken_pair_keeps_the_old_one_and_a_good_one_follows_it() {
    let (old, new) = (Authority::new("old"), Authority::new("new"));
    let files = Files::of(&old.certify(&["gate.test"]));
    let gate = Serving::with(files.settings(ClientAuth::None)).await;
    let pair = new.certify(&["gate.test"]);
    // The certificate is written before its key, and then the key is missing for a while.
    files.write("tls.crt", &pair.certificate);
    for _ in 0..2 {
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        assert!(decides(&gate, old.client("gate.test", None)).await);
        std::fs::remove_file(files.path("tls.key")).unwrap_or_default();
    }
    files.write("tls.key", &pair.key);
    until(async || decides(&gate, new.client("gate.test", None)).await).await;
    gate.leave().await;
}

#[tokio::test]
async fn the_authorities_of_clients_change_too() {
    let authority = Authority::new("ours");
    let (before, after) = (Authority::new("before"), Authority::new("after"));
    let files = Files::of(&authority.certify(&["gate.test"]));
    files.write("ca.crt", &before.pem);
    let gate = Serving::with(files.settings(ClientAuth::Required)).await;
    let (earlier, later) = (before.certify(&["agent.test"]), after.certify(&["agent.test"]));
    assert!(decides(&gate, authority.client("gate.test", Some(&earlier))).await);
    assert!(!decides(&gate, authority.client("gate.test", Some(&later))).await);
    files.write("ca.crt", &format!("{}{}", before.pem, after.pem));
    until(async || decides(&gate, authority.client("gate.test", Some(&later))).await).await;
    assert!(decides(&gate, authority.client("gate.test", Some(&earlier))).await);
    files.write("ca.crt", &after.pem);
    until(async || !decides(&gate, authority.client("gate.test", Some(&earlier))).await).await;
    assert!(decides(&gate, authority.client("gate.test", Some(&later))).await);
    gate.leave().await;
}
