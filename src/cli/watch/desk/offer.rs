//! What a human may answer to an escalation: exactly what is on offer, in the order of the menu.
//!
//! Promises that an answer which would store something is on offer only together with the entry that it stores.

use crate::proto::v1 as pb;

/// An answer to an escalation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::cli::watch) enum Choice {
    /// Approve this one call.
    Once,
    /// Approve, and store the grant until the session is over.
    Session,
    /// Approve, and store the grant for the project.
    Always,
    /// Reject this one call.
    No,
    /// Reject, and keep the denial until the session is over.
    Deny,
}

impl Choice {
    /// Every one, in the order of the menu.
    pub(in crate::cli::watch) const ALL: [Self; 5] =
        [Self::Once, Self::Session, Self::Always, Self::No, Self::Deny];

    /// Its key.
    pub(in crate::cli::watch) fn key(self) -> char {
        match self {
            Self::Once => 'o',
            Self::Session => 's',
            Self::Always => 'a',
            Self::No => 'n',
            Self::Deny => 'd',
        }
    }

    /// Its name.
    pub(in crate::cli::watch) fn label(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Session => "session",
            Self::Always => "always",
            Self::No => "no",
            Self::Deny => "deny",
        }
    }

    /// What it says in the contract.
    pub(in crate::cli::watch) fn verdict(self) -> pb::Verdict {
        match self {
            Self::Once | Self::Session | Self::Always => pb::Verdict::Approve,
            Self::No | Self::Deny => pb::Verdict::Reject,
        }
    }

    /// How far it reaches.
    pub(in crate::cli::watch) fn scope(self) -> pb::Scope {
        match self {
            Self::Once | Self::No => pb::Scope::Once,
            Self::Session | Self::Deny => pb::Scope::Session,
            Self::Always => pb::Scope::Always,
        }
    }
}

/// What is on offer. Without an offer there is nothing but a refusal.
pub(in crate::cli::watch) fn choices(offer: Option<&pb::AnswerOffer>) -> Vec<Choice> {
    let Some(offer) = offer else { return vec![Choice::No] };
    let offered = |choice: &Choice| {
        let (scopes, stores) = match choice {
            Choice::Once => (&offer.approve_scopes, true),
            Choice::Session | Choice::Always => (&offer.approve_scopes, offer.grant.is_some()),
            Choice::No => (&offer.reject_scopes, true),
            Choice::Deny => (&offer.reject_scopes, offer.denial.is_some()),
        };
        stores && scopes.contains(&choice.scope().into())
    };
    Choice::ALL.into_iter().filter(offered).collect()
}
