//! Encrypted connections: who is believed, what is spoken, and how those end that cannot come about.

use crate::support::*;
use haltgate::config::{ClientAuth, ServerSettings, TlsVersion};
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::server::{StartError, start};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion, version};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tonic::transport::{Channel, Endpoint};

async fn decides(channel: Channel) -> bool {
    ApprovalGateClient::new(channel).decide(shell("s", "ls")).await.is_ok()
}

/// A client by hand, for what a gRPC client does not show.
fn connector(
    authority: &Authority,
    versions: &[&'static SupportedProtocolVersion],
    alpn: &[&[u8]],
) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem.as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut client = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    client.alpn_protocols = alpn.iter().map(|name| name.to_vec()).collect();
    TlsConnector::from(Arc::new(client))
}

#[tokio::test]
async fn a_gate_is_believed_by_its_names_and_its_authority_alone() {
    let authority = Authority::new("ours");
    let files = Files::of(&authority.certify(&["gate.test", "other.test"]));
    let gate = Serving::with(files.settings(ClientAuth::None)).await;
    for name in ["gate.test", "other.test"] {
        let channel = connect(gate.address, authority.client(name, None)).await.unwrap();
        assert!(decides(channel).await, "{name}");
    }
    assert!(connect(gate.address, authority.client("evil.test", None)).await.is_err(), "another name");
    let stranger = Authority::new("theirs");
    assert!(connect(gate.address, stranger.client("gate.test", None)).await.is_err(), "another authority");
    gate.leave().await;
}

#[tokio::test]
async fn a_certificate_that_does_not_hold_yet_or_any_more_is_served_and_refused_by_clients() {
    let authority = Authority::new("ours");
    for years in [(2001, 2002), (2090, 2099)] {
        let files = Files::of(&authority.certify_during(&["gate.test"], years));
        let gate = Serving::with(files.settings(ClientAuth::None)).await;
        assert!(connect(gate.address, authority.client("gate.test", None)).await.is_err(), "{years:?}");
        gate.leave().await;
    }
}

#[tokio::test]
async fn files_that_are_of_no_use_start_nothing_and_are_named() {
    let authority = Authority::new("ours");
    let pair = authority.certify(&["gate.test"]);
    let other = authority.certify(&["gate.test"]);
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let garbled = "-----BEGIN CERTIFICATE-----\nMIIBkTCB\n-----END CERTIFICATE-----\n";
    let cut = pair.certificate.split_at(pair.certificate.len() / 2).0;
    let cases: [(&str, &str, &[&str]); 11] = [
        ("tls.crt", "", &["tls.crt", "no certificate", "BEGIN CERTIFICATE"]),
        ("tls.crt", "\u{0}\u{1}\u{2}", &["tls.crt", "no certificate"]),
        ("tls.crt", cut, &["tls.crt", "no PEM file"]),
        ("tls.crt", garbled, &["tls.crt", "cannot be read"]),
        ("tls.crt", &pair.key, &["tls.crt", "no certificate"]),
        ("tls.key", "", &["tls.key", "no private key", "BEGIN PRIVATE KEY"]),
        ("tls.key", &pair.certificate, &["tls.key", "no private key"]),
        ("tls.key", &other.key, &["tls.crt", "tls.key", "cannot be used together"]),
        ("tls.key", encrypted, &["tls.key", "encrypted key", "decrypt it"]),
        ("ca.crt", "", &["ca.crt", "no certificate"]),
        ("ca.crt", garbled, &["ca.crt", "bad certificate"]),
    ];
    for (name, text, expected) in cases {
        let files = Files::of(&pair);
        files.write("ca.crt", &authority.pem);
        files.write(name, text);
        let refused = start(engine(), &files.settings(ClientAuth::Required)).await.unwrap_err();
        assert!(matches!(refused, StartError::Tls(_)), "{name}: {refused}");
        for part in expected {
            assert!(refused.to_string().contains(part), "{part}: {refused}");
        }
    }
    let files = Files::of(&pair);
    let refused = start(engine(), &files.settings(ClientAuth::Optional)).await.unwrap_err();
    assert!(
        refused.to_string().contains("cannot read") && refused.to_string().contains("ca.crt"),
        "{refused}"
    );
    std::fs::create_dir(files.path("ca.crt")).unwrap();
    let refused = start(engine(), &files.settings(ClientAuth::Optional)).await.unwrap_err();
    assert!(refused.to_string().contains("is no file"), "{refused}");
}

