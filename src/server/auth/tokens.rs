//! The gate's own tokens that are in force.
//!
//! Promises that a token admits its holder until it ends or is revoked, and that a lookup tells nobody which of that it was.
//! Knows nothing of requests.

use super::rejection::Rejection;
use super::token::{Presented, SecretHash, TokenId};
use super::token_file::TokenRecord;
use super::{Recognised, moment};
use crate::access::{Caller, Via};
use crate::gate::Moment;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug)]
struct Token {
    hash: SecretHash,
    caller: Arc<Caller>,
    expires_at: Option<Moment>,
    revoked: bool,
}

/// Every token of a file.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    by_id: HashMap<TokenId, Token>,
}

impl Tokens {
    pub(super) fn of(records: Vec<TokenRecord>) -> Self {
        let token = |record: TokenRecord| {
            let caller =
                Caller { name: record.name, role: record.role, projects: record.projects, via: Via::Token };
            let token = Token {
                hash: record.hash,
                caller: Arc::new(caller),
                expires_at: record.expires_at.map(moment),
                revoked: record.revoked_at.is_some(),
            };
            (record.id, token)
        };
        Self { by_id: records.into_iter().map(token).collect() }
    }

    /// Whose token this is.
    pub(super) fn recognise(&self, text: &str, now: Moment) -> Result<Recognised, Rejection> {
        let presented = Presented::parse(text).ok_or(Rejection::NoToken)?;
        let id = || presented.id.to_string();
        let token = self.by_id.get(&presented.id).ok_or_else(|| Rejection::TokenUnknown { id: id() })?;
        if token.hash != presented.hash {
            return Err(Rejection::TokenSecret { id: id() });
        }
        if token.revoked {
            return Err(Rejection::TokenRevoked { id: id() });
        }
        if token.expires_at.is_some_and(|end| now >= end) {
            return Err(Rejection::TokenExpired { id: id() });
        }
        Ok(Recognised { caller: Arc::clone(&token.caller), expires_at: token.expires_at })
    }
}
