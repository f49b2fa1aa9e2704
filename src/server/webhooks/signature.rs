//! What proves to a receiver that a notification comes from this gate, and when it was sent.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The value of `haltgate-signature`: the time of sending in seconds since the Unix epoch, and in hexadecimal the
/// HMAC-SHA256 of that time, a full stop and the body.
pub(super) fn signature(secret: &[u8], sent_at: i64, body: &[u8]) -> String {
    // A key of any length will do: one that is longer than a block is hashed first.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else { return String::new() };
    mac.update(sent_at.to_string().as_bytes());
    mac.update(b".");
    mac.update(body);
    let digest = mac.finalize().into_bytes();
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={sent_at},v1={hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_the_hmac_of_time_and_body() {
        // Computed with `printf '1700000000.{"id":"x"}' | openssl dgst -sha256 -hmac 0123456789abcdef`.
        let expected = "f1cf8ba6a2fa64bd8193b9db564f42cd35d0fc2a46f6a2c2903f897838a7f23a";
        assert_eq!(
            signature(b"0123456789abcdef", 1_700_000_000, br#"{"id":"x"}"#),
            format!("t=1700000000,v1={expected}")
        );
    }

    #[test]
    fn another_secret_time_or_body_has_another_signature() {
        let one = signature(b"0123456789abcdef", 1, b"2.3");
        for other in [
            signature(b"0123456789abcdeF", 1, b"2.3"),
            signature(b"0123456789abcdef", 2, b"2.3"),
            signature(b"0123456789abcdef", 1, b"2.4"),
        ] {
            assert_ne!(one, other);
        }
    }
}
