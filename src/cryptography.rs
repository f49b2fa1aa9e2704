//! The one cryptography provider of the process: ring.
//!
//! Promises that whoever encrypts uses the same one. Knows nothing of what is encrypted.

use rustls::crypto::{CryptoProvider, ring};
use std::sync::{Arc, Once};

/// Chooses the provider for the whole process, unless somebody did before. The command does so before anything else.
pub(crate) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let _another_was_there = ring::default_provider().install_default();
    });
}

/// The provider of the process.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    install();
    CryptoProvider::get_default().cloned().unwrap_or_else(|| Arc::new(ring::default_provider()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_has_one_provider_and_no_second_can_be_built_in() {
        let chosen = provider();
        install();
        assert!(Arc::ptr_eq(&chosen, &provider()));
        assert!(Arc::ptr_eq(&chosen, CryptoProvider::get_default().unwrap()));
        assert!(ring::default_provider().install_default().is_err(), "another could still be installed");
        // rustls chooses for itself only where the build has exactly one, and panics where it has two.
        let lock = include_str!("../Cargo.lock");
        for other in ["aws-lc-rs", "aws-lc-sys", "openssl-sys", "boring-sys", "rustls-mbedcrypto-provider"] {
            assert!(!lock.contains(&format!("name = \"{other}\"")), "{other} is in the build");
        }
        assert!(lock.contains("name = \"ring\""));
    }
}
