//! The first bytes of a connection: which protocol is it?
//!
//! Promises to read no further than it takes to tell, and to hand everything on. Knows nothing of the protocols themselves.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf};

/// What every connection of HTTP/2 begins with.
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// What every connection of TLS begins with.
const TLS_HANDSHAKE: u8 = 0x16;

/// What a connection speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protocol {
    Http1,
    Http2,
    /// Which makes no sense where nothing is encrypted, or inside of what is.
    Tls,
}

/// Waits for what a connection speaks; `None` when it ends first.
///
/// # Errors
/// The connection failed.
pub(super) async fn listen<IO>(mut connection: IO) -> io::Result<Option<(Protocol, Said<IO>)>>
where
    IO: AsyncRead + Unpin,
{
    let mut said = Vec::with_capacity(PREFACE.len());
    let protocol = loop {
        let missing = PREFACE.len().saturating_sub(said.len());
        let mut next = [0; PREFACE.len()];
        let Some(room) = next.get_mut(..missing) else { break Protocol::Http1 };
        let length = connection.read(room).await?;
        if length == 0 {
            return Ok(None);
        }
        said.extend(next.iter().take(length));
        if said.first() == Some(&TLS_HANDSHAKE) {
            break Protocol::Tls;
        }
        if !PREFACE.starts_with(&said) {
            break Protocol::Http1;
        }
        if said.len() == PREFACE.len() {
            break Protocol::Http2;
        }
    };
    Ok(Some((protocol, Said { said, taken: 0, connection })))
}

/// A connection with what it said already.
pub(super) struct Said<IO> {
    said: Vec<u8>,
    taken: usize,
    connection: IO,
}

impl<IO: AsyncRead + Unpin> AsyncRead for Said<IO> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        match this.said.get(this.taken..).filter(|left| !left.is_empty()) {
            Some(left) => {
                let length = left.len().min(buffer.remaining());
                buffer.put_slice(left.get(..length).unwrap_or_default());
                this.taken = this.taken.saturating_add(length);
                Poll::Ready(Ok(()))
            }
            None => Pin::new(&mut this.connection).poll_read(context, buffer),
        }
    }
}

impl<IO: AsyncWrite + Unpin> AsyncWrite for Said<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.connection).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.connection).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_protocol_is_told_by_the_first_bytes_and_none_of_them_is_lost() {
        let whole = [PREFACE.as_slice(), b"\0\0\0\x04\0\0\0\0\0"].concat();
        let cases: [(&[u8], Option<Protocol>); 6] = [
            (&whole, Some(Protocol::Http2)),
            (b"POST / HTTP/1.1\r\n\r\n", Some(Protocol::Http1)),
            (b"PRI * HTTP/1.1\r\n\r\n", Some(Protocol::Http1)),
            (b"\x16\x03\x01\x02\x00", Some(Protocol::Tls)),
            (b"PRI * HTTP/2.0", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            // As slowly as can be, and all at once.
            for most in [1, 1024] {
                let found = listen(arriving(bytes, most)).await.unwrap();
                assert_eq!(found.as_ref().map(|(protocol, _)| *protocol), expected, "{bytes:?}");
                if let Some((_, mut said)) = found {
                    let mut all = Vec::new();
                    said.read_to_end(&mut all).await.unwrap();
                    assert_eq!(all, bytes);
                }
            }
        }
    }

    fn arriving(bytes: &[u8], most: usize) -> impl AsyncRead + Unpin + use<> {
        struct Slow(Vec<u8>, usize);
        impl AsyncRead for Slow {
            fn poll_read(
                mut self: Pin<&mut Self>,
                _: &mut Context<'_>,
                buffer: &mut ReadBuf<'_>,
            ) -> Poll<io::Result<()>> {
                let length = self.0.len().min(self.1).min(buffer.remaining());
                let now: Vec<u8> = self.0.drain(..length).collect();
                buffer.put_slice(&now);
                Poll::Ready(Ok(()))
            }
        }
        Slow(bytes.to_vec(), most)
    }
}