#[tokio::test]
async fn both_versions_of_http_are_spoken_and_old_versions_of_tls_are_not() {
    let authority = Authority::new("ours");
    let files = Files::of(&authority.certify(&["gate.test"]));
    let mut strict = files.settings(ClientAuth::None);
    strict.tls.as_mut().unwrap().min_version = TlsVersion::Tls13;
    let gate = Serving::with(files.settings(ClientAuth::None)).await;
    let strict = Serving::with(strict).await;
    let agrees =
        async |address: SocketAddr, versions: &[&'static SupportedProtocolVersion], alpn: &[&[u8]]| {
            let name = ServerName::try_from("gate.test").unwrap();
            let plain = TcpStream::connect(address).await.unwrap();
            let agreed = connector(&authority, versions, alpn).connect(name, plain).await.ok()?;
            let session = agreed.get_ref().1;
            Some((session.protocol_version().unwrap(), session.alpn_protocol().map(<[u8]>::to_vec)))
        };
    let (old, new) = (&version::TLS12, &version::TLS13);
    let h2 = Some(b"h2".to_vec());
    let http1 = Some(b"http/1.1".to_vec());
    assert_eq!(
        agrees(gate.address, &[new, old], &[b"http/1.1", b"h2"]).await,
        Some((new.version, h2.clone()))
    );
    assert_eq!(agrees(gate.address, &[old], &[b"http/1.1"]).await, Some((old.version, http1)));
    assert_eq!(agrees(gate.address, &[new], &[]).await, Some((new.version, None)));
    assert_eq!(agrees(gate.address, &[new], &[b"spdy/3"]).await, None, "no protocol in common");
    assert_eq!(agrees(strict.address, &[new, old], &[b"h2"]).await, Some((new.version, h2)));
    assert_eq!(agrees(strict.address, &[old], &[b"h2"]).await, None);
    // TLS 1.1 and 1.0: the hello of a client, and a fatal alert for it: `handshake_failure` or `protocol_version`.
    for minor in [1, 2] {
        let body = [&[3, minor][..], &[7; 32], &[0, 0, 4, 0xc0, 0x13, 0x00, 0x2f, 1, 0]].concat();
        let length = u8::try_from(body.len()).unwrap();
        let hello = [&[0x16, 3, 1, 0, length + 4, 1, 0, 0, length][..], &body].concat();
        let mut plain = TcpStream::connect(gate.address).await.unwrap();
        plain.write_all(&hello).await.unwrap();
        let mut answer = Vec::new();
        plain.read_to_end(&mut answer).await.unwrap();
        assert!(matches!(answer[..], [0x15, 3, _, 0, 2, 2, 40 | 70]), "{answer:?}");
    }
    gate.leave().await;
    strict.leave().await;
}

/// What a server says to these bytes before it ends the connection; it is an error if it does not.
async fn answer(address: SocketAddr, said: &[u8]) -> Vec<u8> {
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(said).await.unwrap();
    let mut answer = Vec::new();
    // An end is an end, whether in order or by a reset.
    let _how = plain.read_to_end(&mut answer).await;
    answer
}

#[tokio::test]
async fn whoever_speaks_plainly_to_an_encrypted_port_or_the_other_way_round_meets_an_end() {
    let authority = Authority::new("ours");
    let files = Files::of(&authority.certify(&["gate.test"]));
    let encrypted = Serving::with(files.settings(ClientAuth::None)).await;
    let plain = Serving::with(ServerSettings::default()).await;
    for said in [
        &b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\0\0\0\0\0\0\0",
    ] {
        let alert = answer(encrypted.address, said).await;
        assert_eq!(alert.first(), Some(&0x15), "{said:?} {alert:?}");
    }
    let client = Endpoint::from_shared(format!("http://{}", encrypted.address)).unwrap().connect().await;
    if let Ok(channel) = client {
        assert!(!decides(channel).await);
    }
    assert!(connect(plain.address, authority.client("gate.test", None)).await.is_err());
    assert_eq!(answer(plain.address, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").await, b"");
    encrypted.leave().await;
    plain.leave().await;
}

#[tokio::test]
async fn a_thousand_clients_that_say_nothing_keep_nobody_out() {
    let authority = Authority::new("ours");
    let files = Files::of(&authority.certify(&["gate.test"]));
    let encrypted = Serving::with(files.settings(ClientAuth::None)).await;
    let plain = Serving::with(ServerSettings::default()).await;
    let mut silent = Vec::new();
    for index in 0..1000 {
        let address = if index % 4 == 0 { plain.address } else { encrypted.address };
        let mut stream = TcpStream::connect(address).await.unwrap();
        // Some begin and go no further.
        if index % 2 == 0 {
            let begun: &[u8] = if index % 4 == 0 { b"PRI * HT" } else { b"\x16\x03\x01\x02\x00\x01" };
            // The gate may have ended it by now.
            let _sent = stream.write_all(begun).await;
        }
        silent.push(stream);
    }
    for _ in 0..3 {
        assert!(
            decides(connect(encrypted.address, authority.client("gate.test", None)).await.unwrap()).await
        );
        let channel = Endpoint::from_shared(format!("http://{}", plain.address)).unwrap().connect().await;
        assert!(decides(channel.unwrap()).await);
    }
    drop(silent);
    encrypted.leave().await;
    plain.leave().await;
}
