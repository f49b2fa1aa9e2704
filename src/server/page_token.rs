//! Page tokens and cursors: opaque to the caller, bound to the store, the list and its conditions.
//!
//! Promises that a token works only for the store, list and conditions it was given for: places in one store mean nothing in
//! another, such as the one that a gate in memory begins anew with. A token holds no secret; the digest in it keeps honest
//! callers from mixing lists up.

use sha2::{Digest, Sha256};

/// What the conditions of a listing look like to a token.
#[derive(Debug, Clone)]
pub(super) struct Conditions(String);

impl Conditions {
    /// Of a list in the store with this id, and everything that its pages must agree on.
    pub(super) fn of(store: &str, list: &str, parts: &[&str]) -> Self {
        let mut hash = Sha256::new();
        for part in [store, list].iter().chain(parts) {
            hash.update(part.len().to_le_bytes());
            hash.update(part.as_bytes());
        }
        Self(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    /// The token for a place in the list.
    pub(super) fn token(&self, place: &str) -> String {
        let hex: String = place.bytes().map(|byte| format!("{byte:02x}")).collect();
        format!("{}.{hex}", self.0)
    }

    /// The place that a token stands for; `None` when it was not given for this list and these conditions.
    pub(super) fn place(&self, token: &str) -> Option<String> {
        let (digest, hex) = token.split_once('.')?;
        if digest != self.0 || hex.len() % 2 != 0 || !hex.is_ascii() {
            return None;
        }
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = hex.as_bytes().chunks(2).map(byte).collect();
        String::from_utf8(bytes?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_works_for_its_own_store_list_and_conditions_alone() {
        let conditions = Conditions::of("store", "decisions", &["default", "s-1"]);
        let token = conditions.token("4711 é");
        assert_eq!(conditions.place(&token).as_deref(), Some("4711 é"));
        for other in [
            Conditions::of("store", "decisions", &["default", "s-2"]),
            Conditions::of("store", "sessions", &["default", "s-1"]),
            Conditions::of("another", "decisions", &["default", "s-1"]),
        ] {
            assert_eq!(other.place(&token), None);
        }
        // Parts are told apart, however they would run together.
        assert_eq!(Conditions::of("store", "decisions", &["defaults", "-1"]).place(&token), None);
        for made_up in ["", ".", "x", "0011.zz", "0011.abc", "é.é"] {
            assert_eq!(conditions.place(made_up), None, "{made_up}");
        }
    }
}
