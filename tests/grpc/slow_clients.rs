//! Clients that take their time to say what they want.

use crate::support::*;
use haltgate::config::ServerSettings;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a server says to these bytes until it ends the connection. It hangs where the server does not.
async fn until_the_end(address: SocketAddr, said: &'static [u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(said).await.unwrap();
    let mut answer = Vec::new();
    let _how = stream.read_to_end(&mut answer).await;
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_finish_what_it_begins_is_not_waited_for_without_end() {
    let gate = Serving::with(ServerSettings::default()).await;
    let begun: [&[u8]; 5] = [
        b"",
        b"P",
        b"PRI * HTTP/2.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ",
        // A whole request, and then nothing more over a connection that could take the next one.
        b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n",
    ];
    let waiting: Vec<_> =
        begun.into_iter().map(|said| (said, tokio::spawn(until_the_end(gate.address, said)))).collect();
    for (said, waiting) in waiting {
        let answer = waiting.await.unwrap();
        let answered = String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 200");
        assert_eq!(answered, said.ends_with(b"\r\n\r\n") && said.starts_with(b"GET"), "{said:?} {answer:?}");
    }
    gate.leave().await;
}
