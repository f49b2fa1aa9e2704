//! Keys at an address: fetched, rotated, and an issuer that goes away or is hammered at.

use super::jwt::{Signer, claims, issuer, key_set};
use super::*;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A server of keys.
struct Keys {
    address: SocketAddr,
    answer: Arc<Mutex<String>>,
    asked: Arc<AtomicUsize>,
}

impl Keys {
    async fn serve(body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let answer = Arc::new(Mutex::new(ok(body)));
        let asked = Arc::new(AtomicUsize::new(0));
        let (given, count) = (Arc::clone(&answer), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let answer = given.lock().unwrap().clone();
                tokio::spawn(async move {
                    let mut request = [0; 4096];
                    let _read = stream.read(&mut request).await;
                    let _written = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { address, answer, asked }
    }

    fn answer(&self, whole: String) {
        *self.answer.lock().unwrap() = whole;
    }
}

fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
}

async fn gate_of(keys: &Keys) -> Gate {
    let address = format!("\"jwks_url\": \"http://{}/keys\"", keys.address);
    gate(&folder(), &format!("{{\"jwt\": [{}]}}", issuer(&address))).await
}

#[tokio::test]
async fn rotated_keys_are_found_by_the_first_token_that_needs_them() {
    let (old, new) = (Signer::ed(), Signer::es256());
    let keys = Keys::serve(&key_set(&[old.jwk("old")])).await;
    let gate = gate_of(&keys).await;
    until(&gate, &old.token("old", &claims(|_| {})), true).await;
    keys.answer(ok(&key_set(&[old.jwk("old"), new.jwk("new")])));
    until(&gate, &new.token("new", &claims(|_| {})), true).await;
    show(&gate, &old.token("old", &claims(|_| {}))).await.unwrap();
}

#[tokio::test]
async fn tokens_with_unknown_keys_cannot_make_the_gate_hammer_the_issuer() {
    let (signer, stranger) = (Signer::ed(), Signer::ed());
    let keys = Keys::serve(&key_set(&[signer.jwk("k")])).await;
    let gate = gate_of(&keys).await;
    until(&gate, &signer.token("k", &claims(|_| {})), true).await;
    let before = keys.asked.load(Ordering::SeqCst);
    let began = std::time::Instant::now();
    for attempt in 0..40 {
        refused(show(&gate, &stranger.token(&format!("k{attempt}"), &claims(|_| {}))).await);
    }
    let asked = keys.asked.load(Ordering::SeqCst) - before;
    // Once, and once more for each half minute that the attempts took.
    let most = 1 + usize::try_from(began.elapsed().as_secs() / 30).unwrap();
    assert!((1..=most).contains(&asked), "{asked} of at most {most}");
    show(&gate, &signer.token("k", &claims(|_| {}))).await.unwrap();
}

#[tokio::test]
async fn the_last_good_keys_stay_while_the_issuer_is_away_or_talks_nonsense() {
    let (signer, stranger) = (Signer::ed(), Signer::ed());
    let keys = Keys::serve(&key_set(&[signer.jwk("k")])).await;
    let gate = gate_of(&keys).await;
    let token = signer.token("k", &claims(|_| {}));
    until(&gate, &token, true).await;
    let before = keys.asked.load(Ordering::SeqCst);
    keys.answer(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned(),
    );
    refused(show(&gate, &stranger.token("x", &claims(|_| {}))).await);
    while keys.asked.load(Ordering::SeqCst) == before {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    show(&gate, &token).await.unwrap();
    // Too long, no key set, a redirect: each is asked for again by the gate itself.
    for nonsense in [
        ok(&format!("{{\"keys\": [], \"x\": \"{}\"}}", "x".repeat(600 << 10))),
        ok("<html>"),
        "HTTP/1.1 302 Found\r\nlocation: /other\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_owned(),
    ] {
        keys.answer(nonsense);
        let before = keys.asked.load(Ordering::SeqCst);
        while keys.asked.load(Ordering::SeqCst) == before {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        show(&gate, &token).await.unwrap();
    }
}

#[tokio::test]
async fn an_issuer_that_was_never_reached_admits_nobody_until_it_is() {
    let signer = Signer::ed();
    let keys = Keys::serve("").await;
    let gate = gate_of(&keys).await;
    let token = signer.token("k", &claims(|_| {}));
    refused(show(&gate, &token).await);
    keys.answer(ok(&key_set(&[signer.jwk("k")])));
    until(&gate, &token, true).await;
}

#[tokio::test]
async fn an_open_feed_ends_when_its_issuer_takes_back_the_key() {
    let (old, new) = (Signer::ed(), Signer::es256());
    let keys = Keys::serve(&key_set(&[old.jwk("old")])).await;
    let gate = gate_of(&keys).await;
    let token = old.token("old", &claims(|_| {}));
    until(&gate, &token, true).await;
    let request =
        with(pb::StreamEscalationsRequest::default(), &[("authorization", &format!("Bearer {token}"))]);
    let mut feed = gate.client.clone().stream_escalations(request).await.unwrap().into_inner();
    keys.answer(ok(&key_set(&[new.jwk("new")])));
    // Whoever comes with the new key has the gate fetch the keys.
    until(&gate, &new.token("new", &claims(|_| {})), true).await;
    let status = loop {
        match feed.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the feed ended without a word"),
            Err(status) => break status,
        }
    };
    Failure::of(&status).expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    refused(show(&gate, &token).await);
}
